"""The 40 entry functions of fdlibm 5.3 that "Mathematical Execution" (Fu and Su, 2016) measures, and its figures.

The figures are those of the paper's Tables 3 and 4, as printed. Not all of them are possible: 8.8 % of 12 branches and
96.7 % of 24 are no whole numbers of branches. The table's ``ieee754_frmod`` is ``__ieee754_fmod``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Rates(NamedTuple):
    """What random testing and CoverMe reached, in percent."""

    random: float
    coverme: float


class Austin(NamedTuple):
    """One row of Table 4: seconds and branch coverage in percent; None where it gave no result."""

    seconds: float | None
    branch: float | None
    failure: str = ""


@dataclass(frozen=True)
class Paper:
    """One row of Table 3.

    Attributes:
        lines, branches, calls: how many of each gcov counted in the function.
        seconds: CoverMe's time (random testing was given 600).
        line: lines executed.
        condition: gcov's "branches executed": branches of the conditions that were evaluated at all.
        branch: branches taken at least once.
        call: calls executed; None where the function calls nothing.
        austin: Austin's seconds and branches, of Table 4.
    """

    lines: int
    branches: int
    calls: int
    seconds: float
    line: Rates
    condition: Rates
    branch: Rates
    call: Rates | None
    austin: Austin


@dataclass(frozen=True)
class Entry:
    """One function of the benchmark.

    Attributes:
        program: the file that defines it, called so in every edition of the library.
        function: its name, in netlib's edition and in newlib's alike.
        paper: what the paper says of it.
        others: files of the library that define what it calls, directly or not, in any edition.
        arrays: lengths of what its pointer parameters point to, in the notation of ``--array``.
    """

    program: str
    function: str
    paper: Paper
    others: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()

    @property
    def netlib_function(self) -> str:
        """Its name in netlib's edition: the same."""
        return self.function


