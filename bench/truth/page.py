"""The page on what came of the programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..asking import machine
from .verdicts import ENGINES, PATH, UNDEFINED, Checked, Counted, decided


def page(checked: Sequence[Checked], excluded: Mapping[str, Mapping[str, str]], command: Sequence[str],
         seconds: float) -> str:  # fmt: skip
    """The whole page.

    Args:
        excluded: for each language, the features that were left out, and why.
        seconds: on the clock.
    """
    parts = [
        "# Every verdict and every test against the truth\n",
        f"Written by `python -m {' '.join(command)}`: {machine(('ziglang', 'numba', 'llvmlite'))}. "
        f"{len(checked):,} programs in {seconds:.0f} s.\n",
        "Each program has at most 16 bits of input, and all its inputs are run, without zeroin. A verdict is wrong if "
        "an input contradicts it. A test has to pass as it is written, at -O0 and -O2, by gcc and by Clang; in Python "
        "under pytest with two seeds of hashes; and to assert something.\n",
        *_summary(checked),
        "\n## Branches that an input takes: covered\n",
        *_features(checked, taken=True),
        "\n## Branches that no input takes: proved infeasible\n",
        *_features(checked, taken=False),
    ]
    against = [str(one) for each in checked for one in each.against]
    parts += ["\n## What is wrong\n", *(f"- {one}" for one in against)] if against else []
    left_out = [
        f"- {language}, {feature}: {why}" for language, some in excluded.items() for feature, why in some.items()
    ]
    parts += ["\n## Left out\n", *left_out] if left_out else []
    return "\n".join(parts) + "\n"


def _languages(checked: Sequence[Checked]) -> list[tuple[str, list[Checked]]]:
    names = dict.fromkeys(one.program.language for one in checked)
    return [(name, [one for one in checked if one.program.language == name]) for name in names]


def _summary(checked: Sequence[Checked]) -> Iterator[str]:
    yield ("| | programs | branches | an input takes | only undefined behaviour takes | wrong verdicts | tests "
           "| failing | without an assertion |")  # fmt: skip
    yield "| --- |" + " ---: |" * 8
    for name, own in [*_languages(checked), ("**all**", list(checked))]:
        branches = [example for one in own for example in one.program.truth.branches.values()]
        taken = sum(example is not None for example in branches)
        wrong, failing, silent = (sum(map(len, some)) for some in zip(*((one.wrong, one.failing, one.silent)
                                                                       for one in own), strict=True))  # fmt: skip
        undefined = sum(one.verdicts[Counted("default", UNDEFINED, False)] for one in own)
        numbers = (len(own), len(branches), taken, undefined, wrong, sum(one.tests for one in own), failing, silent)
        yield f"| {name} | {' | '.join(map(str, numbers))} |"


def _features(checked: Sequence[Checked], taken: bool) -> Iterator[str]:
    engines = [*ENGINES, PATH]
    yield f"| | programs | {' | '.join(engines)} |"
    yield "| --- |" + " ---: |" * (1 + len(engines))
    rows = list[tuple[str, list[Checked]]]()
    for name, own in _languages(checked):
        for feature in sorted({one.program.feature for one in own}):
            rows.append((f"{name}: {feature}", [one for one in own if one.program.feature == feature]))
        rows.append((f"**{name}**", own))
    for name, some in rows:
        shares = (_share(*decided(some, engine, taken)) for engine in engines)
        yield f"| {name} | {len(some)} | {' | '.join(shares)} |"


def _share(some: int, every: int) -> str:
    return f"{some} of {every} ({some / every:.1%})" if every else ""
