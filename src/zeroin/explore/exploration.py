"""An exploration: the tree of paths, the frontier and the progress towards targets, kept consistent."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..model.path import PathCondition, Truth
from ..solvers.base import Proof
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Op, Term
from .fitness import WORST, FitnessTarget, of_path
from .frontier import Frontier, View
from .tree import Node, Path, Status, Tree, follows

_NONE = frozenset[Term]()


class Exploration:
    """The known paths of a function, and the choice of the node to flip next.

    Args:
        sites: the number of sites.
        frontier: the description of the frontier that chooses nodes. It stays unchanged.
        is_missing: tells whether a branch, given as a site and a decision, is still uncovered.
        seed: the seed of random choices.

    Attributes:
        tree: the tree of paths.
        counts: ``flipped`` counts flips that went as predicted; ``strayed`` counts runs that left the predicted path.
        proofs: proofs that no input flips a node, by the name of the solver, in the order of :meth:`exhaust`.
    """

    def __init__(self, sites: int, frontier: Frontier, is_missing: Callable[[int, bool], bool], seed: int) -> None:
        self.tree = Tree(sites)
        self.counts = Counter[str]()
        self.proofs: dict[str, list[Proof]] = {}
        self._is_missing = is_missing
        self._view = View(random.Random(seed), is_target=self._is_target)
        self._frontier = frontier.empty(self._view)
        self._best: dict[FitnessTarget, float] = {}
        self._variables: dict[Term, frozenset[Term]] = {}

    def _is_target(self, target: FitnessTarget) -> bool:
        """Whether a target is still uncovered. A boolean expression is covered once a run reaches fitness 0."""
        key, wanted = target
        return self._is_missing(key, wanted) if isinstance(key, int) else self._best.get(target) != 0.0

    # ---- the next node ----

    def choose(self) -> Node | None:
        """Return an open node to flip; None if the frontier has none until further nodes are added.

        The frontier forgets the node, which stays open. The caller settles it by a run (:meth:`add`), by
        :meth:`exhaust`, or by :meth:`give_up`.
        """
        return self._frontier.choose()

    def constraints(self, node: Node) -> tuple[Term, ...]:
        """Return the constraints that an input has to satisfy to flip a node. The flipped decision comes last.

        It omits constraints that share no variable with the flipped decision, not even through other constraints. The
        inputs of the node's path already satisfy those, so a model has to be completed by :meth:`inputs`.
        """
        *before, last = node.path.condition.otherwise(node.choice)
        wanted, chosen = set(self._variables_of(last)), [last]
        left = [term for term in before if not term.is_constant]
        while True:
            near = [term for term in left if wanted & self._variables_of(term)]
            if not near:
                return tuple(reversed(chosen))
            chosen += reversed(near)
            left = [term for term in left if not wanted & self._variables_of(term)]
            wanted.update(*map(self._variables_of, near))

    def _variables_of(self, term: Term) -> frozenset[Term]:
        """Return the variables of a term. The results for subterms are kept, since the terms of a path share many."""
        known, waiting = self._variables, [term]
        while waiting:
            part = waiting[-1]
            unknown = [a for a in part.args if a not in known] if part not in known else []
            waiting += unknown
            if not unknown:
                waiting.pop()
                if part not in known:
                    own = frozenset((part,)) if part.op is Op.VARIABLE else _NONE
                    known[part] = own.union(*(known[a] for a in part.args)) if part.args else own
        return known[term]

    # ---- results ----

    def add(self, condition: PathCondition, evaluated: Sequence[Truth], flipping: Node | None = None) -> None:
        """Add a run to the tree, and its new open nodes to the frontier; note how close it came to each target.

        If the run does not flip the node that it was meant to flip, that node is given up. A path that is known
        already is added again.

        Args:
            condition: the path condition of the run.
            evaluated: the comparisons that the run evaluated at sites, for the fitness.
            flipping: the node that the run was meant to flip; None: the run has another origin.
        """
        value = partial(evaluate, model=condition.inputs, memo={})
        path = Path(condition, of_path([*evaluated, *condition.truths], condition.steps, value))
        fresh = self.tree.add(path)
        closer = {t for t, fitness in path.fitness.items() if fitness < self._best.get(t, WORST)}
        targeted = {target for target in closer if self._is_target(target)}
        self._best.update({target: path.fitness[target] for target in closer})
        if flipping is not None:
            self._learn(flipping, path, targeted)
        for node in fresh:
            self._frontier.add(node)

    def _learn(self, node: Node, path: Path, closer: set[FitnessTarget]) -> None:
        """Note the result of a run that was meant to flip a node; give the node up if the run left its path."""
        self._view.gains.learn(node.branch, node.path.fitness, path.fitness)
        for told in self._view.flipped:
            told(node, closer)
        if follows(path.condition.choices, node):
            self.counts["flipped"] += 1
        else:
            self.counts["strayed"] += 1
            self.give_up(node, "the run left the path that was predicted for it")

    def exhaust(self, node: Node, proof: Proof) -> None:
        """Note that the solver found a node's flip infeasible.

        If the path condition contains concretised values, the node is only given up, and the proof is not kept.
        """
        if not node.path.condition.is_exact_before(node.choice):
            return self.give_up(node, "no input with the values that were taken from the run")
        node.status = Status.EXHAUSTED
        self.proofs.setdefault(proof.solver, []).append(proof)

    @property
    def is_complete(self) -> bool:
        """Whether every input takes a known path, and each of these paths is known to its end.

        False before the first path is added: without one nothing is known, such as if the first input was refused.
        """
        whole = bool(self.tree.paths) and all(
            path.condition.is_exact and not path.condition.ended for path in self.tree.paths
        )
        return whole and self.tree.is_exhausted and not self.tree.unsteady and not self.counts["strayed"]

    def give_up(self, node: Node, why: str) -> None:
        """Give up an open node, because it is not known whether an input flips it. Other nodes stay as they are.

        Args:
            node: the node.
            why: the reason, for people.
        """
        if node.is_open:
            node.status, node.why = Status.GIVEN_UP, why

    def count(self, status: Status) -> int:
        """Return the number of nodes with this status, among those that depend on the input."""
        return sum(node.status is status for node in self.tree.nodes)

    def again(self, nodes: Sequence[Node]) -> None:
        """Open nodes that were given up, so that the frontier can choose them again. Other nodes are ignored."""
        for node in nodes:
            if node.status is Status.GIVEN_UP:
                node.status = Status.OPEN
                self._frontier.add(node)

    def inputs(self, node: Node, model: Mapping[str, object]) -> dict[str, object]:
        """Return the inputs of a model, completed by those of the node's path. Other names of the model are left out.

        Args:
            node: the node that the model flips.
            model: values by name, as a solver found them for :meth:`constraints`.
        """
        return {**node.path.condition.inputs, **{k: v for k, v in model.items() if k in node.path.condition.inputs}}
