"""What lies ahead of the sites of Python functions, against what runs do."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import HealthCheck, assume, event, given

from languages.python.modules import Modules
from languages.python.programs_of_numbers import programs
from languages.python.test_blocks import drawn
from languages.python.test_compiled import compiled as with_native_code
from sampling import examples
from zeroin.errors import TargetError
from zeroin.languages.python.read.blocks.partial import MOST_BLOCKS
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.lookahead import MOST_SITES
from zeroin.minimize import Door
from zeroin.model.ahead import PartialPath
from zeroin.native.cells import HEADER
from zeroin.objective.enhanced import EnhancedFitness
from zeroin.subject.base import Decision, Termination, Words
from zeroin.term.core.sorts import INT
from zeroin.term.core.traversal import postorder
from zeroin.words import Kind

ALL = -1  # every outcome is covered and seen: no run is news
_TINY = 1e-300


def ways(subject: PythonSubject, condition: str, holds: bool = True) -> dict[str, list[tuple[object, ...]]]:
    """The ways to an outcome by the conditions that they begin at: how much is dropped, and what is taken."""
    assert subject.lookahead is not None
    text = {site.number: site.condition for site in subject.sites}
    (target,) = (site for site, found in text.items() if found == condition)
    found = subject.lookahead.sites(2 * target + (not holds))
    return {text[site]: [(way.dropped, *map(str, way.conditions)) for way in own] for site, own in found.items()}


class Asked:
    """A subject, and what lies ahead of its sites in native code."""

    def __init__(self, subject: PythonSubject, table: str = "korel") -> None:
        assert subject.lookahead is not None
        self._subject, self._ways = subject, subject.lookahead.compiled(table)
        self._objective = EnhancedFitness(len(subject.sites), subject.lookahead.address, distance=table)

    def __call__(self, target: int, words: Words, only: int | None = None) -> float:
        """The fitness of a run, with all sites, or with one that has ways."""
        ways = self._ways.ahead(target)
        if only is None:
            self._objective.aim(target, ways, ALL, ALL, self._ways.levels(target))
        else:
            self._objective.aim(target, {only: ways[only]}, ALL, ALL)
            self._objective.question.data[HEADER + 2 * self._objective.sites + 1] = -1  # nothing but ways tells
        subject, question = self._subject, self._objective.question
        door = Door(subject.install(question), subject.signature.arity, question, subject.outcome_address)
        door.open(1)
        return float(door.evaluate(words))


def exponential(distance: float) -> float:
    return 1.0 - math.pow(1.001, -distance)


# ---- what is read ----

NESTED = """
    def f(x: int, y: int, z: int) -> int:
        if x == y:
            if x + z == 0:
                if z == 0:
                    return 1
        return 0
    """


def test_ways_are_over_the_variables_at_the_site(modules: Modules) -> None:
    subject = modules.load(NESTED, ahead=True)
    assert subject.lookahead is not None
    assert subject.lookahead.written.names == {0: ("x", "y", "z"), 1: ("x", "z"), 2: ("z",)}
    assert ways(subject, "x + z == 0") == {"x == y": [(0, "(= f:x f:y)", "(= (+ f:x f:z) 0)")]}
    assert ways(subject, "z == 0", False) == {"x == y": [(0, "(= f:x f:y)", "(= (+ f:x f:z) 0)", "(not (= f:z 0))")]}


def test_the_papers_ways_keep_what_a_condition_fixes(modules: Modules) -> None:
    text = """
    def f(x: int, y: int, z: int) -> int:
        if x == y:
            if z == 0:
                if x == z + 5:
                    return 1
        return 0
    """
    ours = ways(modules.load(text, native=False, ahead=True), "x == z + 5")["x == y"]
    papers = ways(modules.load(text, native=False, ahead=True, ahead_as_paper=True), "x == z + 5")["x == y"]
    assert [len(way) for way in (*ours, *papers)] == [4, 4]
    assert sum(str(part).count("z") for way in papers for part in way) == 2
    assert sum(str(part).count("z") for way in ours for part in way) == 1


def test_calls_are_followed_into_what_they_call_but_not_back(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, y: float) -> int:
            if x > y:
                return g(x + y) if y > 0.0 else g(y)
            return 0
        def g(a: float) -> int:
            b = a * 2.0
            if a > 3.0:
                if b == 25.0:
                    return 1
            return 0
        """, ahead=True)  # fmt: skip
    doubled = "(fp.mul RNE {} 2.0)".format
    assert ways(subject, "b == 25.0") == {"x > y": [
        (0, "(fp.lt f:y f:x)", "(fp.lt 0.0 f:y)", "(fp.lt 3.0 (fp.add RNE f:x f:y))",
         f"(fp.eq {doubled('(fp.add RNE f:x f:y)')} 25.0)"),
        (0, "(fp.lt f:y f:x)", "(not (fp.lt 0.0 f:y))", "(fp.lt 3.0 f:y)", f"(fp.eq {doubled('f:y')} 25.0)"),
    ]}  # fmt: skip


