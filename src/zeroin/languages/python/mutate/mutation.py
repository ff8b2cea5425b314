"""Run the mutants of a Python subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType

from ....subject.base import WordArray, Words
from ....subject.constant import Constant
from ....subject.mutants import Mutant
from ..front.code import CodeKey, LocatedFunction, ModuleSource, read_again
from ..replay import PythonReplay
from ..run.probes import cells as probes
from ..run.probes.shared_state import Probes
from .mutants import mutate

_LITTLE, _TIMES = 100, 128  # a mutant gets _TIMES * (the fuel that the original run used + _LITTLE)


class PythonMutation:
    """The mutants of a Python subject, see :class:`zeroin.subject.mutants.Mutation`.

    Args:
        functions: the functions that are mutated. Their files are read again.
        probing: the subject's probes, which count fuel.
        fuel: the most fuel that a run of the original may use.
        call: makes one run with the code that the functions have at that time.

    Raises:
        TargetError: a file can not be read again.
        KeyError: a file has changed.
    """

    slow = True
    mutants: Sequence[Mutant]
    constants: Sequence[Constant] = ()

    def __init__(self, functions: Sequence[LocatedFunction], probing: Probes, fuel: int,
                 call: Callable[[Words], PythonReplay]) -> None:  # fmt: skip
        self._probing, self._fuel, self._call, self.runs = probing, fuel, call, 0
        sources = ModuleSource.again(functions)
        described = read_again(functions, {file: source.nodes() for file, source in sources.items()})
        self._mutable = mutate(described)
        self.mutants = self._mutable.mutants
        codes: dict[str, dict[CodeKey, CodeType]] = {file: source.compile() for file, source in sources.items()}
        self._functions = [one.function for one in functions]
        self._codes = [codes[one.described.source.file][one.key] for one in functions]
        self._plain = [self._mutable.code(code, probing.probe) for code in self._codes]
        self._infected = set[int]()
        self._watching = [self._mutable.infecting(code, probing.probe, self._infected) for code in self._codes]
        self._unwatched = self._mutable.unwatched
        self._mutants: dict[int, CodeType] = {}

    def differing(self, words: Words, numbers: Sequence[int], note: WordArray) -> bytes:
        before = [function.__code__ for function in self._functions]
        state, limit = self._probing.state, self._probing.state[probes.FUEL_LIMIT]
        try:
            state[probes.FUEL_LIMIT] = self._fuel
            return self._differing(words, numbers, note)
        finally:
            note[0] = 0
            state[probes.FUEL_LIMIT] = limit
            self._use(before)

    def _differing(self, words: Words, numbers: Sequence[int], note: WordArray) -> bytes:
        """As :meth:`differing`, which restores the functions' code and the fuel limit afterwards."""
        self.runs += 1
        self._infected.clear()
        self._use(self._watching)
        subject, state = self._call(words), self._probing.state
        burnt = int(state[probes.FUEL_LIMIT] - state[probes.FUEL])
        state[probes.FUEL_LIMIT] = min(self._fuel, _TIMES * (burnt + _LITTLE))
        infected = self._infected | self._unwatched
        self._use(self._plain)
        differs = bytearray(len(numbers))
        for at, number in enumerate(numbers):
            if number in infected:
                note[0] = number
                self.runs += 1
                owner = self._mutable.owners[number - 1]
                with self._changed(number, self._functions[owner], owner):
                    differs[at] = not subject.is_like(self._call(words))
        return bytes(differs)

    @contextmanager
    def _changed(self, number: int, function: FunctionType, owner: int) -> Iterator[None]:
        """Give a function the code or the default of a mutant, inside the ``with`` statement.

        After an exception inside, the code of the mutant stays; a changed default is restored.

        Args:
            number: the number of the mutant.
            function: the function that is changed.
            owner: the index of this function.
        """
        if number not in self._mutable.defaults:
            function.__code__ = self._code(number, owner)
            yield  # without ``finally``: after an exception, ``differing`` restores the code
            function.__code__ = self._plain[owner]
            return
        name, new = self._mutable.defaults[number]
        by_position, by_name = function.__defaults__ or (), function.__kwdefaults__
        code = function.__code__
        last = code.co_varnames[code.co_argcount - len(by_position) : code.co_argcount]
        if name in last:
            changed = {**dict(zip(last, by_position, strict=True)), name: new}
            function.__defaults__ = tuple(changed.values())
        else:
            function.__kwdefaults__ = {**(by_name or {}), name: new}
        try:
            yield
        finally:
            function.__defaults__, function.__kwdefaults__ = by_position or None, by_name

    def _code(self, number: int, owner: int) -> CodeType:
        """Return the code of a mutant, which is made at the first call; ``owner`` is its function's index."""
        if number not in self._mutants:
            self._mutants[number] = self._mutable.code(self._codes[owner], self._probing.probe, number)
        return self._mutants[number]

    def _use(self, codes: Sequence[CodeType]) -> None:
        """Give each function its code among ``codes``, which are in the order of the functions."""
        for function, code in zip(self._functions, codes, strict=True):
            function.__code__ = code

    def equivalent(self, numbers: Sequence[int], seconds: float) -> set[int]:
        """Return no mutant: trivial compiler equivalence needs an optimising compiler, and CPython has none."""
        return set()
