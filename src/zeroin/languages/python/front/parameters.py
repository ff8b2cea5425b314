"""The shapes of the parameters of a Python function: from annotation, default, ``--types``, or type inference."""

from __future__ import annotations

import inspect
import itertools
import sys
import typing
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any

from ....errors import OptionError, UnsupportedParameter
from ....subject.base import Words
from ..values.containers import List, MissingShape, Object, Str, Union, VarTuple, union_of
from ..values.dictionary import dictionary_of
from ..values.lengths import Lengths, with_room
from ..values.scalars import Datetime, NoneShape
from ..values.shapes import Float, Int, PythonParameter, Shape
from .annotations import DEEPEST, TooDeep, shape_of
from .default_values import shape_of_default
from .inference.docstrings import documented
from .inference.guesses import guess_of, says_all
from .inference.inference import Inference
from .inference.number_kinds import or_none, with_arrays, with_ints, with_kinds, with_same, with_zones
from .inference.refinement import refined
from .inference.uses import Evidence
from .signature import Call, PythonSignature
from .type_hints import constructor, evaluate, hints_of, parse_types

if TYPE_CHECKING:
    from .modules import FoundCallable

Attempt = Callable[[Callable[[], object]], BaseException | None]
Calling = Callable[[Sequence[object]], object]


def read_signature(found: FoundCallable, types: str, attempt: Attempt, room: Lengths, reading: Inference,
                   guess: int = 0) -> tuple[PythonSignature, Call]:  # fmt: skip
    """Return the signature of a function and the way to call it.

    If types must be guessed, the function is called with sample values.

    Args:
        found: the function.
        types: the value of ``--types``, such as ``x: float, n: int``; it overrides annotations. Empty: none are given.
        attempt: runs a call and returns the exception that it raised, or None. It tests guessed types.
        room: how long sequences must be, see :func:`zeroin.languages.python.values.lengths.lengths_for`.
        reading: the type inference from code.
        guess: how many guesses were refuted, 0 at first; a higher number means that more types are tried, see
            :mod:`.inference.guesses`.

    Raises:
        UnsupportedParameter: zeroin can not make values of a parameter; the message names the parameter and the reason.
        OptionError: ``types`` names an unknown parameter or type.
    """
    return SignatureReader(found, types, attempt, room, reading, guess).read()


