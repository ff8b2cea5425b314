"""Find a target in the worker process: from ``file.py:function`` or ``package.module:Class.method`` to the function."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ....errors import TargetError
from ....subject.language import Skipped
from ....subject.source_folder import PROGRAM, TESTS
from ..run.audit_hook import Denied
from .class_members import Members, members_of
from .code import functions_in, unwrapped, why_no_function
from .import_roots import import_roots_of


@dataclass(frozen=True)
class Module:
    """An imported module.

    Attributes:
        module: the module object.
        name: the name to import.
        file: its source file, as code objects name it.
        root: the folder that must be on ``sys.path`` to import it; None if none is needed.
    """

    module: ModuleType
    name: str
    file: str
    root: Path | None


@dataclass(frozen=True)
class FoundCallable:
    """A callable or a class to test.

    Attributes:
        home: its module.
        name: ``function``, ``Class.method`` or ``Class``.
        function: the callable; it takes the object first if ``owner`` is not None. For a class, it makes and
            uses objects.
        inner: the Python functions inside of decorators, the user's own first. For a class, the functions that make and
            use its objects.
        owner: the class of a method that needs an object; else None.
        members: the members of a class that is the target itself; else None.
    """

    home: Module
    name: str
    function: Callable[..., object]
    inner: tuple[FunctionType, ...]
    owner: type | None = None
    members: Members | None = None

    @property
    def entries(self) -> tuple[FunctionType, ...]:
        """The functions where runs may begin: the user's own, or those of a class that is the target."""
        return self.inner[:1] if self.members is None else self.inner


@cache
def resolve(path: str) -> object:
    """Return the class or function of a path ``module:Qual.Name``, and import the module; results are cached.

    The module's name may contain a colon, as file names may.

    Raises:
        ImportError, AttributeError: there is no such module, or no such name in it.
    """
    module, _, name = path.rpartition(":")
    value: object = importlib.import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    return value


def import_module(where: str) -> Module:
    """Import a module by its name or by the path of its file.

    Its import root, for a name the current folder, is put at the front of ``sys.path``, where it stays.

    Raises:
        TargetError: the module does not exist, has no Python source, or can not be imported; with the cause.
    """
    if where.endswith(".py"):
        return _import_file(Path(where))
    sys.path.insert(0, str(Path.cwd()))
    module = _import(where, where)
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py"):
        raise TargetError(
            f"{where}: has no Python source (it is {_nature(module)}), so zeroin can not see its conditions; test the "
            "Python function that calls it"
        )
    return Module(module, where, file, Path.cwd() if Path(file).is_relative_to(Path.cwd()) else None)


_TESTS = re.compile(r"(tests?|conftest|test_\w+|\w+_test)$")


def modules_of(where: str) -> tuple[list[str], list[Skipped]]:
    """Return the modules of a package, and those that are skipped (tests and programs).

    The modules are sorted by name, so the package itself is the first one. It is left out if it is a namespace package,
    which has no file. Both lists are empty for a module that is not a package. Only the package and its parents are
    imported. The current folder is put at the front of ``sys.path``.

    Raises:
        TargetError: the package does not exist or can not be imported; with the cause.
    """
    sys.path.insert(0, str(Path.cwd()))
    folders = getattr(_import(where, where), "__path__", None)
    if folders is None:
        return [], []
    found, skipped = [where] if getattr(sys.modules[where], "__file__", None) else [], list[Skipped]()
    open_ = [(where, [*folders])]
    while open_:
        package, places = open_.pop()
        for part in sorted(pkgutil.iter_modules(places)):
            name = f"{package}.{part.name}"
            if part.name == "__main__":
                skipped.append(Skipped(name, PROGRAM))
            elif _TESTS.match(part.name):
                skipped.append(Skipped(name, TESTS))
            else:
                found.append(name)
                if part.ispkg:
                    open_.append((name, [str(Path(place, part.name)) for place in places]))
    return sorted(found), skipped


def _nature(module: ModuleType) -> str:
    """Return why a module has no Python source, as text for a message."""
    file = getattr(module, "__file__", None)
    return "built into Python" if file is None else f"compiled: {Path(file).name}"


def _import_file(path: Path) -> Module:
    """Import a file from the first of its possible import roots from which this works.

    Raises:
        TargetError: the import fails from the last root, too; with the cause.
    """
    path = path.resolve()
    *others, last = import_roots_of(path)
    for root, name in others:  # else from the folder around its package, to find its neighbours
        with suppress(TargetError):
            return _import_from(path, root, name)
        sys.path.remove(str(root))
    return _import_from(path, *last)


