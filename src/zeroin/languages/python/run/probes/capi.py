"""The functions of CPython's C API that native code calls. A Python object is represented by its address, an int64."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....distance import EQ, GT, LE, LT, NE
from .....native.kernel import cells_at, external, inlined

# The position of an object's type, and of a float's value, in cells of 8 bytes from the object's address.
_TYPE_AT = (object.__basicsize__ - 8) // 8
_FLOAT_AT = (float.__basicsize__ - 8) // 8


as_integer = external("PyLong_AsLongLongAndOverflow", "int64(int64, cells)")
as_double = external("PyLong_AsDouble", "float64(int64)")
compare_objects = external("PyObject_RichCompare", "int64(int64, int64, int32)")
contains = external("PySequence_Contains", "int32(int64, int64)")
is_true = external("PyObject_IsTrue", "int32(int64)")
to_bool = external("PyBool_FromLong", "int64(int64)")
to_float = external("PyFloat_FromDouble", "int64(float64)")
double_to_int = external("PyLong_FromDouble", "int64(float64)")
to_int = external("PyLong_FromLongLong", "int64(int64)")
size_of = external("PyObject_Size", "int64(int64)")
take = external("Py_IncRef", "void(int64)")
drop = external("Py_DecRef", "void(int64)")
new_tuple = external("PyTuple_New", "int64(int64)")
fill_tuple = external("PyTuple_SetItem", "int32(int64, int64, int64)")
number_add = external("PyNumber_Add", "int64(int64, int64)")
number_subtract = external("PyNumber_Subtract", "int64(int64, int64)")
number_multiply = external("PyNumber_Multiply", "int64(int64, int64)")
number_divide = external("PyNumber_TrueDivide", "int64(int64, int64)")
number_power = external("PyNumber_Power", "int64(int64, int64, int64)")
add_in_place = external("PyNumber_InPlaceAdd", "int64(int64, int64)")
subtract_in_place = external("PyNumber_InPlaceSubtract", "int64(int64, int64)")
multiply_in_place = external("PyNumber_InPlaceMultiply", "int64(int64, int64)")
divide_in_place = external("PyNumber_InPlaceTrueDivide", "int64(int64, int64)")
power_in_place = external("PyNumber_InPlacePower", "int64(int64, int64, int64)")
call_object = external("PyObject_CallObject", "int64(int64, int64)")
vectorcall = external("PyObject_Vectorcall", "int64(int64, cells, int64, int64)")
raise_ = external("PyErr_SetNone", "void(int64)")
error_is = external("PyErr_ExceptionMatches", "int32(int64)")
forget_error = external("PyErr_Clear", "void()")
take_lock = external("PyGILState_Ensure", "int32()")
give_lock = external("PyGILState_Release", "void(int32)")


@inlined
def type_of(x: int) -> object:
    """Return the address of an object's type, without a reference of its own."""
    return cells_at(x)[_TYPE_AT]


@inlined
def float_of(x: int) -> float:
    """Return the value of a Python float. Its type is not checked."""
    return np.float64(np.int64(cells_at(x)[_FLOAT_AT]).view(np.float64))


@inlined
def operate(op: int, a: int, b: int, none: int) -> Any:
    """Carry out an operator on two objects. Return a new reference to the result; 0 if it raised.

    Args:
        op: 0 to 4 for ``+ - * / **``, and 5 more if the operation is in place.
        a, b: the operands.
        none: the object None.
    """
    if op == 0:
        return number_add(a, b)
    if op == 1:
        return number_subtract(a, b)
    if op == 2:
        return number_multiply(a, b)
    if op == 3:
        return number_divide(a, b)
    if op == 4:
        return number_power(a, b, none)
    if op == 5:
        return add_in_place(a, b)
    if op == 6:
        return subtract_in_place(a, b)
    if op == 7:
        return multiply_in_place(a, b)
    if op == 8:
        return divide_in_place(a, b)
    return power_in_place(a, b, none)


@inlined
def ask(callee: int, a: int, b: int, c: int, count: int) -> object:
    """Call a Python function with the first ``count`` of three objects.

    Return a new reference to its result; 0 if it raised, and the exception is set. References of the caller stay valid.
    """
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
def ask_all(callee: int, values: Any, count: int) -> object:
    """Call a Python function with ``count`` objects, whose addresses are in cells. Return the same as :func:`ask`."""
    arguments = new_tuple(count)
    for n in range(count):
        take(values[n])
        fill_tuple(arguments, n, values[n])
    result = call_object(callee, arguments)
    drop(arguments)
    return result


@inlined
def python_op(op: int) -> object:
    """Return the number that ``PyObject_RichCompare`` has for a comparison of :mod:`zeroin.distance`."""
    if op == LT:
        return np.int32(0)
    if op == LE:
        return np.int32(1)
    if op == EQ:
        return np.int32(2)
    if op == NE:
        return np.int32(3)
    return np.int32(4) if op == GT else np.int32(5)
