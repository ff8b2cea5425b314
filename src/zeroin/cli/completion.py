"""``zeroin completion SHELL``: print a script that completes commands, options, files, and functions of files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

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
    "--find": [*FAULTS, "all"],
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

_BASH = r"""
_zeroin() {
    local line=${COMP_LINE:0:$COMP_POINT} command=${COMP_WORDS[1]} word file
    local current=${line##*[[:space:]]}
    line=${line%"$current"}
    local before=${line%"${line##*[![:space:]]}"}
    before=${before##*[[:space:]]}
    COMPREPLY=()
    local options='' words='' files=''
    case $command in
@COMMANDS@
    esac
    case $before in
@VALUES@
    esac
    if [[ $before == zeroin || $before == */zeroin ]]; then
        words='@NAMES@' files=''
    elif [[ $current == -* ]]; then
        words=$options files=''
    elif [[ -n $files && $current == *:* && -f ${current%%:*} ]]; then
        file=${current%%:*}
        for word in $(_zeroin_functions "$file"); do
            [[ $file:$word == "$current"* ]] && COMPREPLY+=("$file:$word")
        done
        if [[ $COMP_WORDBREAKS == *:* ]]; then  # what stands before the colon is a word by itself
            COMPREPLY=("${COMPREPLY[@]#"${current%:*}:"}")
        fi
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ -n $files ]]; then
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    fi
}
"""

_FISH = r"""
function __zeroin_targets
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
    """Print the script and return the exit status."""
    print(script(parsed.shell), end="")
    return DONE


def script(shell: str) -> str:
    """Return the script for a shell.

    Args:
        shell: one of ``SHELLS``.
    """
    commands = build_parser().commands
    if shell == "fish":
        return "\n".join(_fish(commands)) + "\n"
    made = '# eval "$(zeroin completion bash)", for example in ~/.bashrc\n' + _FUNCTIONS + _bash(commands)
    if shell == "zsh":
        made = made.replace("completion bash", "completion zsh").replace("~/.bashrc", "~/.zshrc, after compinit")
        made += "autoload -U +X bashcompinit && bashcompinit\n"
    return made + "complete -F _zeroin zeroin\n"


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> str:
    lines, values = list[str](), dict[str, str]()
    for name, command in commands.items():
        options = [option for action in command._actions for option in action.option_strings]
        operands = [action for action in command._actions if not action.option_strings]
        words = [str(choice) for action in operands for choice in action.choices or ()]
        files = "yes" if operands and not words else ""
        lines.append(f"        {name}) options='{' '.join(options)}' words='{' '.join(words)}' files='{files}' ;;")
        for action in command._actions:
            if action.option_strings and action.nargs != 0:
                of_files = "yes" if _takes_files(action) else ""
                values["|".join(action.option_strings)] = f"words='{' '.join(_choices(action))}' files='{of_files}'"
    given = [f"        {option}) {what} options='' ;;" for option, what in values.items()]
    return (_BASH.replace("@COMMANDS@", "\n".join(lines)).replace("@VALUES@", "\n".join(given))
            .replace("@NAMES@", " ".join([*commands, "--help", "--version"])))  # fmt: skip


def _fish(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield "# zeroin completion fish > ~/.config/fish/completions/zeroin.fish"
    yield f"set -g __zeroin_functions {_quoted(_FUNCTIONS)}"
    yield _FISH
    yield "complete -c zeroin -f"
    for name, command in commands.items():
        yield f"complete -c zeroin -n __fish_use_subcommand -a {name}"
        here = f"complete -c zeroin -n '__fish_seen_subcommand_from {name}'"
        for action in command._actions:
            choices = " ".join(_choices(action))
            if not action.option_strings:
                yield f"{here} -a '{choices or '(__zeroin_targets)'}'"
                continue
            names = " ".join(
                f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}" for one in action.option_strings
            )
            takes = "" if action.nargs == 0 else " -r -F" if _takes_files(action) else f" -x -a '{choices}'"
            yield f"{here} {names}{takes} -d {_quoted((action.help or '').replace('%%', '%'))}"


def _takes_files(action: argparse.Action) -> bool:
    return str(action.metavar).startswith(_OF_FILES)


def _choices(action: argparse.Action) -> list[str]:
    return next((_CHOICES[one] for one in action.option_strings if one in _CHOICES), [*map(str, action.choices or ())])


def _quoted(text: str) -> str:
    """Return the text in single quotes for fish, which treats backslashes before backslashes and quotes as escapes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
