"""Find the variables of modules that the user's code may change after import.

A proof must not assume the present value of such a variable. The loaded modules of the user and the files beside the
target's are read: another program that imports the target may set its variables before the call.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import cast

from ....errors import TargetError
from ....subject.source_folder import is_test, own_files
from ..values.snapshots import snapshot
from .attribute_values import AttributeValue, values_in
from .code import ModuleSource
from .constant_tables import is_only_read
from .modules import Module
from .syntax import bound_by, global_names, global_stores, may_be_called, outer_name

_MOST_FILES = 400  # beside the target's that are read
_LONGEST = 60  # characters of a value in a message
_INSTALLED = ("site-packages", "dist-packages")
_RUN = ("exec", "eval")
_SETTERS = ("setattr", "delattr", "__setattr__", "__delattr__")
_SETS = (*_SETTERS, "object")  # the last one as in ``mock.patch.object``
_POWERFUL = frozenset((*_RUN, "setattr", "delattr", "globals", "vars", "locals", "__import__"))
_ENTERING = {"__enter__", "__aenter__", "enter_context", "ExitStack", "enter_async_context"}
_READING = frozenset(("get", "items", "keys", "values", "copy", "__contains__", "__getitem__"))
_TAKING = ("dict", "list", "tuple", "set", "sorted", "len", "str", "repr", "bool", "print")
_DEFAULTS = ("__defaults__", "__kwdefaults__", "__code__")
_CHANGING = frozenset(("update", "setdefault", "pop", "popitem", "clear", "__setitem__", "__delitem__"))
_ANY = "*"  # stands for every name
_ANY_AT_IMPORT = "* at import"  # likewise, of code at the top level: of other libraries, that is over
_VARIABLES = ("__globals__", "f_globals", "f_locals")  # attributes: the variables of a module, as a dict
_BY_TEXT = {*_POWERFUL, *_SETTERS, *_VARIABLES, "__builtins__"}
_LEAVES = (ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Set = tuple[str | None, str, str]  # (last name of the object, None if unknown; its attribute that is set; the place)


class Changes:
    """The variables that the user's code may change.

    Files are read at the first use, and once: later changes of them are not seen.

    Args:
        home: the module of the target.
    """

    def __init__(self, home: Module) -> None:
        self._home = home
        self._scans: dict[str, Scan | None] = {}
        self._nearby: dict[tuple[str, str | None], list[Scan]] = {}
        self._nearby_too: dict[tuple[str, ...], list[Scan]] = {}

    def who(self, namespace: Mapping[str, object], name: str) -> str:
        """Return the function or file that may change a module's variable; empty if none is known.

        A file that runs as a program is named as such: ``tool.py as a program``. Functions of the module itself come
        first.

        Args:
            namespace: the module's variables.
            name: the name of the variable.
        """
        own = self._own(namespace)
        any_ = (_ANY, _ANY_AT_IMPORT) if self.is_of_user(namespace) else (_ANY,)
        if own is not None and (found := next(filter(None, map(own.set_inside.get, (name, *any_))), None)):
            return found
        return self._who_outside(namespace, name, own)

    def _who_outside(self, namespace: Mapping[str, object], name: str, own: Scan | None) -> str:
        """Return the file, or the function in one, that may change a module's variable from outside of its functions;
        arguments as of :meth:`who`, with the scan of the module's own file."""
        last = str(namespace.get("__name__", "")).rpartition(".")[2]
        is_code = isinstance(namespace.get(name), type | FunctionType | BuiltinFunctionType | ModuleType)
        is_code |= own is None and not self.is_of_user(namespace)  # nor are the constants of a compiled module
        for scan in self._near(last, own):
            for of, what, where in scan.set_outside:
                if of in (None, last) and (what == name or (what == _ANY and not (is_code and of is None))):
                    return where
        return ""

    def functions(self, namespace: Mapping[str, object], name: str) -> list[FunctionType]:
        """Return the functions that a variable may stand for, where others of the module are assigned to it.

        Empty if it may stand for something else; arguments as of :meth:`who`.
        """
        own = self._own(namespace)
        if own is None or not self.is_of_user(namespace) or self._who_outside(namespace, name, own):
            return []
        names = None if {_ANY, _ANY_AT_IMPORT} & own.set_inside.keys() else own.assigned(name)
        if names is None or any(self.who(namespace, one) or not self.is_bound_once(namespace, one) for one in names):
            return []
        values = [namespace.get(one) for one in (name, *names)]
        found = [one for one in values if type(one) is FunctionType]
        return [*dict.fromkeys(found)] if len(found) == len(values) else []

    def who_defaults(self, function: FunctionType) -> str:
        """Return the function or file that may change a function's defaults or code; empty if none is known."""
        scans = {id(scan): scan for word in (function.__name__, *_DEFAULTS) for scan in self._near(word)}
        places = (scan.attributes.get(what) for scan in scans.values() for what in _DEFAULTS)
        return next(filter(None, places), "")

    def who_class(self, cls: type, name: str) -> str:
        """Return the function or file that may set an attribute of a class, or of an object; empty if none is known."""
        found = (scan.attributes.get(name) or scan.attributes.get(_ANY) for scan in self._about(name, cls.__name__))
        return next(filter(None, found), "")

    def changes_members(self, cls: type) -> bool:
        """Whether a file of the user that names an enumeration may change values or names of its members."""
        names = "_value_", "_name_", _ANY
        return any(name in scan.attributes for scan in self._about(cls.__name__) for name in names)

    def changes_class(self, cls: type) -> bool:
        """Whether a file of the user that names a class may make its objects, or itself, ones of another class."""
        names = "__class__", "__bases__", _ANY
        return any(name in scan.attributes for scan in self._about(cls.__name__) for name in names)

    def who_finalizes(self, files: Iterable[str], names: Collection[str] | None) -> str:
        """Return the function or file with code that runs when an object is dropped; empty if there is none.

        Args:
            files: the paths of the files that are asked about.
            names: of the functions that may be called; None for all.
        """
        for scan in filter(None, map(self._scan, files)):
            if scan.finalizer:
                return scan.finalizer
            for place in scan.cleaning:
                if names is None or place.rpartition(".")[2] in names:
                    return place
        return ""

    def values(self, cls: type | ModuleType, name: str) -> list[AttributeValue] | None:
        """Return what the user's code assigns to attributes of a name, and functions to global variables of it.

        None if some code names them by texts.

        Args:
            cls: the class of the objects, or the module.
            name: of the attribute, or variable.
        """
        near = self._about(name, cls.__name__.rpartition(".")[2])
        if any(one in scan.texts for scan in near for one in (name, _ANY)):
            return None
        return [value for scan in near for value in scan.values.get(name, ())]

    def assignments(self, name: str) -> set[tuple[str, int, int]]:
        """Return where the user's code assigns to, or deletes, attributes or global variables of a name.

        Each is a file, a line and a column.
        """
        written = [name, *(name[at:] for at in range(1, len(name)) if name.startswith("__", at))]  # in a class
        return {
            (scan.file, *place) for word in written for scan in self._near(word) for place in scan.assignments(name)
        }

    def sets_plainly(self, namespace: Mapping[str, object], name: str) -> bool:
        """Whether functions of the module, and nobody else, assign to a variable that one statement of it binds.

        Each does so in its own code, and not in a function inside of it.
        """
        own = self._own(namespace)
        is_set = own is not None and self.is_of_user(namespace) and own.bound[name] == 1 and own.sets_plainly(name)
        return is_set and not self._who_outside(namespace, name, own)

    def is_bound_once(self, namespace: Mapping[str, object], name: str) -> bool:
        """Whether exactly one statement at the top level of the module binds the name, and it is sure to run.

        A name that no statement binds counts as bound once if the module has exactly one ``import *``.
        False if the module's source can not be read.
        """
        own = self._own(namespace)
        return own is not None and (own.bound[name] == 1 or (not own.bound[name] and own.bound[_ANY] == 1))

    def is_only_read(self, namespace: Mapping[str, object], name: str) -> bool:
        """Whether the list, dict or set that a module's variable stands for is changed by nobody
        (:mod:`.constant_tables`)."""
        own = self._own(namespace)
        if own is None or not self.is_of_user(namespace) or not self.is_bound_once(namespace, name):
            return False
        return not self.who(namespace, name) and self._near(name, own) == [own] and own.only_reads(name)

    def names(self, name: str) -> bool:
        """Whether a file of the user names something."""
        return bool(self._near(name))

    def is_named_outside(self, name: str) -> bool:
        """Whether a file of the user beside the target's names something."""
        return any(scan.file != self._home.file for scan in self._near(name))

    def is_of_user(self, namespace: Mapping[str, object]) -> bool:
        """Whether the module is one of the user's files that were read."""
        return namespace.get("__file__") in self._files

    def numbers(self, base: type) -> list[str]:
        """Return the names of the user's subclasses of ``base`` (int or float), which may redefine operators.

        Indirect subclasses are included; those of modules that are not loaded are not.
        """
        found = dict[type[object], None]()
        level: list[type[object]] = [base]
        while level:
            level = [one for each in level for one in each.__subclasses__() if one not in found]
            found |= dict.fromkeys(level)
        modules = ((one, sys.modules.get(one.__module__)) for one in found)
        return [one.__name__ for one, module in modules if module is not None and self.is_of_user(vars(module))]

    def _own(self, namespace: Mapping[str, object]) -> Scan | None:
        """Return the scan of a module's own file; None if it has no Python source that can be read."""
        file = namespace.get("__file__")
        return self._scan(file) if isinstance(file, str) and file.endswith(".py") else None

    def _scan(self, file: str) -> Scan | None:
        """Return the scan of a file, from the cache after the first call; None if the file can not be read."""
        if file not in self._scans:
            try:
                self._scans[file] = Scan(ModuleSource.read(file))
            except TargetError:  # the file is gone, or no source for this version of Python
                self._scans[file] = None
        return self._scans[file]

    def _near(self, name: str, own: Scan | None = None) -> list[Scan]:
        """Return the scanned files of the user that mention a name, and the file ``own``. Each request is kept."""
        key = name, None if own is None else own.file
        if key not in self._nearby:
            word = re.compile(rf"\b{re.escape(name)}\b")
            near = (
                file for file, text in self._files.items() if file == key[1] or (name in text and word.search(text))
            )
            self._nearby[key] = [scan for scan in map(self._scan, near) if scan is not None]
        return self._nearby[key]

    def _about(self, *words: str) -> list[Scan]:
        """Return the scanned files of the user that mention a word, and those that set any attribute for them.

        The latter set attributes whose names they are given, and are themselves named by a file that mentions a word.
        """
        if words not in self._nearby_too:
            near = {scan.file: scan for word in words for scan in self._near(word)}
            named = "\n".join(self._files.get(file, "") for file in near)
            for file, text in self._files.items():
                stem = Path(file).parent.name if Path(file).stem == "__init__" else Path(file).stem
                is_named = file not in near and re.search(rf"\b{re.escape(stem)}\b", named)
                scan = self._scan(file) if is_named and any(one in text for one in _BY_TEXT) else None
                if scan is not None and _ANY in scan.attributes:
                    near[file] = scan
            self._nearby_too[words] = [*near.values()]
        return self._nearby_too[words]

    @cached_property
    def _files(self) -> dict[str, str]:
        """The text of the user's files, by path."""
        found = dict[str, str]()
        for file in dict.fromkeys(self._named()):
            with suppress(OSError):
                found[file] = Path(file).read_text("utf-8", errors="replace")
        return found

    def _named(self) -> Iterator[str]:
        """Yield the paths of the user's files; some may come several times.

        These are the target's file, the loaded modules from the same folder tree, and at most 400 files beside the
        target's or in its package, without tests and without folders that have the code of others.
        """
        yield self._home.file
        folder, package = Path(self._home.file).parent, self._home.module.__name__.partition(".")[0]
        top = folder
        while (top / "__init__.py").exists() and top != top.parent:
            top = top.parent
        installed = top.name in _INSTALLED
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.endswith(".py") and Path(file).is_relative_to(top):
                of_others = any(part in Path(file).parts for part in _INSTALLED)
                if module.__name__.partition(".")[0] == package or not (installed or of_others):
                    yield file
        beside = [] if installed else sorted(path for path in top.glob("*.py") if not is_test(path.name))
        inside = own_files(top / package, ".py") if top != folder else ()
        yield from map(str, islice(chain(beside, inside), _MOST_FILES))


