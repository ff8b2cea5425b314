"""What a worker sends is data of declared types; nothing that comes from it is run, or taken for something else."""

from __future__ import annotations

import datetime
import importlib
import json
import pickle
import pkgutil
import struct
from dataclasses import dataclass, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zeroin
from zeroin.emit.trial_order import Entry
from zeroin.errors import CompileError, MissingSymbol, NoFunctions, OptionError, ZeroinError
from zeroin.languages.c.language import CTarget
from zeroin.languages.python.values.shapes import Shape
from zeroin.model.path import PathCondition
from zeroin.process.declared_types import check_of, field_types
from zeroin.process.serialisation import Malformed, NotSerialisable, decode, encode
from zeroin.solvers import solver_processes
from zeroin.solvers.base import Proof
from zeroin.subject.base import Parameter, Replay, Run, Signature, Site, Target, Termination
from zeroin.subject.language import Skipped
from zeroin.term.core.nodes import Op, make, variable
from zeroin.term.core.sorts import FLOAT64
from zeroin.worker.messages import FROM_A_WORKER, Ended, Failed, Found, Refused, Targets
from zeroin.worker.prover_process import Answered, ProofOrder

RUN = Run((1, -(1 << 63)), Termination.RETURNED, frozenset({3, 4}))
FOUND = Found(RUN, 12, 0.5)


def sent(value: Any) -> Any:
    return decode(encode(value), (object,))


def exact(value: Any) -> Any:
    """The value so that equal ones are the same to the last bit."""
    if isinstance(value, float):
        return struct.pack("d", value)
    if isinstance(value, complex):
        return exact(value.real), exact(value.imag)
    if isinstance(value, list | tuple):
        return type(value), [exact(one) for one in value]
    if isinstance(value, dict):
        return [(exact(key), exact(one)) for key, one in value.items()]
    return type(value), value


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.text(max_size=4) | st.integers()
    return (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(keys, inner, max_size=3)
    )


ATOMS = (st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.binary()
         | st.text(st.characters()) | st.frozensets(st.integers()) | st.sets(st.text())
         | st.fractions() | st.decimals(allow_nan=False) | st.datetimes() | st.dates() | st.timedeltas()
         | st.sampled_from(Termination))  # fmt: skip


@given(st.recursive(ATOMS, _nested, max_leaves=12))
def test_values_come_as_they_were(value: Any) -> None:
    assert exact(sent(value)) == exact(value)


