"""The languages of subjects. A language is a folder beside this file and a line below."""

from __future__ import annotations

from ..subject.language import Language
from .c.language import C, Llvm
from .python.language import Python

LANGUAGES: dict[str, Language] = {language.name: language for language in (C(), Llvm(), Python())}


def language_of(where: str) -> Language:
    """The language of a file or a module; C if nobody knows it: its compiler will say so."""
    return next((language for language in LANGUAGES.values() if language.owns(where)), LANGUAGES["c"])
