"""The table of all languages. A new language needs a folder beside this file and an entry in ``LANGUAGES``."""

from __future__ import annotations

from ..subject.language import Language
from .c.language import C, Llvm
from .python.language import Python

LANGUAGES: dict[str, Language] = {language.name: language for language in (C(), Llvm(), Python())}


def language_of(where: str) -> Language:
    """Return the language of a file or module.

    A file with an unknown suffix counts as C. Loading it or listing its functions then raises ``TargetError``.
    """
    return next((language for language in LANGUAGES.values() if language.owns(where)), LANGUAGES["c"])
