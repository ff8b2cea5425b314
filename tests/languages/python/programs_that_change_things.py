"""Programs of which a careless proof says too much: each takes a branch that it takes only because something changes,
raises, or runs where it is easily overlooked."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "append other type": """
        def f(n: int):
            xs = [n]
            xs.append(None)
            if xs[1] is None:
                return 1
            return 2
        """,
    "dict set other type": """
        def f(n: int):
            d = {"a": n}
            d["b"] = "x"
            if d["b"] == "x":
                return 1
            return 2
        """,
    "keys and values of a comprehension": """
        def f(n: int):
            d = {"a": i for i in range(2)}
            for k in d:
                if k == "a":
                    return 1
            return 2
        """,
    "a default is evaluated once": """
        def f(n: int, m: int):
            g = lambda by=n: by
            n = 5
            if m:
                m = 2
            if g() != 5:
                return 1
            return 2
        """,
    "defaults of parameters by keyword": """
        def f(n: int):
            def g(a=1, b=2, *, c):
                return b
            if g(0, c=7) == 2:
                return 1
            return 2
        """,
    "a default that is changed later": """
        def f(xs: list[int]):
            n = len(xs)
            g = lambda ys=xs: len(ys)
            xs.append(1)
            if g() != n:
                return 1
            return 2
        """,
    "union of other items": """
        def f(xs: set[int]):
            for y in xs.union(["a"]):
                if y == "a":
                    return 1
            return 2
        """,
    "a generator that raises later": """
        def safe(it):
            try:
                for x in it:
                    pass
            except ZeroDivisionError:
                return 1
            return 0
        def f(n: int):
            if safe(1 // n for _ in range(2)) == 1:
                return 1
            return 2
        """,
    "del item raises": """
        def f(xs: list[int]):
            try:
                del xs[5]
            except IndexError:
                return 1
            return 2
        """,
    "del attribute": """
        class P:
            level: int = 0
        def f(p: P):
            p.level = 3
            del p.level
            if p.level == 0:
                return 1
            return 2
        """,
    "the index of a stored item is a method": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                self.level = 2
                return 0
        def f(p: P, xs: list[int]):
            p.level = 1
            xs[p.bump()] = 3
            if p.level == 2:
                return 1
            return 2
        """,
    "+= of an attribute of a call": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def same(p):
            return p
        def f(p: P):
            p.level = 1
            same(p).level += 3
            if p.level == 4:
                return 1
            return 2
        """,
    "an argument of raise raises": """
        def f(n: int):
            try:
                raise KeyError(1 // n)
            except ZeroDivisionError:
                return 1
            except KeyError:
                return 2
        """,
    "an argument of raise assigns": """
        def f(n: int):
            try:
                raise KeyError(y := n)
            except KeyError:
                return 1 if y == n else 2
        """,
    "a comprehension in an argument of raise": """
        def f(n: int):
            try:
                raise KeyError([i for i in range(3)])
            except KeyError:
                for i in range(2):
                    n += 1
                return 1 if n == 2 else 2
        """,
    "OSError makes a subclass": """
        def f(n: int):
            try:
                raise OSError(2, "gone")
            except FileNotFoundError:
                return 1
            except OSError:
                return 2
        """,
    "an exception that wants more arguments": """
        def f(n: int):
            try:
                raise UnicodeDecodeError("x")
            except TypeError:
                return 1
            except ValueError:
                return 2
        """,
    "nonlocal without a value yet": """
        def f(xs: list[int]):
            def put(x):
                nonlocal y
                y = 5
                return x
            xs.sort(key=put)
            try:
                if y == 5:
                    return 1
            except NameError:
                return 2
            y = 0
            return 3
        """,
    "append in an operand": """
        def f(xs: list[int], n: int):
            k = len(xs)
            y = (n and xs.append(1)) or 3
            if len(xs) != k:
                return 1
            return y
        """,
    "append with *": """
        def f(xs: list[int], n: int):
            k = len(xs)
            xs.append(*[1])
            if len(xs) != k:
                return 1
            return 2
        """,
    "a call with * in a function inside": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                self.level = 2
        def f(p: P):
            p.level = 1
            def g():
                p.bump(*[])
            g()
            if p.level == 2:
                return 1
            return 2
        """,
    "a call with * in a comprehension": """
        class P:
            total = 0
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                P.total = 5
        def f(ps: list[P]):
            P.total = 1
            ys = [p.bump(*[]) for p in ps]
            if P.total == 5:
                return 1
            return 2
        """,
    "nonlocal assigned in a comprehension": """
        def f(n: int):
            y = 0
            def g():
                nonlocal y
                return [y := 5 for _ in range(2)]
            g()
            if y == 5:
                return 1
            return 2
        """,
    "nonlocal captured by match": """
        def f(n: int):
            y = 0
            def g():
                nonlocal y
                match n:
                    case y:
                        pass
            g()
            if y == 1:
                return 1
            return 2
        """,
    "nonlocal del": """
        def f(n: int):
            y = 0
            def g():
                nonlocal y
                del y
            g()
            try:
                return y
            except NameError:
                return 7
        """,
    "private names": """
        class P:
            def __init__(self, x: int):
                self.__x = x
            def get(self):
                return self.__x
        def f(p: P):
            before = p.get()
            p._P__x = before + 1
            if p.get() != before:
                return 1
            return 2
        """,
    "an attribute of another type": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            p.level = None
            repr(p)
            if p.level is None:
                return 1
            return 2
        """,
    "a dataclass with a factory": """
        from dataclasses import dataclass, field
        class C:
            total = 0
        def bump():
            C.total = 5
            return 0
        @dataclass
        class P:
            level: int = field(default_factory=bump)
        def f(n: int):
            C.total = 1
            P()
            if C.total == 5:
                return 1
            return 2
        """,
    "a dataclass with __setattr__": """
        from dataclasses import dataclass, field
        class C:
            total = 0
        @dataclass
        class P:
            level: int
            def __setattr__(self, name, value):
                C.total = 5
        def f(n: int):
            C.total = 1
            P(3)
            if C.total == 5:
                return 1
            return 2
        """,
    "an abstract class": """
        from abc import ABC, abstractmethod
        class A(ABC):
            def __init__(self):
                pass
            @abstractmethod
            def g(self): ...
        def f(n: int):
            try:
                A()
            except TypeError:
                return 1
            return 2
        """,
    "dict changed size": """
        def f(d: dict[str, int]):
            done = 0
            try:
                for k in d:
                    done = 0
                    d[k + "x"] = 1
                    done = 1
            except RuntimeError:
                if done == 1:
                    return 1
            return 2
        """,
    "unhashable in set": """
        def f(xs: list[int]):
            try:
                if xs in {1, 2}:
                    return 3
            except TypeError:
                return 1
            return 2
        """,
    "a variable deleted twice": """
        def f(n: int):
            y = 1
            try:
                del y
                del y
            except NameError:
                return 1
            return 2
        """,
    "no slot": """
        class P:
            __slots__ = ()
        def f(p: P):
            try:
                p.x = 1
            except AttributeError:
                return 1
            return 2
        """,
    "a local name of an exception": """
        def f(n: int):
            ValueError = KeyError
            def g():
                raise ValueError
            try:
                g()
            except LookupError:
                return 1
            return 2
        """,
    "raise from a number": """
        def f(n: int):
            try:
                raise KeyError from n
            except TypeError:
                return 1
            except KeyError:
                return 2
        """,
    "a group becomes another class": """
        def f(n: int):
            try:
                raise BaseExceptionGroup("x", [ValueError()])
            except Exception:
                return 1
        """,
    "popitem": """
        def f(d: dict[str, int]):
            k, v = d.popitem()
            if v == 1:
                return 1
            return 2
        """,
    "a comprehension of several types": """
        def f(n: int):
            xs = [x for x in (1, "a")]
            if xs[0] == 1:
                return 1
            return 2
        """,
    "a set with equal items": """
        def f(xs: set[int]):
            for y in xs & {1.0}:
                if isinstance(y, float):
                    return 1
            return 2
        """,
    "same class names": """
        class A:
            class Config:
                x: int = 1
        class B:
            class Config:
                x: int = 2
        AC = A.Config
        BC = B.Config
        def f(n: int):
            AC.x = 1
            BC.x = 2
            if AC.x == 1:
                return 1
            return 2
        """,
    "+= of an alias": """
        def f(n: int):
            xs = [n]
            ys = xs
            ys += ["a"]
            for x in xs:
                if x == "a":
                    return 1
            return 2
        """,
    "a generator that is consumed later": """
        def take(it, *, g):
            a = g()
            for _ in it:
                pass
            return g() - a
        def f(n: int):
            c = 0
            def inc():
                nonlocal c
                c += 1
            if take((inc() for _ in range(3)), g=lambda: c) != 0:
                return 1
            return 2
        """,
    "a positional parameter by name": """
        def g(a, /):
            return a
        def f(n: int):
            try:
                g(a=n)
            except TypeError:
                return 1
            return 2
        """,
    "an int too large for a float": """
        def f(n: int, x: float):
            try:
                y = n / x
            except OverflowError:
                return 1
            except ZeroDivisionError:
                return 2
            return 3
        """,
    "mangled property": """
        class C:
            total = 0
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def __low(self):
                C.total = 5
                return self.level
            def go(self):
                return self.__low
        def f(p: P):
            C.total = 1
            p.go()
            if C.total == 5:
                return 1
            return 2
        """,
    "del with side effects": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __delitem__(self, k):
                self.level = 7
        def f(p: P):
            p.level = 1
            del p[0]
            if p.level == 7:
                return 1
            return 2
        """,
    "+= of an item": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __iadd__(self, k):
                self.level = 7
                return self
        def f(p: P, xs: list[int]):
            p.level = 1
            ps = [p]
            ps[0] += 1
            if p.level == 7:
                return 1
            return 2
        """,
    "an attribute deleted twice": """
        class P:
            level: int = 3
            def drop(self):
                del self.level
        def f(p: int):
            q = P()
            q.level = 5
            try:
                q.drop()
                q.drop()
            except AttributeError:
                return 1
            return 2
        """,
    "raise unknown name": """
        def f(n: int):
            try:
                raise KeyError(undefined_name)
            except NameError:
                return 1
            except KeyError:
                return 2
        """,
    "the message of assert raises": """
        def f(n: int):
            try:
                assert n, 1 // n
            except ZeroDivisionError:
                return 1
            except AssertionError:
                return 2
        """,
    "the bound of a deleted slice": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                self.level = 7
                return 0
        def f(p: P, xs: list[int]):
            p.level = 1
            del xs[p.bump():]
            if p.level == 7:
                return 1
            return 2
        """,
    "the index of a stored item": """
        def f(n: int, xs: list[int]):
            y = 0
            def g():
                nonlocal y
                y = 4
                return 0
            xs[g()] = 3
            if y == 4:
                return 1
            return 2
        """,
    "lists of objects are equal": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __eq__(self, other):
                self.level = 7
                return True
        def f(p: P):
            p.level = 1
            ps = [p]
            ps == [3]
            if p.level == 7:
                return 1
            return 2
        """,
    "objects are sorted and shown": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __lt__(self, other):
                self.level = 7
                return True
            def __str__(self):
                self.level = 8
                return ""
            __repr__ = __str__
        def f(p: P, q: P):
            p.level = 1
            ps = [p, q]
            ps.sort()
            if p.level == 7:
                return 1
            s = f"{ps}"
            if p.level == 8:
                return 2
            return 2
        """,
    "sum of objects": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __radd__(self, other):
                self.level = 7
                return 0
        def f(p: P):
            p.level = 1
            sum([p])
            if p.level == 7:
                return 1
            return 2
        """,
    "nonlocal caught by except": """
        def f(n: int):
            m = 0
            def g():
                nonlocal m
                try:
                    1 // 0
                except ZeroDivisionError as m:
                    pass
            g()
            try:
                if m == 0:
                    return 1
            except NameError:
                return 2
        """,
    "nonlocal def": """
        def f(n: int):
            m = None
            def g():
                nonlocal m
                def m(): pass
            g()
            if m is not None:
                return 1
            return 2
        """,
    "an item of another type": """
        def f(xs: list[int]):
            ys = [x for x in xs]
            ys[0] = "q"
            if ys[0] == "q":
                return 1
            return 2
        """,
    "a deleted attribute": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            del p.level
            try:
                p.level
            except AttributeError:
                return 1
            return 2
        """,
    "a deleted key": """
        def f(d: dict[str, int]):
            try:
                del d["zz"]
            except KeyError:
                return 1
            return 2
        """,
    "heapq": """
        import heapq
        def f(xs: list[int]):
            n = len(xs)
            heapq.heappush(xs, 3)
            if len(xs) != n:
                return 1
            return 2
        """,
    "insort": """
        from bisect import insort
        def f(xs: list[int]):
            n = len(xs)
            insort(xs, 3)
            if len(xs) != n:
                return 1
            return 2
        """,
    "objects are hashed": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __hash__(self):
                self.level = 7
                return 1
            def __eq__(self, o): return True
        def f(p: P):
            p.level = 1
            ps = [p]
            qs = set(ps)
            if p.level == 7:
                return 1
            return 2
        """,
}
