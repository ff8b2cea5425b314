"""The test emitters and coverage tools of all languages, by name. Each is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..registry import lazy_factory

if TYPE_CHECKING:
    from ..emit import Emitter
    from ..measure import Judge

# The first emitter of a language is its default.
EMITTERS: dict[str, Callable[[], Emitter]] = {
    "c": lazy_factory("zeroin.languages.c.emit.test_file:CTest"),
    "pytest": lazy_factory("zeroin.languages.python.emit.test_file:PytestFile"),
    "googletest": lazy_factory("zeroin.languages.c.emit.test_file:GoogleTestFile"),
    "unity": lazy_factory("zeroin.languages.c.emit.test_file:UnityFile"),
    "cmocka": lazy_factory("zeroin.languages.c.emit.test_file:CMockaFile"),
}

JUDGES: dict[str, Callable[[], Judge]] = {
    "gcov": lazy_factory("zeroin.languages.c.measure.gcov:Gcov"),
    "coverage": lazy_factory("zeroin.languages.python.measure.coverage:CoveragePy"),
}