def test_a_site_in_a_function_that_is_called_has_its_own_ways(modules: Modules) -> None:
    subject = modules.load("""
        def f(xs: list[float]) -> int:
            if xs:
                return g(xs[0])
            return 0
        def g(a: float) -> int:
            if a > 3.0:
                if a * a == 25.0:
                    return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "a * a == 25.0") == {"xs": [], "a > 3.0": [], "a * a == 25.0": []}
    subject = modules.load("""
        def f(n: int, xs: list[float]) -> int:
            return g(n, xs[0])
        def g(n: int, a: float) -> int:
            if n > 3:
                if a > 1.0 and n == 25:
                    return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "n == 25") == {
        "n > 3": [(1, "(= g:n 25)")], "a > 1.0": [], "n == 25": [(0, "(= g:n 25)")],
    }  # fmt: skip


def test_a_chain_keeps_what_it_compares_next(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, y: float, z: float) -> int:
            if x < y + z < 10.0:
                if z == 3.5:
                    return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert subject.lookahead is not None
    assert subject.lookahead.written.names == {0: ("x", "y", "z"), 1: ("z", "#"), 2: ("z",)}
    assert ways(subject, "z == 3.5") == {
        "x < y + z": [(0, "(fp.lt f:x (fp.add RNE f:y f:z))", "(fp.lt (fp.add RNE f:y f:z) 10.0)", "(fp.eq f:z 3.5)")]
    }


def test_what_a_loop_changes_is_destroyed(modules: Modules) -> None:
    subject = modules.load("""
        def f(n: int, b: int, c: int) -> int:
            t = 0
            if c > 5:
                for i in range(n):
                    t += i
                if t == b:
                    if c == 77:
                        return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "c == 77") == {
        "c > 5": [(0, "(not (< 0 f:n))", "(= f:t f:b)", "(= f:c 77)"), (2, "(< 0 f:n)", "(= f:c 77)")],
        "for i in range(n)": [],
        "t == b": [(0, "(= f:t f:b)", "(= f:c 77)")],
    }


def test_in_which_turn_a_loop_over_a_tuple_is_nobody_knows(modules: Modules) -> None:
    subject = modules.load("""
        def f(a: int, b: int) -> int:
            for i in (a, b):
                if i == 7:
                    return 1
            if a == 9:
                return 2
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "a == 9") == {
        "for i in (a, b)": [(1, "(= f:a 9)")],
        "i == 7": [(1, "(not (= f:i 7))", "(= f:a 9)")],
        "a == 9": [(0, "(= f:a 9)")],
    }