class Scan:
    """The variables and attributes that one file may set.

    Attributes:
        file: its path.
        set_inside: global variables of the file that its functions, or the file as a program, may set, each with the
            place; ``*`` stands for any variable.
        set_outside: attributes that the file sets on objects that may be modules: (last name of the object, None if
            unknown; the attribute, ``*`` for any; the place).
        attributes: attributes that the file sets on anything, each with the place; ``*`` stands for any attribute.
        texts: those of them that it names by texts, as with ``setattr``.
        finalizer: the place of code that runs when an object is dropped: of a ``__del__``, or of ``weakref``; empty if
            there is none.
        cleaning: the places of generators and coroutines that clean up when they are dropped.
        bound: how many statements of the module bind a name; a conditional one counts twice. ``*`` counts ``import *``.
    """

    def __init__(self, source: ModuleSource) -> None:
        self.file = source.source.file
        self._file = Path(self.file).name
        self.set_inside: dict[str, str] = {}
        self.set_outside: list[Set] = []
        self.attributes: dict[str, str] = {}
        self.texts = set[str]()
        self.finalizer = ""
        self.cleaning: list[str] = []
        tree = _with_plain_names(source.tree) if "builtins" in source.source.text else source.tree
        nodes, texts = list[ast.AST](), set[str]()  # without constants: a file may have tables of 100,000 numbers
        for node in ast.walk(tree):
            if not isinstance(node, _LEAVES):
                nodes.append(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
        self._tree, self._only_read = tree, dict[str, bool]()
        self._attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
        self._functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        self.bound = Counter[str]()
        self._by_name = set[str]()  # variables of the file that code sets by their names in texts, or as a program
        self._imported = _imported(nodes)
        self._classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
        for statement in tree.body:
            self._bind(statement, 1)
        names, bound, modules = {part.attr for part in self._attributes}, bound_by(nodes), _modules(nodes)
        self._enters = bool(_ENTERING & names)  # else context managers made of generators are left as they are entered
        if "weakref" in bound | modules or "__del__" in texts | names | bound:
            self.finalizer = self._file
        if "__dict__" in texts:
            self._reflected("")
        self._direct = {id(part.func) for part in nodes if isinstance(part, ast.Call)}
        taken = {*modules, *(one for several in self._imported.values() for one in several)}
        if texts & _BY_TEXT or taken & {"mock", "unittest.mock"}:  # with these, code may get at anything
            self._inside(_ANY, "")
            self._escaped(ast.Constant(None), "", frozenset())
            self._reflected("")
        self._read = {id(node) for part in nodes for node in _only_read(part)}
        self._visit(tree, "", frozenset(), False)

    @cached_property
    def values(self) -> dict[str, list[AttributeValue]]:
        """What the file assigns to attributes, by their names."""
        return values_in(self._tree)

    # ---- what names of the module stand for ----

    def _bind(self, node: ast.AST, times: int) -> None:
        """Count the names that a statement of the module binds.

        Args:
            node: the statement, or a part of one.
            times: 1 if the statement is sure to run once, else 2.
        """
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.bound[node.name] += times
            return
        if isinstance(node, ast.alias):
            self.bound[(node.asname or node.name).partition(".")[0]] += times
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.bound[node.id] += times
        always = isinstance(node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.Tuple)
        for part in [] if isinstance(node, ast.Lambda) else ast.iter_child_nodes(node):
            self._bind(part, times if always else 2)
        if _is_program(node):
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    self.set_inside.setdefault(part.id, f"{self._file} as a program")
                    self._by_name.add(part.id)

    # ---- what is set ----

    def _visit(self, node: ast.AST, where: str, own: frozenset[str], in_class: bool) -> None:
        """Walk through the code; ``own`` are the names of ``self`` in the methods around, which are no modules.

        Args:
            node: the part of the code.
            where: the qualified name of the function or class around it, with a dot behind; empty at the top level.
            own: these names.
            in_class: whether the node is directly inside a class.
        """
        if isinstance(node, ast.ClassDef):
            where = f"{where}{node.name}."
        elif isinstance(node, _FUNCTION):
            name = "a lambda" if isinstance(node, ast.Lambda) else node.name
            first = [*node.args.posonlyargs, *node.args.args][:1] if in_class else []
            own, where = own | {argument.arg for argument in first}, f"{where}{name}."
            if _cleans_up(node, self._enters):
                self.cleaning.append(where.rstrip("."))
        elif isinstance(node, ast.Global):
            for name in node.names:
                for called in (name, *self._outer_names(name)):
                    self.set_inside.setdefault(called, where.rstrip("."))
        elif isinstance(node, ast.Call):
            self._called(node, where, own)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            self._set(node.value, node.attr if node.attr != "__dict__" else _ANY, where, own)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            self._set_item(node.value, [node.slice], where, own)
        elif isinstance(node, ast.Attribute) and node.attr in _SETTERS and id(node) not in self._direct:
            self._inside(_ANY, where)
            self._escaped(ast.Constant(None), where, own)
        elif isinstance(node, ast.Name) and node.id in _POWERFUL and id(node) not in self._read:
            self._inside(_ANY if where else _ANY_AT_IMPORT, where)
            self._escaped(ast.Constant(None), where, own)
        of = "globals" if not where and any(_is_call_of(node, one) for one in ("vars", "locals")) else _namespace(node)
        if id(node) not in self._read and of is not None:
            self._escaped(of, where, own)
        for part in ast.iter_child_nodes(node):
            if not isinstance(part, _LEAVES):
                self._visit(part, where, own, isinstance(node, ast.ClassDef))

    def _called(self, node: ast.Call, where: str, own: frozenset[str]) -> None:
        """Note what a call sets: ``setattr(x, name, ...)``, ``vars(x).update(...)``, ``exec(...)`` and the like."""
        called, arguments = node.func, node.args
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        if name in _RUN and isinstance(called, ast.Name):
            elsewhere = len(arguments) > 1 and not _is_call_of(arguments[1], "globals")
            if not elsewhere:
                self._inside(_ANY, where)
            self._reflected(where)
        elif name in _SETS and any(isinstance(one, ast.Starred) for one in arguments):
            self._escaped(ast.Constant(None), where, own)
        elif name in _SETS:
            if isinstance(called, ast.Attribute) and len(arguments) == 2 - ("del" in name):
                arguments = [called.value, *arguments]  # x.__setattr__("y", z)
            if len(arguments) > 1:
                for text in _texts(arguments[1]):
                    self._set(arguments[0], text, where, own)
                    self.texts.add(text)
        elif isinstance(called, ast.Attribute) and called.attr in _CHANGING:
            named: list[ast.expr] = [ast.Constant(keyword.arg) for keyword in node.keywords if keyword.arg]
            if len(named) < len(node.keywords):
                named = []
            self._set_item(called.value, named if named and not arguments else [called], where, own)
        for argument in [*arguments, *(keyword.value for keyword in node.keywords)]:
            if _is_call_of(argument, "globals") and name not in _RUN:  # the called function may change the dict
                self._inside(_ANY, where)

    def _set_item(self, of: ast.AST, keys: list[ast.expr], where: str, own: frozenset[str]) -> None:
        """Note that an item of a dict is set, which may be the variables of a module."""
        for text in [text for key in keys for text in _texts(key)]:
            is_global = isinstance(of, ast.Attribute) and of.attr in _VARIABLES
            if is_global or _is_call_of(of, "globals") or (_is_call_of(of, "vars", 0) and not where):
                self._inside(text, where)
            elif isinstance(of, ast.Attribute) and of.attr == "__dict__":
                self._set(of.value, text, where, own)
                self.texts.add(text)
            elif isinstance(of, ast.Attribute) and of.attr in _DEFAULTS:
                self._set(of.value, of.attr, where, own)
            elif isinstance(of, ast.Call) and _is_call_of(of, "vars", 1):
                self._set(of.args[0], text, where, own)
                self.texts.add(text)

    def _escaped(self, of: ast.expr | str, where: str, own: frozenset[str]) -> None:
        """Note that the variables of a module or object are handed on as a dict, which anybody may change."""
        if isinstance(of, str):
            self._inside(_ANY if where else _ANY_AT_IMPORT, where)
        else:
            self._set(of, _ANY, where, own)
            self.texts.add(_ANY)

    def assignments(self, name: str) -> set[tuple[int, int]]:
        """Return where the file assigns to attributes, or to global variables in functions: line and column."""
        found = (one for one in self._attributes if may_be_called(one.attr, name) and not isinstance(one.ctx, ast.Load))
        stores = (one for function in self._functions for one in global_stores(function, name))
        return {(one.lineno, one.col_offset) for one in (*found, *stores)}

    def sets_plainly(self, name: str) -> bool:
        """Whether functions that lie in no other one assign to a global variable, and nothing else changes it."""
        if {_ANY, _ANY_AT_IMPORT} & self.set_inside.keys() or name not in self.set_inside or name in self._by_name:
            return False
        said = {other for function in self._functions for other in global_names(function)}
        if name not in said or any(name in self._outer_names(other) for other in said):
            return False
        for function in self._functions:
            parts = [part for part in ast.walk(function) if part is not function]
            inside = [part for part in parts if isinstance(part, _FUNCTION)]
            if any(name in global_names(one) for one in inside):
                return False
            if name in global_names(function):
                later = isinstance(function, ast.AsyncFunctionDef)
                later |= any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts)
                deletes = any(isinstance(one.ctx, ast.Del) for one in global_stores(function, name))
                if later or deletes or name in _bound_otherwise(function):
                    return False
        return all(name not in global_names(cls) for cls in ast.walk(self._tree) if isinstance(cls, ast.ClassDef))

    def assigned(self, name: str) -> list[str] | None:
        """Return the names of the module that functions of the file assign to a global variable.

        None if one assigns something else, or the variable is set in another way.
        """
        found = list[str]()
        said = [other for node in ast.walk(self._tree) if isinstance(node, ast.Global) for other in node.names]
        if any(name in self._outer_names(other) for other in said):
            return None
        for node in ast.walk(self._tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and any(
                isinstance(part, ast.Global) and name in part.names for part in ast.walk(node)
            ):
                for part in ast.walk(node):
                    match part:
                        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=value)) if target == name:
                            found.append(value)
                stores = [part for part in ast.walk(node) if isinstance(part, ast.Name)
                          and not isinstance(part.ctx, ast.Load) and part.id in (name, *found)]  # fmt: skip
                plain = [part for part in ast.walk(node) if isinstance(part, ast.Assign) and len(part.targets) == 1
                         and any(part.targets[0] is one for one in stores)]  # fmt: skip
                if len(stores) > len(plain) or any(not isinstance(one.value, ast.Name) for one in plain):
                    return None
                if any(part.id != name for part in stores):
                    return None
                if {name, *found} & _bound_otherwise(node):
                    return None
        return found if name not in self._by_name else None

    def only_reads(self, name: str) -> bool:
        """Whether the file never changes the object in one of its global variables, and never gives it away."""
        if name not in self._only_read:
            self._only_read[name] = is_only_read(self._tree, name)
        return self._only_read[name]

    def _reflected(self, where: str) -> None:
        """Note that code may set any attribute of objects."""
        self.texts.add(_ANY)
        self.attributes.setdefault(_ANY, where.rstrip(".") or self._file)

    def _outer_names(self, name: str) -> set[str]:
        """Return what a name may be called outside of the classes of the file, if these make it another one."""
        return {outer_name(name, cls) for cls in self._classes} - {name}

    def _inside(self, name: str, where: str) -> None:
        """Note that a global variable of the file is set; the first place that sets it is kept."""
        self._by_name.add(name)
        self.set_inside.setdefault(name, where.rstrip(".") or self._file)

    def _set(self, of: ast.AST, name: str, where: str, own: frozenset[str]) -> None:
        """Note that an attribute is set."""
        place = where.rstrip(".") or self._file
        if name == "_value_" and where.endswith("__new__."):
            return  # where a member is made
        for outer in self._outer_names(name):
            self.attributes.setdefault(outer, place)
        self.attributes.setdefault(name, place)
        if isinstance(of, ast.Name):
            if of.id in own or (of.id in self._classes and of.id not in self._imported and name not in _DEFAULTS):
                return
            known = self._imported.get(of.id)
            self.set_outside += [(one, name, place) for one in known or (None,)]
            if known is None and name in _DEFAULTS:
                self.set_outside[-1] = (of.id, name, place)
        elif isinstance(of, ast.Attribute):
            is_object = isinstance(of.value, ast.Name) and of.value.id in own
            self.set_outside.append((None if is_object or of.attr == "__class__" else of.attr, name, place))
        else:
            self.set_outside.append((None, name, place))


