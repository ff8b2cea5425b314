"""``zeroin completion SHELL``: print a script that completes commands, options, files, and functions of files.

shtab writes the script. What it does not know stands here: how each shell finds the functions of a file.
"""

from __future__ import annotations

import argparse

import shtab

from ..config import FAULTS, GUARDED
from ..generate.strategies import STRATEGIES
from ..languages.plugins import EMITTERS
from ..report import file_reports
from .main import DONE, build_parser

SHELLS = ("bash", "zsh", "fish")
_CHOICES = {
    "--emit": [*EMITTERS, *file_reports(), "none"],
    "--engine": ["hybrid", *STRATEGIES],
    "--distance": ["ulp", "korel", "squared"],
    "--allow": [*GUARDED],
    "--find": [*FAULTS, "all", "none"],
}
_OF_FILES = ("FILE", "DIR")

# Names of functions in lines without indentation; in C, a line with a semicolon is only a declaration.
_FUNCTIONS = r"""_zeroin_functions() {
    case $1 in
        *.py) sed -nE 's/^(async +def|def|class) +([A-Za-z_][A-Za-z_0-9]*).*/\2/p' "$1" ;;
        *.ll) sed -nE 's/^define .*@([A-Za-z_][A-Za-z_0-9.]*)\(.*/\1/p' "$1" ;;
        *) sed -nE 's/^[A-Za-z_][A-Za-z_0-9 *]*[ *]([A-Za-z_][A-Za-z_0-9]*) *\(([^;]*|.*\{.*)$/\1/p' "$1" ;;
    esac
}
"""

# shtab gives file names to readline as such if the function's name says that it completes files.
_BASH = (
    _FUNCTIONS
    + r"""
_zeroin_files_and_functions() {
    local current=${COMP_LINE:0:$COMP_POINT} word
    current=${current##*[[:space:]]}
    if [[ $current != *:* || ! -f ${current%%:*} ]]; then
        compgen -f -- "$current"
        return
    fi
    for word in $(_zeroin_functions "${current%%:*}"); do
        word=${current%%:*}:$word
        [[ $word != "$current"* ]] && continue
        [[ $COMP_WORDBREAKS == *:* ]] && word=${word#"${current%:*}:"}  # before the colon is another word
        echo "$word"
    done
}
"""
)

_ZSH = (
    _FUNCTIONS
    + r"""
_zeroin_files_and_functions() {
    local file=${(Q)PREFIX%%:*}
    if [[ $PREFIX == *:* && -f $file ]]; then
        compset -P '*:'
        compadd -- $(_zeroin_functions $file)
    else
        _files
    fi
}
"""
)

_FISH = r"""
function __zeroin_files_and_functions
    set -l current (commandline -ct)
    set -l file (string split -m 1 : -- $current)[1]
    if string match -q '*:*' -- $current; and test -f "$file"
        for name in (bash -c "$__zeroin_functions"'_zeroin_functions "$0"' $file)
            echo $file:$name
        end
    else
        __fish_complete_path $current
    end
end
"""


def run(parsed: argparse.Namespace) -> int:
    """Print the script for the shell ``parsed.shell`` and return the exit status, which is always 0."""
    print(script(parsed.shell), end="")
    return DONE


def script(shell: str) -> str:
    """Return the script for a shell.

    Args:
        shell: one of ``SHELLS``.
    """
    parser = build_parser()
    for command in parser.commands.values():
        for action in command._actions:
            _describe(action)
    text = shtab.complete(parser, shell).rstrip("\n")
    if shell == "zsh":
        text = text.replace('"(*):', '"*:')  # shtab's completes the first target only
    return f"{text}\n"


def _describe(action: argparse.Action) -> None:
    """Set on an option or an operand what shtab has to complete: files, targets or a fixed choice. Drop its metavar."""
    of_files = str(action.metavar).startswith(_OF_FILES)
    complete = shtab.FILE if of_files else _targets() if action.metavar == "TARGET" else None
    if complete is not None and action.nargs != 0:
        action.complete = complete  # type: ignore[attr-defined]
    action.choices = next((_CHOICES[one] for one in action.option_strings if one in _CHOICES), action.choices)
    action.metavar = None  # shtab does not quote it, and some have quotes


def _targets() -> dict[str, str | dict[str, str]]:
    """Return how each shell completes files, and functions behind a file and a colon, by shtab's name of the shell.

    The entry ``preamble`` has the shell functions for that, which shtab puts into the script.
    """
    fish = f"set -g __zeroin_functions {_quoted(_FUNCTIONS)}\n{_FISH}"
    return {
        "bash": "_zeroin_files_and_functions", "zsh": "_zeroin_files_and_functions",
        "fish": "(__zeroin_files_and_functions)", "preamble": {"bash": _BASH, "zsh": _ZSH, "fish": fish},
    }  # fmt: skip


def _quoted(text: str) -> str:
    """Return the text in single quotes for fish, which treats backslashes before backslashes and quotes as escapes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