class SignatureReader:
    """Reads one signature; the arguments are those of :func:`read_signature`.

    Attributes:
        types: the type of each parameter in ``--types``, as text.
        namespace: the variables of the function's module.
        notes: remarks for the report so far.
        used: the names in ``types`` that are parameters of the target, as far as it is read.
    """

    def __init__(self, found: FoundCallable, types: str, attempt: Attempt, room: Lengths, reading: Inference,
                 guess: int = 0) -> None:  # fmt: skip
        self.found, self.attempt, self.room, self._reading, self.guess = found, attempt, room, reading, guess
        self._suggested: dict[str, list[Shape]] = {}  # by name, for parameters without a type
        self._floats: set[str] = set()  # parameters that are floats by documentation or code
        self._checked: set[str] = set()  # parameters whose class the code checks
        self._keys: set[str] = set()  # parameters that the code takes from **kwargs
        self._open: list[type] = []  # classes whose constructors are being read, the outermost first
        self._nested = 0  # how many constructors are being read: their arguments should be simple
        self.types = parse_types(types) if types else {}
        self.namespace = dict(getattr(found.inner[0], "__globals__", {}))
        self.notes: list[str] = []
        self.used: set[str] = set()

    def read(self) -> tuple[PythonSignature, Call]:
        """Return the signature and the way to call the function; see :func:`read_signature`.

        Raises:
            OptionError: ``--types`` names a parameter that the function does not have, or an unknown type.
            UnsupportedParameter: zeroin can not make values of a parameter.
        """
        found = self.found
        parameters = self._object() if found.owner is not None else []
        described = self._describe(found.function, found.inner[0])
        own = list(described.parameters.values())[1 if found.owner is not None else 0 :]
        rest, spread = self._parameters(own, found.inner[0], found.name, len(parameters))
        named = nameable(found.function)
        parameters += [replace(one, nameable=one.name in named) for one in rest] + self._by_key(own, found.inner[0])
        unknown = set(self.types) - self.used
        if unknown:
            names = ", ".join(p.name for p in own) or "none"
            raise OptionError(f"--types: {found.name} has no parameter {min(unknown)!r} (it has: {names})")
        call = Call(found.function, tuple(p.name for p in parameters if p.keyword), spread)
        parameters = self._with_room(self._guessed_again(self._guessed(parameters, call)))
        if self._reading.kinds.same:
            parameters = with_same(parameters)
            call = replace(call, shares=True)
        if spread is None:
            parameters = [_with_default(one, described.parameters.get(one.name)) for one in parameters]
        returned = described.return_annotation
        result = "" if returned is inspect.Signature.empty else inspect.formatannotation(returned).strip("'")
        signature = PythonSignature(found.name, tuple(parameters), result, tuple(dict.fromkeys(self.notes)))
        return signature, call

    def _by_key(self, own: Sequence[inspect.Parameter], function: object) -> list[PythonParameter]:
        """Return parameters for the keys that the code takes from ``**kwargs``. Each of them may be missing.

        The type of a key is from ``--types``, the docstring, or type inference; else it is float. If the code takes no
        key, a note for the report says that ``**kwargs`` stays empty.

        Raises:
            OptionError: a type in ``--types`` can not be evaluated.
        """
        more = next((p.name for p in own if p.kind is p.VAR_KEYWORD), "")
        seen = self._reading.of(function).get(more)
        said = documented(function, self.namespace)
        made = []
        for key, evidence in seen.whole.keys.items() if seen is not None else ():
            if key.isidentifier() and key not in {p.name for p in own}:
                where = f"{self.found.name}: parameter {key!r}"
                hints = [self.types.get(key) and evaluate(self.types[key], self.namespace), said.get(key),
                         evidence.hint(self.namespace), float]  # fmt: skip
                self.used |= {key} & self.types.keys()
                shape = next(one for hint in hints if hint is not None for one in self._shapes(hint, where))
                either = union_of((MissingShape(), shape))
                self._keys.add(key)
                made.append(PythonParameter(key, either.type, either, True, "guessed", said=False))
        if more and not made:
            self.notes.append(f"**{more} stays empty")
        return made

    def _with_room(self, parameters: list[PythonParameter]) -> list[PythonParameter]:
        """Return the parameters with sequences that are long enough, and with texts to try."""
        shapes = [with_room(p.shape, self.room.of(p.name)) for p in parameters]
        return [replace(p, shape=shape, tries=dictionary_of(shape, self.room.texts))
                for p, shape in zip(parameters, shapes, strict=True)]  # fmt: skip

    def _describe(self, function: Any, inner: Any) -> inspect.Signature:
        """Return the declared parameters of a callable; if it has no signature, those of ``inner``.

        A class that has none, but makes objects without arguments, has no parameters.

        Raises:
            UnsupportedParameter: neither has a signature.
        """
        for one in (function, inner):
            try:
                return inspect.signature(one)
            except (TypeError, ValueError):
                continue
        if isinstance(function, type):  # of a class derived from dict or the like; it may take none
            with suppress(Exception):
                function()
                return inspect.Signature()
        raise UnsupportedParameter(
            f"{self.found.name}: {function.__qualname__} says nothing of its parameters; write a function that calls it"
        )

    def _object(self) -> list[PythonParameter]:
        """Return the parameter for the object of a method, which the constructor of its class makes, as a list of one.

        Raises:
            UnsupportedParameter: zeroin can not make the object.
        """
        owner = self.found.owner
        assert owner is not None
        try:
            shape = shape_of(owner, f"{self.found.name}: parameter 'self'", derived=False)
        except UnsupportedParameter:
            shape = self._constructed(owner)
        return [PythonParameter("self", owner.__name__, shape)]

    def _guess(self, cls: type) -> Shape | None:
        """Return the shape of a class whose type hints do not say how to make it; None if that can not be inferred.

        Classes of the standard library are not guessed: most stand for something outside, such as a socket or a
        process.

        Raises:
            TooDeep: the class contains itself, or is nested too deep.
        """
        foreign = cls.__module__.partition(".")[0] in sys.stdlib_module_names
        if foreign or not inspect.isfunction(constructor(cls)):
            return None
        if cls in self._open or len(self._open) >= DEEPEST:
            raise TooDeep(f"{self.found.name}: objects of {cls.__qualname__} are nested too deeply")
        self._open.append(cls)
        try:
            return self._constructed(cls)
        except UnsupportedParameter:
            return None
        finally:
            self._open.pop()

    def _constructed(self, owner: type) -> Shape:
        """Return the shape of objects of a class: its constructor's parameters, by annotation, default or guess.

        Raises:
            UnsupportedParameter: zeroin can not make a parameter.
        """
        described = self._describe(owner, owner)
        inner = next((f for f in (vars(owner).get("__init__"), vars(owner).get("__new__")) if callable(f)), owner)
        outside = self._suggested, self._floats, self._checked
        self._nested += 1
        try:
            self._suggested = {}
            parameters, spread = self._parameters(list(described.parameters.values()), inner, owner.__name__, 0)
        finally:
            self._suggested, self._floats, self._checked = outside
            self._nested -= 1
        if spread is None:
            parameters = [_may_be_missing(one, described.parameters[one.name]) for one in parameters]
        path = f"{owner.__module__}:{owner.__qualname__}"
        names, shapes = tuple(p.name for p in parameters), tuple(p.shape for p in parameters)
        return Object(path, names, shapes, sum(p.keyword for p in parameters), spread=spread)

    def _parameters(self, own: list[inspect.Parameter], function: Any, name: str,
                    before: int) -> tuple[list[PythonParameter], int | None]:  # fmt: skip
        """Return the parameters in the order of the call, and the index of the one for ``*args`` (None: there is none).

        Args:
            own: the declared parameters.
            function: the function that has the annotations and the code.
            name: its name, for messages.
            before: the number of parameters in front of these.

        Raises:
            UnsupportedParameter: zeroin can not make a parameter without a default.
            OptionError: a type in ``--types`` can not be evaluated.
        """
        hints, failed = hints_of(function, [p.name for p in own])
        self._suggest(function, name)
        positional: list[PythonParameter] = []
        keyword: list[PythonParameter] = []
        spread, skipped = None, False
        for parameter in own:
            seen = self._reading.of(function).get(parameter.name)
            shape, origin = self._shape(parameter, hints, failed, name, seen)
            if isinstance(shape, Datetime | Union) and seen is not None and seen.asks_for_zone:
                shape = with_zones(shape)
            if shape is not None and origin == "annotation" and seen is not None and seen.tells_ints:
                shape = with_ints(shape)
            many = parameter.kind is parameter.VAR_POSITIONAL
            told = origin in ("annotation", "default") and not many
            if shape is not None and told and seen is not None and seen.can_be_none:
                shape = or_none(shape)
            if shape is not None and told and seen is not None and seen.whole.tells_arrays:
                shape = with_arrays(shape)
            if shape is None:
                skipped |= parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
                continue
            by_name = parameter.kind is parameter.KEYWORD_ONLY or skipped
            of_type = shape.type
            if origin in ("annotation", "--types", "default"):
                shape = with_kinds(shape, self._reading.kinds)
            said = origin == "--types" or (origin == "annotation" and says_all(hints.get(parameter.name)))
            made = PythonParameter(parameter.name, of_type, shape, by_name, origin, many, said=said)
            if many:
                spread = before + len(positional)
            (keyword if by_name else positional).append(made)
        return positional + keyword, spread

    def _of(self, hint: object, where: str, seen: Evidence | None) -> Shape:
        """Return the shape of a type hint, refined by the code if the refined type can be made.

        Raises:
            UnsupportedParameter: zeroin can not make values of the type.
        """
        with suppress(UnsupportedParameter, TypeError):
            return shape_of(refined(hint, seen, self.namespace), where, self._guess)
        return shape_of(hint, where, self._guess)

    def _shape(self, parameter: inspect.Parameter, hints: dict[str, object], failed: dict[str, str],
               function: str, seen: Evidence | None) -> tuple[Shape | None, str]:  # fmt: skip
        """Return the shape of a parameter and the origin of its type. The shape is None if it keeps its default.

        Raises:
            UnsupportedParameter: the parameter has no default, and its annotation can not be evaluated or made.
            OptionError: its type in ``--types`` can not be evaluated.
        """
        name, where = parameter.name, f"{function}: parameter {parameter.name!r}"
        optional = parameter.default is not parameter.empty
        many = parameter.kind is parameter.VAR_POSITIONAL
        if name in self.types and not self._open:  # --types names parameters of the target, not of constructors inside
            self.used.add(name)
            shape = self._of(evaluate(self.types[name], self.namespace), where, seen)
            return (VarTuple(shape) if many else shape), "--types"
        if parameter.kind is parameter.VAR_KEYWORD:
            return None, ""
        if name in hints and hints[name] not in (Any, object):
            try:
                shape = self._of(hints[name], where, seen)
                return (VarTuple(shape) if many else shape), "annotation"
            except UnsupportedParameter as error:
                if not optional:
                    raise
                self.notes.append(f"{name} keeps its default: {str(error).partition(': ')[2]}")
                return None, ""
        if many:
            (suggested,) = self._suggested.get(name, [Float()])[:1]
            return VarTuple(suggested.element if isinstance(suggested, List | VarTuple) else suggested), "guessed"
        if name in failed and not optional:
            raise UnsupportedParameter(f"{where}: its annotation can not be evaluated ({failed[name]}); "
                                       f'give its type with --types "{name}: float"')  # fmt: skip
        return self._by_default(parameter, optional)

    def _by_default(self, parameter: inspect.Parameter, optional: bool) -> tuple[Shape | None, str]:
        """Return the shape and origin for a parameter without annotation, from its default or from type inference.

        The shape is None if the default suggests none; then a note is added.
        """
        suggested = self._suggested.get(parameter.name) or [Float()]
        if not optional:
            return suggested[0], "guessed"
        if parameter.default is None:
            return or_none(suggested[0]), "guessed"
        shape = shape_of_default(parameter.default)
        if shape == Int() and parameter.name in self._floats:  # a default of 0 where 0.0 is meant
            return Float(), "default"
        if shape is not None and parameter.name in self._checked:
            return union_of((shape, suggested[0])), "guessed"
        if shape is None:
            self.notes.append(f'{parameter.name} keeps its default {parameter.default!r}; give its type with --types "'
                              f'{parameter.name}: ..."')  # fmt: skip
        return shape, "default"

    # ---- guessing ----

    def _suggest(self, function: object, where: str) -> None:
        """Collect the types that code and documentation suggest. Code takes precedence if its evidence is strong.

        They are stored in ``_suggested``, ``_floats`` and ``_checked``.

        Args:
            function: the function that has the code and the docstring.
            where: its name, for messages.
        """
        said = documented(function, self.namespace)
        if not said and self.found.owner is not None:
            said = documented(self.found.owner, self.namespace)
        seen = self._reading.of(function)
        self._floats = {name for name, hint in said.items() if hint is float}
        self._floats |= {
            name for name, one in seen.items() if "real" in one.whole.kinds and "int" not in one.whole.kinds
        }
        self._checked = {name for name, evidence in seen.items() if evidence.is_checked}
        for name in dict.fromkeys((*said, *seen)):
            strong = name in seen and seen[name].is_strong
            read = seen[name].hint(self.namespace) if name in seen else None
            fraction = name in seen and seen[name].whole.has_fraction
            says = float if said.get(name) is int and fraction else said.get(name)  # code takes precedence
            hints = (read, says) if strong and not _is_made_up(read, says) else (says, read)
            shapes = []
            for hint in hints:
                if hint is not None:
                    shapes += self._shapes(hint, f"{where}: parameter {name!r}")
            if shapes and name in self._checked and not strong:  # values of all the suggested types may occur
                shapes = [union_of(shapes)]
            if shapes:
                self._suggested[name] = list(dict.fromkeys(shapes))

    def _guessed(self, parameters: list[PythonParameter], call: Calling) -> list[PythonParameter]:
        """Replace guessed types by others if fewer sample calls then raise TypeError or AttributeError.

        The result is a new list if a type is replaced. Each type is tried with 8 calls.
        """
        unknown = [n for n, p in enumerate(parameters) if p.origin == "guessed"]
        open_ = [n for n in unknown if parameters[n].name not in self._checked | self._keys]
        best = self._errors(parameters, call) if open_ else 0
        for _, n in itertools.product(range(2), open_):
            for candidate in self._candidates(parameters[n]):
                if best == 0:
                    break
                trial = [*parameters[:n], candidate, *parameters[n + 1 :]]
                errors = self._errors(trial, call)
                if errors < best:
                    parameters, best = trial, errors
        return parameters

    def _guessed_again(self, parameters: list[PythonParameter]) -> list[PythonParameter]:
        """Return the parameters with guessed types widened by those of further guesses, and note all guessed types."""
        found = list[PythonParameter]()
        for one in parameters:
            if one.said or one.name == "self" or not self.guess:
                found.append(one)
                continue
            others = [candidate.shape for candidate in self._candidates(one)]
            shape = guess_of(self.guess, one.shape, others, bool(self.room.texts))
            found.append(replace(one, shape=shape, type=shape.type))
        if guessed := [one for one in found if one.origin == "guessed"]:
            taken = ", ".join(f"{one.name}: {one.type}" for one in guessed)
            self.notes.append(f'guessed, as there is no annotation: {taken} (to state it: --types "{taken}")')
        return found

    def _shapes(self, hint: object, where: str) -> list[Shape]:
        """Return the shape of a type as a list of one; empty if it can not be made.

        Alternatives of ``X | Y`` that can not be made are left out, also among the items of a list. Inside a
        constructor, only alternatives of at most one word are kept, if there are any. Classes whose constructor lacks
        types are guessed.

        Args:
            hint: the evaluated type.
            where: whose type it is, for messages.
        """
        alternatives = typing.get_args(hint) if isinstance(hint, UnionType) else (hint,)
        shapes: list[Shape] = []
        for one in alternatives:
            if typing.get_origin(one) is list:  # keep the alternatives of its items that can be made
                shapes += [List(inner) for inner in self._shapes(typing.get_args(one)[0], where)]
                continue
            with suppress(UnsupportedParameter):
                shapes.append(shape_of(one, where, self._guess))
        plain: list[Shape] = [shape for shape in shapes if shape.arity <= 1]
        return [union_of(plain if plain and self._nested else shapes)] if shapes else []

    def _candidates(self, parameter: PythonParameter) -> list[PythonParameter]:
        """Return copies of the parameter with other types to try, the suggested ones first.

        For a method, the first is the type of its object.
        """
        optional = isinstance(parameter.shape, Union) and NoneShape() in parameter.shape.alternatives
        shapes: list[Shape] = [*self._suggested.get(parameter.name, ())[1:], Float(), Int(), List(Float()), List(Int()),
                               Str(), List(List(Float()))]  # fmt: skip
        if self.found.owner is not None:
            shapes.insert(0, self._object()[0].shape)
        made = [or_none(shape) if optional else shape for shape in dict.fromkeys(shapes)]
        if parameter.spread:
            made = [VarTuple(shape) for shape in made]
        return [replace(parameter, shape=shape, type=shape.type) for shape in made]

    def _errors(self, parameters: list[PythonParameter], call: Calling) -> int:
        """Return how many of 8 sample calls fail because of a type."""
        count = 0
        for turn in range(8):
            words = [_sample(p.shape, turn) for p in parameters]
            count += isinstance(self.attempt(partial(_call, call, parameters, words)), TypeError | AttributeError)
        return count