class _PlainNames(ast.NodeTransformer):
    """Calls what a file takes from the module ``builtins`` by its plain name.

    The module itself, handed on as a value, becomes ``exec``: it leads to that.

    Args:
        modules: the names of the module in the file.
        names: what others stand for.
    """

    def __init__(self, modules: Collection[str], names: Mapping[str, str]) -> None:
        self._modules, self._names = modules, names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            is_read = isinstance(node.ctx, ast.Load)
            return ast.copy_location(ast.Name(node.attr, node.ctx), node) if is_read else node
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = "exec" if node.id in self._modules else self._names.get(node.id)
        return node if name is None else ast.copy_location(ast.Name(name, node.ctx), node)


def _with_plain_names(tree: ast.Module) -> ast.Module:
    """Return the tree of a file, with plain names for what it takes from ``builtins``."""
    modules, names = {"__builtins__"}, dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {one.asname or one.name for one in node.names if one.name == "builtins"}
        elif isinstance(node, ast.ImportFrom) and node.module == "builtins":
            names |= {one.asname or one.name: one.name for one in node.names}
    if not names and not any(isinstance(node, ast.Name) and node.id in modules for node in ast.walk(tree)):
        return tree
    return cast(ast.Module, _PlainNames(modules, names).visit(deepcopy(tree)))


