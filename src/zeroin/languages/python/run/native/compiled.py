"""The native engine: the instrumented function compiled by Numba, where it can be."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cfunc, njit, types
from numba.extending import overload

from .....distance import EQ, GE, LT, NE, UNORDERED
from .....native.kernel import cells_at
from .....native.words import word_of_float
from ...front.contracts import leading
from ...values.shapes import Shape
from ..engine_choice import Engine
from ..probes import cells as probes
from ..probes.cells import note, note_beside, note_beside_floats, note_beside_mixed
from ..probes.control_flow import Flow
from ..probes.native_functions import note_result, rounded_size
from ..probes.source import Function
from . import check as nativecheck
from . import semantics
from .check import NotNative as NotNative
from .driver import ASSERTED, HUNG, OWN, Elsewhere, driver_of
from .rewrite import OPERATORS, NativeRewriter

if TYPE_CHECKING:
    from ...read.blocks.recorded_variables import Written

_FILE = "<native>"


_FITS = 1 << 62
_REAL = (types.Integer, types.Boolean, types.Float)


class OwnException(Exception):
    """Stands for whatever the code raises on purpose."""


@njit
def _note_mixed(state: Any, site: Any, op: Any, a: Any, b: Any) -> Any:
    """An integer and a float, compared exactly."""
    cells = cells_at(state)
    if semantics.is_exact(a) or b != b or abs(b) == np.inf:
        return note(cells, site, op, float(a), b)
    if abs(b) < _FITS and b == np.floor(b):
        return note(cells, site, op, a, np.int64(b))
    if abs(b) >= _FITS and abs(a) > _FITS / 2:
        semantics.unknown()
    return note(cells, site, op, float(a), b)


# ---- what the probes are in native code; `state` is the address of the cells ----


def compare(state: int, site: int, op: int, a: Any, b: Any) -> bool:
    raise TypeError("native only")


@overload(compare, strict=False)
def _compare(state: int, site: int, op: int, a: object, b: object) -> object:
    if isinstance(a, types.Integer | types.Boolean) and isinstance(b, types.Integer | types.Boolean):
        return lambda state, site, op, a, b: note(cells_at(state), site, op, np.int64(a), np.int64(b))
    if isinstance(a, _REAL) and isinstance(b, _REAL):
        if isinstance(a, types.Float) and isinstance(b, types.Float):
            return lambda state, site, op, a, b: note(cells_at(state), site, op, a, b)
        if isinstance(b, types.Float):
            return lambda state, site, op, a, b: _note_mixed(state, site, op, np.int64(a), b)
        return lambda state, site, op, a, b: _note_mixed(state, site, semantics.swapped(op), np.int64(b), a)
    return None


def compare_beside(state: int, site: int, op: int, first: int, whole: bool, a: object, b: object) -> bool:
    raise TypeError("native only")


@overload(compare_beside, strict=False)
def _compare_beside(state: int, site: int, op: int, first: int, whole: bool, a: object, b: object) -> object:
    if not (isinstance(a, _REAL) and isinstance(b, _REAL)) or types.float32 in (a, b):
        return None
    floats = isinstance(a, types.Float), isinstance(b, types.Float)

    def both(state: int, site: int, op: int, first: int, whole: bool, a: Any, b: Any) -> bool:
        note_beside_floats(cells_at(state), first, a, b)
        return compare(state, site, op, a, b)

    def none(state: int, site: int, op: int, first: int, whole: bool, a: Any, b: Any) -> bool:
        note_beside(cells_at(state), first, np.int64(a), np.int64(b))
        return compare(state, site, op, a, b)

    def left(state: int, site: int, op: int, first: int, whole: bool, a: Any, b: Any) -> bool:
        semantics.exact(b)
        note_beside_mixed(cells_at(state), first, whole, np.int64(b), a, True)
        return compare(state, site, op, a, b)

    def right(state: int, site: int, op: int, first: int, whole: bool, a: Any, b: Any) -> bool:
        semantics.exact(a)
        note_beside_mixed(cells_at(state), first, whole, np.int64(a), b, False)
        return compare(state, site, op, a, b)

    return {(True, True): both, (False, False): none, (True, False): left, (False, True): right}[floats]


def truth(state: int, site: int, x: Any) -> bool:
    raise TypeError("native only")


@overload(truth, strict=False)
def _truth(state: int, site: int, x: Any) -> Any:
    if isinstance(x, types.Float):
        return lambda state, site, x: note(cells_at(state), site, NE, x, 0.0)
    if isinstance(x, types.Integer | types.Boolean):
        return lambda state, site, x: note(cells_at(state), site, NE, np.int64(x), np.int64(0))
    if isinstance(x, types.Sized):
        return lambda state, site, x: note(cells_at(state), site, NE, np.int64(len(x)), np.int64(0))
    return None


def value(state: int, site: int, x: Any) -> Any:
    raise TypeError("native only")


@overload(value, strict=False)
def _value(state: int, site: int, x: object) -> object:
    def run(state: int, site: int, x: Any) -> Any:
        truth(state, site, x)
        return x

    return run


def check(state: int, site: int, op: int, size: bool, limit: float, x: Any) -> Any:
    raise TypeError("native only")


@overload(check, strict=False)
def _check(state: int, site: int, op: int, size: bool, limit: float, x: object) -> object:
    def run(state: int, site: int, op: int, size: bool, limit: float, x: Any) -> Any:
        number = float(x)
        note(cells_at(state), site, op, abs(number) if size else number, limit)
        return x

    def nothing(state: int, site: int, op: int, size: bool, limit: float, x: object) -> object:
        return x

    return run if isinstance(x, _REAL) else nothing


def _whole(x: Any) -> float:
    """The size of an integer, see :func:`note_result`; -1.0 for a float."""
    raise TypeError("native only")


@overload(_whole, strict=False)
def _whole_of(x: object) -> object:
    return (lambda x: -1.0) if isinstance(x, types.Float) else (lambda x: rounded_size(np.int64(x)))


def _checked(operation: Callable[[Any, Any], Any], op: int) -> Callable[..., Any]:
    """Return an operation that also checks its result, as the probe ``operate`` does in the interpreter."""

    def checked(state: int, site: int, kinds: int, a: Any, b: Any) -> Any:
        raise TypeError("native only")

    @overload(checked, strict=False)
    def _checked(state: int, site: int, kinds: int, a: object, b: object) -> object:
        def run(state: int, site: int, kinds: int, a: Any, b: Any) -> Any:
            result = operation(a, b)
            note_result(cells_at(state), site, kinds, op, float(a), float(b), result, max(_whole(a), _whole(b)))
            return result

        def plain(state: int, site: int, kinds: int, a: Any, b: Any) -> Any:
            return operation(a, b)

        numbers = isinstance(a, _REAL) and isinstance(b, _REAL)
        return run if numbers and (op == 3 or types.float64 in (a, b)) else plain

    return checked


def index(state: int, site: int, x: Any, sequence: Any) -> Any:
    raise TypeError("native only")


@overload(index, strict=False)
def _index(state: int, site: int, x: object, sequence: object) -> object:
    def run(state: int, site: int, x: Any, sequence: Any) -> Any:
        at, size = np.int64(x), np.int64(len(sequence))
        if at < 0:
            note(cells_at(state), site, LT, at, -size)
        else:
            note(cells_at(state), site, GE, at, size)
        return x

    def nothing(state: int, site: int, x: object, sequence: object) -> object:
        return x

    is_list = isinstance(sequence, types.List | types.ListType | types.BaseTuple)
    return run if isinstance(x, types.Integer | types.Boolean) and is_list else nothing


@njit
def isnan(state: Any, site: Any, x: Any) -> Any:
    return note(cells_at(state), site, UNORDERED, float(x), float(x))


@njit
def isinf(state: Any, site: Any, x: Any) -> Any:
    return note(cells_at(state), site, EQ, abs(float(x)), np.inf)


@njit
def isfinite(state: Any, site: Any, x: Any) -> Any:
    return note(cells_at(state), site, LT, abs(float(x)), np.inf)


@njit
def fuel(state: Any) -> bool:
    cells = cells_at(state)
    cells[probes.FUEL] -= 1
    if cells[probes.FUEL] < 0:
        cells[probes.OUTCOME] = HUNG
        raise OwnException
    return False


@njit
def enters(state: Any, site: Any) -> None:
    fuel(state)
    note(cells_at(state), site, EQ, np.int64(0), np.int64(0))


@njit
def leaves(state: Any, site: Any) -> None:
    note(cells_at(state), site, LT, np.int64(0), np.int64(0))


def writes_1(state: int, address: int, last: object, x: object) -> object:
    raise TypeError("native only")


@overload(writes_1, strict=False)
def _writes_float(state: int, address: int, last: object, x: object) -> object:
    def run(state: int, address: int, last: Any, x: Any) -> Any:
        cells_at(address)[0] = word_of_float(float(x))
        return last

    return run if isinstance(x, _REAL) else _writes_nothing  # as of what may be None, too


def writes_2(state: int, address: int, last: object, x: object) -> object:
    raise TypeError("native only")


@overload(writes_2, strict=False)
def _writes_integer(state: int, address: int, last: object, x: object) -> object:
    def run(state: int, address: int, last: Any, x: Any) -> Any:
        cells_at(address)[0] = np.int64(x)
        return last

    return run if isinstance(x, _REAL) else _writes_nothing


def _writes_nothing(state: int, address: int, last: object, x: object) -> object:
    return last


# any() and all() over a generator; each has a cell that says whether it goes on.
_going = np.zeros(256, dtype=np.int64)
_GOING = int(_going.ctypes.data)


@njit
def begins(number: object) -> object:
    cells_at(_GOING)[number] = 1
    return True


@njit
def goes(number: Any) -> Any:
    return cells_at(_GOING)[number] != 0


@njit
def stops(number: object, item: object, decides: object) -> object:
    if bool(item) == decides:
        cells_at(_GOING)[number] = 0
        return True
    return False


@njit
def stopped(begun: Any, found: Any, decides: Any) -> Any:
    return (len(found) > 0) == decides


@njit
def raises(state: object) -> None:
    cells_at(state)[probes.OUTCOME] = OWN


@njit
def asserts(state: object) -> None:
    cells_at(state)[probes.OUTCOME] = ASSERTED


_HELPERS = {
    "compare": compare, "compare_beside": compare_beside,
    "truth": truth, "value": value, "check": check, "index": index,
    "isnan": isnan, "isinf": isinf, "isfinite": isfinite,
    "fuel": fuel, "enters": enters, "leaves": leaves, "raises": raises, "asserts": asserts, "Own": OwnException,
    "writes_1": writes_1, "writes_2": writes_2, "writes_3": writes_2,
    "begins": begins, "goes": goes, "stops": stops, "stopped": stopped,
    **{name: getattr(semantics, name) for name in OPERATORS},
    **{f"{name}_checked": _checked(getattr(semantics, name), op)
       for op, name in enumerate(("add", "subtract", "multiply", "divide", "power"))},
}  # fmt: skip


def compile_native(functions: Sequence[Function], namespace: Mapping[str, object], shapes: Sequence[Shape],
                   names: Sequence[str], state: int, elsewhere: Elsewhere,
                   written: Written | None = None) -> Engine:  # fmt: skip
    """Compile the first function, and the others that it calls.

    Args:
        functions: freshly parsed; they are changed.
        namespace: the module's variables.
        shapes: of the parameters: floats, integers, booleans and lists of these.
        names: of those of them that are passed by name.
        state: address of the probes' cells.
        elsewhere: runs that are made otherwise.
        written: what is written down, if anything is.

    Raises:
        NotNative: Numba can not compile it; one line says why.
    """
    try:
        make_driver = driver_of(shapes, names, state, elsewhere)
        nodes, more = _prepare(functions, namespace, written)
        scope = {**namespace, **more, "__zeroin_state": state}
        tree = ast.fix_missing_locations(ast.Module([*nodes], []))
        exec(compile(tree, _FILE, "exec", dont_inherit=True), scope)
        for node in nodes:
            scope[node.name] = njit(nogil=True, error_model="python", boundscheck=True)(scope[node.name])
        objective = cfunc(types.float64(types.CPointer(types.int64)))(make_driver(scope[nodes[0].name]))
        return Engine("native", objective.address, slow=False, owner=objective)
    except NotNative:
        raise
    except Exception as error:  # Numba raises all kinds
        raise NotNative(_reason(error)) from error


def _prepare(functions: Sequence[Function], namespace: Mapping[str, Any],
             written: Written | None) -> tuple[list[ast.FunctionDef], dict[str, Any]]:  # fmt: skip
    """The functions and those that they call, rewritten, and the further variables that they need."""
    numbers = Flow(functions).numbers
    everything = [*functions, *nativecheck.helpers(functions, namespace)]
    nativecheck.refuse_recursion(everything)
    rewriter, nodes = NativeRewriter(numbers, namespace, written), []
    for number, function in enumerate(everything):
        node = nativecheck.plain(function, result=number > 0)
        rewriter.required = leading(node, ast.parse(function.source.text)) if number == 0 else []
        rewriter.function(node)
        nodes.append(node)
    helpers = {f"__zeroin_{name}": helper for name, helper in _HELPERS.items()}
    return nodes, {**helpers, **rewriter.names}


def _reason(error: BaseException) -> str:
    """Numba's explanation in one line."""
    text = _COLOURS.sub("", str(error))
    at = re.findall(rf'File "{_FILE}", line (\d+)', text)
    return (f"line {at[-1]}: " if at else "") + (_translated(text) or _first_line(error, text))[:160]