@pytest.mark.parametrize("value", [
    1 << 70_000, -(1 << 63) - 1, -0.0, float("nan"), struct.unpack("d", b"\1\0\0\0\0\0\xf4\xff")[0], "\ud800\n\x1b[8m",
    Path("/a b"), Skipped("f", "why"), [Fraction(1, 3), Decimal("1.10")], datetime.time(1, 2, 3, 4),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_odd_values_come_as_they_were(value: Any) -> None:
    assert exact(sent(value)) == exact(value)


def test_numbers_of_numpy_come_as_pythons() -> None:
    import numpy as np

    got = sent([np.int64(3), np.float64(0.5), np.float32(0.5), np.bool_(True)])
    assert [(type(one), one) for one in got] == [(int, 3), (float, 0.5), (float, 0.5), (bool, True)]


@pytest.mark.parametrize("error", [
    OptionError("a"), NoFunctions("b", [Skipped("f", "no")]), CompileError("c", "output"), MissingSymbol("d", "file.c"),
], ids=lambda error: type(error).__name__)  # fmt: skip
def test_errors_come_as_they_were(error: ZeroinError) -> None:
    got = sent(Refused(error)).error
    assert type(got) is type(error)
    assert (str(got), vars(got)) == (str(error), vars(error))


def test_terms_share_what_they_shared() -> None:
    term = variable("x", FLOAT64)
    for _ in range(200):  # as a tree this would not fit anywhere
        term = make(Op.FP_MAX, term, term)
    assert sent(term) is term


# ---- every type that is sent ----


def every(kind: type) -> set[type]:
    return {kind}.union(*map(every, kind.__subclasses__()))


def parts_of(package: str) -> None:
    for part in pkgutil.walk_packages(zeroin.__path__, "zeroin."):
        if part.name.startswith(package) and "__main__" not in part.name:
            importlib.import_module(part.name)


def test_all_that_is_sent_has_declared_types() -> None:
    for package in ("zeroin.subject", "zeroin.model", "zeroin.languages"):
        parts_of(package)
    sent = (*FROM_A_WORKER, ProofOrder, Answered, solver_processes.Answered, Entry)
    roots: tuple[Any, ...] = (*sent, Shape, Parameter, Signature, Replay, Target, Site, Run, Proof, PathCondition)
    kinds: set[Any] = {
        one for root in roots for one in every(root) if is_dataclass(one) and one.__module__.startswith("zeroin.")
    }
    assert len(kinds) > 60
    known = {one.__name__ for one in kinds}
    for kind in kinds:
        for declared in field_types(kind):
            if kind.__name__ != "Checked":  # whose predicate stays behind
                check_of(declared)
            unknown = (
                declared
                if isinstance(declared, type) and declared.__module__ == "zeroin.process.declared_types"
                else None
            )
            assert unknown is None or unknown.__name__ in known, (kind, declared)


# ---- what somebody made up ----


class Evil:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("unpickled"),)


@dataclass
class Foreign:
    x: int


def forged(change: Any) -> bytes:
    """The message of a find, with a change of its parts."""
    plain = json.loads(encode(FOUND))
    change(plain)
    return json.dumps(plain).encode()


def put(value: Any, *way: int) -> Any:
    def change(plain: Any) -> None:
        for step in way[:-1]:
            plain = plain[step]
        plain[way[-1]] = value

    return change


def test_a_find_is_laid_out_as_the_forgeries_think() -> None:
    assert json.loads(encode(FOUND)) == [
        "r", "zeroin.worker.messages:Found",
        ["r", "zeroin.subject.base:Run", ["t", 1, -(1 << 63)], ["e", "zeroin.subject.base:Termination", "RETURNED"],
         ["z", 3, 4], 0, ["t"]], 12, ["f", "3fe0000000000000"]]  # fmt: skip
    assert decode(forged(lambda plain: None), FROM_A_WORKER) == FOUND


@pytest.mark.parametrize("change", [
    put("os:system", 1), put("zeroin.worker.messages:Nothing", 1), put("builtins:object", 1),
    put("zeroin.worker.messages:annotations", 1), put("zeroin.worker.messages:dataclass", 1),
    put("zeroin.worker.worker:Sandbox", 1), put("zeroin.__main__:main", 1), put("../evil:Run", 1),
    put(["m!", "os:system", "touch unpickled"], 2), put(["m!", "zeroin.sandbox.forking:end", 1], 2),
    put(["o", "os:system", "x"], 2),
    put(["x", "builtins:SystemExit", "1"], 2), put(["e", "zeroin.subject.base:Run", "words"], 2),
    put(None, 2), put("text", 3), put(True, 3), put(["f", "3ff"], 4), put({"a": 1}, 4), put(["f", 4], 4),
    put([], 2), put([[]], 2), put(["z"], 2, 2), put(["t", "1"], 2, 2), put(["t", True], 2, 2), put(1, 2, 3),
    put(["e", "zeroin.subject.base:Termination", "__class__"], 2, 3), put(["l", 3], 2, 4), put(["z", ["l"]], 2, 4),
    lambda plain: plain.append(1), lambda plain: plain.pop(), lambda plain: plain[2].pop(), lambda plain: plain.clear(),
])  # fmt: skip
def test_a_forgery_is_no_message(change: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Malformed):
        decode(forged(change), FROM_A_WORKER)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [
    b"", b"{}", b"1.5", b"NaN", b"\xff\xfe", b"[" * 100_000, b'["r"]', b'["i", "0x"]', b"1" * 5000, b'["d", 1]',
    pickle.dumps(Evil()), pickle.dumps(FOUND),
], ids=lambda text: repr(text[:20]))  # fmt: skip
def test_other_bytes_are_no_message(text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Malformed):
        decode(text, FROM_A_WORKER)
    assert list(tmp_path.iterdir()) == []


@given(st.binary(max_size=80), st.integers(0, 10_000), st.integers(0, 4))
def test_damaged_messages_are_messages_or_none(noise: bytes, at: int, length: int) -> None:
    target = CTarget("f.c:f", Path("f.c"), "f", "c", cc=("-O2",), rooms=(("p", 8),))
    whole = encode(Targets([target], [Skipped("g", "no")], ["m"]))
    at %= len(whole)
    try:
        got = decode(whole[:at] + noise + whole[at + length :], FROM_A_WORKER)
    except Malformed:
        return
    assert encode(got) == encode(sent(got))


def test_another_message_than_those_of_a_worker_is_refused() -> None:
    with pytest.raises(Malformed, match="Run is not expected"):
        decode(encode(RUN), FROM_A_WORKER)
    assert decode(encode(Ended(1, -9)), FROM_A_WORKER) == Ended(1, -9)
    assert decode(encode(Failed("x")), FROM_A_WORKER) == Failed("x")


@pytest.mark.parametrize(
    "value", [Evil(), Foreign(1), object(), len, Evil, iter([])], ids=lambda value: type(value).__name__
)
def test_what_is_no_data_can_not_be_sent(value: Any) -> None:
    with pytest.raises(NotSerialisable):
        encode([value])


def test_values_of_a_users_class_come_as_pythons() -> None:
    class Level(int, Enum):
        LOW = 1

    class Name(str):
        pass

    got = sent([Level.LOW, Name("x")])
    assert [(type(one), one) for one in got] == [(int, 1), (str, "x")]
