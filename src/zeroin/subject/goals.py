"""What a search is for: every branch of its subject, or what the user has named."""

from __future__ import annotations

from collections.abc import Sequence

from ..config import Options
from ..errors import OptionError
from .base import Branch, Site, branches_of


def goals_of(sites: Sequence[Site], options: Options) -> list[Branch]:
    """The branches that a search is for.

    Raises:
        OptionError: there is no such branch, or no code on such a line; names those that there are.
    """
    every = branches_of(list(sites))
    if options.line:
        return _on_line(every, options.line)
    if not options.branches:
        return every
    known = {branch.id: branch for branch in every}
    for name in options.branches:
        if name not in known:
            some = ", ".join([*list(known)[:8], "..."][: len(known)])
            what = f"there are {some} (zeroin show lists them)" if known else "the function has none"
            raise OptionError(f"--branch {name}: no such branch; {what}")
    return [known[name] for name in dict.fromkeys(options.branches)]


def _on_line(every: Sequence[Branch], line: int) -> list[Branch]:
    found = [branch for branch in every if branch.site.form == "line"]
    if not found:
        near = sorted({branch.site.line for branch in every}, key=lambda other: abs(other - line))[:5]
        conditions = f"; its conditions are on lines {', '.join(map(str, sorted(near)))}" if near else ""
        raise OptionError(f"--line {line}: no statement of the function begins there{conditions}")
    return found