def _translated(text: str) -> str:
    call = re.search(r">>> (\w+)\((.*)\)", text)
    if call:
        types_ = [_type_name(part) for part in re.split(r", (?![^()\[\]]*[)\]])", call[2])]
        if call[1] in ("compare", "compare_beside"):
            return f"it compares {types_[-2]} with {types_[-1]}"
        if call[1] in ("truth", "value"):
            return f"a condition that is {types_[-1]}"
        return f"{_OPERATION.get(call[1], call[1])} of {', '.join(types_)}"
    for pattern, sentence in _SENTENCES:
        found = re.search(pattern, text)
        if found:
            return sentence.format(*found.groups())
    return ""


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # Numba writes them wherever colorama is installed
_OPERATION = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**", "shift": "<<",
              "shift_right": ">>", "invert": "~"}  # fmt: skip
_SENTENCES = (
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", "{1}.{0} is used"),
    (r"Unknown attribute '(\w+)' of type", "the attribute {0} is used"),
    (r"global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>", "{0} is used, {1}"),
    (r"reflected list.* variable '(\w+)' in globals", "{0} is used, a list"),
    (r"Untyped global name '(\w+)'", "{0} is used"),
    (r"Cannot unify (\S+) and (\S+) for '(\w+)", "{2} has values of different types"),
    (r"unsupported opcode \((\w+)\)", "the instruction {0}"),
)


def _type_name(text: str) -> str:
    """A type of Numba's as Python calls it."""
    text = re.sub(r"^Literal\[(\w+)\].*", r"\1", text.strip())
    text = re.sub(r"^OptionalType\((\w+)\).*", r"\1 or None", text)
    text = re.sub(r"\bu?int\d+\b", "int", re.sub(r"\bfloat\d+\b", "float", text))
    return {"unicode_type": "str", "none": "None", "boolean": "bool"}.get(text, text)


def _first_line(error: BaseException, text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    skipped = ("Failed in nopython", "During", "File", "-", ">>>", "^", "[")
    telling = [line for line in lines if not line.startswith(skipped)]
    return (telling or lines or [type(error).__name__])[0]
