"""Print ``command-line.md``, which is made from the parser of the command line.

``python docs/reference/generate.py > docs/reference/command-line.md`` makes the page. With ``--check`` nothing is
printed on stdout; the exit status is 1 if the page differs from the parser.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from zeroin.cli.main import Parser, build_parser

PAGE = Path(__file__).with_name("command-line.md")

_HEAD = """\
# Command line

<!-- Written by docs/reference/generate.py from zeroin.cli.main.build_parser(). Do not edit. -->

`zeroin COMMAND --help` prints the same text. [Exit codes](exit-codes.md) and [configuration](configuration.md) have
pages of their own.
"""
_NO_GROUP = {"positional arguments": "Arguments", "options": "General options", "optional arguments": "General options"}
_DEFAULT = re.compile(r"\(default:? ([^()]+)\)|; default:? ([^()]+)\)")


def page() -> str:
    """Return the whole page."""
    parser = build_parser()
    parts = [_HEAD, *_commands(parser)]
    for name, command in parser.commands.items():
        parts += _command(name, command, _help_of(parser, name))
    return "\n".join(parts).rstrip() + "\n"


def _commands(parser: Parser) -> Iterator[str]:
    yield "## Commands\n"
    yield "| command | what it does |\n| --- | --- |"
    for name in parser.commands:
        yield f"| [`zeroin {name}`](#zeroin-{name}) | {_cell(_help_of(parser, name))} |"
    yield "\n`zeroin --version` prints the version.\n"


def _help_of(parser: Parser, name: str) -> str:
    [several] = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return next((one.help or "" for one in several._choices_actions if one.dest == name), "")


def _command(name: str, command: argparse.ArgumentParser, what: str) -> Iterator[str]:
    yield f"## zeroin {name}\n"
    yield f"{_sentence(what)}\n"
    usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
    yield f"    {_short_usage(usage, command)}\n"
    for group in command._action_groups:
        actions = [*_shown(group._group_actions)]
        if actions:
            yield f"### {name}: {_NO_GROUP.get(group.title or '', group.title)}\n"
            yield from _table(actions, command)
    if command.epilog:
        yield f"### {name}: notes\n"
        yield "```text\n" + command.epilog.strip() + "\n```\n"


def _short_usage(usage: str, command: argparse.ArgumentParser) -> str:
    """Return the usage line; of a command with many options, only that it has options, and its arguments."""
    if len(usage) <= 110:
        return usage
    required = [action for action in command._mutually_exclusive_groups if action.required]
    ways = [" | ".join(f"{one.option_strings[-1]} {one.metavar}" for one in group._group_actions) for group in required]
    arguments = [_argument(action) for action in _shown(command._actions) if not action.option_strings]
    return " ".join([command.prog, *(f"({way})" for way in ways), "[OPTION...]", *arguments])


def _argument(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return {"+": f"{name}...", "?": f"[{name}]", "*": f"[{name}...]"}.get(str(action.nargs), name)


def _shown(actions: Iterable[argparse.Action]) -> Iterator[argparse.Action]:
    return (action for action in actions if action.help != argparse.SUPPRESS)


def _table(actions: Iterable[argparse.Action], command: argparse.ArgumentParser) -> Iterator[str]:
    yield "| option | default | meaning |\n| --- | --- | --- |"
    for action in actions:
        yield f"| {_names(action)} | {_default(action)} | {_cell(_help(action, command))} |"
    yield ""


def _help(action: argparse.Action, command: argparse.ArgumentParser) -> str:
    text = (action.help or "").replace("%%", "%").replace("%(prog)s", command.prog)
    text = re.sub(r" \(default:? [^()]+\)$", "", text)  # the default has a column of its own
    return text or f"one of {', '.join(map(str, action.choices or ()))}"


def _names(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{_cell(_argument(action))}`"
    value = "" if action.nargs == 0 else f" {action.metavar or '{' + ','.join(map(str, action.choices or ())) + '}'}"
    return f"`{_cell(', '.join(action.option_strings) + value)}`"


def _default(action: argparse.Action) -> str:
    """Return the default that the help or the parser says; a dash if there is none."""
    if not action.option_strings or isinstance(action, argparse._HelpAction):
        return "-"
    if action.nargs == 0:
        return "off"
    if said := _DEFAULT.search(action.help or ""):
        return _cell(next(filter(None, said.groups())))
    value = action.default
    return "-" if value in (None, argparse.SUPPRESS, "") or value == [] else _cell(str(value))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def main(arguments: list[str]) -> int:
    """Print the page, or compare it. Return the exit status."""
    if arguments not in ([], ["--check"]):
        print(f"usage: {Path(__file__).name} [--check]", file=sys.stderr)
        return 2
    if not arguments:
        sys.stdout.write(page())
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE} is out of date: python {__file__} > {PAGE}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
