"""``zeroin trust``: allow a configuration to start programs, or to load code into the compiler.

A project by somebody else may contain a configuration. Its programs start only after the user has trusted it.
"""

from __future__ import annotations

import argparse
import shlex

from ..errors import OptionError
from .configuration import place_of, says_of_compilers
from .main import DONE, configured_commands
from .trusted import program_in, trust


def run(parsed: argparse.Namespace) -> int:
    """Trust the configuration in its present state and return the exit status, which is always 0.

    Raises:
        OptionError: there is no configuration; or it is invalid, and is then not trusted.
        OutputError: the list of trusted files can not be written.
    """
    path = place_of(parsed.file, no_config=False)
    if path is None:
        raise OptionError("there is no configuration here; name one, such as zeroin trust project/zeroin.toml")
    texts = says_of_compilers(path, configured_commands())
    trust(path)
    found = [word for text in texts if (word := program_in(shlex.split(text)))]
    what = f"it starts, or loads, {', '.join(dict.fromkeys(found))}" if found else "it starts no program of its own"
    print(f"{path} is trusted until it is changed: {what}.")
    return DONE