# program     function        lines, branches, calls, seconds; random, CoverMe (%): line, condition, branch, call
_TABLE = """
e_acos.c      __ieee754_acos       33   12  0   7.8   18.2 100.0   33.3 100.0   16.7 100.0    n/a   n/a
e_acosh.c     __ieee754_acosh      15   10  2   2.3   46.7  93.3   60.0 100.0   40.0  90.0   50.0 100.0
e_asin.c      __ieee754_asin       31   14  0   8.0   19.4 100.0   28.6 100.0   14.3  92.9    n/a   n/a
e_atan2.c     __ieee754_atan2      39   44  0  17.4   59.0  79.5   54.6  84.1   34.1  63.6    n/a   n/a
e_atanh.c     __ieee754_atanh      15   12  0   8.1   40.0 100.0   16.7 100.0    8.8  91.7    n/a   n/a
e_cosh.c      __ieee754_cosh       20   16  3   8.2   50.0 100.0   75.0 100.0   37.5  93.8    0.0 100.0
e_exp.c       __ieee754_exp        31   24  0   8.4   25.8  96.8   33.3 100.0   20.8  96.7    n/a   n/a
e_fmod.c      __ieee754_fmod       70   60  0  22.1   54.3  77.1   66.7  80.0   48.3  70.0    n/a   n/a
e_hypot.c     __ieee754_hypot      50   22  0  15.6   66.0 100.0   63.6 100.0   40.9  90.9    n/a   n/a
e_j0.c        __ieee754_j0         29   18  2   9.0   55.2 100.0   55.6 100.0   33.3  94.4    0.0 100.0
e_j0.c        __ieee754_y0         26   16  5   0.7   69.2 100.0   87.5 100.0   56.3 100.0    0.0 100.0
e_j1.c        __ieee754_j1         26   16  2  10.2   65.4 100.0   75.0 100.0   50.0  93.8    0.0 100.0
e_j1.c        __ieee754_y1         26   16  4   0.7   69.2 100.0   87.5 100.0   56.3 100.0    0.0 100.0
e_log.c       __ieee754_log        39   22  0   3.4   87.7 100.0   90.9 100.0   59.1  90.9    n/a   n/a
e_log10.c     __ieee754_log10      18    8  1   1.1   83.3 100.0  100.0 100.0   62.5  87.5  100.0 100.0
e_pow.c       __ieee754_pow       139  114  0  18.8   15.8  92.7   28.1  92.7   15.8  81.6    n/a   n/a
e_rem_pio2.c  __ieee754_rem_pio2   64   30  1   1.1   29.7  92.2   46.7 100.0   33.3  93.3  100.0 100.0
e_remainder.c __ieee754_remainder  27   22  1   2.2   77.8 100.0   72.7 100.0   45.5 100.0  100.0 100.0
e_scalb.c     __ieee754_scalb       9   14  0   8.5   66.7 100.0   85.7 100.0   50.0  92.9    n/a   n/a
e_sinh.c      __ieee754_sinh       19   20  2   0.6   57.9 100.0   60.0 100.0   35.0  95.0    0.0 100.0
e_sqrt.c      __ieee754_sqrt       68   46  0  15.6   85.3  94.1   87.0  92.7   69.6  82.6    n/a   n/a
k_cos.c       __kernel_cos         15    8  0  15.4   73.3 100.0   75.0 100.0   37.5  87.5    n/a   n/a
s_asinh.c     asinh                14   12  2   8.4   57.1 100.0   66.7 100.0   41.7  91.7   50.0 100.0
s_atan.c      atan                 28   26  0   8.5   25.0  96.4   30.8 100.0   19.2  88.5    n/a   n/a
s_cbrt.c      cbrt                 24    6  0   0.4   87.5  91.7  100.0 100.0   50.0  83.3    n/a   n/a
s_ceil.c      ceil                 29   30  0   8.8   27.6 100.0   20.0 100.0   10.0  83.3    n/a   n/a
s_cos.c       cos                  12    8  6   0.4  100.0 100.0  100.0 100.0   75.0 100.0   83.3 100.0
s_erf.c       erf                  38   20  2   9.0   21.1 100.0   50.0 100.0   30.0 100.0    0.0 100.0
s_erf.c       erfc                 43   24  2   0.1   18.6 100.0   41.7 100.0   25.0 100.0    0.0 100.0
s_expm1.c     expm1                56   42  0   1.1   21.4 100.0   33.3 100.0   21.4  97.6    n/a   n/a
s_floor.c     floor                30   30  0  10.1   26.7 100.0   20.0 100.0   10.0  83.3    n/a   n/a
s_ilogb.c     ilogb                12   12  0   8.3   33.3  91.7   33.3  83.3   16.7  75.0    n/a   n/a
s_log1p.c     log1p                46   36  0   9.9   71.7 100.0   61.1 100.0   38.9  88.9    n/a   n/a
s_logb.c      logb                  8    6  0   0.3   87.5  87.5  100.0 100.0   50.0  83.3    n/a   n/a
s_modf.c      modf                 32   10  0   3.5   31.2 100.0   46.7 100.0   33.3 100.0    n/a   n/a
s_nextafter.c nextafter            36   44  0  17.5   72.2  88.9   81.8  95.5   59.1  79.6    n/a   n/a
s_rint.c      rint                 34   20  0   3.0   26.5 100.0   30.0 100.0   15.0  90.0    n/a   n/a
s_sin.c       sin                  12    8  6   0.3  100.0 100.0  100.0 100.0   75.0 100.0   83.3 100.0
s_tan.c       tan                   6    4  3   0.3  100.0 100.0  100.0 100.0   50.0 100.0   66.7 100.0
s_tanh.c      tanh                 16   12  0   0.7   43.8 100.0   50.0 100.0   33.3 100.0    n/a   n/a
"""

