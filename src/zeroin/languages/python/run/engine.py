"""The subject of Python: a function or class under test, imported, instrumented and ready to run in this process.

An input is a tuple of *ordered words*: 64-bit integers in the order of the values that they encode (``words.py``).
"""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import FrameType
from typing import TYPE_CHECKING

from ....errors import TargetError
from ....limits import LONGEST_SILENCE
from ....marks import priority_of
from ....native.cells import NEWS, NEWS_OF_ABNORMAL_RUN
from ....native.kernel import load_numba
from ....sandbox import seccomp
from ....subject.base import Execution, Replay, Run, Termination, Words
from ....subject.fuel import Fuel
from ....subject.search_problem import SearchProblem
from ..front.argument_syntax import words_of
from ..front.callees import callees
from ..front.class_targets import signature_of
from ..front.code import CodeSwap, ModuleSource, placed_in, read_again, with_probes
from ..front.contracts import Contracts
from ..front.inference.inference import Inference
from ..front.line_marks import EVERY_COMPARISON
from ..front.modules import find, functions_of, home_of, import_module, resolve
from ..front.setters import set_by, setters_of, with_setters
from ..front.signature import PythonSignature
from ..options import PythonOptions
from ..read.subject_model import ReadSubject
from ..replay import PythonReplay, run_once
from ..values.lengths import lengths_for, tidy
from .audit_hook import Forbidden, PythonGuard
from .deadline import DeadlineThread
from .engine_choice import Engine, EngineChoice
from .interpreted_run import NO_INPUT, drive
from .kept_state import StateMonitor
from .native.check import NotNative
from .probes import cells as probes
from .probes.constants import constants_of
from .probes.control_flow import Flow
from .probes.rewrite import Rewriter
from .probes.shared_state import Probes
from .probes.source import Function
from .probes.string_constants import texts_of
from .reset import Reset
from .termination import RaisePoint, TerminationClassifier

if TYPE_CHECKING:
    from ....model.path import PathCondition
    from ....subject.preconditions import Preconditions
    from ..mutate.mutation import PythonMutation
    from ..read.blocks.ahead import Reader
    from ..read.blocks.recorded_variables import Written
    from .lookahead import PythonLookahead
    from .probes.sites import SiteKey

# Fuel (loop iterations and calls) of a run that a search makes in the interpreter: at first, and at least.
_SHORT_FUEL, _LEAST_FUEL = 5_000, 100


