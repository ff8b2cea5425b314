"""The layouts of all memory that native code shares with Python, or that two processes share.

C gets them from ``languages/c/run/runtime/cells.h``, which ``python -m zeroin.languages.c.run.cells_header`` generates
from this module.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

# ---- the door, through which every evaluation of a search passes: int64 cells behind zeroin.minimize.Door ----
LEFT, CLOSED, ADDRESS, DATA, OUTCOME, LAST_WORDS, BEST_WORDS, VALUE = range(8)
DOOR_CELLS = 8


class Stop(IntEnum):
    """The reason why a door is closed."""

    OPEN = 0
    ZERO = 1  # the last words evaluated are a zero of the objective
    BUDGET = 2  # the evaluations are used up
    TIME = 3  # the time is used up (see runtime.c)
    NEWS = 4  # the last run is no zero, but worth keeping, such as one that takes a new branch


TOO_LONG = 124  # the exit status of a process that ends itself because the code under test does not return


# ---- the search problem: the cells at the beginning of its data ----
# NEWS: the run is worth keeping if it returns. NEWS_OF_ABNORMAL_RUN: it is worth keeping even if it does not return.
# A pen sets both. OF_FLOATS, OF_INTEGERS: the addresses of the branch distance's functions. NORMALISED: the address
# of the function that normalises distances. The cells from HEADER on belong to the objective.
NEWS, NEWS_OF_ABNORMAL_RUN, OF_FLOATS, OF_INTEGERS, SITES, NORMALISED = range(6)
HEADER = 6
COUNT, CAPACITY = 2, 3  # in a trace, which needs no distances: the decisions recorded, and the room for them


class ProbeMode(IntEnum):
    """How a probe updates ``r``, the objective's value, when a run takes a branch.

    Only ``CALL`` calls the objective's ``pen`` at the site. In the other modes, at most one distance of a run counts,
    and it is computed after the run.
    """

    PASS = 0  # r stays as it is
    CALL = 1  # r is what pen returns
    ZERO = 2  # r is 0
    LAST = 3  # r is the distance to the site's other branch
    AT = 4  # r is the smaller of r and the branch's level
    NEAR = 5  # r is the smaller of r and the level plus the normalised distance to the other branch


class Disturbs(IntFlag):
    """State outside memory that a run may change, and that is restored after the run."""

    FLOATS = 1  # the rounding mode, exception flags and traps of floating-point arithmetic
    SIGNALS = 2
    LOCALE = 4
    FOLDER = 8  # the current working directory
    LIMITS = 16  # resource limits
    FILES = 32  # open files
    MASK = 64  # the permission mask of new files (umask)
    ENVIRONMENT = 128
    RANDOM = 256  # the state of the C library's random number generators
    ERRNO = 512


# ---- the memory that a worker shares with its parent ----
SHARED_CELLS = 1 << 15
# The parent process reads these cells while the worker runs, and writes WAITED and PATIENCE.
#   ALLOWED: the number of evaluations at which the open door's first cell reaches 0.
#   BEAT: the heartbeat, a counter of the runs after the search.
#   PHASE: the phase of the work, which decides how long the worker may be silent.
#   ARITY: the number of words of an input.
#   SEEDS (3 cells): the start of a slice of the strategy "seeds": its pass, its number, and the evaluations before it.
#   WAITED: the milliseconds that the search has lost to slow single runs.
#   UNCOUNTED: the milliseconds that do not count as search time, such as those of compilation.
#   MUTANT: the number of the running mutant; 0 if none runs.
#   PATIENCE: the milliseconds without a heartbeat after which a run is ended.
#   DOOR and WORDS: the door's cells, and the words of the input that is running.
ALLOWED, BEAT, PHASE, ARITY, SEEDS, WAITED, UNCOUNTED, MUTANT, PATIENCE, DOOR = 0, 1, 2, 3, 4, 7, 8, 9, 10, 11
WORDS = DOOR + DOOR_CELLS


class Phase(IntEnum):
    """The phase of a job. A missing heartbeat means a hung subject only while the job is searching or finishing."""

    LOADING = 0
    THINKING = 1  # solving or choosing, without running the subject
    SEARCHING = 2
    FINISHING = 3  # runs after the search
    COMPILING = 4  # like THINKING, but its time does not count as search time