def test_what_is_not_read_is_followed_as_not_known(modules: Modules) -> None:
    subject = modules.load("""
        def f(xs: list[int], k: int, b: int) -> int:
            total = sum(x for x in xs if x > 2)
            if k > 3:
                xs[0] = total
                if total == k and b == 9:
                    return xs[k]
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "b == 9") == {
        "k > 3": [(1, "(< 3 f:k)", "(= f:b 9)")], "total == k": [], "b == 9": [(0, "(= f:b 9)")]
    }  # fmt: skip


def test_what_comes_after_a_statement_that_is_not_read_has_levels_only(modules: Modules) -> None:
    subject = modules.load("""
        def f(k: int, b: int) -> int:
            if k > 3:
                try:
                    k = int("7")
                except ValueError:
                    return 2
                if b == 9:
                    if k == 7:
                        return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert subject.lookahead is not None
    target = next(2 * site.number for site in subject.sites if site.condition == "k == 7")
    assert ways(subject, "k == 7") == {
        "k > 3": [(3, "(< 3 f:k)")], "except ValueError": [], "b == 9": [], "k == 7": []
    }  # fmt: skip
    assert "the enhanced fitness is the standard one where zeroin can not read the code ahead (line 4: Try)" in \
        subject.remarks()  # fmt: skip
    levels = subject.lookahead.compiled("korel").levels(target)
    assert levels[target] == 0
    assert levels[target - 2] == 1


def test_a_function_with_very_many_blocks_is_read_as_far_as_it_goes(modules: Modules) -> None:
    lines = "".join(f"    if a > {n}: x = x + {n} if b > {n} else 1.5\n" for n in range(MOST_BLOCKS // 3))
    text = f"def f(a: int, b: int, x: float):\n    if a == 3 and b == 4: return 1\n{lines}    if a == -5: return 2\n"
    subject = modules.load(text, ahead=True)
    assert ways(subject, "b == 4") == {"a == 3": [(0, "(= f:a 3)", "(= f:b 4)")], "b == 4": [(0, "(= f:b 4)")]}
    assert ways(subject, "a == -5")["a == -5"] == []
    assert subject.lookahead is not None
    assert len(subject.lookahead.reader._blocks) == MOST_BLOCKS


def test_ways_are_read_from_the_nearest_sites_and_the_others_count_by_level(modules: Modules) -> None:
    lines = "".join(f"    elif a == {n} and b > {n}: return {n}\n" for n in range(40))
    subject = modules.load(
        f"def f(a: int, b: int) -> int:\n    if b == -9: return -1\n{lines}    return 99\n", ahead=True
    )
    assert subject.lookahead is not None
    target = next(2 * site.number for site in subject.sites if site.condition == "b > 39")
    found, near = subject.lookahead.sites(target), subject.lookahead.levels(target)
    levels = subject.lookahead.compiled("korel").levels(target)
    read = {site for site, own in found.items() if own}
    assert 0 < len(read) <= MOST_SITES < len(found)
    assert set(found) - read == {outcome >> 1 for outcome in levels}
    assert min(levels.values()) >= max(level for outcome, level in near.items() if outcome >> 1 in read)


# ---- what is written down ----


@pytest.mark.parametrize("native", [False, True], ids=["interpreted", "native"])
def test_known_values(modules: Modules, native: bool) -> None:
    subject = modules.load(NESTED, ahead=True)
    fitness = Asked(subject)
    fitness(4, (0, 0, 0))
    if native:
        assert with_native_code(subject).slow is False
    assert fitness(4, (3, 8, 5)) == pytest.approx(exponential(5) + exponential(3) + exponential(5))
    assert fitness(4, (3, 3, 5)) == pytest.approx(exponential(3) + exponential(5))
    assert fitness(4, (3, 3, -3)) == pytest.approx(exponential(3) + exponential(3))
    assert fitness(4, (0, 0, 0)) == 0.0


@pytest.mark.parametrize("native", [False, True], ids=["interpreted", "native"])
def test_a_variable_is_what_the_right_side_leaves(modules: Modules, native: bool) -> None:
    """Calls on the right come before, those of the function itself too; and nothing is said of what is assigned to."""
    text = """
        def f(n: int, b: int) -> int:
            if n > g(n) and (n := n + 1) > 3:
                if b == 50:
                    return 1
            return 0
        def g(n: int) -> int:
            if n > 100:
                n = 7
            return n // 2
        """
    subject = modules.load(text, ahead=True)
    assert subject.lookahead is not None
    target = next(2 * site.number for site in subject.sites if site.condition == "b == 50")
    assert subject.lookahead.written.names == {0: ("b", "n"), 1: ("b",), 2: ("b",), 3: ("n",)}
    fitness = Asked(subject)
    fitness(target, (0, 0))
    if native:
        assert with_native_code(subject).slow is False
    assert fitness(target, (10, 40)) == pytest.approx(exponential(10))
    assert fitness(target, (200, 50)) == 0.0
    assert fitness(target, (-10, 40)) == pytest.approx(exponential(6) + exponential(13) + exponential(10))


def test_a_variable_without_a_value_is_not_written_down(modules: Modules) -> None:
    text = """
        def f(a: int, b: int) -> int:
            for n in range(a):
                try:
                    if n == 2:
                        break
                except ValueError:
                    continue
                late = n
                break
            if a > 5:
                then = 3
            if b > 7:
                try:
                    pass
                except ValueError as error:
                    then = 4
                if b == 9:
                    return then if a > 5 else late
            return 0
        """
    subject = modules.load(text, ahead=True)
    assert subject.lookahead is not None
    assert subject.lookahead.written.names == {}
    subject = modules.load(text.replace("try:", "if b:").replace("except ValueError", "elif b > 5").replace(
        " as error", ""), ahead=True)  # fmt: skip
    assert subject.lookahead is not None
    names = subject.lookahead.written.names
    assert names[0] == ("a", "b")
    assert {name for own in names.values() for name in own} == {"a", "b", "n"}
    for words in ((0, 9), (6, 9), (1, 9), (3, 9)):
        plain, probed = subject.replay(words), subject.observe(words)
        assert subject.same(plain, probed)


def test_a_match_writes_down_nothing_that_it_assigns_to(modules: Modules) -> None:
    subject = modules.load("""
        def f(a: int, b: int) -> int:
            match (x := a + 1):
                case 3:
                    if b == x:
                        return 1
                case y if y > 7:
                    return x
            return 0
        """, ahead=True)  # fmt: skip
    assert subject.lookahead is not None
    assert subject.lookahead.written.names[0] == ("b",)
    for words in ((2, 3), (9, 0), (0, 0)):
        assert subject.observe(words).outcome is Termination.RETURNED


@pytest.mark.parametrize(
    "text",
    [
        # a number or None; to be written down where it is known to be one
        "def f(n: int, y: float) -> int:\n    t = None\n    if y > 2: t = n\n    if t is None: return 3\n"
        "    if t == 7 and n > 2: return 1\n    return 0\n",
        # what is compared next has another value by then
        "def f(a: int, x: int) -> int:\n    if a < x < (x := 5): return 1\n    return 0\n",
        NESTED,
    ],
    ids=["or None", "assigned in a chain", "nested"],
)
def test_native_code_tells_the_same(modules: Modules, text: str) -> None:
    plain = modules.load(text, ahead=True)
    fitness, values = Asked(plain), list[float]()
    inputs = [(a, b, 3)[: plain.signature.arity] for a in (-28, 1, 7) for b in (-25, 5, 7)]
    targets = range(2 * len(plain.sites))
    values = [fitness(target, words) for target in targets for words in inputs]
    assert with_native_code(plain).slow is False
    assert [fitness(target, words) for target in targets for words in inputs] == values


CALLEES = """
    def f(a: int, b: int) -> int:
        if b > 0:
            t = [g(a) for _ in range(1)]
        else:
            t = g(a)
        return 0
    def g(a: int) -> int:
        if a == 5:
            return 1
        return 0
    """


def test_code_that_is_not_followed_may_go_to_the_target(modules: Modules) -> None:
    assert ways(modules.load(CALLEES, ahead=True), "a == 5") == {
        "b > 0": [(0, "(not (< 0 f:b))", "(= f:a 5)")], "a == 5": [(0, "(= g:a 5)")]
    }  # fmt: skip


def test_a_number_that_native_integers_have_no_room_for_is_not_known(modules: Modules) -> None:
    subject = modules.load("""
        def f(n: int, b: int) -> int:
            if b > 3:
                if n < 10**25:
                    if b == 9:
                        return 1
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "b == 9") == {
        "b > 3": [(1, "(= f:b 9)")], "n < 10**25": [], "b == 9": [(0, "(= f:b 9)")]
    }  # fmt: skip


def test_what_globals_that_change_stand_for_is_not_known(modules: Modules) -> None:
    subject = modules.load("""
        COUNT, K = 0, 5
        class S:
            @staticmethod
            def bump() -> None:
                global COUNT
                COUNT += 1
        def f(a: int) -> int:
            s = sum(K for K in range(3))
            if a > -5:
                if a == COUNT:
                    return 1
                if a == K:
                    return 2
            return 0
        """, ahead=True)  # fmt: skip
    assert ways(subject, "a == COUNT") == {"a > -5": [(1, "(< -5 f:a)")], "a == COUNT": []}
    assert (1, "(= f:a 5)") in ways(subject, "a == K")["a > -5"]


# ---- against runs ----


def small(subject: PythonSubject, words: Words, most: int = 1 << 52) -> Words:
    """With integers that native code can compute with; of others it knows about how large they are."""
    return tuple(word % 1000 if kind is Kind.INT and abs(word) > most else word
                 for kind, word in zip(subject.signature.kinds, words, strict=True))  # fmt: skip


def is_exact(subject: PythonSubject, words: Words, ways: Iterable[PartialPath]) -> bool:
    """Whether native integers surely have room for all that these ways compute of small inputs."""
    terms = postorder(condition for way in ways for condition in way.conditions)
    whole = [term for term in terms if term.sort == INT]
    return small(subject, words, 1000) == words and not any(
        abs(term.data) > 1 << 20 if term.is_constant else any(part.sort.is_float for part in term.args)
        for term in whole
    )


def agree(subject: PythonSubject, fitness: Asked, words: Words) -> None:
    """A way without conditions that do not hold, none of them dropped, is one that the run takes; one of them is, where
    all are known and the run takes the target after the site; and 0 tells that it takes the target."""
    assert subject.lookahead is not None
    run = subject.execute(words)
    assume(run.outcome is not Termination.HUNG and not run.truncated)
    for target in range(2 * len(subject.sites)):
        value = fitness(target, words)
        assert value >= 0.0
        assert (value == 0.0) == (target in run.covered)
        for site, found in subject.lookahead.sites(target).items():
            if not any(not way.dropped for way in found):
                continue
            own = fitness(target, words, site)
            event("a way is free" if own < _TINY else "a way is not free")
            if run.outcome is Termination.RETURNED:
                assert own >= _TINY or target in run.covered, (target, site, own)
            ahead = subject.lookahead.reader.between(site, target)
            if ahead is None or not ahead.whole or not goes(run.decisions, site, target):
                continue
            if is_exact(subject, words, ahead.paths):
                event("a run goes on to the target")
                assert own < _TINY, (target, site, own)


def goes(decisions: Sequence[Decision], site: int, target: int) -> bool:
    """Whether a run takes the target after it has evaluated the site."""
    began = False
    for one in decisions:
        began |= one.site == site
        if began and (one.site, one.holds) == (target >> 1, target & 1 == 0):
            return True
    return False


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=programs())
def test_ways_of_any_program_are_what_its_runs_take(modules: Modules, text: str) -> None:
    subject = _loaded(modules, text)
    assume(len(subject.sites) < 25)
    fitness, rng = Asked(subject, "ulp"), random.Random(text)
    for most in (1 << 52, 1000) * 2:
        agree(subject, fitness, small(subject, drawn(subject, rng), most))


def _loaded(modules: Modules, text: str) -> PythonSubject:
    try:
        return modules.load(text, ahead=True)
    except TargetError:
        assume(False)
        raise
