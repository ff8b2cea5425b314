"""Makes the blocks: carries the code out with variables instead of values, once for each point of it and each shape of
what the variables hold, so that the type of everything is known."""

from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import FunctionType, ModuleType

from .....model.blocks import Block, Decision, Edge, Guard
from .....term.core.build import TRUE
from .....term.core.nodes import Term
from .....term.core.simplify import simplify
from .....term.expression.typed import DOUBLE, TRUTH, Choice, Typed
from ...run.probes.fault_checks import IndexCheck
from ..values.boundaries import boundaries_of
from ..values.fault_conditions import fails, is_wrong, outside
from ..values.numbers import numeric
from . import operators
from .code import Code, Instruction
from .frame import Frame as Frame
from .premises import Premises
from .values import (
    BlockValue,
    Items,
    Method,
    Mistyped,
    Range,
    Static,
    Unread,
    fresh,
    is_plain,
    of_python,
    shape,
    terms_of,
)

MOST_BLOCKS = 3000


class Machine:
    """The blocks of a function.

    Args:
        codes: of the functions that are read.
        premises: what a proof may take for granted of variables; None: their values are looked at again in each run.

    Attributes:
        blocks: that were made.
        entered: the code of the functions that are called.
        names: of functions' globals, what was read of them, and what it was.
        passed_over: sites of which nothing is known, as they do not compare numbers.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], premises: Premises | None = None) -> None:
        self._codes, self._premises = codes, premises
        self.blocks: list[Block] = []
        self.entered = set[Code]()
        self.names: dict[tuple[int, str], tuple[Mapping[str, object], object]] = {}
        self._made: dict[Hashable, Block] = {}
        self._waiting: deque[tuple[Block, list[Frame]]] = deque()
        self._frames: list[Frame] = []
        self._starts: Mapping[Code, Mapping[int, Sequence[int]]] = {}  # the sites before which a block has to begin
        self._block, self._doing = Block(()), ""
        self._kinds: tuple[type, ...] | None = None  # the classes of what an instruction may raise; None: nobody knows
        self.passed_over = set[int]()

    def entry(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue]) -> Edge:
        """The way into the function, called with these values; its blocks, and all that control comes to from there,
        are made.

        Raises:
            Unread: something in one of them can not be said.
        """
        self._frames = [self._frame(function, positional, named, ())]
        edge = self._edge(self._frames)
        while self._waiting:
            self._block, self._frames = self._waiting.popleft()
            self._run()
        return edge

    # ---- blocks ----

    def _edge(self, frames: list[Frame]) -> Edge:
        """The way from here to where these frames go on."""
        for frame in frames:
            frame.drop_dead()
        key = tuple((frame.code, frame.stack, frame.at, frame.discards, frame.outer,
                     tuple((name, shape(value)) for name, value in frame.holdings)) for frame in frames)  # fmt: skip
        values = tuple(term for frame in frames for _, value in frame.holdings for term in terms_of(value))
        block = self._made.get(key)
        if block is None:
            if len(self.blocks) >= MOST_BLOCKS:
                raise Unread(f"it has more than {MOST_BLOCKS:,} blocks")
            block = self._made[key] = self._fresh([frame.copy() for frame in frames])
        return Edge(block, values)

    def _fresh(self, frames: list[Frame]) -> Block:
        """A block that begins with variables of its own."""
        found: list[Term] = []
        for depth, frame in enumerate(frames):
            called = f"{frame.code.name}#{depth}." if depth else ""
            for name in frame.variables:
                frame.variables[name], made = fresh(frame.variables[name], f"{called}{name}")
                found += made
            for n, value in enumerate(frame.values):
                frame.values[n], made = fresh(value, f"{called}#{n}")
                found += made
        block = Block(tuple(found), frames[-1].stack)
        self.blocks.append(block)
        self._waiting.append((block, frames))
        return block

    def _run(self) -> None:
        """Carry the code out up to the end of the block."""
        begun, ended = True, False
        while not ended and not self._block.edges:
            frame = self._frames[-1]
            if frame.values and isinstance(frame.values[-1], Choice):
                ended = self._settle(frame)
            elif not begun and frame.at in self._starts.get(frame.code, ()):
                ended = self._go_on()
            else:
                begun = False
                frame.at += 1
                ended = self._carry_out(frame, frame.code.body[frame.at - 1])

    def _go_on(self) -> bool:
        """The block ends here, and there is one way on."""
        self._block.edges = (self._edge(self._frames),)
        return True

    def _carry_out(self, frame: Frame, step: Instruction) -> bool:
        """Carry one instruction out; whether the block ends with it."""
        raised: list[Term] = []
        self._doing = str(step.argument) if step.op in ("binary", "augmented", "unary") else f"an {step.op}"
        try:
            ended: bool = getattr(self, f"_{step.op}")(frame, step, raised)
        except Mistyped:
            raised, ended, self._kinds = [TRUE], True, (TypeError,)
        for condition in operators.smaller(raised):
            self._guard(condition, step)
            if condition is TRUE:
                return True
        return ended

    def _guard(self, condition: Term, step: Instruction) -> None:
        """The run ends here where the condition holds."""
        self._block.guards.append(Guard(condition, f"{self._doing} may raise an exception", step.place))

    def _decide(self, step: Instruction, sides: tuple[Term, Term, Term],
                ways: Sequence[Callable[[Frame], object] | None], why: str = "") -> bool:  # fmt: skip
        """The block ends with a decision.

        Args:
            sides: the condition, and what is compared.
            ways: what else happens where it holds, and where it does not.
        """
        condition = simplify(sides[0])
        if condition.is_constant and step.site < 0:  # nobody needs to know
            way = ways[not condition.data]
            self._go(self._frames[-1], step, 0 if condition.data else 1, way)
            return False
        edges: list[Edge | None] = []
        for n, way in enumerate(ways):
            if condition.is_constant and bool(condition.data) is (n == 1):
                edges.append(None)
                continue
            frames = [frame.copy() for frame in self._frames]
            self._go(frames[-1], step, n, way)
            edges.append(self._edge(frames))
        self._block.decision = Decision(condition, step.site, step.place, why or "a condition without a probe",
                                        *sides[1:])  # fmt: skip
        self._block.edges = tuple(edges)
        return True

    def _go(self, frame: Frame, step: Instruction, number: int, way: Callable[[Frame], object] | None) -> None:
        if step.labels:
            frame.at = step.labels[number].at
        if way is not None:
            way(frame)

    def _settle(self, frame: Frame) -> bool:
        """A number that is an int or a float, as a condition says: from here on it is one of them."""
        choice = frame.values.pop()
        assert isinstance(choice, Choice)
        then, other = choice.then, choice.other
        before = frame.code.body[frame.at - 1]
        step = Instruction("settle", None, before.line, before.place)
        ways = [lambda f: f.values.append(then), lambda f: f.values.append(other)]
        return self._decide(step, (choice.condition, TRUE, TRUE), ways, "whether a number is an int or a float")

    # ---- instructions ----

    def _value(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(of_python(step.argument))
        return False

    _held = _value

    def _load(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if step.argument not in frame.variables:
            raised.append(TRUE)
            return True
        frame.values.append(frame.variables[step.argument])
        return False

    def _global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        name = step.argument
        if name in frame.globals:
            value = frame.globals[name]
        elif name in vars(builtins):
            value = vars(builtins)[name]
        else:
            if self._premises is not None:  # it may have a value by then
                self._premises.variable(frame.globals, name, None, name)
            raised.append(TRUE)
            return True
        self.names[id(frame.globals), name] = frame.globals, value
        if self._premises is not None:
            self._premises.variable(frame.globals, name, value, name)
        try:
            frame.values.append(of_python(value))
        except Unread as error:
            raise Unread(f"{name}, {error}") from None
        return False

    def _store(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.variables[step.argument] = frame.values.pop()
        return False

    def _store_global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.pop()  # it is not read again: it may be changed, see :class:`.premises.Premises`
        return False

    def _pop(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.pop()
        return False

    def _copy(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(frame.values[-1])
        return False

    def _copies(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values += frame.values[-2:]
        return False

    def _swap(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values[-2:] = reversed(frame.values[-2:])
        return False

    def _hashed(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False

    def _annotated(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False

    def _aside(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.at = step.labels[0].at
        return False

    def _below(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(frame.values[-2])
        return False

    def _equal(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        b, a = frame.values.pop(), frame.values.pop()
        if step.argument == "isinstance":
            frame.values.append(operators.KNOWN[isinstance]((a, b), raised))
        else:
            frame.values.append(Typed(operators.compare(step.argument, a, b)[0], TRUTH))
        return False

    def _keep(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.insert(-2, frame.values[-1])
        return False

    def _jump(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        (label,) = step.labels
        if label.at <= frame.at:  # a loop: its head may have been a block already
            frame.at = label.at
            return self._go_on()
        frame.at = label.at
        return False

    def _attribute(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value, name = frame.values.pop(), step.argument
        found = operators.attribute(value, name)
        if self._premises is not None and isinstance(value, Static) and isinstance(value.value, ModuleType):
            of = value.value
            self._premises.variable(vars(of), name, getattr(of, name), f"{of.__name__}.{name}")
        frame.values.append(found)
        return False

    def _unary(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(operators.unary(step.argument, frame.values.pop(), raised))
        return False

    def _binary(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        b, a = frame.values.pop(), frame.values.pop()
        frame.values.append(operators.binary(step.argument, a, b, raised))
        return False

    _augmented = _binary

    def _tuple(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        start = len(frame.values) - step.argument
        frame.values[start:] = [Items(tuple(frame.values[start:]))]
        return False

    def _unpack(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values.pop()
        if not isinstance(value, Items):
            raise Unread("unpacking of a value that is not a tuple")
        if len(value.items) != step.argument:
            raised.append(TRUE)
        frame.values += reversed(value.items)
        return False

    def _item(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        index, container = frame.values.pop(), frame.values.pop()
        frame.values.append(operators.item(container, index, raised))
        return False

    def _unread(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument)

    def _generator(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(f"{frame.code.name} has a yield")

    _yield = _generator

    _slice = _partly = _unread

    def _outer(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(f"line {step.line}: a variable of a function around")

    def _unknown(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[0])

    _choose = _gather = _spread = _unknown

    def _closure(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[2])

    def _data(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[2])

    def _assign(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[1])

    def _altered(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[0])

    _delete = _altered

    def _drop(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread(step.argument[1])

    def _shown(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        operators.shown(frame.values.pop())
        return False

    def _raise(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        for name in step.argument[0]:
            if name in frame.globals and not is_plain(frame.globals[name]):
                raise Unread(f"line {step.line}: {name} is made by a function")
        return True

    # ---- conditions and loops ----

    def _compare(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        b, a = frame.values.pop(), frame.values.pop()
        return self._decide(step, operators.compare(step.argument, a, b), (None, None))

    def _beside(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        a, b = frame.values[-2:]
        if not (isinstance(a, Typed) and isinstance(b, Typed)):
            self.passed_over.add(step.site)
            return False
        place, written = step.argument
        return self._decide(step, (boundaries_of(a, b, written)[place], TRUE, TRUE), (None, None))

    def _check(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value, condition = frame.values[-1], None
        if isinstance(value, Typed) and not isinstance(step.argument, IndexCheck):
            condition = fails(step.argument, value)
        elif isinstance(value, Typed) and value.type != DOUBLE and isinstance(container := frame.values[-2], Items):
            condition = outside(numeric(value).term, len(container.items))
        if condition is None:
            self.passed_over.add(step.site)
            return False
        return self._decide(step, (condition, TRUE, TRUE), (None, None))

    def _wrong(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, sign = step.argument
        known = [one for one in frame.values[-3:] if isinstance(one, Typed)]
        if len(known) < 3 or known[2].type != DOUBLE:
            self.passed_over.add(step.site)
            return False
        return self._decide(step, (is_wrong(kind, sign, *known), TRUE, TRUE), (None, None))

    def _truth(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return self._decide(step, (operators.holds(frame.values.pop()), TRUE, TRUE), (None, None))

    def _known(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values.pop()

        def pushes(holds: bool) -> Callable[[Frame], None]:
            is_truth = isinstance(value, Typed) and value.type == TRUTH
            return lambda f: f.values.append(of_python(holds) if is_truth else value)

        return self._decide(step, (operators.holds(value), TRUE, TRUE), (pushes(True), pushes(False)))

    def _iterate(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values.pop()
        match value:
            case Range():
                frame.values.append(value)
            case Items() if value.passed < 0:
                frame.values.append(Items(value.items, 0))
            case _:
                raise Unread("a loop over a value that is neither a range nor a tuple")
        return False

    def _next(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        name = step.argument
        condition, item, following = operators.turn(frame.variables[name])

        def turns(f: Frame) -> None:
            assert item is not None
            f.values.append(item)
            f.variables[name] = following

        return self._decide(step, (condition, TRUE, TRUE), (turns, None))

    # ---- calls ----

    def _call(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        count, names = step.argument
        start = len(frame.values) - count - len(names)
        arguments = frame.values[start:]
        del frame.values[start:]
        called = frame.values.pop()
        function = called.value if isinstance(called, Static) else None
        if isinstance(function, FunctionType) and function in self._codes:
            named = dict(zip(names, arguments[count:], strict=True))
            self._frames.append(self._frame(function, arguments[:count], named, (*frame.stack, step.place)))
            return self._go_on()
        meaning: operators.Meaning | None
        if isinstance(called, Method):
            arguments = [called.of, *arguments]
            meaning = operators.METHODS.get(called.name)
        else:
            meaning = operators.KNOWN.get(function)
        self._doing = getattr(function, "__name__", "a call")
        if meaning is None or names:
            raise Unread(f"line {step.line}: a call of {self._doing}")
        frame.values.append(meaning(arguments, raised))
        return False

    def _frame(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
               stack: tuple[int, ...]) -> Frame:  # fmt: skip
        """A call of a function."""
        code = self._codes[function]
        if any(frame.code is code for frame in self._frames if stack):
            raise Unread(f"{code.name} calls itself")
        values = dict(zip(code.parameters[: code.positional], positional, strict=False))
        by_name = {*code.parameters[code.unnamed :]} - {*values}
        if len(positional) > code.positional or not set(named) <= by_name:
            raise Unread(f"a call of {code.name} with other arguments")
        values |= named
        defaults = dict(zip(reversed(code.parameters[: code.positional]), reversed(function.__defaults__ or ()),
                            strict=False)) | (function.__kwdefaults__ or {})  # fmt: skip
        for name in code.parameters:
            if name not in values:
                if name not in defaults:
                    raise Unread(f"a call of {code.name} with other arguments")
                if self._premises is not None:
                    self._premises.default(function, name, defaults[name], name in code.literal)
                values[name] = of_python(defaults[name])
        self.entered.add(code)
        return Frame(code, function.__globals__, stack, 0, values)

    def _return(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values.pop()
        self._frames.pop()
        if not self._frames:
            return True
        if not frame.discards:
            self._frames[-1].values.append(value)
        return self._go_on()
