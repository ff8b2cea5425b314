"""Searches under assumptions: the code has a branch for inputs that violate them, which every search looks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from programs import Programs
from sampling import examples
from zeroin.config import Budget, Options
from zeroin.errors import OptionError
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.strategies import STRATEGIES
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination, branches_of
from zeroin.subject.subject import Subject
from zeroin.worker.precondition_check import set_preconditions

C = """
    int f(double x, double y, int n) {{
        int ok = {condition};
        if (ok) return 0;
        return 1;
    }}
    """
PYTHON = """
    def f(x: float, y: float, n: int) -> int:
        ok = {condition}
        if ok:
            return 0
        return 1
    """
Load = Callable[..., Subject]


@pytest.fixture(params=["c", "python"])
def load(request: pytest.FixtureRequest, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """A subject of a C or a Python text with conditions put in, of which nothing else is run than is assumed."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(c: str, python: str, *assumed: str, **options: Any) -> Subject:
        text = c if request.param == "c" else python
        subject: Subject = (LlvmSubject(programs.write(text), "f") if request.param == "c" else
                            Modules(tmp_path).load(text))  # fmt: skip
        set_preconditions(subject, Options(assume=assumed, **options), "f")
        return subject

    return load


def taken(search: Search, holds: bool) -> bool:
    """Whether some run came to the last condition, and it was so."""
    return bool(search.seen >> 2 * search.subject.sites[-1].number + (not holds) & 1)


def searched(subject: Subject, engine: str, evaluations: int = 20_000, seed: int = 0) -> Search:
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(evaluations, 60.0, work=0.5), seed)  # fmt: skip
    generate(search, schedule_named(engine))
    return search


# ---- no run violates what is assumed ----

RELATIONS = ["x < y", "x * x + y * y <= 1", "x == 2 * y", "x == x and y == y", "n * n > 10 and n < 100", "x + n != y"]


@pytest.mark.parametrize("engine", ["hybrid", *STRATEGIES])
@pytest.mark.parametrize("condition", RELATIONS)
def test_no_engine_runs_what_violates_a_condition(load: Load, engine: str, condition: str) -> None:
    in_c = condition.replace("n * n", "(long)n * n").replace("and", "&&")
    search = searched(load(C.format(condition=in_c), PYTHON.format(condition=condition), condition), engine)
    assert not taken(search, False)
    assert all(search.subject.assumed.holds(run.words) for run in search.runs)  # type: ignore[union-attr]


@pytest.mark.parametrize("engine", ["hybrid", "minimize", "targets", "chance", "explore", "seeds"])
def test_engines_find_what_is_within(load: Load, engine: str) -> None:
    """A narrow region, in which half of the branches are covered by what most starts lead to."""
    c = "int f(double x, double y, int n) { if (n > 0) return 1; if (x > 3.5) return 2; return 0; }"
    python = """
        def f(x: float, y: float, n: int) -> int:
            if n > 0:
                return 1
            if x > 3.5:
                return 2
            return 0
        """
    search = searched(load(c, python, "1 <= x <= 4, x <= y <= x + 2"), engine, 200_000)
    assert search.covered == 0b1111


@dataclass(frozen=True)
class Both:
    """A condition in both languages."""

    python: str
    c: str


def comparisons(names: str) -> st.SearchStrategy[Both]:
    operand = st.sampled_from(names) | st.sampled_from(["0.0", "1.5", "-2.0", "100.0", "1e300"])
    sum_ = st.tuples(operand, st.sampled_from("+-*"), operand).map(lambda parts: f"({' '.join(parts)})")
    side = st.one_of(operand, operand, sum_)
    return st.tuples(side, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), side).map(
        lambda parts: Both(" ".join(parts), " ".join(parts))
    )


CONDITIONS = st.recursive(comparisons("xy"), lambda inner: st.one_of(
    st.builds(lambda a, b: Both(f"({a.python} and {b.python})", f"({a.c} && {b.c})"), inner, inner),
    st.builds(lambda a, b: Both(f"({a.python} or {b.python})", f"({a.c} || {b.c})"), inner, inner),
    st.builds(lambda a: Both(f"(not {a.python})", f"(!({a.c}))"), inner),
), max_leaves=4)  # fmt: skip


