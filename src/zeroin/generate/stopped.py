"""The reasons why a search is over. The module is separate, so that reports import no search."""

from __future__ import annotations

from enum import StrEnum


class Stopped(StrEnum):
    """The reason why a search is over."""

    NO_BRANCH = "there is no branch"
    COVERED = "every branch is covered"
    DECIDED = "every branch is covered or proved infeasible"
    ABNORMALLY_COVERED = "every branch is covered, some of them only by runs that end abnormally"
    DISAGREED = "every branch is covered, some of them only by runs in which the plain function does something else"
    UNDEFINED = "every branch is covered, some of them only by runs that do what is undefined"
    NO_INPUT = "it takes no input, so one run shows all"
    EVALUATIONS = "the evaluation budget is used up"
    TIME = "the time budget is used up"
    TRIED = "there is nothing left to try"
    MISTAKE = "the search failed"
    DYING = "the worker process kept dying"
    INTERRUPTED = "interrupted"
