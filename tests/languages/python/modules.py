"""Small Python modules for tests: text in, a loaded subject out."""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path
from typing import Any

from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject

_numbers = itertools.count()


class Modules:
    """Writes texts into module files, each with a name that no other module has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, text: str) -> Path:
        path = self.folder / f"zeroin_sample_{next(_numbers)}.py"
        path.write_text(textwrap.dedent(text))
        return path

    def load(self, text: str, name: str = "f", **options: Any) -> PythonSubject:
        """A function of the text, instrumented."""
        return PythonSubject(str(self.write(text)), name, PythonOptions(**options))

    def again(self, path: str, name: str = "f", **options: Any) -> PythonSubject:
        """A function of a file that was written before."""
        return PythonSubject(path, name, PythonOptions(**options))
