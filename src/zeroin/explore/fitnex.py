"""The frontier of Fitnex (Xie et al. 2009, section 4.1.4)."""

from __future__ import annotations

from .fitness import WORST, FitnessTarget
from .frontier import Frontier
from .tree import Branch, Node, Path

_Class = tuple[float, Branch]  # the fitness of a node's path, and the node's branch


class Fitnex(Frontier):
    """A frontier that chooses nodes with the best composite fitness F(p) - FGain(b), for each target in turn.

    A node belongs to the path that found it. Targets that no path has evaluated are skipped. A node is dropped if no
    uncovered target has a fitness between 0 and ``WORST``, both exclusive, on its path.

    Gains change. So nodes are grouped by target, fitness and branch: all nodes of such a class always have the same
    composite fitness.

    Args:
        inner: the frontier that chooses within a class.
    """

    def __init__(self, inner: Frontier) -> None:
        self._kind = inner

    def begin(self) -> None:
        self._classes: dict[FitnessTarget, dict[_Class, Frontier]] = {}  # the classes with a frontier
        self._new: dict[FitnessTarget, dict[_Class, list[Node]]] = {}  # the nodes not yet in their class's frontier
        self._ready: dict[
            FitnessTarget, set[_Class]
        ] = {}  # targets in the order of their turns, each with the classes that may have open nodes
        self._given: Node | None = None
        self._path: Path | None = None  # the path of the node added last, which misses ``_missed``
        self._missed = list[tuple[FitnessTarget, float]]()
        self.view.flipped.append(self._learn)

    def add(self, node: Node) -> None:
        if node.path is not self._path:
            self._path = node.path
            self._missed = [(target, fitness) for target, fitness in node.path.fitness.items()
                            if 0.0 < fitness < WORST and self.view.is_target(target)]  # fmt: skip
        for target, fitness in self._missed:
            key = fitness, node.branch
            self._new.setdefault(target, {}).setdefault(key, []).append(node)
            self._ready.setdefault(target, set()).add(key)

    def choose(self) -> Node | None:
        self._given = None
        for target in list(self._ready):
            ready = self._ready.pop(target)
            if not self.view.is_target(target):
                for kept in (self._classes, self._new):
                    kept.pop(target, None)
                continue
            self._given = self._fittest(target, ready)
            if ready:
                self._ready[target] = ready
            if self._given is not None:
                break
        return self._given

    def _fittest(self, target: FitnessTarget, ready: set[_Class]) -> Node | None:
        """Return the node with the best composite fitness for a target; None if no class has an open node.

        Args:
            target: the target.
            ready: the classes to choose from. Those without open nodes are removed.
        """
        classes, new, gains = self._classes.setdefault(target, {}), self._new[target], self.view.gains
        while ready:
            best = min(ready, key=lambda key: (key[0] - gains.of(target, key[1]), key))
            if best not in classes:
                classes[best] = self._kind.empty(self.view, self)
            for fresh in new.pop(best, ()):
                classes[best].add(fresh)
            node = classes[best].choose()
            if node is not None:
                return node
            ready.remove(best)
        return None

    def _learn(self, node: Node, closer: set[FitnessTarget]) -> None:
        """Tell the outer frontier if the flip of the last chosen node came closer to an uncovered target."""
        if node is self._given and self.outer is not None and any(map(self.view.is_target, closer)):
            self.outer.progressed(self)
