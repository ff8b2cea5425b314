"""Passes over terms. They visit each shared part once, and work without recursion for terms of any depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from .nodes import Op, SortError, Term, intern

T = TypeVar("T")


def postorder(roots: Iterable[Term]) -> list[Term]:
    """Return the roots and all terms below them, each once. Arguments come before the terms that use them."""
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
    """Compute a result bottom-up: call ``visit(term, results of its arguments)`` once for each part.

    Args:
        root: the whole term.
        visit: computes the result of one part.
        memo: results that are known already; the new ones are added.

    Returns:
        The result of the root.
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
    """Return the term with ``change`` applied to every part, bottom-up.

    Args:
        root: the whole term.
        change: returns the replacement of a part, whose own parts are already replaced. The replacement must have the
            same sort; this is not checked.
        memo: replacements that are known already; the new ones are added.
    """

    def visit(term: Term, args: list[Term]) -> Term:
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        return change(term if same else intern(term.op, tuple(args), term.data, term.sort))

    return fold(root, visit, memo)


def substitute(root: Term, values: dict[Term, Term], memo: dict[Term, Term] | None = None) -> Term:
    """Return the term with variables replaced by other terms, all at the same time.

    Args:
        root: the whole term.
        values: the replacement of each variable; other variables stay.
        memo: results of parts that are known already, for the same ``values``; the new ones are added.

    Raises:
        SortError: a replacement has another sort than its variable.
    """
    for v, value in values.items():
        if v.sort != value.sort:
            raise SortError(f"{value!r} can not stand for {v!r}, which is {v.sort}")
    return rebuild(root, lambda term: values.get(term, term), memo)


def variables(roots: Iterable[Term]) -> list[Term]:
    """Return the variables of the terms, in order of their first occurrence."""
    return [term for term in postorder(roots) if term.op is Op.VARIABLE]


def size(roots: Iterable[Term]) -> int:
    """Return the number of different parts of the terms."""
    return len(postorder(roots))
