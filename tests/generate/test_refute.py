"""What intervals refute at once, before a search goes on."""

from __future__ import annotations

from programs import Programs
from zeroin.config import FAULTS, Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.refute import Refute
from zeroin.subject.base import branches_of

POLYNOMIAL = """#include <math.h>
double f(double x) {
    if (fabs(x) > 2.0) return 0.0;
    double z = x * x;
    double p = 0.5 + z * (0.25 + z * (0.125 + z * 0.0625));
    return p / (1.0 + z);
}
"""


def searching(programs: Programs, text: str) -> Search:
    subject = programs.load(text, find=FAULTS)
    return Search(
        subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants), Budget(10**6), 0
    )


def test_each_is_asked_once(programs: Programs) -> None:
    search = searching(programs, POLYNOMIAL)
    refute = Refute(search)
    assert not refute.done
    refute.step(1)
    assert refute.done
    assert not search.missing  # the two branches are taken by inputs that intervals suggest
    assert len(search.runs) == 2
    assert search.easily == len(search.proofs) == len(branches_of(search.subject.sites)) - 2 > 10
    assert all("intervals" in proof.solver for proof in search.proofs.values())


def test_what_can_not_be_read_is_left(programs: Programs) -> None:
    text = "#include <fenv.h>\ndouble f(double x) { fesetround(FE_UPWARD); return x * 0.5 + 1e300 * 1e300; }"
    search = searching(programs, text)
    refute = Refute(search)
    refute.step(1)
    assert refute.done
    assert not search.proofs