def _namespace(node: ast.AST) -> ast.expr | str | None:
    """Of what an expression is the dict of variables: an object, or ``globals`` of the module; None if it is none."""
    if _is_call_of(node, "globals"):
        return "globals"
    if isinstance(node, ast.Call) and _is_call_of(node, "vars", 1):
        return node.args[0]
    if isinstance(node, ast.Attribute) and node.attr in _VARIABLES:
        return "globals"
    return node.value if isinstance(node, ast.Attribute) and node.attr == "__dict__" else None


def _only_read(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are used in a way that hands no dict on, or is looked at elsewhere."""
    match node:
        case ast.Subscript(value=part) | ast.Expr(value=part) | ast.FormattedValue(value=part):
            yield part
        case ast.For(iter=part) | ast.comprehension(iter=part) | ast.keyword(arg=None, value=part):
            yield part
        case ast.Compare(left=left, comparators=parts):
            yield from (left, *parts)
        case ast.Call(func=called, args=arguments):
            yield called
            if isinstance(called, ast.Attribute) and (called.attr in _CHANGING or called.attr in _READING):
                yield called.value
            if isinstance(called, ast.Name) and called.id in (*_TAKING, *_RUN):
                yield from arguments


def _bound_otherwise(node: ast.AST) -> set[str]:
    """Return the names that a function, or a part of it, binds otherwise than by a name in an assignment."""
    found = set[str]()
    for part in ast.walk(node):
        match part:
            case ast.arg(arg=one) | ast.ExceptHandler(name=str(one)) | ast.MatchAs(name=str(one)):
                found.add(one)
            case ast.MatchStar(name=str(one)) | ast.MatchMapping(rest=str(one)):
                found.add(one)
            case ast.FunctionDef(name=one) | ast.AsyncFunctionDef(name=one) | ast.ClassDef(name=one) if (
                part is not node
            ):
                found.add(one)
            case ast.alias(name=one, asname=other):
                found.add((other or one).partition(".")[0])
    return found


def _modules(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the modules that a file takes names from."""
    return {part.module for part in nodes if isinstance(part, ast.ImportFrom) and part.module is not None}


def _cleans_up(node: ast.AST, decorated: bool) -> bool:
    """Whether a function is a generator that may be left inside of a ``try`` or ``with``.

    Args:
        node: the function.
        decorated: whether one that is made a context manager may be left so, too.
    """
    is_manager = any("contextmanager" in ast.unparse(one) for one in getattr(node, "decorator_list", ()))
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (is_manager and not decorated):
        return False
    inside = [part for part in ast.walk(node) if isinstance(part, ast.Try | ast.With | ast.AsyncWith | ast.YieldFrom)]
    return any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for one in inside for part in ast.walk(one))