def _with_default(parameter: PythonParameter, described: inspect.Parameter | None) -> PythonParameter:
    """Return the parameter with the words of its default, if its shape can build that value; else the parameter itself.

    A parameter whose type is guessed gets no default. ``described`` is the declared parameter; None if there is none.
    """
    if described is None or described.default is described.empty or parameter.origin == "guessed":
        return parameter
    with suppress(ValueError, TypeError, AttributeError):
        return replace(parameter, default=tuple(parameter.shape.encode(described.default)))
    return parameter


def _may_be_missing(made: PythonParameter, declared: inspect.Parameter) -> PythonParameter:
    """Return the parameter so that its argument may be left out, if it has a default, as often only the default works.

    Then it is passed by name. Without a default, or if it can be passed by position only, it stays as it is.
    """
    if declared.default is declared.empty or declared.kind is declared.POSITIONAL_ONLY:
        return made
    return replace(made, shape=union_of((MissingShape(), made.shape)), keyword=True)


def _is_made_up(read: object, said: object) -> bool:
    """Whether code suggests an invented namespace of attributes, where documentation names a class."""
    return typing.get_args(read)[:1] == (SimpleNamespace,) and said not in (None, float, int, str, bool)


def _sample(shape: Shape, turn: int) -> Words:
    """Return sample words within the ranges: hints if there are any, else small numbers; ``turn`` selects them."""
    ranges, hints = shape.ranges(), shape.hints()
    words = []
    for n, ((low, high), some) in enumerate(zip(ranges, hints, strict=True)):
        inside = [w for w in some if low <= w <= high]
        words.append(inside[(turn + n) % len(inside)] if inside else min(max(turn + n, low), high))
    return tuple(words)


def nameable(function: Callable[..., object]) -> set[str]:
    """Return the names of the parameters that a call may pass by position or by name.

    A decorated function may take fewer by name than the function inside. There are none if ``*args`` follow.
    """
    try:
        declared = inspect.signature(function).parameters.values()
        taken = inspect.signature(function, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):
        return set()
    names = {p.name for p in declared if p.kind is p.POSITIONAL_OR_KEYWORD}
    if any(p.kind is p.VAR_POSITIONAL for p in declared):
        return set()
    passes_all = any(p.kind is p.VAR_KEYWORD for p in taken)
    return {name for name in names if passes_all or name in {p.name for p in taken}}


def _call(call: Calling, parameters: Sequence[PythonParameter], words: Sequence[Words]) -> object:
    """Build the value of each parameter from its words, and pass the list of values to ``call``.

    Exceptions pass through.
    """
    from .modules import resolve  # a late import, as listing signatures does not need it

    return call([p.shape.build(mine, resolve) for p, mine in zip(parameters, words, strict=True)])
