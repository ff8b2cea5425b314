"""Passes over terms: every shared part once, without recursion, so that depth is no limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from .nodes import Op, SortError, Term, intern

T = TypeVar("T")


def postorder(roots: Iterable[Term]) -> list[Term]:
    """All terms below the roots and the roots themselves, arguments before what uses them, each once."""
    done: dict[Term, None] = {}
    for root in roots:
        stack = [(root, False)]
        while stack:
            term, ready = stack.pop()
            if term in done:
                continue
            if ready or not term.args:
                done[term] = None
            else:
                stack.append((term, True))
                stack.extend((a, False) for a in reversed(term.args) if a not in done)
    return list(done)


def fold(root: Term, visit: Callable[[Term, list[T]], T], memo: dict[Term, T] | None = None) -> T:
    """What ``visit(term, results of its arguments)`` makes of the whole term.

    Args:
        memo: results known already; those of this pass are added.
    """
    known = {} if memo is None else memo
    stack = [(root, False)]
    while stack:
        term, ready = stack.pop()
        if term in known:
            continue
        if ready or not term.args:
            known[term] = visit(term, [known[a] for a in term.args])
        else:
            stack.append((term, True))
            stack.extend((a, False) for a in term.args if a not in known)
    return known[root]


def rebuild(root: Term, change: Callable[[Term], Term], memo: dict[Term, Term] | None = None) -> Term:
    """The term with ``change`` applied to every part, from the leaves up; ``change`` must keep sorts."""

    def visit(term: Term, args: list[Term]) -> Term:
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        return change(term if same else intern(term.op, tuple(args), term.data, term.sort))

    return fold(root, visit, memo)


def substitute(root: Term, values: dict[Term, Term], memo: dict[Term, Term] | None = None) -> Term:
    """The term with variables replaced, all at once, by terms of their sorts.

    Raises:
        SortError: one has another sort.
    """
    for v, value in values.items():
        if v.sort != value.sort:
            raise SortError(f"{value!r} can not stand for {v!r}, which is {v.sort}")
    return rebuild(root, lambda term: values.get(term, term), memo)


def variables(roots: Iterable[Term]) -> list[Term]:
    """The variables of the terms, in the order in which they are met."""
    return [term for term in postorder(roots) if term.op is Op.VARIABLE]


def size(roots: Iterable[Term]) -> int:
    """How many different parts the terms have."""
    return len(postorder(roots))
