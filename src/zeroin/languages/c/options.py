"""Options for loading a compiled subject."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .front.signature import ArraySpec
from .front.string_parameters import StringSpec


@dataclass(frozen=True)
class LlvmOptions:
    """Options for loading a compiled subject.

    Attributes:
        cc: flags for the compiler, optionally led by a compiler's name.
        others: further files whose functions the subject calls; they are not instrumented.
        callees: whether to also instrument the functions in the subject's own file that it calls.
        arrays: the user's array lengths (``--array``).
        strings: the user's string lengths (``--string``).
        rooms: number of elements for arrays of unknown size, by parameter name. A target gets these after runs have
            used more elements than the array had.
        fuel: loop iterations and calls that one run may take before it counts as hung.
        memory: bytes of heap that one run may hold at a time.
        allow: permissions that the sandbox grants: ``files``, ``network``, ``processes``.
        line: line of the source file to reach, from 1; it gets a probe of its own. 0: none.
        boundary: whether to add a site for each boundary of a comparison (operands equal, or one step apart).
        find: the kinds of faults to search for, of :data:`zeroin.config.FAULTS`; each possible fault becomes a site.
        ahead: whether to record the program's state at each site, for the fitness with look-ahead (Baars et al. 2011).
        ahead_as_paper: whether to use the look-ahead conditions as Baars et al. state them, without simplification.
        load_timeout: seconds that constructors and static initialisers may take; after that, the process ends itself.
        sanitized: whether to also replay runs in a build with the compiler's sanitizers, if it has them.
        calls: maximal number of calls, without repetitions, in a call sequence of a function that keeps state or of a
            member function. 1: a run of a plain function is a single call.
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
