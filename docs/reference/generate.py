"""Print ``command-line.md``, which is made from the parser of the command line.

``python docs/reference/generate.py > docs/reference/command-line.md`` makes the page. With ``--check`` nothing is
printed on stdout; the exit status is 1 if the page differs from the parser.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from typing import Any

from zeroin.cli.main import Parser, build_parser
from zeroin.distance import DISTANCES
from zeroin.generate.strategies import STRATEGIES, strategy_class
from zeroin.minimize import MINIMIZERS
from zeroin.solvers import SOLVERS

PAGE = Path(__file__).with_name("command-line.md")

_HEAD = """\
# Command line

<!-- Written by docs/reference/generate.py from zeroin.cli.main.build_parser(). Do not edit. -->

`zeroin COMMAND --help` prints the same text. [Exit codes](exit-codes.md) and [configuration](configuration.md) have
pages of their own.
"""
_NO_GROUP = {"positional arguments": "Arguments", "options": "General options", "optional arguments": "General options"}
_TARGETS = """\
## Targets

| target | stands for |
| --- | --- |
| `file.c:function` | a function of a C file (`.c`), C++ file (`.cpp`, ...) or LLVM IR (`.ll`, `.bc`) |
| `file.cpp:ns::f`, `file.cpp:ns::Class::f` | a function in a namespace, a member function |
| `'file.cpp:f(int)'` | one of several overloaded functions |
| `file.py:function`, `package.module:function` | a Python function |
| `file.py:Class.method` | a method, on an object that a call of the class makes |
| `file.py:Class`, `file.cpp:ns::Class` | a class as a whole, with sequences of calls |
| `file.c:12`, `file.py:12` | the function at line 12; in Python also a method, or the class around the line |
| `file.c`, `file.py`, `package.module` | all functions of a file or module |
| `package`, `folder` | all functions of its modules, or of all files below it |

`file.py::Class::method`, as pytest writes it, works, too.

## Time and repetition

- `--budget` and `--evals` are for each target. Loading, compiling and the trial of tests come on top.

- A command takes at most a tenth of the budget and two seconds longer, beside loading and compiling.

- A run that gives no sign of life ends after 0.3 of the budget, but not before 0.5 s and not after 2.5 s.

- The same seed gives the same suite, for every `--jobs` and under any load. This does not hold if the clock
  (`--budget`) ends the search.

- `--resume` continues from the folder `.found` in the folder of `--out`. It works after a kill, too.

- A Python function is compiled by Numba after 100,000 runs, if that is possible. `--no-native` prevents it.

## Flags of --cc

- Flags that change the meaning of a source are used: `-I`, `-D`, `-std`, `-include`, `-fno-exceptions`, ...

- Flags about output, optimisation, warnings as errors, linking and coverage are left out without a message:
  `-O2`, `-g`, `-Werror`, `-MMD`, `-flto`, `--coverage`, ... `-Ofast` counts as `-ffast-math`.

- Sanitizers and other machines (`-fsanitize=...`, `-m32`, `--target=...`) are refused.

- `--cc "clang -DFAST"` uses the Clang on your `PATH` instead of the bundled one.

- Flags of a `compile_commands.json` come before those of `--cc`.
"""
_PARAMETERS = """\
Parameters stand in parentheses: `--engine "targets(fitness=both)"`, `--minimizer "es(mu=15, lambda=100)"`.

- `targets` makes one search for each branch. `fitness=standard` is the fitness of the default engine, `enhanced` looks
  ahead (Baars et al. 2011), and `both` tries the standard one first. With `collateral=false`, a branch counts only if
  its own search takes it.

- `product` minimises the product of the distances to all missing boundaries (Fu & Su 2016, 4.4.2).
  `factors=logarithmic` makes each factor a number from 0 to 1.

- `explore` is symbolic execution alone. `frontier` chooses the next decision to flip: `fitnex` (the default),
  `without-fitnex`, `random`, `depth`, `breadth`, `iterative-deepening`, or frontiers composed as Pex prints them:
  `explore(frontier=RoundRobin(CodeLocationPrioritized[Shortest], Random))` (Xie et al. 2009, section 4.2). `solver` is
  the solver of path conditions, by its name for `--solver`, also with parameters.

- `prove` only proves.

- `--solver` takes parameters of the solver's minimizer, `two-phase-es(mu=20)`, and those of the concolic walk,
  `concolic-walk(steps=500, bisection=false)`. `concolic-walk(defaults=paper)` is the paper's.

- With another engine than `hybrid`, `--suite full` adds no inputs that kill mutants.
"""
_DEFAULT = re.compile(r"\(default:? ([^()]+)\)|; default:? ([^()]+)\)")


def page() -> str:
    """Return the whole page."""
    parser = build_parser()
    parts = [_HEAD, *_commands(parser)]
    for name, command in parser.commands.items():
        parts += _command(name, command, _help_of(parser, name))
    parts += [_TARGETS, *_names_and_parameters()]
    return "\n".join(parts).rstrip() + "\n"


def _names_and_parameters() -> Iterator[str]:
    """Yield tables of the names that options take, with their parameters."""
    yield "## Names and their parameters\n"
    yield _PARAMETERS
    yield "| `--engine` | parameters, the default first |\n| --- | --- |"
    yield "| `hybrid` | - |"
    for name in STRATEGIES:
        made = strategy_class(name)
        known = [*(f"`{key}`: {_listed(values)}" for key, values in made.choices.items()),
                 *(f"`{key}`: see above" for key in made.checks)]  # fmt: skip
        yield f"| `{name}` | {'; '.join(known) or '-'} |"
    yield "\n| `--minimizer` | parameters and defaults |\n| --- | --- |"
    for name, minimizer in MINIMIZERS.items():
        known = fields(minimizer) if is_dataclass(minimizer) else ()
        yield f"| `{name}` | {_listed(map(_parameter, known)) or '-'} |"
    yield f"\n`--distance`: {_listed(DISTANCES)}.\n"
    yield f"`zeroin solve --solver`: {_listed(SOLVERS)}.\n"


def _parameter(one: Field[Any]) -> str:
    value = str(one.default)
    return f"{one.name.rstrip('_')}={value.lower() if isinstance(one.default, bool) else value}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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
