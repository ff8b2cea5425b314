"""Every memory layout that native code and Python, or two processes, share; stated here, and nowhere else.

``subject/llvm/cells.h`` is made from this file by ``python -m zeroin.subject.llvm.header``; a test compares them.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

# ---- the door: the native side of minimize.Door is the address of these int64 cells ----
LEFT, CLOSED, ADDRESS, DATA, OUTCOME, LAST_WORDS, BEST_WORDS, VALUE = range(8)
DOOR_CELLS = 8


class Stop(IntEnum):
    """Why a door is closed."""

    OPEN = 0
    ZERO = 1  # a zero was found: the last words evaluated are it
    BUDGET = 2  # the evaluations are used up
    TIME = 3  # the clock closed it (see runtime.c)
    NEWS = 4  # the last run is worth keeping although it is no zero


TOO_LONG = 124  # exit status of a process that has to end itself, as what it runs does not


# ---- the question: the cells at the head of its data ----
# A pen that finds the run worth keeping sets the first two. What an objective keeps in the others, it says itself.
NEWS, NEWS_OF_ABNORMAL_RUN, OF_FLOATS, OF_INTEGERS, SITES, NORMALISED = range(6)
HEADER = 6
COUNT, CAPACITY = 2, 3  # of a trace, which measures no distance


class Asked(IntEnum):
    """What is known of pen at an outcome. All but ``CALL`` cost no call at the site: of what they ask in a run, one
    distance is all that counts, and it can wait until the run is over."""

    PASS = 0  # it leaves r alone
    CALL = 1  # nothing: it has to be called
    ZERO = 2  # it returns 0 whatever the operands are
    LAST = 3  # it returns the distance to the site's other outcome, whatever r is
    AT = 4  # it returns the smaller of r and the outcome's level
    NEAR = 5  # of r and the level plus the distance to the other outcome, made what the function at ``NORMALISED`` says


class Disturbs(IntFlag):
    """What a run may change besides memory, and what has to be put back after it."""

    FLOATS = 1  # rounding, exceptions and traps of floating-point arithmetic
    SIGNALS = 2
    LOCALE = 4
    FOLDER = 8  # the current one
    LIMITS = 16
    FILES = 32  # which are open
    MASK = 64  # of the rights of new files
    ENVIRONMENT = 128
    RANDOM = 256  # the state of the C library's generators
    ERRNO = 512


# ---- the memory that a worker shares with its parent ----
SHARED_CELLS = 1 << 15
# ALLOWED is what will have been evaluated when the first cell of the open door reaches 0. BEAT grows with each run
# after the search. PHASE says whether silence is alarming; ARITY how many words there are.
# SEEDS is where a slice of the strategy of that name began: pass, number, and the evaluations until then.
# WAITED is written by the parent: the milliseconds for which single runs have kept us waiting; and PATIENCE: those
# after which a run without a sign of life is ended. UNCOUNTED is written by
# the search: those that are none of it, as it compiled. MUTANT is the number of the mutant that runs, 0 if none does.
ALLOWED, BEAT, PHASE, ARITY, SEEDS, WAITED, UNCOUNTED, MUTANT, PATIENCE, DOOR = 0, 1, 2, 3, 4, 7, 8, 9, 10, 11
WORDS = DOOR + DOOR_CELLS


class Phase(IntEnum):
    """What a job does. Silence is a sign that the subject hangs while it searches or finishes."""

    LOADING = 0
    THINKING = 1  # solving, or choosing, in between
    SEARCHING = 2
    FINISHING = 3
    COMPILING = 4  # the same, where the time does not count