def _import_from(path: Path, root: Path, name: str) -> Module:
    """Import a file as the module ``name``, with ``root`` at the front of ``sys.path``, where it stays.

    A module of this name from another file is removed from ``sys.modules`` first. If importing the name finds
    another file, or the name is no valid one, the file is loaded by its path.

    Raises:
        TargetError: the import fails; with the cause.
    """
    sys.path.insert(0, str(root))
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) != str(path):
        del sys.modules[name]  # another file's module of the same name
    if all(part.isidentifier() for part in name.split(".")):
        module = _import(name, str(path))
        if getattr(module, "__file__", None) == str(path):
            return Module(module, name, str(path), root)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _guard(lambda: spec.loader.exec_module(module) if spec.loader else None, str(path))
    return Module(module, name, str(path), root)


def _import(name: str, where: str) -> ModuleType:
    """Import a module by its name; ``where`` is the target, for messages.

    Raises:
        TargetError: there is no such module, or the import fails; with the cause.
    """
    try:
        found = importlib.util.find_spec(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise TargetError(f"{where}: no module {error.name!r}; a target is FILE.py:FUNCTION or "
                              "PACKAGE.MODULE:FUNCTION") from error  # fmt: skip
        found = None  # a package's __init__ fails: the import below reports the cause
    else:
        if found is None:
            raise TargetError(f"{where}: no module {name!r}; a target is FILE.py:FUNCTION or "
                              "PACKAGE.MODULE:FUNCTION")  # fmt: skip
    module: ModuleType = _guard(lambda: importlib.import_module(name), where)
    return module


def _guard(run: Callable[[], object], where: str) -> Any:
    """Run an import and return its result; whatever it raises, also SystemExit, becomes a TargetError with one line."""
    try:
        return run()
    except SyntaxError as error:
        raise TargetError(
            f"{where}: does not compile: {error.msg} (line {error.lineno} of {error.filename})"
        ) from error
    except BaseException as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "importlib" not in f.filename]
        place = f" (line {frames[-1].lineno} of {frames[-1].filename})" if len(frames) > 1 else ""
        text = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())
        raise TargetError(f"{where}: importing it raises {text}{place}{_advice(error)}") from error


def _advice(error: BaseException) -> str:
    """Return what the user can do about an exception of an import, as the end of a message."""
    if isinstance(error, Denied):
        return "; permit it with --allow (see zeroin cover --help)"
    if isinstance(error, ImportError):
        return "; run zeroin in the environment and the folder that the module needs"
    if isinstance(error, SystemExit):
        return "; put the code that runs the program under if __name__ == '__main__':"
    return "; make it importable first"


def public_functions(home: Module) -> list[str]:
    """Return the names of functions (``f``) and methods (``Class.method``) that can be targets, in source order.

    Imported ones, special methods, properties, generators and coroutines are left out. So are other names of the same
    function. Names with a leading underscore are included.
    """
    names: dict[int, str] = {}
    for name, value in vars(home.module).items():
        if isinstance(value, type) and value.__module__ == home.module.__name__:
            for member, inside in vars(value).items():
                if not member.startswith("__"):
                    _name(home, inside, f"{name}.{member}", names)
        else:
            _name(home, value, name, names)
    return [names[line] for line in sorted(names)]


def _name(home: Module, value: object, name: str, names: dict[int, str]) -> None:
    """Add the name of a function to ``names``, by its first line, if it can be a target of the module."""
    for function in [] if isinstance(value, ModuleType | property | functools.cached_property) else unwrapped(value):
        if function.__code__.co_filename == home.file and not why_no_function(function):
            if function.__module__ == home.module.__name__ and function.__qualname__ in (name, "<lambda>"):
                names.setdefault(function.__code__.co_firstlineno, name)
            return


