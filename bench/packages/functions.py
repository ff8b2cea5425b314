"""Which functions of the libraries are explored."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroin import LlvmSubject, PythonOptions, PythonSubject
from zeroin.languages.c.options import LlvmOptions
from zeroin.subject.subject import Subject

from .fetch import fetch, musl

_MUSL = (
    "acosh", "asinh", "atan2", "atanh", "erf", "erfc", "expm1", "fma", "ilogb", "j0", "y0", "j1", "jn", "yn",
    "__lgamma_r", "logb", "nextafter", "pow", "remquo", "__rem_pio2", "scalbn", "sinh", "tgamma",
)  # fmt: skip
_MUSL_FILES = {"erfc": "erf", "y0": "j0", "yn": "jn", "__lgamma_r": "lgamma_r"}
_GEOGRAPHIC = ("sum", "polyval", "AngRound", "remainder", "AngNormalize", "LatFix", "AngDiff", "sincosd", "sincosde",
               "atan2d")  # fmt: skip
_GEOGRAPHIC_TYPES = {"N": "int", "p": "list[float]", "s": "int"}
_UTM = (
    "in_bounds", "check_valid_zone_letter", "check_valid_zone_number", "check_valid_zone", "to_latlon", "from_latlon",
    "latitude_to_zone_letter", "latlon_to_zone_number", "zone_number_to_central_longitude", "mod_angle",
)  # fmt: skip
_UTM_TYPES = {"zone_letter": "str", "zone_number": "int", "upper_strict": "bool", "strict": "bool",
              "northern": "bool | None", "force_zone_number": "int | None", "force_zone_letter": "str | None",
              "force_northern": "bool | None"}  # fmt: skip
_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Function:
    """One to be explored.

    Attributes:
        package: the library.
        name: of the function.
        load: makes the subject.
        files: those that define it and what it calls.
    """

    package: str
    name: str
    load: Callable[[], Subject]
    files: tuple[Path, ...]


def source_lines(path: Path) -> int:
    """Lines of a file that are neither empty nor comments (SLOC)."""
    text = path.read_text()
    if path.suffix == ".py":
        return _python_lines(text)
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    return sum(bool(line.strip()) for line in bare.splitlines())


def _python_lines(text: str) -> int:
    """Lines with code; docstrings are comments."""
    docstrings = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)
                  and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]  # fmt: skip
    told = {line for node in docstrings for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in _NO_CODE]
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - told)


def functions() -> Iterator[Function]:
    """All of them."""
    yield from _of_musl()
    yield from _of_erfa()
    yield from _of_python("geographiclib", "geographiclib/geomath.py", [f"Math.{n}" for n in _GEOGRAPHIC],
                          _GEOGRAPHIC_TYPES)  # fmt: skip
    yield from _of_python("utm", "utm-0.7.0/utm/conversion.py", _UTM, _UTM_TYPES)


def _of_c(package: str, path: Path, name: str, others: Iterator[Path], cc: tuple[str, ...] = ()) -> Function:
    options = LlvmOptions(cc=cc, others=tuple(others), callees=True)
    return Function(package, name, lambda: LlvmSubject(path, name, options), (path, *options.others))


def _of_musl() -> Iterator[Function]:
    folder, flags = musl()
    tables = {"__exp_data": "exp_data", "__pow_log_data": "pow_data"}
    for name in _MUSL:
        path = folder / f"{_MUSL_FILES.get(name, name)}.c"
        others = _needed(path, re.compile(r"\b(__\w+)\b"), lambda used: folder / f"{tables.get(used, used)}.c")
        yield _of_c("musl", path, name, others, flags)


def _of_erfa() -> Iterator[Function]:
    folder = fetch("pyerfa") / "pyerfa-2.0.1.5" / "liberfa" / "erfa" / "src"
    called = re.compile(r"\bera([A-Z]\w*)\(")
    for path in sorted(folder.glob("*.c")):
        name = f"era{path.stem[:1].upper()}{path.stem[1:]}"
        if re.search(rf"^\w[\w ]*\b{name}\(", path.read_text(), re.MULTILINE):
            yield _of_c(
                "ERFA", path, name, _needed(path, called, lambda used: folder / f"{used[0].lower()}{used[1:]}.c")
            )


def _needed(path: Path, pattern: re.Pattern[str], place: Callable[[str], Path]) -> Iterator[Path]:
    """The files that define what a file uses, directly or not."""
    waiting, found = [path], {path}
    while waiting:
        for used in sorted(set(pattern.findall(waiting.pop().read_text()))):
            other = place(used)
            if other.is_file() and other not in found:
                found.add(other)
                waiting.append(other)
                yield other


def _of_python(
    package: str, file: str, names: list[str] | tuple[str, ...], types: Mapping[str, str]
) -> Iterator[Function]:
    path = fetch(package) / file
    text = path.read_text()
    for name in names:
        found = re.search(rf"def {name.rpartition('.')[2]}\(([^)]*)\)", text)
        if found is None:
            continue
        parameters = [part.partition("=")[0].strip() for part in found[1].split(",")]
        given = ", ".join(f"{part}: {types.get(part, 'float')}" for part in parameters if part)
        yield Function(package, name, _python(str(path), name, given), (path,))


def _python(path: str, name: str, types: str) -> Callable[[], Subject]:
    return lambda: PythonSubject(path, name, PythonOptions(types=types, native=False))