class PythonSubject(ReadSubject):
    """A Python function or class, loaded and instrumented in this process.

    The constructor imports and runs the user's code, so create one only in a process that the code may damage.

    Args:
        where: a module's name, or the path of its file.
        name: ``function``, ``Class.method`` or ``Class``.
        options: how to load it; None for the defaults.
        guard: refuses forbidden operations of the code; None if the code is known to be harmless.

    Raises:
        TargetError: there is no such module or function, or the function can not be tested.
        UnsupportedParameter: no values can be made for a parameter.
        OptionError: an option does not fit the function.
    """

    language = "python"
    patience = 50_000
    signature: PythonSignature
    lookahead: PythonLookahead | None = None
    _written: Written | None = None

    def __init__(self, where: str, name: str, options: PythonOptions | None = None,
                 guard: PythonGuard | None = None) -> None:  # fmt: skip
        self.options = options or PythonOptions()
        self.home = import_module(where)
        self.found = find(self.home, name, self.options.include)
        self._probing, self._hung = Probes(), 0
        self._fuel = Fuel(self.options.fuel, _SHORT_FUEL, _LEAST_FUEL)
        self._instrument()
        self._trace()
        self._state = StateMonitor(self._modules, self._functions)
        setting = (one.function for one in self._setters)
        reached = [*dict.fromkeys((*self._functions, *self.found.inner, *setting))]
        self._reset = Reset(self._modules, reached, guard is not None)
        self.found = dataclasses.replace(self.found, function=self._reset.after(self.found.function))
        self._guard, self._attempted = guard, ""
        if guard is not None:
            guard.watch(self._forbidden)
        self._ask(self._marks.question, self.options.fuel)
        types, guess = self.options.types, self.options.guess
        known = self._attempt, self._room, self._reading
        self.signature, self.call = signature_of(self.found, types, *known, guess)
        if self._setters:
            self.signature, self.call = with_setters(self.home, self.signature, self.call, self._setters, *known)
            self._reset.quietly()
        self._drive()
        interpreted = Engine("interpreted", self._probing.address, slow=True, owner=self._probing)
        self._engines = EngineChoice(interpreted, self._probing.state, self._compile, self.options.why_interpreted)
        self._clock: DeadlineThread | None = None
        self._last: Words = ()

    def assume(self, assumed: Preconditions) -> None:
        super().assume(assumed)
        self._drive()

    def _drive(self) -> None:
        """Set the function that makes runs in the interpreter. Call it again when the signature has changed."""
        # Each run starts from the first values of variables that the methods of a class share, or that functions set.
        always = self.found.members is not None or self._changes_state
        drive(self._probing, self.signature, self.call, self._ended, self._reset, always)

    # ---- building ----

    def _instrument(self) -> None:
        """Find the functions to instrument, read what the search needs from their source, and compile them with probes.

        Raises:
            TargetError: the source of the function under test is not in its module's file.
        """
        target = self.found.inner[0]
        self.home = home_of(target, self.home)
        known = functions_of(self.home, self.options.include)
        self._modules = list({m.file: m for m, _ in known}.values()) or [self.home]
        marked = self.options.line if target.__code__.co_filename == self.home.file else 0
        sources = {m.file: ModuleSource.read(m.file, EVERY_COMPARISON if self.options.boundary else
                                             marked * (m.file == self.home.file), self.options.find)
                   for m in self._modules}  # fmt: skip
        self.endings = TerminationClassifier(
            {file: Contracts(one.source) for file, one in sources.items()}, self.found.entries
        )
        if all(function is not target for _, function in known):
            known.insert(0, (self.home, target))
        placed = placed_in(sources, ((module.file, function) for module, function in known))
        first = [one for one in placed if one.function in self.found.entries]
        if not first:
            raise TargetError(f"{self.home.name}:{self.found.name}: its source is not in {self.home.file}")
        self._chosen = callees(first, placed) if self.options.callees else first
        chosen = [one.described for one in self._chosen]
        nodes = [one.node for one in chosen]
        room = lengths_for(nodes, texts_of(nodes, vars(self.home.module)))
        self._room = room._replace(own=self.options.rooms)
        self._others = [one for one in placed if one not in self._chosen]
        is_function = self.found.members is None and "." not in self.found.name
        self._setters = setters_of(self.home, self._chosen, placed, len(first)) if is_function else []
        others = [one for one in self._setters if one not in first]
        self._called_first = callees([*dict.fromkeys(others)], placed)
        self._changes_state = bool(set_by(self._chosen, self.home))  # asked now, as the rewriter changes the nodes
        self._reading = Inference({one.function: one.described.node for one in placed})
        self._reading.read(one.function for one in self._chosen)  # now, because the rewriter changes their nodes
        flow = Flow(chosen, len(first))
        self.sites, self.graph = flow.sites, flow.graph()
        said = {one.described.name: priority_of(one.function) for one in placed}
        self.priorities = {site.number: said[site.function] for site in self.sites if said.get(site.function)}
        self.constants = constants_of(nodes, vars(self.home.module))
        if self.options.ahead:
            self._look_ahead(chosen, flow.numbers)
        rewriter = Rewriter(flow.numbers, self._written.names if self._written else None)
        for described in chosen:
            rewriter.function(described.node)
        codes = {file: source.compile() for file, source in sources.items()}
        instrumented = [one for one in placed if any(one.described.node is other.node for other in chosen)]
        self._functions = [one.function for one in instrumented]
        probed = (with_probes(codes[one.described.source.file][one.key], self._probing.probe) for one in instrumented)
        self._code = CodeSwap(zip(self._functions, probed, strict=True))

    def _look_ahead(self, chosen: Sequence[Function], numbers: Mapping[SiteKey, int]) -> None:
        """Choose the variables that probes record, and make the look-ahead. Call it before the rewriting."""
        from ..read.blocks.ahead import read_ahead
        from .lookahead import PythonLookahead, written_by

        def read(written: Written) -> Reader:
            alone = self.signature.alone, self.call.alone
            return read_ahead(self._chosen, self._others, self.sites, *alone, written, self.options.ahead_as_paper)

        self._written = written_by(chosen, numbers)
        self._probing.tables = self._written.tables
        self.lookahead = PythonLookahead(self._written, self.graph, read)

    def _compile(self) -> Engine:
        """Return the native engine, see :func:`zeroin.languages.python.run.native.compiled.compile_native`.

        Raises:
            NotNative: the function can not be compiled.
        """
        shapes = [parameter.shape for parameter in self.signature.alone.parameters]
        if self.call.spread is not None or self.found.members is not None:
            raise NotNative("it takes *args" if self.call.spread is not None else "it is a class")
        nodes = {file: source.nodes() for file, source in ModuleSource.again(self._chosen).items()}
        load_numba()
        from .native.compiled import compile_native
        from .native.driver import Elsewhere

        self._reset.quietly()  # native code contains the values of module variables as constants
        return compile_native(read_again(self._chosen, nodes), vars(self.home.module), shapes, self.call.names,
                              self._probing.state.ctypes.data,
                              Elsewhere(self.signature.tags, self._probing.address), self._written)  # fmt: skip

    @cached_property
    def mutation(self) -> PythonMutation:
        from ..mutate.mutation import PythonMutation

        self._code.use(False)
        return PythonMutation(self._chosen, self._probing, self.options.fuel, self._call)

    def words_of(self, values: str) -> Words:
        return words_of(values, self.signature, vars(self.home.module))

    def _along(self, words: Words, execution: Execution, checked: bool) -> PathCondition:
        self._prepare_run()
        self._code.use(False)
        path = self.model.along(words, execution)
        self._prepare_run()
        return path

    def _attempt(self, call: Callable[[], object]) -> BaseException | None:
        """Make one call with probes, to try guessed parameter types. Return the exception that it raised, or None.

        Variables that the call changes are not restored.
        """
        self._code.use(True)
        self._probing.refuel()
        try:
            call()
        except BaseException as error:
            return error
        return None

    # ---- running ----

    @property
    def outcome_address(self) -> int:
        return self._probing.state.ctypes.data + 8 * probes.OUTCOME

    def guard(self, patience: float = LONGEST_SILENCE) -> None:
        """Start the thread that ends searches in time. ``patience`` has no effect on Python subjects."""
        self._clock = self._clock or DeadlineThread()

    def limit_time(self, seconds: float | None, door: int) -> None:
        self._clock = self._clock or DeadlineThread()
        self._clock.limit(seconds, door)

    def avoid(self, lethal: Sequence[Words]) -> None:
        self._probing.avoid(lethal, self.signature.arity)

    def begin(self) -> None:
        self._fuel.begin()

    def install(self, question: SearchProblem, share: int = 1, start: Words = ()) -> int:
        """Install the problem of the next slice of a search. Return the address of ``double objective(int64_t *)``.

        Runs in the interpreter get little fuel, as a search makes many of them. An input that the search finds is run
        again with all the fuel. Native runs always get all of it.

        Args:
            question: the search problem.
            share: the factor by which the current small amount of fuel is multiplied.
            start: the words where the slice starts; each run gets at least twice the fuel that they used before.
        """
        engine = self._engines.next()
        fuel = self._fuel.of(share, start) if engine.slow else self.options.fuel
        self._hung = self._probing.state[probes.BURNT] = 0
        self._ask(question, fuel)
        return engine.address

    @property
    def ran_short(self) -> bool:
        return self._hung > 0 and self._probing.state[probes.FUEL_LIMIT] < self.options.fuel

    def _save_fuel(self) -> None:
        """Count a run that used up its fuel.

        At every 16th of them, halve the fuel of runs if most of it is burnt by such runs.
        """
        self._hung += 1
        state = self._probing.state
        if self._hung % 16 == 0 and 4 * self._hung * state[probes.FUEL_LIMIT] > 3 * state[probes.BURNT]:
            self._fuel.less()
            state[probes.FUEL_LIMIT] = max(_LEAST_FUEL, state[probes.FUEL_LIMIT] // 2)
            state[probes.BURNT] = self._hung = 0

    def _prepare_run(self) -> None:
        """Remove what earlier runs left in variables and in the scratch folder."""
        super()._prepare_run()
        self._reset()
        self._attempted = ""
        if self._guard is not None:
            self._guard.sandbox.fresh()

    def _ask(self, question: SearchProblem, fuel: int) -> None:
        """Restore the state, use the code with probes, and set the search problem and the fuel of the next runs."""
        self._prepare_run()
        self._question = question
        self._probing.ask(question, fuel)
        self._code.use(True)

    def _run(self, question: SearchProblem, words: Words, fuel: int | None = None) -> Termination:
        return self._run_at(self._probing.address, question, words, fuel)

    def _burnt(self) -> int:
        return int(self._probing.state[probes.FUEL_LIMIT] - self._probing.state[probes.FUEL])

    def _end(self) -> int:
        return int(self._probing.state[probes.END])

    def _run_at(self, address: int, question: SearchProblem, words: Words, fuel: int | None = None) -> Termination:
        """Make one run of the engine at an address, and return how it ended. Without ``fuel``, it gets all the fuel."""
        self._ask(question, min(fuel or self.options.fuel, self.options.fuel))
        memory = (ctypes.c_int64 * max(1, len(words)))(*words)
        ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(address)(ctypes.addressof(memory))
        self._forbidden(seccomp.stopped_call())
        return Termination(int(self._probing.state[probes.OUTCOME]))

    def _ended(self, error: BaseException) -> None:
        """Note how a run ended that raised; a termination at a new place is news for the search.

        While guessed parameter types are widened, a type error means that the values are no input: the run is refused.
        """
        ending, state = self.endings.classify(error), self._probing.state
        is_misled = ending.is_one and self.options.guess and isinstance(error, TypeError | AttributeError)
        if is_misled or ending.outcome is Termination.REFUSED:
            state[probes.R], state[probes.OUTCOME] = NO_INPUT, Termination.REFUSED
            state[probes.FUEL] = max(state[probes.FUEL], 0)
        elif ending.is_one and self._probing.state[probes.OUTCOME] != Termination.FORBIDDEN:
            self._note_end(ending.outcome, ending.place)

    def _forbidden(self, what: str, frame: FrameType | None = None) -> None:
        """Note a forbidden operation and end the run: it has no fuel left, even if the code catches the exception.

        Args:
            what: the operation in words; empty if there was none.
            frame: the frame that tried it, if known.
        """
        if what:
            self._attempted = self._attempted or what
            self._probing.state[probes.FUEL] = 0
            place = self.endings.place_of(Forbidden, frame) if frame is not None else (Forbidden, what, 0)
            self._note_end(Termination.FORBIDDEN, place)

    def _note_end(self, outcome: Termination, place: RaisePoint) -> None:
        """Note how a run ended that did not return, and whether the place is new."""
        state = self._probing.state
        state[probes.OUTCOME] = outcome
        if outcome is Termination.HUNG:
            self._save_fuel()
        state[probes.END], new = self.endings.number(place)
        if new:
            self._question.data[NEWS] = self._question.data[NEWS_OF_ABNORMAL_RUN] = 1

    def tidy(self, words: Words) -> Words:
        parts = self.signature.split(words)
        return tuple(word for parameter, mine in parts for word in tidy(parameter.shape, mine))

    def run(self, words: Words, fuel: int | None = None) -> Run:
        """Make one run in the interpreter, and compare it with a native run if the native engine is in use.

        Without ``fuel``, the run gets ``patience`` and then counts as hung; :meth:`replay` gives it all the fuel.
        """
        self.endings.met, self._last = 0, words
        run = super().run(words, fuel)
        run = dataclasses.replace(run, end=self.endings.met) if run.returned else run
        engine = self._engines.current
        if engine is self._engines.native and run.outcome is not Termination.REFUSED:
            self._marks.clear()
            native = self._run_at(engine.address, self._marks.question, words, fuel or self.patience)
            alike = (native is Termination.RETURNED) == run.returned and self._marks.covered() == run.covered
            if native is not Termination.KILLED:  # else native code can not run this input
                self._engines.agree(alike)
        return run

    def circumstances(self, site: int) -> str:
        """Return the operation of a fault as text, with the operands and the result of the last run.

        That run is made again. The text is empty for faults that raise an exception.
        """
        self._probing.told.clear()
        self._probing.state[probes.TELLS] = 1
        self._run(self._marks.question, self._last)
        self._probing.state[probes.TELLS] = 0
        return self._probing.told.get(site, "")

    def observe(self, words: Words) -> PythonReplay:
        self._ask(self._marks.question, self.options.fuel)
        return self._call(words)

    def replay(self, words: Words) -> PythonReplay:
        """Run the plain function twice, and return the first record with the note whether the second run did the same.

        An input that hangs or tries a forbidden operation is run with probes only, as only these end such a run. The
        plain code stays in use until the next run with probes.
        """
        if self._run(self._marks.question, words) in (Termination.HUNG, Termination.FORBIDDEN):
            return self.observe(words)
        self._code.use(False)
        first, second = self._call(words), self._call(words)
        return first if first.is_like(second) else dataclasses.replace(first, repeatable=False)

    def _call(self, words: Words) -> PythonReplay:
        """Restore all the state, run the code in use (plain or probed) once with all the fuel, and record the run."""
        self._prepare_run()
        self._reset.thoroughly()
        self._probing.refuel()
        # Snapshots come from the words: an object of a user's class has none, but the call that makes it has one.
        arguments = self.signature.snapshots(words)
        try:
            values = self.signature.values(words, resolve)
        except Forbidden:
            return PythonReplay(Termination.FORBIDDEN, detail=self._attempted, arguments=arguments)
        replay = run_once(self.call, values, arguments, partial(self.endings.judge, self.signature.kinds, words))
        self._forbidden(seccomp.stopped_call())
        if self._attempted:
            return PythonReplay(Termination.FORBIDDEN, detail=self._attempted, arguments=arguments)
        if self._probing.state[probes.FUEL] < 0 and replay.outcome is not Termination.HUNG:  # the code caught ``Hung``
            return dataclasses.replace(replay, outcome=Termination.HUNG, value=None, raised="", message="", detail="")
        return replay

    def same(self, one: Replay, other: Replay) -> bool:
        """Whether two replays show the same behaviour. A replay that is not repeatable equals every other one."""
        assert isinstance(one, PythonReplay)
        assert isinstance(other, PythonReplay)
        return not (one.repeatable and other.repeatable) or one.is_like(other)

    @property
    def stateful(self) -> bool:
        """Whether runs have changed variables that live longer than a call. This restores all the state."""
        return bool(self._changed())

    def _changed(self) -> list[str]:
        """Restore all the state. Return the names of the variables that runs so far have changed."""
        changed = self._state.changed()
        self._reset.thoroughly()  # adds the changes of the last run to ``touched``
        return list(dict.fromkeys([*self._reset.touched, *changed]))

    @property
    def slow(self) -> bool:
        """Whether a run takes a microsecond or more: it does in the interpreter."""
        return self._engines.current.slow

    @property
    def leaves_native(self) -> bool:
        return not self.slow

    @property
    def engine(self) -> str:
        """The name of the engine in use: ``native``, or ``interpreted`` with the reason."""
        return str(self._engines)

    def remarks(self) -> list[str]:
        notes = list(self.signature.notes)
        of_setters = set_by(self._setters, self.home) - set_by(self._chosen, self.home)
        if changed := [name for name in self._changed() if name not in of_setters]:
            names = ", ".join([*changed[:5], *["..."] * (len(changed) > 5)])
            notes.append(f"calls change variables that outlive the call ({names}): results may depend on earlier calls")
        notes += self.found.members.remarks() if self.found.members is not None else []
        notes += ["calls leave threads running"] * (self._state.threads() > (self._clock is not None))
        return notes + (self.lookahead.remarks if self.lookahead is not None else [])