def find(home: Module, name: str, include: tuple[str, ...] = ()) -> FoundCallable:
    """Return the function or class with a given name.

    Args:
        home: the module.
        name: ``function``, ``Class`` or ``Class.method``.
        include: further modules, which are imported for a class; members that it inherits from them count as its own.

    Raises:
        TargetError: nothing has this name, or it can not be tested; the message gives the reason.
    """
    owner: Any = home.module
    parts = name.split(".")
    for part in parts[:-1]:
        owner = _attribute(home, owner, part)
    value = _attribute(home, owner, parts[-1])
    where = f"{home.name}:{name}"
    if isinstance(value, type):
        return _class(home, name, value, include)
    if isinstance(value, property):
        raise TargetError(f"{where}: is a property; name a function or method")
    if not callable(value):
        raise TargetError(f"{where}: is {_article(type(value).__name__)}, not a function")
    value = _as_written(value, where)
    inner = tuple(unwrapped(value))
    if not inner and inspect.isfunction(inspect.getattr_static(type(value), "__call__", None)):
        raise TargetError(f"{where}: is an object; name a method of its class, such as "
                          f"{type(value).__module__}:{type(value).__qualname__}.__call__")  # fmt: skip
    if not inner:
        raise TargetError(f"{where}: is not written in Python ({_article(type(value).__name__)}), so zeroin can not "
                          "see its conditions; test the Python function that calls it")  # fmt: skip
    reason = next((r for f in inner if (r := why_no_function(f))), None)
    if reason:
        raise TargetError(f"{where}: is {reason}, which is not supported; write a function that runs it")
    static = inspect.getattr_static(owner, parts[-1], None) if isinstance(owner, type) else None
    method = isinstance(owner, type) and not isinstance(static, staticmethod | classmethod)
    return FoundCallable(home, name, value, inner, owner if method else None)


def _as_written(value: Any, where: str) -> Any:
    """Return the plain Python function behind a cache, a compiler or a vectorizer.

    A cached call takes no branches, compiled code shows none, and a vectorized call runs once for each item.

    Raises:
        TargetError: the function can not be called as written.
    """
    kind = type(value)
    if kind.__name__ == "GUFunc" and kind.__module__.startswith("numba."):
        raise TargetError(f"{where}: is compiled by numba.guvectorize, which is not supported; test the function that "
                          "it was made from")  # fmt: skip
    is_ufunc = kind.__name__ == "DUFunc" and kind.__module__.startswith("numba.")
    if is_ufunc or isinstance(value, functools._lru_cache_wrapper):
        return value.__wrapped__
    if kind.__name__ == "vectorize" and kind.__module__.startswith("numpy"):
        return value.pyfunc
    return getattr(value, "py_func", value)  # of Numba's dispatchers


def _class(home: Module, name: str, cls: type, include: tuple[str, ...]) -> FoundCallable:
    """Return a class as a target.

    Raises:
        TargetError: the class is not written in Python, or can not be tested.
    """
    defined = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if not defined or not defined.endswith(".py"):
        raise TargetError(f"{home.name}:{name}: is a class that is not written in Python, so zeroin can not see its "
                          "conditions; test the Python function that uses it")  # fmt: skip
    files = {defined, *(import_module(module).file for module in include)}
    members = members_of(cls, files, f"{home.name}:{name}")
    places = {f: (f.__code__.co_filename != defined, f.__code__.co_firstlineno) for f in members.functions}
    return FoundCallable(home, name, members.driver, tuple(sorted(places, key=lambda f: places[f])), members=members)


def _article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[0].lower() in 'aeio' else 'a'} {noun}"


def _attribute(home: Module, owner: object, name: str) -> object:
    """Return an attribute of a module or class.

    Raises:
        TargetError: there is no such attribute; the message names similar ones.
    """
    try:
        return getattr(owner, name)
    except AttributeError:
        own = _own_names(home, owner)
        classes = [n for n, v in vars(home.module).items() if isinstance(v, type) and owner is home.module]
        near = difflib.get_close_matches(name, own + classes, 3, 0.5) or own[:5]
        there = f"; there {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else ""
        where = home.file if owner is home.module else getattr(owner, "__qualname__", type(owner).__name__)
        raise TargetError(f"{where}: has no function {name!r}{there}") from None


def _own_names(home: Module, owner: object) -> list[str]:
    """Return the names of the functions that are defined in a module or class, public ones first."""
    if isinstance(owner, type):
        names = [n for n, v in vars(owner).items() if not isinstance(v, type | property) and any(unwrapped(v))]
        names = [n for n in names if not n.startswith("__")]
    else:
        names = [n for n in public_functions(home) if "." not in n]
    return sorted(names, key=lambda name: name.startswith("_"))


def home_of(function: FunctionType, home: Module) -> Module:
    """Return the module whose file defines a function. Its import root is that of ``home``, which imported it.

    The module of the function's ``__module__`` is imported if its file is not that of ``home``.
    """
    if function.__code__.co_filename == home.file:
        return home
    module = importlib.import_module(function.__module__)
    return Module(module, module.__name__, function.__code__.co_filename, home.root)


def functions_of(home: Module, include: tuple[str, ...]) -> list[tuple[Module, FunctionType]]:
    """Return the functions of the module and of further modules, each with its module. Those modules are imported.

    Raises:
        TargetError: one of them can not be imported.
    """
    homes = [home, *(import_module(name) for name in include)]
    return [(m, function) for m in homes for function in functions_in(m.module, m.file)]
