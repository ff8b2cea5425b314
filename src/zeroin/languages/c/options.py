"""How a compiled subject is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .front.signature import ArraySpec
from .front.string_parameters import StringSpec


@dataclass(frozen=True)
class LlvmOptions:
    """How to load a compiled subject.

    Attributes:
        cc: flags for the compiler, optionally led by a compiler's name.
        others: further files whose functions the subject calls; they are not instrumented.
        callees: instrument the functions of the subject's own file that it calls, too.
        arrays: lengths of what pointer parameters point to.
        strings: lengths of what pointer parameters point to, where these are strings.
        rooms: elements of arrays whose size nobody says, by name, once runs have been found to use more.
        fuel: loop iterations and calls that one run may take before it counts as hung.
        memory: bytes that one run may allocate.
        allow: what is not guarded: ``files``, ``network``, ``processes``.
        line: of the file, which is a site to be reached; 0: none.
        boundary: the boundaries of comparisons are sites.
        find: the faults of operations that are sites, of :data:`zeroin.config.FAULTS`.
        ahead: have runs write their state down at each site, and read what lies ahead of it.
        ahead_as_paper: leave the conditions that lie ahead as they stand.
        load_timeout: seconds that constructors and static initialisers may take.
        sanitized: replay runs in a build with the compiler's sanitizers, too, if it has them.
        calls: of a function that keeps a state, in a row, at most; 1: a run is a single call.
    """

    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    callees: bool = False
    arrays: tuple[ArraySpec, ...] = ()
    strings: tuple[StringSpec, ...] = ()
    fuel: int = 1_000_000
    memory: int = 1 << 30
    allow: tuple[str, ...] = ()
    line: int = 0
    boundary: bool = False
    find: tuple[str, ...] = ()
    ahead: bool = False
    ahead_as_paper: bool = False
    rooms: tuple[tuple[str, int], ...] = ()
    calls: int = 8
    load_timeout: float = 60.0
    sanitized: bool = False