def _imported(nodes: Iterable[ast.AST]) -> dict[str, tuple[str, ...]]:
    """Return the names that imports bind anywhere in a file, with the last names of what they may refer to."""
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            name = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
            found[name] = (*found.get(name, ()), alias.name.rpartition(".")[2])
    return found


def _texts(key: ast.expr) -> list[str]:
    """Return the text of a constant expression as a list; ``*`` if it is not a constant, empty if it is no text."""
    if isinstance(key, ast.Constant):
        return [key.value] if isinstance(key.value, str) else []
    return [_ANY]


def _is_call_of(node: ast.AST, name: str, arguments: int = 0) -> bool:
    """Whether the node is a call of the function ``name`` with this many positional arguments."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    return is_call and len(node.args) == arguments  # type: ignore[attr-defined]


def _is_program(node: ast.AST) -> bool:
    """Whether the node is ``if __name__ == "__main__":``."""
    return isinstance(node, ast.If) and "__name__" in {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}


def shown_value(value: object) -> str:
    """Return a variable's value as text for a message.

    Of a module, a class or a function, it is the name. Any other value is written as its snapshot, cut off after 60
    characters.
    """
    if isinstance(value, ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, type | FunctionType | BuiltinFunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    text = snapshot(value).text
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def variables_in(
    condition: str, functions: Iterable[FunctionType]
) -> Iterator[tuple[str, Mapping[str, object], object]]:
    """Yield the global variables in a condition: name, the variables of its module, and value.

    The same variable may come several times. Nothing is yielded if the condition is no expression.

    Args:
        condition: the text of the condition.
        functions: the functions that may contain it.
    """
    try:
        tree = ast.parse(f"({condition})", mode="eval")
    except SyntaxError:  # the head of a loop, say
        return
    for function in functions:
        known = function.__globals__
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in function.__code__.co_names and node.id in known:
                yield node.id, known, known[node.id]
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = known.get(node.value.id)
                if isinstance(module, ModuleType) and node.attr in vars(module):
                    yield node.attr, vars(module), vars(module)[node.attr]