@pytest.mark.parametrize("language", ["c", "python"])
@examples(100)
@given(conditions=st.lists(CONDITIONS, min_size=1, max_size=3), seed=st.integers(0, 9))
def test_no_input_of_any_search_violates_random_assumptions(
    tmp_path_factory: pytest.TempPathFactory, programs: Programs, language: str, conditions: list[Both], seed: int
) -> None:
    """The branch behind a violation is missing, so all that searches do is to look for one."""
    assumed = tuple(one.python for one in conditions)
    subject: Subject
    if language == "c":
        subject = LlvmSubject(programs.write(C.format(condition=" && ".join(f"({one.c})" for one in conditions))), "f")
    else:
        folder = tmp_path_factory.mktemp("random")
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(folder))
            subject = Modules(folder).load(PYTHON.format(condition=" and ".join(f"({one})" for one in assumed)))
    try:
        set_preconditions(subject, Options(assume=assumed), "f")
    except OptionError:  # proved to have no input
        plain = searched(subject, "hybrid", 5_000, seed)
        assert not taken(plain, True)
        return
    search = searched(subject, "hybrid", 5_000, seed)
    assert not taken(search, False)
    for run in search.runs:
        x, y, n = subject.signature.arguments(run.words)
        assert all(eval(text, {"x": x, "y": y, "n": n}) for text in assumed)


# ---- single runs ----


def test_what_violates_a_condition_is_not_run_by_itself_either(load: Load) -> None:
    subject = load(C.format(condition="x < y"), PYTHON.format(condition="x < y"), "x < y, n < 5")
    within = subject.words_of("1.0, 2.0, 3")
    assert subject.run(within).covered
    for values in ("2.0, 1.0, 3", "1.0, 2.0, 5", "nan, 2.0, 3"):
        words = _words(values)
        assert subject.run(words).outcome is Termination.REFUSED
        assert subject.execute(words).decisions == ()
        assert not subject.run(words).covered


def _words(values: str) -> tuple[int, ...]:
    """Of arguments that may be out of range."""
    from zeroin.words import Kind, encode

    x, y, n = values.split(", ")
    return encode(Kind.F64, float(x)), encode(Kind.F64, float(y)), int(n)


# ---- proofs ----


@pytest.mark.parametrize("engine", ["prove", "explore", "hybrid"])
@pytest.mark.parametrize(("condition", "assumed"), [
    ("x > y", "x <= y"), ("x < 0", "0 < x <= 1e3"), ("x != x", "x == x"), ("n > 100", "n < y < 50"),
    ("x > 1.7976931348623157e308", ""),
])  # fmt: skip
def test_what_is_infeasible_under_an_assumption_only_is_proved_with_it_and_found_without(
    load: Load, engine: str, condition: str, assumed: str
) -> None:
    c, python = C.format(condition=condition), PYTHON.format(condition=condition)
    free = searched(load(c, python), engine, 2_000_000)
    assert taken(free, True)
    bound = searched(load(c, python, *([assumed] if assumed else []), finite=not assumed), engine, 2_000_000)
    assert not taken(bound, True)
    if engine == "explore" and bound.subject.language == "python":  # which proves nothing there
        return
    assert not bound.missing
    proof = bound.proofs[2 * bound.subject.sites[-1].number]
    assert proof.assumptions[0] == assumed or "all floats are finite"
    assert len(set(proof.assumptions)) == len(proof.assumptions)


def test_all_inputs_are_those_that_are_assumed(load: Load) -> None:
    """Where ranges leave few, all of them are run; those that violate a condition are not."""
    c = "int f(int a, int b) { if (a * b == 56) return 1; if (a == b) return 2; return 0; }"
    python = """
        def f(a: int, b: int) -> int:
            if a * b == 56:
                return 1
            if a == b:
                return 2
            return 0
        """
    search = searched(load(c, python, "0 <= a < 16, 0 <= b < 16, a + b == 15"), "enumerate(bits=20)")
    assert search.evaluations == 256
    assert search.covered == 0b1011
    if search.subject.language == "c":  # whether Python functions do the same again is not known
        assert search.proofs[2].method == "all 256 inputs were run"
        assert search.proofs[2].assumptions[:3] == ("0 <= a < 16", "0 <= b < 16", "a + b == 15")


@pytest.mark.parametrize(
    ("condition", "proves"), [("n * n * n < 100", True), ("int(4e9 * n) * int(4e9 * n) >= 0", False)]
)
def test_nothing_is_proved_by_running_all_inputs_if_some_may_have_been_turned_away(
    programs: Programs, condition: str, proves: bool
) -> None:
    """The products of some inputs have more than 64 bits, so these are not run, though they satisfy the condition."""
    subject = LlvmSubject(programs.write("int f(int n) { if (n == 1 << 17) return 1; return n > 1 << 20; }"), "f")
    set_preconditions(subject, Options(assume=("0 <= n <= 200000", condition)), "f")
    search = searched(subject, "enumerate(bits=20)", 300_000)
    assert search.evaluations == 200_001
    assert bool(search.proofs) == proves
    assert subject.run((1 << 17,)).outcome is (Termination.REFUSED if proves else Termination.RETURNED)


def test_native_code_of_python_does_not_run_it_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    subject = Modules(tmp_path).load(PYTHON.format(condition="x * x <= y"))
    set_preconditions(subject, Options(assume=("x * x <= y",)), "f")
    search = searched(subject, "minimize", 300_000)
    assert subject.engine.startswith("native")
    assert taken(search, True)
    assert not taken(search, False)
