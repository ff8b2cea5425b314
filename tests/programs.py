"""Small programs for tests: C text in, a loaded subject out."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zeroin.generate.search import Search
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Signature, Words


def named(value: Any) -> str:
    """The name of a test's parameter, the same in every process: without addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


def signature_of(search: Search) -> Signature:
    """Of the subject of a search, which asks for less than subjects have."""
    assert isinstance(search.subject, LlvmSubject)
    return search.subject.signature


def words_of(signature: Signature, *values: Any) -> Words:
    """The words of Python values: a list for an array, a dict for a structure, None for NULL; of calls in a row one
    list, of their arguments."""
    if isinstance(signature, SequenceSignature):
        return signature.words_of(", ".join(map(repr, values)))
    left, words = list(values), list[int]()
    for parameter in signature.parameters:
        words += parameter.words_of(left.pop(0)) if parameter.is_argument else parameter.zeros()
    assert not left
    return tuple(words)


class Programs:
    """Writes sources into a folder and loads functions of them; the same request is answered with the same subject."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._loaded: dict[Any, LlvmSubject] = {}

    def write(self, text: str, name: str = ".c") -> Path:
        """A file with the text, in a folder that belongs to the text; the name may be a suffix alone."""
        folder = self.folder / hashlib.sha256(text.encode()).hexdigest()[:12]
        folder.mkdir(exist_ok=True)
        path = folder / (f"program{name}" if name.startswith(".") else name)
        path.write_text(text)
        return path

    def load(self, text: str, function: str = "f", name: str = ".c", **options: Any) -> LlvmSubject:
        """``function`` of the C ``text``, instrumented; one call a run. Runs that crash need a process of their own."""
        options = {"calls": 1, **options}
        key = (text, function, name, *sorted(options.items()))
        if key not in self._loaded:
            self._loaded[key] = LlvmSubject(self.write(text, name), function, LlvmOptions(**options))
        return self._loaded[key]

    def shared_library(self, text: str, name: str = ".c", flags: Sequence[str] = ("-O0", "-fno-builtin")) -> Path:
        """The text as a shared library, compiled without any of zeroin's machinery."""
        source = self.write(text, name)
        library = source.with_suffix(".so")
        command = [sys.executable, "-m", "ziglang", "cc", *flags, "-fno-sanitize=all", "-ffp-contract=off",
                   "-shared", "-fPIC", str(source), "-o", str(library)]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)
        return library


def check_paths(subject: LlvmSubject, several: Sequence[Words]) -> int:
    """The path condition of each input holds for those inputs alone that take the same way; how many ways there are."""
    ways = [tuple((d.site, d.holds) for d in subject.execute(words).decisions) for words in several]
    for words, way in zip(several, ways, strict=True):
        path = subject.along(words, subject.execute(words))
        assert path.ended == ""
        assert [path.holds(subject.model.inputs(other)) for other in several] == [its == way for its in ways]
    return len(set(ways))


def run_alone(script: str, *arguments: str, timeout: float = 60) -> str:
    """Run a Python script in a process of its own, where a subject may crash; what it printed."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script), *arguments],
                          capture_output=True, text=True, timeout=timeout)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


_ENDS = """
import json, sys
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.front.call_sequence import SequenceSignature
path, names, options = Path(sys.argv[1]), json.loads(sys.argv[2]), json.loads(sys.argv[3])
found = {}
for name, inputs in names.items():
    subject = LlvmSubject(path, name, LlvmOptions(**options))
    subject.guard()
    found[name] = ends = []
    for words in map(tuple, inputs):
        words = (*words, *[0] * (subject.signature.arity - len(words)))  # pointers lead to memory of their own
        runs = [subject.replay(words), subject.observe(words)]
        assert runs[0] == runs[1], runs
        execution = subject.execute(words)
        assert execution.outcome is runs[0].outcome and execution.detail == runs[0].detail
        what = runs[0].result if execution.outcome == 0 else execution.detail
        ends.append(f"{execution.outcome.name} {what}".strip())
print(json.dumps(found))
"""


def ends_of(programs: Programs, text: str, inputs: dict[str, list[Words]], name: str = ".c",
            **options: Any) -> dict[str, list[str]]:  # fmt: skip
    """How runs of the functions end, in a process of its own: the plain ones first, the instrumented ones alike."""
    path, options = programs.write(text, name), {"calls": 1, **options}
    found: dict[str, list[str]] = json.loads(run_alone(_ENDS, str(path), json.dumps(inputs), json.dumps(options)))
    return found


def ended(programs: Programs, text: str, function: str, *inputs: Words, **options: Any) -> list[str]:
    return ends_of(programs, text, {function: list(inputs)}, **options)[function]
