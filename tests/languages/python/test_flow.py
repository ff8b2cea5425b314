"""The sites of functions, as the source names them, and which can follow which."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from languages.python.modules import Modules
from zeroin.languages.python.run.probes.control_flow import Flow
from zeroin.languages.python.run.probes.source import Function, Source


def flow_of(text: str, *names: str) -> Flow:
    text = textwrap.dedent(text).lstrip("\n")
    source = Source("sample.py", text)
    nodes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    return Flow([Function(name, nodes[name], source) for name in names or nodes])


def texts(text: str) -> list[str]:
    """The conditions of the function that consists of the statements."""
    return [
        site.condition for site in flow_of("def f(x, y, z):\n" + textwrap.indent(textwrap.dedent(text), "    ")).sites
    ]


@pytest.mark.parametrize(
    ("statements", "conditions"),
    [
        ("return x < y", ["x < y"]),
        ("return x < y <= z != 3", ["x < y", "y <= z", "z != 3"]),
        ("return x in y, x not in z, x is None, x is not y", ["x in y", "x not in z", "x is None", "x is not y"]),
        ("x[y > 1] = z", []),
        ("if x[(y > 1) & ~(z == 2), y != 3].any(): pass", ["x[(y > 1) & ~(z == 2), y != 3].any()"]),
        ("x[1 if y > 1 else 2] = (3, 4)[z > 2]", ["y > 1", "z > 2"]),
        ("if x: pass", ["x"]),
        ("if not x: pass", ["x"]),
        ("if f(x)[0].y: pass", ["f(x)[0].y"]),
        ("if x and not y or z: pass", ["x", "y", "z"]),
        ("return x and y", ["x"]),
        ("return x and y and z", ["x", "y"]),
        ("return (x or y) and z", ["x", "y"]),
        ("return x and y > 1", ["x", "y > 1"]),
        ("return not x", ["x"]),
        ("if True or x: pass", ["x"]),
        ("while True: pass", []),
        ("while x < 3: x += 1 if y else 2", ["x < 3", "y"]),
        ("return x if y else z", ["y"]),
        ("if (x if y else z): pass", ["y", "x", "z"]),
        ("for i in x: y += i or 1", ["for i in x", "i"]),
        ("for i, (j, k) in (x): pass", ["for i, (j, k) in x"]),
        ("for x[y or 1] in z: pass", ["for x[y or 1] in z", "y"]),
        ("return [i for i in x if i > y if z]", ["i > y", "z"]),
        ("return {i: j and 1 for i in x if i for j in i if j < 2}", ["i", "j < 2", "j"]),
        ("return any(i == y for i in (x or z))", ["x", "i == y"]),
        ("return lambda a, b=x < 1: a if b else y == a", ["x < 1", "b", "y == a"]),
        ("def g(a=x or 1, *, b=y > 2): return a > b\nreturn g", ["x", "y > 2", "a > b"]),
        ("def g(a: x < 1) -> 'y < 2': pass\na: x > 1 = y > 3", ["y > 3"]),
        ("class A(x or object):\n  b = y < z\n  def m(self): return self or 1", ["x", "y < z", "self"]),
        ("assert x > 0, y or z", ["x > 0", "y"]),
        ("assert not x", ["x"]),
        ("try: pass\nexcept ValueError: x or y\nexcept (KeyError, TypeError) as e: pass\nexcept: pass\nelse: x > 1",
         ["except ValueError", "x", "except (KeyError, TypeError)", "except", "x > 1"]),
        ("try: pass\nfinally: x or y", ["x"]),
        ("try: pass\nexcept* ValueError: pass", ["except ValueError"]),
        ("match x:\n  case 1 | 2: pass\n  case {'a': 1} if y: pass\n  case str() as s: pass\n  case [a, *_]: pass\n"
         "  case _: pass",
         ["case 1 | 2", "case {'a': 1}", "y", "case str() as s", "case [a, *_]"]),
        ("match x:\n  case a if a > y: pass", ["a > y"]),
        ("if isnan(x) or y.startswith('a') or isinstance(x, int): pass",
         ["isnan(x)", "y.startswith('a')", "isinstance(x, int)"]),
        ("with x or y as a, z: a and b", ["x", "a"]),
        ("return f'{x > 1} {y!r:>{z or 5}}'", ["x > 1", "z"]),
        ("return x[y > 1:z < 2], f(*x or y, **z and y)", ["y > 1", "z < 2", "x", "z"]),
        ("del x[y or 1]", ["y"]),
        ("x[y or 1] += z or 2", ["y", "z"]),
        ("raise x or y from z or y", ["x", "z"]),
        ("global a\nif (a := x) > (b := y): pass", ["(a := x) > (b := y)"]),
        ("yield x or y\nyield from z and x", ["x", "z"]),
        ("if (x + 1) * 2 < (y): pass", ["(x + 1) * 2 < (y)"]),
        ("if (x + 1) < (y + 2) < (z): pass", ["x + 1 < y + 2", "y + 2 < z"]),
        ("if (x <  # why\n    y): pass", ["x < y"]),
        ("if x in (\n    'a b',\n    'ä'\n): pass", ["x in ( 'a b', 'ä' )"]),
        ("s = '''\x0c\u2028'''\nif x: pass", ["x"]),
    ],
)  # fmt: skip
def test_the_text_of_sites_in_the_order_of_evaluation(statements: str, conditions: list[str]) -> None:
    assert texts(statements) == conditions


def test_where_sites_are_and_what_they_are() -> None:
    flow = flow_of(
        """
        def f(x, y):
            if x < 1 < y: return 1
            for i in y:
                assert i, "ä"
            try: z = "ä" if x else "b"
            except ValueError:
                pass
            match x:
                case 1: pass
            def g(a): return a > 1
        """
    )
    assert [(s.number, s.line, s.column, s.form) for s in flow.sites] == [
        (0, 2, 8, "branch"), (1, 2, 12, "branch"), (2, 3, 5, "for"), (3, 4, 16, "assert"), (4, 5, 21, "branch"),
        (5, 6, 5, "except"), (6, 9, 14, "case"), (7, 10, 22, "branch"),
    ]  # fmt: skip
    assert {site.function for site in flow.sites} == {"f"}
    assert {site.file for site in flow.sites} == {"sample.py"}


def test_functions_are_numbered_one_after_the_other() -> None:
    flow = flow_of("def f(x):\n    return g(x) or x\ndef g(x):\n    return x > 1\n", "f", "g")
    assert [(s.function, s.condition) for s in flow.sites] == [("f", "g(x)"), ("g", "x > 1")]
    assert flow.graph().first == (1,)
    assert flow.graph().follows == {0: (), 1: (), 2: (0,), 3: (0,)}


def test_a_segment_that_can_not_be_found_is_written_anew() -> None:
    """The parser is wrong about places inside of f-strings."""
    conditions = texts("""return f'''
      {
        x > 1
      } ä {y if z else
      x}'''""")
    assert conditions == ["x > 1", "z"]


# ---- what follows what ----


def graph(statements: str) -> Any:
    return flow_of("def f(x, y, z):\n" + textwrap.indent(textwrap.dedent(statements), "    ")).graph()


def test_if_and_its_branches() -> None:
    found = graph("if x: y or 1\nelse: z or 1\nreturn x < 1")
    assert found.first == (0,)
    assert found.follows == {0: (1,), 1: (2,), 2: (3,), 3: (3,), 4: (3,), 5: (3,), 6: (), 7: ()}


def test_a_condition_of_operands() -> None:
    found = graph("if x and (y or z): return x > 1")
    assert found.follows == {0: (1,), 1: (), 2: (3,), 3: (2,), 4: (3,), 5: (), 6: (), 7: ()}


def test_a_chain_ends_where_one_does_not_hold() -> None:
    found = graph("if not x < y < z: return x > 1")
    assert found.follows == {0: (1,), 1: (2,), 2: (), 3: (2,), 4: (), 5: ()}


def test_loops() -> None:
    found = graph("while x:\n  if y: break\n  if z: continue\n  x > 1\nelse: x > 2\nx > 3")
    assert found.follows == {
        0: (1,), 1: (4,), 2: (5,), 3: (2,), 4: (0,), 5: (3,), 6: (0,), 7: (0,), 8: (5,), 9: (5,), 10: (), 11: (),
    }  # fmt: skip
    assert graph("for i in x:\n  if y: return\nz or 1").follows == {0: (1,), 1: (2,), 2: (), 3: (0,), 4: (), 5: ()}


def test_a_comprehension_comes_back() -> None:
    assert graph("return [1 for i in x if i if y for j in i if j]").follows == {
        0: (1,), 1: (0,), 2: (0, 2), 3: (0,), 4: (0, 2), 5: (0, 2),
    }  # fmt: skip


def test_raise_and_return_end_a_function() -> None:
    assert graph("if x: raise y or z\nif z: return x > 1\ny > 1").follows == {
        0: (1,), 1: (2,), 2: (), 3: (), 4: (3,), 5: (4,), 6: (), 7: (), 8: (), 9: (),
    }  # fmt: skip


def test_try_follows_from_any_statement_inside() -> None:
    found = graph("try:\n  x > 1\n  y > 1\nexcept ValueError: z > 1\nx > 2")
    assert found.first == (0, 2)
    assert found.follows == {0: (1, 2), 1: (1, 2), 2: (2,), 3: (2,), 4: (3,), 5: (4,), 6: (4,), 7: (4,), 8: (), 9: ()}


def test_a_body_that_returns_has_no_else() -> None:
    found = graph("for i in x:\n  try:\n    if y: return 1\n    continue\n  except ValueError: z > 1\n  x > 2\nx > 3")
    texts_ = ["for", "y", "except", "z > 1", "x > 2", "x > 3"]
    assert found.sites == len(texts_)
    assert found.follows[2] == found.follows[3] == (2,)
    assert found.follows[4] == (3,)
    assert found.follows[5] == (0,)  # on with the loop; never to what follows the `try`


def test_finally_runs_in_any_case() -> None:
    found = graph("try:\n  if x: return 1\nfinally:\n  y > 1\nz > 1")
    assert found.follows == {0: (1,), 1: (1,), 2: (2,), 3: (2,), 4: (), 5: ()}
    found = graph("for i in x:\n  try: break\n  except ValueError: return\n  finally: y > 1\nz > 1")
    assert found.follows[3] == (2,)
    assert found.follows[4] == found.follows[5] == (0, 3)  # after a `break`, and as after anything else


def test_patterns_follow_each_other() -> None:
    found = graph("match x:\n  case 1: y > 1\n  case [_] if y: pass\n  case 'a': return\nz > 1")
    assert found.follows == {
        0: (1,), 1: (2,), 2: (5,), 3: (5,), 4: (3,), 5: (4,), 6: (5,), 7: (4,), 8: (), 9: (5,), 10: (), 11: (),
    }  # fmt: skip


def test_recursion_comes_back_to_the_start() -> None:
    found = flow_of("def f(x):\n    if x > 0: return f(x - 1) or 1\n    return 2\n").graph()
    assert found.follows == {0: (0,), 1: (1,), 2: (1,), 3: (1,)}


# ---- calls ----


def below(flow: Flow, condition: str) -> set[str]:
    """The conditions among the descendants of an outcome: ``x > 1 T``."""
    graph, sites = flow.graph(), flow.sites
    outcome = next(2 * s.number + "TF".index(condition[-1]) for s in sites if s.condition == condition[:-2])
    return {site.condition for site in sites if graph.descendants[outcome] >> 2 * site.number & 3}


G = "def g(a):\n    if a > 0: return 1\n    return 2\n"


@pytest.mark.parametrize(
    ("body", "outcome", "conditions"),
    [
        ("if x > 1: y = 2\nreturn g(y)", "a > 0 T", set()),
        ("if x > 1: y = 2\nreturn g(y)", "x > 1 F", {"a > 0"}),
        ("y = g(x)\nif x > 1: y = 2\nif x > 2: y = 3\nreturn g(y)", "x > 2 F", {"a > 0"}),
        ("y = g(x)\nif x > 1: y = 2\nreturn y", "a > 0 T", {"x > 1"}),
        ("if x > 1 and g(x) == 1: return 3\nreturn x > 2", "x > 1 F", {"x > 2"}),
        ("return x > 1 if g(g(x) + 1) > 7 else x > 2", "a > 0 F", {"a > 0", "g(g(x) + 1) > 7", "x > 1", "x > 2"}),
        (
            "if x > 1: return 1\nreturn sorted([x, 1], key=g)[0] > 3",
            "a > 0 T",
            {"a > 0", "sorted([x, 1], key=g)[0] > 3"},
        ),
        ("h = g if x > 1 else abs\nif x > 2: return h(x)\nreturn 1", "x > 2 T", {"a > 0"}),
        ("return self.g > 3", "a > 0 T", {"a > 0", "self.g > 3"}),
    ],
)
def test_functions_are_entered_where_they_are_called(body: str, outcome: str, conditions: set[str]) -> None:
    text = f"def f(x, self=None):\n{textwrap.indent(body, '    ')}\n{G}"
    assert below(flow_of(text, "f", "g"), outcome) == conditions


def test_a_function_inside_runs_where_it_is_called() -> None:
    body = """
        def f(x):
            def g(y):
                if y > 4: return h(y)
                return 0
            def h(y): return y > 5
            k = lambda z: z > 6
            if x > 1: return g(x)
            if x > 2: return k(x)
            return sum(1 for w in [x] if w > 3)
    """
    flow = flow_of(body)
    assert [flow.sites[n].condition for n in flow.graph().first] == ["x > 1"]
    assert below(flow, "x > 1 T") == {"y > 4", "y > 5"}
    assert below(flow, "x > 2 T") == {"z > 6"}
    assert below(flow, "x > 2 F") == {"w > 3"}


@pytest.mark.parametrize("use", ["for v in made(x):\n  if v > 9: break", "[v for v in made(x) if v > 9]"])
def test_a_generator_goes_on_where_it_was(use: str) -> None:
    made = "def made(n):\n    if n > 3: yield 1\n    if n > 4: yield 2\n"
    flow = flow_of(f"def f(x):\n{textwrap.indent(use, '    ')}\n    return x > 5\n{made}", "f", "made")
    assert {"n > 4", "x > 5"} <= below(flow, "v > 9 F")
    assert "x > 5" in below(flow, "n > 3 T")
    assert "n > 3" not in below(flow, "x > 5 T")


@pytest.mark.parametrize(
    ("statements", "fatal"),
    [
        ("assert x > 0", [1]),
        ("assert not x", [0]),
        ("assert x or y", [3]),
        ("assert x and y", [1, 3]),
        ("assert not (x and y)", [2]),
        ("assert x < y < z", [1, 3]),
        ("assert x, y or z", [1]),
        ("assert x if y else z", [3, 5]),
        ("if x: assert False", [0]),
        ("if x: assert y", [3]),
        ("if x: raise ValueError", []),
        ("try:\n  assert x\nexcept AssertionError: pass", []),
        ("try: pass\nexcept ValueError:\n  assert x", [3]),
    ],
)
def test_outcomes_that_fail_an_assertion(statements: str, fatal: list[int]) -> None:
    found = graph(statements)
    assert [outcome for outcome in range(2 * found.sites) if found.fatal >> outcome & 1] == fatal


# ---- what a run covers ----


def taken(modules: Modules, text: str, *words: int) -> list[str]:
    """The outcomes that a run of ``f(x: int, ...)`` covers, as ``0T``."""
    covered = modules.load(text).run(words).covered
    return [f"{outcome // 2}{'FT'[outcome % 2 == 0]}" for outcome in sorted(covered)]


NESTED = "try:\n        try: return 1 // x\n        except KeyError: pass\n    except ArithmeticError: pass"
MATCH = "match x:\n        case 1 | 2: return 1\n        case int() if y: return 2\n        case 4: pass"


@pytest.mark.parametrize(
    ("body", "x", "y", "outcomes"),
    [
        ("return x < y", 1, 2, "0T"),
        ("return x < y", 2, 2, "0F"),
        ("return 0 < x < y", 0, 2, "0F"),
        ("return 0 < x < y", 1, 2, "0T 1T"),
        ("return [a for a in (x, y) if 0 < a < 3]", 1, 5, "0T 1T 1F"),
        ("return x in (1, 2), x not in {3: 1}, abs(x) is None, abs(x) is not ...", 1, 0, "0T 1T 2F 3T"),
        ("return x in 'a' if x else y", 0, 1, "0F"),
        ("if not x: return y or 2", 0, 0, "0F 1F"),
        ("return x and y or 3", 1, 0, "0T 1F"),
        ("while x > 0: x -= 1", 1, 0, "0T 0F"),
        ("while x:\n        x -= 1\n        if y: break", 2, 1, "0T 1T"),
        ("for i in range(x): pass", 0, 0, "0F"),
        ("for i in range(x): pass", 2, 0, "0T 0F"),
        ("for i in range(x): return i", 2, 0, "0T"),
        ("for i in iter([x]):\n        if i: break", 2, 0, "0T 1T"),
        ("for i in []: pass\n    else: return x or y", 2, 0, "0F 1T"),
        ("assert x or y", 0, 2, "0F 1T"),
        ("assert not x", 1, 2, "0T"),
        ("try: return 1 // x\n    except ZeroDivisionError: return y", 0, 2, "0T"),
        ("try: return 1 // x\n    except ZeroDivisionError: return y", 1, 2, "0F"),
        ("try: x = 1 // x\n    except TypeError: pass\n    except ArithmeticError: pass", 0, 2, "1T"),
        ("try: x = 1 // x\n    except TypeError: pass\n    except ArithmeticError: pass", 1, 2, "0F 1F"),
        ("try: x = 1 // x\n    except TypeError: pass", 0, 2, ""),
        (NESTED, 0, 2, "1T"),
        (NESTED, 1, 2, "0F 1F"),
        ("for i in 1, 2:\n        try:\n            if i == x: break\n            continue\n        except KeyError: 0",
         2, 2, "0T 1T 1F 2F"),
        ("for i in 1, 2:\n        try:\n            1 % (i - x)\n            continue\n        except Exception: break",
         2, 2, "0T 1T 1F"),
        (MATCH, 1, 0, "0T"),
        (MATCH, 4, 1, "0F 1T 2T"),
        (MATCH, 4, 0, "0F 1T 2F 3T"),
        (MATCH, 5, 0, "0F 1T 2F 3F"),
        ("match x:\n        case int() if y: pass\n        case str() if y: pass\n        case 4: pass", 4, 0,
         "0T 1F 2F 4T"),
        ("match x:\n        case str() if y: return 2\n        case a if a > 1: pass", 5, 0, "0F 2T"),
        ("return math.isnan(x) or str(x).startswith('1') or isinstance(x, str)", 2, 0, "0F 1F"),
        ("if math.isfinite(x) and isinstance(x, int): return [str(x).isdigit() and 1]", 2, 0, "0T 1T 2T"),
        ("def g(a): return a > x\n    return g(y), (lambda b=x > 1: b or y)()", 2, 3, "0T 1T 2T"),
        ("class A:\n        low = 0 < x < y\n        def m(self): return self and 1\n    return A().m()", 2, 3,
         "0T 1T 2T"),
        ("return f'{x > 1} {y if x else 0}'", 2, 3, "0T 1T"),
        ("return max([x, y], key=lambda a: -a if a > 1 else a)", 1, 2, "0T 0F"),
    ],
)  # fmt: skip
def test_what_a_run_covers(modules: Modules, body: str, x: int, y: int, outcomes: str) -> None:
    assert taken(modules, f"import math\ndef f(x: int, y: int):\n    {body}\n", x, y) == outcomes.split()
