"""A new objective in a few lines: inputs on the boundary of a comparison (Fu & Su 2016, section 4.4.2).

``r`` starts at 1 and is multiplied, at every comparison, by the distance between its two sides. So it is 0 exactly
when some comparison of the run is between equal values, and any minimizer can look for that.

The distance is the logarithm of the number of floats between the sides (ULPs): at least 1 if they differ, and at most
64. The paper's is ``(a - b)**2``. A product of such numbers underflows: it can be 0 although no sides are equal. A
product of large ones overflows, and infinity times 0 is no number; so this one has a largest value.

    python examples/boundary.py examples/kepler.c solve

The command line does the same, and writes tests:

    zeroin cover examples/kepler.c:solve --objective examples/boundary.py:Boundary
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

from zeroin import Door, LlvmSubject, Objective, domain_of, random_state
from zeroin.distance import EQ, ulp
from zeroin.minimize import minimize


LARGEST = sys.float_info.max


class Boundary(Objective):
    r0 = 1.0

    @staticmethod
    def pen(data, r, site, op, a, b):
        return min(r * math.log2(1.0 + ulp(EQ, a, b)), LARGEST)


def main() -> None:
    """Print an input on a boundary of the function named on the command line, and the comparison that it is on."""
    subject = LlvmSubject(Path(sys.argv[1]), sys.argv[2])
    question = Boundary(len(subject.sites)).question
    door = Door(subject.install(question), subject.signature.arity, question)
    door.open(1_000_000)
    domain = domain_of(subject.signature, [])  # no constants of the subject: the search has to find them
    minimum = minimize("avm", door, domain, np.zeros(subject.signature.arity, dtype=np.int64), random_state([0]))
    print(f"{subject.signature.show(minimum.words)}: r = {minimum.value:g} after {minimum.evaluations} evaluations")
    for decision in subject.execute(minimum.words).decisions:
        if decision.left == decision.right:
            site = subject.sites[decision.site]
            print(f"{site.line}: {site.condition}   {decision.left!r} against {decision.right!r}")


if __name__ == "__main__":
    main()