_REDUCTION = "k_rem_pio2 s_copysign s_fabs s_floor s_scalbn"
_SINE = f"e_rem_pio2 k_cos k_sin {_REDUCTION}"
_CALLED = {
    "e_acos.c": "e_sqrt w_sqrt",
    "e_acosh.c": "e_log e_sqrt math_err s_log1p w_sqrt",
    "e_asin.c": "e_sqrt s_fabs w_sqrt",
    "e_atan2.c": "s_atan s_fabs",
    "e_atanh.c": "math_err s_log1p",
    "e_cosh.c": "e_exp math_err s_expm1 s_fabs",
    "e_hypot.c": "e_sqrt w_sqrt",
    "e_j0.c": f"e_log e_sqrt s_cos s_sin w_sqrt {_SINE}",
    "e_j1.c": f"e_log e_sqrt s_cos s_sin w_sqrt {_SINE}",
    "e_log10.c": "e_log",
    "e_pow.c": "e_sqrt s_copysign s_fabs s_nan s_scalbn w_sqrt",
    "e_rem_pio2.c": _REDUCTION,
    "e_remainder.c": "e_fmod s_fabs",
    "e_scalb.c": "s_copysign s_finite s_isnan s_rint s_scalbn",
    "e_sinh.c": "e_exp math_err s_expm1 s_fabs",
    "s_asinh.c": "e_log e_sqrt math_err s_fabs s_log1p w_sqrt",
    "s_atan.c": "s_fabs",
    "s_cos.c": _SINE,
    "s_erf.c": "e_exp s_fabs",
    "s_expm1.c": "math_err",
    "s_log1p.c": "math_err",
    "s_logb.c": "s_fabs",
    "s_sin.c": _SINE,
    "s_tan.c": f"e_rem_pio2 k_tan {_REDUCTION}",
    "s_tanh.c": "math_err s_expm1 s_fabs",
}
_ARRAYS = {"__ieee754_rem_pio2": ("y=2",)}

# Of the paper's Table 4: Austin's seconds, or why it gave no result, and its own count of branches, in percent.
_AUSTIN = """
__ieee754_acos       6058.8 16.7
__ieee754_acosh      2016.4 40.0
__ieee754_asin       6935.6 14.3
__ieee754_atan2     14456.0 34.1
__ieee754_atanh      4033.8  8.3
__ieee754_cosh      27334.5 37.5
__ieee754_exp        2952.1 75.0
__ieee754_fmod      timeout  n/a
__ieee754_hypot      5456.8 36.4
__ieee754_j0         6973.0 33.3
__ieee754_y0         5838.3 56.3
__ieee754_j1         4131.6 50.0
__ieee754_y1         5701.7 56.3
__ieee754_log        5109.0 59.1
__ieee754_log10      1175.5 62.5
__ieee754_pow       timeout  n/a
__ieee754_rem_pio2  timeout  n/a
__ieee754_remainder  4629.0 45.5
__ieee754_scalb      1989.8 57.1
__ieee754_sinh       5534.8 35.0
__ieee754_sqrt        crash  n/a
__kernel_cos         1885.1 37.5
asinh                2439.1 41.7
atan                 7584.7 26.9
cbrt                 3583.4 50.0
ceil                 7166.3 36.7
cos                   669.4 75.0
erf                 28419.8 30.0
erfc                 6611.8 25.0
expm1               timeout  n/a
floor                7620.6 36.7
ilogb                3654.7 16.7
log1p               11913.7 61.1
logb                 1064.4 50.0
modf                 1795.1 50.0
nextafter            7777.3 50.0
rint                 5355.8 35.0
sin                   667.1 75.0
tan                   704.2 50.0
tanh                 2805.5 33.3
"""


def _austin() -> dict[str, Austin]:
    rows = (row.split() for row in _AUSTIN.strip().splitlines())
    return {name: Austin(None, None, time) if rate == "n/a" else Austin(float(time), float(rate))
            for name, time, rate in rows}  # fmt: skip


def _entry(row: str) -> Entry:
    program, function, lines, branches, calls, seconds, *percentages = row.split()
    line, condition, branch = (Rates(float(percentages[at]), float(percentages[at + 1])) for at in (0, 2, 4))
    call = None if "n/a" in percentages else Rates(float(percentages[6]), float(percentages[7]))
    paper = Paper(
        int(lines), int(branches), int(calls), float(seconds), line, condition, branch, call, _austin()[function]
    )
    others = tuple(f"{stem}.c" for stem in _CALLED.get(program, "").split())
    return Entry(program, function, paper, others, _ARRAYS.get(function, ()))


ENTRIES: tuple[Entry, ...] = tuple(_entry(row) for row in _TABLE.strip().splitlines())
