"""All functions of a module at once with probes, and what a call does, to be compared with the plain module's."""

from __future__ import annotations

import ast
import importlib.util
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import zeroin
from zeroin.config import FAULTS
from zeroin.languages.python.front.code import CodeSwap, ModuleSource, functions_in, key_of, with_probes
from zeroin.languages.python.read.blocks.recorded_variables import SORTS
from zeroin.languages.python.run.lookahead import written_by
from zeroin.languages.python.run.probes.control_flow import Flow
from zeroin.languages.python.run.probes.rewrite import Rewriter
from zeroin.languages.python.run.probes.shared_state import Probes
from zeroin.languages.python.run.probes.source import Function
from zeroin.subject.base import Site
from zeroin.subject.search_problem import Tracer

OURS = str(Path(zeroin.__file__).parent)


def import_file(path: Path, name: str) -> ModuleType:
    """A new module object of a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Instrumented:
    """Puts probes into all functions of an imported module.

    ``ahead``: all that can be is written down; ``faults``: all operations are checked.
    """

    def __init__(self, module: ModuleType, fuel: int = 1 << 40, trace: int = 1000, ahead: bool = False,
                 faults: bool = False) -> None:  # fmt: skip
        file = module.__file__
        assert file is not None
        source = ModuleSource.read(file, faults=FAULTS if faults else ())
        plain, nodes = source.compile(), source.nodes()
        found = [(function, key_of(function, plain)) for function in functions_in(module, file)]
        placed = {key: function for function, key in found if key is not None and key in nodes}
        inner = {id(part) for node in nodes.values() for part in ast.walk(node) if part is not node}
        chosen = {key: function for key, function in placed.items() if id(nodes[key]) not in inner}
        functions = [Function(key[0], nodes[key], source.source) for key in chosen]
        flow = Flow(functions)
        self.sites: list[Site] = flow.sites
        self.written = written_by(functions if ahead else [], flow.numbers)
        for site, names in self.written.names.items():
            for number, name in enumerate(names):
                self.written.want(site, name, SORTS[(site + number) % len(SORTS)])
        rewriter = Rewriter(flow.numbers, self.written.names)
        for function in functions:
            rewriter.function(function.node)
        codes = source.compile()
        self.probing = Probes()
        self.probing.tables = self.written.tables
        pairs = [(function, with_probes(codes[key], self.probing.probe)) for key, function in chosen.items()]
        self.count = len(pairs)
        self.tracer = Tracer(len(self.sites), trace)
        self.probing.ask(self.tracer.question, fuel)
        self.exchange = CodeSwap(pairs)
        self.exchange.use(True)


@dataclass
class Did:
    """What a call did: the kind and snapshot of the result, whether it is an argument itself; or the exception, and
    where in the module it came from; and what was written down."""

    result: str
    same: tuple[bool, ...]
    error: tuple[Any, ...]
    frames: tuple[tuple[str, int], ...]
    log: tuple[str, ...]


class Log:
    """Writes down what it is called with, and hands it on."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.last: Any = None

    def __call__(self, value: Any) -> Any:
        self.lines.append(show(value))
        return value


def show(value: Any) -> str:
    return f"{type(value).__name__}: {value!r}"


def run(function: Callable[..., Any], file: str, *arguments: Any) -> Did:
    """Call a function of the module in a file."""
    log = Log()
    values = [log if value is LOG else value for value in arguments]
    try:
        result = function(*values)
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]
        assert not [frame for frame in frames if frame.filename.startswith(OURS)]
        mine = tuple((frame.name, frame.lineno or 0) for frame in frames if frame.filename == file)
        told = (type(error).__name__, str(error.args), type(error.__cause__), type(error.__context__))
        return Did("", (), told, mine, tuple(log.lines))
    return Did(show(result), tuple(result is value for value in arguments), (), (), tuple(log.lines))


LOG = object()  # stands for a new Log
