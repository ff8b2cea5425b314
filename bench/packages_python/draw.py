"""Draws the sixty functions by chance: ``python -m bench.packages_python.draw``, in the project's top folder.

Of each package, those without a leading underscore, of 3 to 20 statements that branch, that yield nothing, and do not
read the package's data by themselves.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

from .functions import PACKAGES
from .run import place

_MANY = {"fluids": 9, "chemicals": 7, "pymeeus": 9, "pygeodesy": 9, "haversine": 1, "humanize": 5, "convertdate": 5,
         "isodate": 4, "webcolors": 2, "geopy": 4, "numpy_financial": 1, "astral": 4}  # fmt: skip
_LEFT_OUT = ("geocoders", "adapters", "rate_limiter", "test", "__main__", "numba", "vectorized", "optional", "units.py",
             "_version")  # fmt: skip
_DATA = ("retrieve_", "_load_", "list_available", "_loaded")
_BRANCHING = (ast.If, ast.While, ast.For, ast.match_case)


def main() -> None:
    """Print them."""
    chance = random.Random(14)
    for distribution in PACKAGES:
        package = distribution.lower()
        top = place(distribution)
        paths = sorted((top / package).rglob("*.py"))
        every = [name for path in paths if not any(part in str(path.relative_to(top)) for part in _LEFT_OUT)
                 for name in _functions(path, top)]  # fmt: skip
        print("\n".join(sorted(chance.sample(every, _MANY[package]))))


def _functions(path: Path, top: Path) -> Iterator[str]:
    module = ".".join(path.relative_to(top).with_suffix("").parts).removesuffix(".__init__")
    for name, node in _definitions(ast.parse(path.read_text()).body, ""):
        inside = [*ast.walk(node)]
        branching = sum(isinstance(one, _BRANCHING) for one in inside)
        yields = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in inside)
        if 3 <= branching <= 20 and not yields and not any(word in ast.unparse(node) for word in _DATA):
            yield f"{module}:{name}"


def _definitions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node


if __name__ == "__main__":
    main()
