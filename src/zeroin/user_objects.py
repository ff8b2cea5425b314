"""Objects that a user names on the command line: ``FILE.py:NAME`` or ``MODULE:NAME``, such as an own minimizer."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from .errors import OptionError


def is_place(text: str) -> bool:
    """Whether a text names an object of the user."""
    return ":" in text


def absolute(text: str, folder: Path = Path()) -> str:
    """Return the text with an absolute path, because workers run in other folders. Other texts stay as they are.

    Args:
        text: ``FILE.py:NAME``, ``MODULE:NAME``, or the name of something that is part of zeroin.
        folder: where a relative path starts.
    """
    file, colon, rest = text.partition(":")
    return f"{(folder / file).absolute()}{colon}{rest}" if colon and file.endswith(".py") else text


def from_here(text: str) -> str:
    """Return the text with the path relative to the current folder, if it has one: the opposite of :func:`absolute`."""
    file, colon, rest = text.partition(":")
    return f"{os.path.relpath(file)}{colon}{rest}" if colon and Path(file).is_absolute() else text


@cache
def user_object(place: str) -> object:
    """Import a file or a module, and return an object in it.

    Args:
        place: ``FILE.py:NAME`` or ``MODULE:NAME``.

    Raises:
        OptionError: there is no such file, module or object, or the import raises an exception.
    """
    where, _, name = place.rpartition(":")
    if not (where and name):
        raise OptionError(f"{place}: write FILE.py:NAME or MODULE:NAME")
    module = _imported(where)
    try:
        found: object = getattr(module, name)
    except AttributeError:
        known = ", ".join(known for known in vars(module) if not known.startswith("_"))
        raise OptionError(f"{place}: {where} has no {name}; it has {known or 'no names'}") from None
    return found


def _imported(where: str) -> ModuleType:
    """Import a file or a module.

    Raises:
        OptionError: there is none, or the import raises an exception.
    """
    try:
        if not where.endswith(".py"):
            return importlib.import_module(where)
        path = Path(where)
        if not path.is_file():
            raise OptionError(f"{where}: no such file")
        name = f"zeroin_user_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except OptionError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, and what the sandbox of Python targets raises
        raise OptionError(f"{where}: importing it raised {type(error).__name__}: {error}") from error
    return module
