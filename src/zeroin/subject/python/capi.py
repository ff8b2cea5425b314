"""The functions of CPython's C API that native code calls; an object is its address."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...distance import EQ, GT, LE, LT, NE
from ...native import CELLS, cells_at, inlined

# Where CPython keeps an object's type and a float's value, in cells.
_TYPE_AT = (object.__basicsize__ - 8) // 8
_FLOAT_AT = (float.__basicsize__ - 8) // 8


def _external(name: str, result: Any, *arguments: Any) -> Any:
    return types.ExternalFunction(name, result(*arguments))


_object, _int, _void = types.int64, types.int32, types.void
as_integer = _external("PyLong_AsLongLongAndOverflow", types.int64, _object, CELLS)
as_double = _external("PyLong_AsDouble", types.float64, _object)
compare_objects = _external("PyObject_RichCompare", _object, _object, _object, _int)
contains = _external("PySequence_Contains", _int, _object, _object)
is_true = _external("PyObject_IsTrue", _int, _object)
to_bool = _external("PyBool_FromLong", _object, types.int64)
to_float = _external("PyFloat_FromDouble", _object, types.float64)
double_to_int = _external("PyLong_FromDouble", _object, types.float64)
to_int = _external("PyLong_FromLongLong", _object, types.int64)
size_of = _external("PyObject_Size", types.int64, _object)
take = _external("Py_IncRef", _void, _object)
drop = _external("Py_DecRef", _void, _object)
new_tuple = _external("PyTuple_New", _object, types.int64)
fill_tuple = _external("PyTuple_SetItem", _int, _object, types.int64, _object)
call_object = _external("PyObject_CallObject", _object, _object, _object)
vectorcall = _external("PyObject_Vectorcall", _object, _object, CELLS, types.int64, types.int64)
raise_ = _external("PyErr_SetNone", _void, _object)
error_is = _external("PyErr_ExceptionMatches", _int, _object)
forget_error = _external("PyErr_Clear", _void)
take_lock = _external("PyGILState_Ensure", _int)
give_lock = _external("PyGILState_Release", _void, _int)


@inlined
def type_of(x: int) -> Any:
    return cells_at(x)[_TYPE_AT]


@inlined
def float_of(x: int) -> float:
    """The value of a float."""
    return np.float64(np.int64(cells_at(x)[_FLOAT_AT]).view(np.float64))


@inlined
def ask(callee: int, a: int, b: int, c: int, count: int) -> Any:
    """Call a Python function with up to three objects."""
    arguments = new_tuple(count)
    take(a)
    fill_tuple(arguments, 0, a)
    if count > 1:
        take(b)
        fill_tuple(arguments, 1, b)
    if count > 2:
        take(c)
        fill_tuple(arguments, 2, c)
    result = call_object(callee, arguments)
    drop(arguments)
    return result


@inlined
def ask_all(callee: int, values: Any, count: int) -> Any:
    arguments = new_tuple(count)
    for n in range(count):
        take(values[n])
        fill_tuple(arguments, n, values[n])
    result = call_object(callee, arguments)
    drop(arguments)
    return result


@inlined
def python_op(op: int) -> Any:
    if op == LT:
        return np.int32(0)
    if op == LE:
        return np.int32(1)
    if op == EQ:
        return np.int32(2)
    if op == NE:
        return np.int32(3)
    return np.int32(4) if op == GT else np.int32(5)
