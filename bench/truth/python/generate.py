"""Random programs by seed and number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from . import features as plain
from . import features_of_changes as changes
from . import features_of_code as code
from . import features_of_state as state
from .build import Builder
from .program import PythonProgram
from .truth import MOST, combinations_of
from .twin import Twin

FEATURES: Mapping[str, Callable[[Builder], None]] = {
    "bool as int": plain.bool_as_int,
    "int as float": plain.int_as_float,
    "mixtures of numbers": plain.mixtures,
    "shifts and masks": plain.shifts,
    "lists": plain.lists,
    "comprehensions": plain.comprehensions,
    "strings": plain.strings,
    "dicts": plain.dicts,
    "tuples": plain.tuples,
    "bytes": plain.raw_bytes,
    "assumed inputs": plain.assumed,
    "sets": code.sets,
    "subclasses": code.subclasses,
    "one object twice": code.same_object,
    "dataclasses": code.dataclasses,
    "subclass of int": code.subclass_of_int,
    "enumerations": code.enums,
    "optional and union": code.optional,
    "literals": code.literals,
    "exceptions": code.exceptions,
    "closures": code.closures,
    "default arguments": code.defaults,
    "mutable default": state.mutable_default,
    "unannotated": code.unannotated,
    "module variables": state.module_variables,
    "replaced functions": state.replaced_functions,
    "module constants": state.module_constants,
    "state of a class": state.class_state,
    "recursion": code.recursion,
    "match": code.matching,
    "callbacks": code.callbacks,
    "generators": code.generators,
    "changed containers": changes.changed_containers,
    "raised exceptions": changes.raised,
    "effects in expressions": changes.effects,
    "changed attributes": changes.changed_attributes,
}
# Features that are not checked yet, and why.
EXCLUDED: Mapping[str, str] = {}
INCLUDED = [feature for feature in FEATURES if feature not in EXCLUDED]
_ATTEMPTS = 50
_MOST_PLACES, _LEAST_PLACES = 16, 3


def program(seed: int, number: int, feature: str = "") -> PythonProgram:
    """The program of this number; the features take turns, unless one is named."""
    feature = feature or INCLUDED[number % len(INCLUDED)]
    for attempt in range(_ATTEMPTS):
        made = _drawn(random.Random(f"{seed}:{number}:{attempt}"), f"f{number}", feature)
        places = Twin(made.text, made.name).places
        told_apart = len({(place.line, place.text) for place in places}) == len(places)
        few = _LEAST_PLACES <= len(places) <= _MOST_PLACES and combinations_of(made) <= MOST
        if told_apart and few:
            return made
    raise RuntimeError(f"no program of feature {feature} with seed {seed} and number {number}")


def _drawn(rng: random.Random, name: str, feature: str) -> PythonProgram:
    b = Builder(rng, name, bits=rng.random() < 0.25 or feature == "shifts and masks")
    FEATURES[feature](b)
    features = (feature, *_second(b))
    taken = {parameter.name for parameter in b.parameters}
    if "x" not in taken and combinations_of(b) <= MOST >> 6 and b.chance(0.6) and not _defaults(b):
        b.integer("x")
    if "y" not in taken and b.chance(0.4) and not _defaults(b):
        b.boolean("y")
    body = b.block(0, 2, 4)
    if not body[-1].startswith("return"):
        body.append(f"return {b.small()}")
    return PythonProgram(name, b.function(body), tuple(b.parameters), features, tuple(b.before), b.stateful, b.assume)


def _second(b: Builder) -> Iterator[str]:
    """Another feature for some programs, if it has no names that are there, and not too many values together."""
    name = b.rng.choice(INCLUDED)
    other = Builder(b.rng, b.name)
    FEATURES[name](other)
    names = [parameter.name for parameter in (*b.parameters, *other.parameters)]
    fits = combinations_of(b) * combinations_of(other) <= MOST >> 3 and len(set(names)) == len(names)
    if b.chance(0.3) and fits and not (b.head or other.head or (b.helpers and other.helpers) or _defaults(b)):
        FEATURES[name](b)
        yield name


def _defaults(b: Builder) -> bool:
    """Behind a parameter with a default there is none without one."""
    return any(parameter.default for parameter in b.parameters)
