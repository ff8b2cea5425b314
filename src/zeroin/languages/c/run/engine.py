"""A compiled function under test: loaded, instrumented, ready to run in this process."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....native import machine
from ....native.cells import ProbeMode
from ....sandbox.landlock import Sandbox
from ....subject.base import Execution, Replay, Termination, Words
from ....subject.fuel import Fuel
from ....subject.search_problem import SearchProblem
from ....subject.subject import Subject
from ..front import callbacks, symbols
from ..front.adapters import adapted
from ..front.alias_parameters import with_alias_parameters
from ..front.array_sizes import other_lengths
from ..front.assertions import Preconditions
from ..front.call_sequence import SequenceSignature
from ..front.compile import RUNTIME, compile_all
from ..front.object_maker import Constructor
from ..front.objects import read_callable, read_class
from ..front.parameters import CSignature
from ..front.set_up import setters_in
from ..front.signature import with_null
from ..front.string_parameters import with_texts
from ..llvm_ir import ir
from ..llvm_ir.control_flow import add_fuel
from ..llvm_ir.debug_info import DebugInfo
from ..options import LlvmOptions
from ..read.c_library import library_for
from ..replay import CReplay
from .alias_code import placed
from .builds import Build, Surroundings, complete, copies, for_search, left_out, load, replayed, sanitized, shown
from .call_code import glue
from .call_sequence_code import make_sequence
from .clock import WithClock
from .copies import Copy, WithCopies
from .instrument import Instrumented, instrument
from .linking import Others, check_symbols, link_others, text_of
from .lookahead import STATE, LlvmLookahead
from .object_files import Compiled, compiled
from .out_of_bounds import Overrun, Overruns, arrays_of
from .printed_results import WithPrinting, without_texts
from .runtime_library import CELLS, Runtime, construct, runtime_of
from .set_up_code import make_set_up
from .termination import detail_of, returned, thrown
from .undefined_behaviour import add_checks

if TYPE_CHECKING:
    from ....model.path import PathCondition
    from ....model.reach import ReachCondition
    from ....term.core.nodes import Term
    from ..mutate.mutation import LlvmMutation
    from ..read.model import LlvmModel

# The fuel of one run in a search, at first and at least; then the fuel that all longer runs of one slice share.
_FIRST_FUEL, _LEAST_FUEL, _SLICE_FUEL = 1024, 64, 2_000_000
_LONG_RUNS = 500  # a slice whose start is a long run has fuel for at least this many such runs
# Every third slice has the guard pages before the arrays instead of behind them. Four strategies take turns; 3 and 4
# have no common divisor, so each strategy gets such slices.
_BEGIN_EVERY = 3


class LlvmSubject(WithPrinting, WithCopies, WithClock, Subject):
    """A C, C++ or LLVM IR function, loaded with probes and ready to run in this process.

    Create it only in a process that may crash: the function can end the process, and so can its file's constructors.

    Args:
        path: the source file, or the file of LLVM IR.
        function: the function's name.
        options: how to compile and load the function; None: the defaults.
        texts: LLVM IR of the source, of the files of ``--with`` and of the runtime, in this order; None: compile them.
        sandbox: the sandbox that is closed around this process before any code of the subject runs; None: no sandbox.

    Raises:
        TargetError: the file or the function does not exist; the message lists the file's functions, the closest name
            first.
        OptionError: an option does not fit the function, such as ``--array`` with an unknown name.
        CompileError, UnsupportedParameter, MissingSymbol, MissingDependency: see :mod:`zeroin.errors`.
    """

    language = "c"
    slow = False
    engine = "native"
    signature: CSignature
    lookahead: LlvmLookahead | None = None
    _overrun: Overrun | None = None

    def __init__(self, path: Path, function: str, options: LlvmOptions | None = None,
                 texts: Sequence[str] | None = None, sandbox: Sandbox | None = None) -> None:  # fmt: skip
        self.path, self._function, self.options, self._sandbox = path, function, options or LlvmOptions(), sandbox
        self._builds: list[Build] = []
        texts = texts if texts is not None else compile_all([path, *self.options.others, *RUNTIME], self.options.cc)
        if path.suffix in (".ll", ".bc"):
            self.language = "llvm"
        *own, probes, guards = adapted(path, function, texts, self.options)
        machine.load_libraries()
        self._texts, self._sanitized = complete(own), sanitized(path, function, self.options)
        self._library = library_for(self._texts)
        self._runtime = runtime_of(probes, guards)
        debug = DebugInfo(self._texts[0])
        module = ir.read(self._texts[0])
        near = self._choices(module, debug)
        maker: Constructor | None
        if methods := symbols.methods_of(module, debug, function, path):
            self.signature, maker, called = read_class(methods, function, module, debug, self.options, near)
            entries = [*called, *filter(None, [module.functions.get(maker.symbol)])]
        else:
            entries = [symbols.find(module, debug, function, path)]
            written = symbols.written_name(entries[0], debug, function)
            self.signature, maker = read_callable(entries[0], written, module, debug, self.options, near)
        entry, self._entry = entries[0], self.signature.entry
        self._required = Preconditions(module, [one.name for one in entries], debug, function)
        self._header = re.sub(r" !dbg !\d+", "", module.functions[self._entry].header)
        functions = symbols.with_callees(module, entries)
        chosen = functions if self.options.callees else entries
        tables = {callee.symbol for p in self.signature.parameters if p.callback for callee in p.callback.callees}
        tables |= {name for text in module.initialisers().values() for name in ir.mentioned(text)}
        line = str(path), self.options.line
        self._chosen = [function.name for function in chosen]
        found = instrument(chosen, debug, tables, module.defined(), line, self.options.boundary, self.options.find)
        add_checks(module, debug, goes_on=bool(self.options.find))
        ir.wrap(module)
        self.faults = found.faults
        self.sites, self.graph, self.constants = found.sites, found.graph(), sorted(found.constants)
        self._strange = sorted(found.strange)
        self.signature = with_texts(self.signature, module, entry.name, self.constants)
        if not methods:
            compared = found.null_compared.get(self._entry, set())
            self.signature = with_null(self.signature, compared, int(maker is not None))
        made, setting_up = self.signature, ""
        if maker is None and self.language != "llvm":
            made, setting_up = make_set_up(made, module, debug, functions, near, self.options)
        first = [*setters_in(made), *(one.name for one in entries[1:])]
        callbacks.check(made)
        made, repeating = make_sequence(made, module, functions, maker, self.constants, self.options.calls)
        text = setting_up + repeating
        self.signature = with_alias_parameters(made)
        if text:
            self._texts[0], self.graph = self._texts[0] + text, found.graph(bool(repeating), first)
            self._sanitized[:1] = [whole + text for whole in self._sanitized[:1]]
            self._entry = self.signature.entry
            self._header = ir.read(text).functions[self._entry].header
        self._build(module, found)

    # ---- building ----

    def _choices(self, module: ir.Module, debug: DebugInfo) -> list[ir.Function]:
        """Return the functions that pointers to functions may point to.

        Internal functions of LLVM IR are left out: a generated test can not name them.
        """
        own = symbols.own_functions(module, debug, self.path)
        return own if self.language != "llvm" else [f for f in own if " internal " not in f.header]

    def _build(self, entry_module: ir.Module, found: Instrumented) -> None:
        """Link, compile and load the instrumented code, close the sandbox, and run the constructors."""
        others = link_others(self._texts[1:], entry_module.defined(), "s.", for_search, self.path, self.options.allow)
        for function in entry_module.functions.values():
            add_fuel(function)
        entry_module.parts.extend(found.tables)
        if self.options.ahead:
            ir.strip_debug(entry_module)
            self.lookahead = LlvmLookahead(entry_module, [f.function.name for f in found.flows], self.graph, self.path,
                                       paper=self.options.ahead_as_paper)  # fmt: skip
            entry_module = self.lookahead.module()
        made = self._compiled(entry_module, others, "s.", "zeroin_call", self._runtime)
        self._disturbs, self._asks = symbols.disturbs(made.declared, self._texts), symbols.surroundings(made.declared)
        self._code = machine.MachineCode.of_objects(self._runtime.guards, made.code)
        if self._sandbox is not None:
            self._scratch = self._shut_in(self._sandbox)
        self._snapshots = self._constructed(made)
        self._bind()

    def _compiled(self, module: ir.Module, others: Others | None, prefix: str, entry: str,
                  runtime: Runtime | None, level: int = 2) -> Compiled:  # fmt: skip
        """Link a module with the other files, glue code and the runtime, and compile it, or load it from the cache.

        Args:
            module: the subject's own file, with or without probes. Its debug info is removed.
            others: the files of ``--with``; None: there are none.
            prefix: the prefix of all names that the subject's files define.
            entry: the name of the glue function, which decodes words and calls the subject.
            runtime: the runtime to link in; None for a copy of the subject.
            level: the optimisation level, as in ``-O2``.

        Raises:
            CompileError: the files can not be linked.
            MissingSymbol: a symbol is defined nowhere.
        """
        ours = glue(self.signature, self._header, self._entry, prefix, entry, runtime is not None,
                    symbols.may_throw(self._texts), placed)  # fmt: skip
        ours += symbols.asked_tables(2 * len(self.sites), bool(self.faults)) if runtime is not None else ""
        ours += self.lookahead.table if runtime is not None and self.lookahead is not None else ""
        text = text_of(module, others, ours, prefix, self.options.allow)
        made = compiled(text, others, runtime, prefix, self.path, level)
        check_symbols(made.declared, prefix, self.path)
        return made

    def _constructed(self, made: Compiled) -> list[tuple[int, bytes]]:
        """Run the constructors of the loaded code. The process ends if they take longer than ``load_timeout``.

        Returns:
            For each variable that runs may write: its address, and its bytes after construction.
        """
        construct(self._code, made.constructors, self.options.load_timeout)
        addresses = ((self._code.variable(name), size) for name, size in made.variables.items())
        return [(address, ctypes.string_at(address, size)) for address, size in addresses]

    def _bind(self) -> None:
        """Connect this object to the variables and functions of the loaded code, and allocate the memory for runs."""
        code = self._code
        self._cells = {n: ctypes.c_int64.from_address(code.variable(f"zeroin_{n}")) for n in CELLS}
        self._r0 = ctypes.c_double.from_address(code.variable("zeroin_r0"))
        outcomes = 2 * len(self.sites)
        self._asked = np.ctypeslib.as_array((ctypes.c_uint8 * outcomes).from_address(code.variable("zeroin_asked")))
        self._levels = np.ctypeslib.as_array((ctypes.c_int32 * outcomes).from_address(code.variable("zeroin_levels")))
        self.objective_address = code.function("zeroin_objective")
        self._objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(self.objective_address)
        self._replay = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.function("zeroin_replay"))
        self._cells["fuel_full"].value = self.options.fuel
        self._cells["memory_limit"].value = self.options.memory
        if self._sandbox is not None:
            self._cells["scratch"].value = ctypes.addressof(self._scratch)
        self._fuel, self._slices = Fuel(self.options.fuel, _FIRST_FUEL, _LEAST_FUEL), 0
        self._arrays = arrays_of(self.signature)
        self._overruns = Overruns(self.signature, self._arrays, self.options.rooms)
        self._cells["buffers"].value = self._arrays.tables[0]
        if self.lookahead is not None:
            self.lookahead.address = code.variable(STATE)
        self._make_resets()
        self._words = np.zeros(max(1, self.signature.arity), dtype=np.int64)
        self._trace()

    def _make_resets(self) -> None:
        """Write the table of the variables that the runtime resets before each run, with their bytes."""
        flat, self._images = [], []
        for address, content in self._snapshots:
            image = ctypes.create_string_buffer(content, len(content))
            self._images.append(image)
            flat += [address, ctypes.addressof(image), len(content)]
        self._reset_table = (ctypes.c_int64 * max(1, len(flat)))(*flat)
        self._cells["resets"].value = ctypes.addressof(self._reset_table)
        self._cells["reset_count"].value = len(self._snapshots)

    def module(self, texts: Sequence[str] = ()) -> ir.Module:
        """Return the IR of the subject's own file, without probes. Each call returns a new module.

        The assertions that are preconditions are marked in it, as
        :class:`zeroin.languages.c.front.assertions.Preconditions` does.

        Args:
            texts: IR to use instead of the subject's own texts; only the first text is read. Empty: its own.
        """
        module = ir.read((texts or self._texts)[0])
        self._required.mark(module)
        return module

    def _object(self, copy: Copy) -> Compiled:
        module = copy.module()
        others = link_others(copy.texts[1:], module.defined(), copy.prefix, copy.change, self.path, self.options.allow)
        return self._compiled(module, others, copy.prefix, copy.entry, None, copy.level)

    def _load(self, made: Compiled) -> None:
        self._code.add_objects(made.code)
        self._snapshots += self._constructed(made)
        self._make_resets()

    def _copies(self) -> dict[str, Callable[[], Copy]]:
        from ..mutate.mutation import PREFIX, copy_of

        made = {copy.prefix: partial(replace, copy) for copy in copies(self, self._texts, self._sanitized).values()}
        return {**made, PREFIX: partial(copy_of, self, self._texts, self._chosen)}

    def words_of(self, values: str) -> Words:
        return self.tidy(self.signature.words_of(values))

    def tidy(self, words: Words) -> Words:
        return self.signature.tidy(words)

    def _along(self, words: Words, execution: Execution, checked: bool) -> PathCondition:
        return self.model.along(words, execution, checked)

    def other_lengths(self, words: Words) -> list[Words]:
        return other_lengths(self.signature, words)

    def words_with(self, inputs: Mapping[str, object]) -> Words:
        return self.model.words(inputs)

    def _reach(self, outcome: int) -> ReachCondition:
        return self.model.reach(outcome)

    def with_more_room(self, constraints: Sequence[Term]) -> tuple[Sequence[Term], tuple[tuple[str, int], ...]]:
        return self.model.with_more_room(constraints)

    def doubts(self) -> str:
        return self.model.doubts

    def repeats(self) -> tuple[str, ...]:
        return self.model.repeats()

    @cached_property
    def model(self) -> LlvmModel:
        """The function's code as terms, for symbolic execution. The first access reads the code."""
        from ..read.model import LlvmModel

        return LlvmModel(self.path, self._chosen, without_texts(self._texts), self.signature, self.options,
                         self._library)  # fmt: skip

    @cached_property
    def mutation(self) -> LlvmMutation:
        """The mutants of the subject. The first access loads the copy that contains them, and runs its constructors."""
        from ..mutate.mutation import LlvmMutation

        return LlvmMutation(self, self._texts, self._chosen, self._code, self._cells, self._arrays)

    # ---- running ----

    @property
    def plain_address(self) -> int:
        """Address of ``void (*)(const int64_t *words)``, which runs the plain function (-O2) without guards.

        It decodes the words and keeps the result in memory. The first access loads all builds of the plain function.

        Raises:
            MissingSymbol: the -O2 build refers to a symbol that is defined nowhere.
        """
        self.prepare_replay()
        return self._cells["plain"].value

    @property
    def stateful(self) -> bool:
        return bool(self._snapshots) or bool(self._disturbs)

    @property
    def outcome_address(self) -> int:
        return ctypes.addressof(self._cells["outcome"])

    def remarks(self) -> list[str]:
        what = "operations" if self.options.find else "comparisons"
        told = [f"{what} of {type_} were ignored, they are not supported" for type_ in self._strange]
        told = [*self.signature.notes, *told]
        return [*told, *self._overruns.remarks(), *left_out(self.path, self.options, self._sanitized, self._builds)]

    def circumstances(self, site: int) -> str:
        """Return the faulty operation of a site, with its operands in the last run that had the fault.

        The site must be a fault.
        """
        seen = (ctypes.c_int64 * 3).from_address(self._code.variable("zeroin_seen") + 24 * site)
        return self.faults[site](tuple(seen))

    def _prepare_run(self) -> None:
        """Before a single run: send a heartbeat, and empty the scratch folder.

        The native code resets the program's variables itself at the beginning of each run.
        """
        super()._prepare_run()
        if self._sandbox is not None:
            self._sandbox.fresh()

    def avoid(self, lethal: Sequence[Words]) -> None:
        """Exclude inputs, instead of those of an earlier call, from all runs with probes. Replays still run them."""
        self._lethal = np.array([word for words in lethal for word in words] or [0], dtype=np.int64)
        self._cells["lethal"].value, self._cells["lethal_count"].value = self._lethal.ctypes.data, len(lethal)
        self._cells["arity"].value = self.signature.arity

    def begin(self) -> None:
        self._fuel.begin()
        self._cells["slice_fuel"].value = 0
        self._slices = 0

    def install(self, question: SearchProblem, share: int = 1, start: Words = ()) -> int:
        """Install a search problem; see :meth:`zeroin.subject.subject.Subject.install`.

        A run gets the current basic fuel times the square of ``share`` (:class:`zeroin.subject.fuel.Fuel`).
        """
        self._slices += 1
        self._cells["buffers"].value = self._arrays.tables[-1 if self._slices % _BEGIN_EVERY == 0 else 0]
        if self._cells["slice_fuel"].value < 0:  # the last slice ran out of fuel before it ran out of evaluations
            self._fuel.less()
        self._cells["slice_fuel"].value = max(_SLICE_FUEL, _LONG_RUNS * self._fuel.needed(start))
        self._cells["short_runs"].value = 0
        return self._ask(question, self._fuel.of(share**2, start))

    @property
    def ran_short(self) -> bool:
        return self._cells["short_runs"].value > 0

    def _ask(self, question: SearchProblem, fuel: int) -> int:
        """Write a search problem and a run's fuel to the runtime's variables. Return the address of the objective."""
        self._cells["fuel_limit"].value = min(fuel, self.options.fuel)
        self._question = question  # keeps it alive: native code holds addresses into it
        self._r0.value = question.r0
        self._cells["pen_float"].value, self._cells["pen_int"].value = question.pens
        self._cells["data"].value = question.data.ctypes.data
        self._asked[:], self._levels[:] = question.asked, question.levels
        return self.objective_address

    def _end(self) -> int:
        return int(self._cells["end"].value)

    def _run(self, question: SearchProblem, words: Words, fuel: int | None = None) -> Termination:
        self._ask(question, fuel or self.options.fuel)
        return self._on_both_sides(self._objective, words)

    def _on_both_sides(self, run: Callable[[int], object], words: Words) -> Termination:
        """Run with guard pages behind each array and, if that returns, again with guard pages before each array.

        The probes report to the search problem in the first run only.

        Args:
            run: calls the function, given the address of the words.

        Returns:
            How the last of the runs ended.

        Raises:
            Outgrown: the run left an array whose length is a guess; only if ``grows``.
        """
        for table in self._arrays.tables:
            self._cells["buffers"].value = table
            self._prepare_run()
            self._cells["threw"].value = 0
            self._words[: len(words)] = words
            run(int(self._words.ctypes.data))
            self._asked[:] = ProbeMode.PASS
            if self._cells["outcome"].value != Termination.RETURNED:
                break
        how, table, address, wrote = (self._cells[n].value for n in ("outcome", "buffers", "fault", "fault_how"))
        self._overrun = self._overruns.of(words, table, address, wrote) if how == Termination.SEGV else None
        return self._overruns.ended(Termination(how), self._overrun, words, self.grows)

    def _burnt(self) -> int:
        return int(self._cells["fuel_limit"].value - self._cells["fuel"].value)

    def _detail(self, outcome: Termination) -> str:
        if outcome is Termination.SEGV and self._overrun is not None:
            return self._overrun.text
        return detail_of(outcome, self._cells, str(self._sandbox.scratch) if self._sandbox is not None else "")

    def prepare_replay(self) -> None:
        """Load all builds of the plain function and run their constructors, unless that has been done.

        Raises:
            MissingSymbol: the -O2 build refers to a symbol that is defined nowhere.
        """
        if not self._builds:
            self._builds = load(self, self._texts, self._sanitized)
            self._cells["plain"].value = self._builds[0].address

    def replay(self, words: Words) -> CReplay:
        """Run the plain function in each of its builds, guarded, and return the result on which all builds agree.

        If they disagree, the result is undefined behaviour; see :func:`zeroin.languages.c.run.builds.replayed`.
        """
        self.prepare_replay()

        def run(build: Build) -> CReplay:
            with build.called(self._cells["plain"], self._cells["pattern"]):
                return self.showing(words, lambda: self._on_both_sides(self._replay, words))

        observe, tells = partial(self.observe, words), partial(shown, self.signature, words)
        around = Surroundings(self._arrays, self._asks, self._cells["elsewhere"])
        return replayed(self._builds, run, observe, self.same, tells, around)

    def observe(self, words: Words) -> CReplay:
        return self.showing(words, lambda: self._run(self._marks.question, words))

    def _outcome_of(self, words: Words, outcome: Termination) -> CReplay:
        if outcome is not Termination.RETURNED:
            detail, line = (
                self._detail(outcome),
                self._cells["required"].value if outcome is Termination.ASSERTED else 0,
            )
            several = isinstance(self.signature, SequenceSignature)  # an earlier call may have passed the assertion
            own = (site for site in self.sites if site.function == self.signature.symbol and not several)
            unmet = self._required.unmet(line, lambda: self.run(words).covered, own)
            return CReplay(outcome, detail=detail, uncounted=unmet)
        threw, what = thrown(self._cells)
        if threw:
            return CReplay(outcome, threw=threw, what=what)
        return replace(returned(self.signature, words, self._cells, self._arrays), shown=self._shown())

    def same(self, one: Replay, other: Replay) -> bool:
        """Return whether two replays are equal bit for bit; all NaNs are equal.

        Of runs that did not return, only the terminations are compared, and of uncaught exceptions only the types.
        """
        assert isinstance(one, CReplay)
        assert isinstance(other, CReplay)
        if one.outcome is not other.outcome:
            return False
        if one.outcome is not Termination.RETURNED:
            return True
        return self.signature.canonical(one) == self.signature.canonical(other)
