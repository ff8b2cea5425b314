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
    "a message of an assertion that changes something": """
        def f(n: int):
            xs = [1]
            try:
                assert n < n, xs.append(2)
            except AssertionError:
                n = 0
            if len(xs) == 2:
                return 1
            return 2
        """,
    "a comprehension that an exception ends": """
        def f(n: int):
            l, m = [], n
            for i in (1, 2):
                try:
                    l = [10 // x for x in (1, m)]
                except ZeroDivisionError:
                    m = 1
            if n == 0 and len(l) == 2:
                return 1
            return 2
        """,
    "a row that is added while a loop goes": """
        def f(n: int):
            l = [n]
            it = enumerate(l)
            l.append((1, n))
            for i, v in it:
                if isinstance(v, tuple):
                    return 1
            return 2
        """,
    "in an iterator of a changed dict": """
        def f(n: int):
            d = {1: n, 2: n}
            it = iter(d)
            d.pop(1)
            try:
                if "a" in it:
                    return 1
            except RuntimeError:
                return 2
            return 3
        """,
    "an OSError whose third argument is looked at": """
        def f(n: int):
            try:
                raise OSError(11, "x", n * 2**70)
            except ValueError:
                return 1
            except OSError:
                return 2
        """,
    "a constructor of an exception that is replaced": """
        class E(Exception):
            pass
        def bad(self, *a):
            raise KeyError
        def patch():
            E.__init__ = bad
        def f(n: int):
            patch()
            try:
                raise E(n)
            except KeyError:
                return 1
            except E:
                return 2
        """,
    "parts of a text that are made in order": """
        def f(s: str):
            c = 0
            try:
                t = f"{s:d}{(c := 5)}"
            except ValueError:
                if c == 0:
                    return 1
                return 2
            return 3
        """,
    "another name of a setter": """
        class P:
            def __init__(self, n: int):
                self.n = n
            def m(self):
                return self.n
        def change(p):
            s = object.__setattr__
            s(p, "m", lambda: "x")
        def f(p: P):
            change(p)
            if p.m() == "x":
                return 1
            return 2
        """,
    "another name of a generator that cleans up": """
        class P:
            def __init__(self, n: int):
                self.x = n
        def gen(p):
            try:
                yield 1
            finally:
                p.x = "s"
        alias = gen
        def f(p: P):
            g = alias(p)
            next(g)
            g = None
            if p.x == "s":
                return 1
            return 2
        """,
    "a call by the name that is made of characters": """
        def helper():
            helper.__globals__[chr(102)]("x")
        def f(n: int):
            if isinstance(n, str):
                return 1
            helper()
            return 2
        """,
    "globals that are got by a text": """
        def K():
            return 5
        def other():
            return 6
        def change():
            getattr(change, "__globals__")["K"] = other
        def f(n: int):
            change()
            if K() == 6:
                return 1
            return 2
        """,
    "an annotation that runs code": """
        class P:
            def __init__(self, n: int):
                self.x = n
            def __getitem__(self, k):
                self.x = "s"
        def f(p: P):
            def g(a: p[1]):
                return a
            if p.x == "s":
                return 1
            return 2
        """,
    "a view of keys that is hashed": """
        def f(n: int):
            d = {n: 1}
            k = d.keys()
            try:
                if k in {1, 2}:
                    n = 1
            except TypeError:
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
    "del finalizer on drop": """
        class C:
            total = 0
        class P:
            def __del__(self):
                C.total = 5
        def f(n: int):
            C.total = 1
            P()
            if C.total == 5:
                return 1
            return 2
        """,
    "del finalizer rebind": """
        class C:
            total = 0
        class P:
            def __init__(self, n):
                self.n = n
            def __del__(self):
                C.total = 5
        def f(n: int):
            p = P(n)
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "generator del": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
            finally:
                C.total = 5
        def f(n: int):
            g = gen()
            next(g)
            C.total = 1
            del g
            if C.total == 5:
                return 1
            return 2
        """,
    "generator rebinding": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
            finally:
                C.total = 5
        def f(n: int):
            g = gen()
            next(g)
            C.total = 1
            g = 3
            if C.total == 5:
                return 1
            return 2
        """,
    "declared set by decorated function": """
        import functools
        def deco(fn):
            @functools.wraps(fn)
            def inner(*args):
                return fn(*args)
            return inner
        class P:
            level: int = 0
        @deco
        def put(p, v):
            p.level = v
        def f(p: P):
            put(p, "x")
            if p.level == "x":
                return 1
            return 2
        """,
    "declared set by setattr": """
        class P:
            level: int = 0
        def f(p: P):
            setattr(p, "level", "x")
            if p.level == "x":
                return 1
            return 2
        """,
    "declared set by dict": """
        class P:
            level: int = 0
        def f(p: P):
            p.__dict__["level"] = None
            if p.level is None:
                return 1
            return 2
        """,
    "declared set by vars update": """
        class P:
            level: int = 0
        def f(p: P):
            vars(p).update(level="x")
            if p.level == "x":
                return 1
            return 2
        """,
    "borg": """
        class P:
            shared = {}
            def __init__(self, level: int):
                self.__dict__ = self.shared
                self.level = level
        def f(p: P, q: P):
            q.level = 1
            p.level = 3
            if p is not q:
                if q.level == 3:
                    return 1
            return 2
        """,
    "ne without eq": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __ne__(self, other):
                return True
        def f(p: P):
            if p != p:
                return 1
            return 2
        """,
    "ne without eq effect": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __ne__(self, other):
                self.level = 7
                return True
        def f(p: P, q: P):
            p.level = 1
            if p != q:
                pass
            if p.level == 7:
                return 1
            return 2
        """,
    "ne None": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __ne__(self, other):
                return self.level == 3
        def f(p: P):
            if p != None:
                return 1
            return 2
        """,
    "match eager or getter": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def a(self):
                return 1
            @property
            def b(self):
                self.level = 7
                return 2
        def f(p: P):
            p.level = 1
            match 1:
                case p.a | p.b:
                    pass
            if p.level == 1:
                return 1
            return 2
        """,
    "match eager or raises": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def a(self):
                return 1
            @property
            def b(self):
                raise ValueError
        def f(p: P):
            try:
                match 1:
                    case p.a | p.b:
                        return 1
            except ValueError:
                return 2
            return 3
        """,
    "bare raise in finally": """
        def f(n: int):
            try:
                try:
                    1 // 0
                except ZeroDivisionError:
                    try:
                        raise KeyError
                    finally:
                        raise
            except KeyError:
                return 1
            except ZeroDivisionError:
                return 2
        """,
    "dataclass callable default": """
        from dataclasses import dataclass
        from typing import Callable
        def zero(a, b=0):
            return 0
        @dataclass
        class P:
            level: int
            cb: Callable[[int], int] = zero
        def f(n: int):
            p = P(n, lambda k: 1)
            if p.cb(3) == 1:
                return 1
            return 2
        """,
    "dataclass lambda default unbound": """
        from dataclasses import dataclass
        from typing import Callable
        @dataclass
        class P:
            level: int
            def ask(self):
                return self.cb()
            cb: Callable[[], int] = lambda self=None: 0 if self is None else 1
        def f(n: int):
            p = P(n)
            if p.cb() == 0:
                return 1
            return 2
        """,
    "dict replaced": """
        class P:
            level: int = 0
            def run(self):
                return 1
        def f(p: P):
            p.__dict__ = {"run": lambda: 5}
            if p.run() == 5:
                return 1
            return 2
        """,
    "dict replaced field": """
        class P:
            level: int = 0
        def f(p: P):
            p.__dict__ = {"level": "x"}
            if p.level == "x":
                return 1
            return 2
        """,
    "dict alias method": """
        class P:
            level: int = 0
            def run(self):
                return 1
        def f(p: P):
            d = vars(p)
            d["run"] = lambda: 5
            if p.run() == 5:
                return 1
            return 2
        """,
    "dict ior method": """
        class P:
            level: int = 0
            def run(self):
                return 1
        def f(p: P):
            p.__dict__ |= {"run": lambda: 5}
            if p.run() == 5:
                return 1
            return 2
        """,
    "code swap": """
        def g(n):
            return 1
        def h(n):
            return 2
        def f(n: int):
            g.__code__ = h.__code__
            if g(n) == 2:
                return 1
            return 2
        """,
    "annotated target evaluates": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                self.level = 7
                return self
        def f(p: P):
            p.level = 1
            p.bump().level: int
            if p.level == 7:
                return 1
            return 2
        """,
    "annotated subscript evaluates": """
        def f(n: int, xs: list[int]):
            y = 0
            def g():
                nonlocal y
                y = 4
                return 0
            xs[g()]: int
            if y == 4:
                return 1
            return 2
        """,
    "consuming keyword order": """
        def f(n: int):
            c = 0
            x = 9
            def inc():
                nonlocal c
                c += 1
                return 0
            def keep():
                nonlocal x
                x = c
                return 0
            max((inc() for _ in range(2)), default=keep())
            if x == 0:
                if c == 2:
                    return 1
            return 2
        """,
    "sum start walrus": """
        def f(n: int):
            c = 0
            def inc():
                nonlocal c
                c += 1
                return 0
            sum((inc() for _ in range(2)), start=(x := c))
            if x == 0 and c == 2:
                return 1
            return 2
        """,
    "walrus in class base": """
        def f(n: int):
            x = 0
            class A((x := object)):
                pass
            if x is object:
                return 1
            return 2
        """,
    "walrus in decorated default": """
        def same(fn):
            return fn
        def f(n: int):
            x = 0
            @same
            def g(a=(x := 5)):
                pass
            if x == 5:
                return 1
            return 2
        """,
    "walrus in class keyword": """
        def f(n: int):
            x = 0
            class A(metaclass=(x := type)):
                pass
            if x is type:
                return 1
            return 2
        """,
    "walrus in decorator": """
        def same(fn):
            return fn
        def f(n: int):
            x = 0
            @(x := same)
            def g(a):
                pass
            if x is same:
                return 1
            return 2
        """,
    "patch object": """
        from unittest.mock import patch
        class P:
            level: int = 0
            def run(self):
                return 1
        def f(p: P):
            with patch.object(P, "run", return_value=5):
                if p.run() == 5:
                    return 1
            return 2
        """,
    "optional declared guess": """
        from typing import Optional
        class P:
            level: Optional[int]
            def __init__(self, level: Optional[int]):
                self.level = level
            def reset(self):
                self.level = 0
        def f(p: P):
            if p.level is None:
                return 1
            return 2
        """,
    "optional declared dataclass": """
        from typing import Optional
        from dataclasses import dataclass
        @dataclass
        class P:
            level: Optional[int]
        def reset(p: P):
            p.level = 0
        def f(p: P):
            if p.level is None:
                return 1
            return 2
        """,
    "union declared": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int | str
            def reset(self):
                self.level = 0
        def f(p: P):
            if p.level == "":
                return 1
            return 2
        """,
    "generator finally on break": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
                yield 2
            finally:
                C.total = 5
        def f(n: int):
            C.total = 1
            for x in gen():
                C.total = 1
                break
            else:
                C.total = 2
            if C.total == 5:
                return 1
            return 2
        """,
    "generator closed at return of helper": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
            finally:
                C.total = 5
        def first(it):
            for x in it:
                C.total = 1
                return x
            C.total = 1
            return 0
        def f(n: int):
            first(gen())
            if C.total == 5:
                return 1
            return 2
        """,
    "globals alias": """
        LIMIT = 3
        def f(n: int):
            g = globals()
            g["LIMIT"] = 5
            if LIMIT == 5:
                return 1
            return 2
        """,
    "func globals": """
        LIMIT = 3
        def h(): pass
        def f(n: int):
            h.__globals__["LIMIT"] = 5
            if LIMIT == 5:
                return 1
            return 2
        """,
    "module dict alias": """
        import sys
        LIMIT = 3
        def f(n: int):
            d = sys.modules[__name__].__dict__
            d["LIMIT"] = 5
            if LIMIT == 5:
                return 1
            return 2
        """,
    "module dict ior": """
        import sys
        LIMIT = 3
        def f(n: int):
            d = globals()
            d |= {"LIMIT": 5}
            if LIMIT == 5:
                return 1
            return 2
        """,
    "globals in a loop": """
        A = 1
        B = 2
        def f(n: int):
            names = globals()
            for name in ("A", "B"):
                names[name] = 7
            if A == 7:
                return 1
            return 2
        """,
    "exec with alias": """
        A = 1
        def f(n: int):
            g = globals()
            exec("A = 7", g)
            if A == 7:
                return 1
            return 2
        """,
    "kwdefaults": """
        def g(*, a=1):
            return a
        def f(n: int):
            g.__kwdefaults__["a"] = 5
            if g() == 5:
                return 1
            return 2
        """,
    "kwdefaults update": """
        def g(*, a=1):
            return a
        def f(n: int):
            g.__kwdefaults__.update(a=5)
            if g() == 5:
                return 1
            return 2
        """,
    "bases swap": """
        class A:
            def run(self):
                return 1
        class B:
            def run(self):
                return 2
        class P(A):
            level: int = 0
        def f(p: P):
            P.__bases__ = (B,)
            if p.run() == 2:
                return 1
            return 2
        """,
    "enum value mutated": """
        from enum import Enum
        class Color(Enum):
            RED = 1
            BLUE = 2
        def f(c: Color):
            c._value_ = 7
            if c.value == 7:
                return 1
            return 2
        """,
    "class state other": """
        class R:
            def kind(self):
                return 2
        class P:
            def __init__(self, level: int):
                self.level = level
            def kind(self):
                return 1
        def f(p: P):
            p.__class__ = R
            if isinstance(p, R):
                return 1
            return 2
        """,
    "class state other method": """
        class R:
            def kind(self):
                return 2
        class P:
            def __init__(self, level: int):
                self.level = level
            def kind(self):
                return 1
            def grow(self):
                self.__class__ = R
        def f(p: P):
            p.grow()
            if p.kind() == 2:
                return 1
            return 2
        """,
    "class state new object": """
        class R:
            def kind(self):
                return 2
        class P:
            def kind(self):
                return 1
            def grow(self):
                self.__class__ = R
        def f(n: int):
            p = P()
            p.grow()
            if p.kind() == 2:
                return 1
            return 2
        """,
    "setter untyped with declared field": """
        class P:
            _level: int = 0
            def __init__(self, level: int):
                self._level = level
            @property
            def level(self):
                return self._level
            @level.setter
            def level(self, value):
                self._level = value
        def f(p: P):
            p.level = "x"
            if p._level == "x":
                return 1
            return 2
        """,
    "local del": """
        def f(n: int):
            y = 0
            class C:
                def __del__(self):
                    nonlocal y
                    y = 5
            c = C()
            y = 1
            c = None
            if y == 5:
                return 1
            return 2
        """,
    "local del end of function": """
        class C:
            total = 0
        class P:
            def __del__(self):
                C.total = 5
        def make():
            p = P()
            C.total = 1
        def f(n: int):
            make()
            if C.total == 5:
                return 1
            return 2
        """,
    "del in container clear": """
        class C:
            total = 0
        class P:
            def __del__(self):
                C.total = 5
        def f(n: int):
            xs = [P()]
            C.total = 1
            xs.clear()
            if C.total == 5:
                return 1
            return 2
        """,
    "del attribute of p": """
        class C:
            total = 0
        class Q:
            def __del__(self):
                C.total = 5
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            p.q = Q()
            C.total = 1
            p.q = None
            if C.total == 5:
                return 1
            return 2
        """,
    "weakref finalize": """
        import weakref
        class C:
            total = 0
        class P:
            pass
        def done():
            C.total = 5
        def f(n: int):
            p = P()
            weakref.finalize(p, done)
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "bare raise in finally in loop": """
        def f(n: int):
            try:
                try:
                    raise KeyError
                except KeyError:
                    for i in range(2):
                        try:
                            raise ValueError
                        finally:
                            raise
            except ValueError:
                return 1
            except KeyError:
                return 2
        """,
    "lazy init None": """
        class P:
            def __init__(self, n: int):
                self.n = n
                self.best = None
            def add(self, v: int):
                self.best = v
        def f(p: P):
            if p.best is None:
                return 1
            return 2
        """,
    "optional init parameter": """
        from typing import Optional
        class P:
            def __init__(self, level: Optional[int] = None):
                self.level = level
            def reset(self):
                self.level = 0
        def f(p: P):
            if p.level is None:
                return 1
            return 2
        """,
    "lazy init list or int": """
        class P:
            def __init__(self, n: int):
                self.n = n
                self.best = []
            def add(self, v: int):
                self.best = v
        def f(p: P):
            if p.best == []:
                return 1
            return 2
        """,
    "lazy None setter by unknown": """
        class P:
            def __init__(self, n: int):
                self.n = n
                self.best = str(n)
            def add(self, v: int):
                self.best = v
        def f(p: P):
            if p.best != 0:
                if p.best == str(p.n):
                    return 1
            return 2
        """,
    "str call and int": """
        class P:
            def __init__(self, n: int):
                self.n = n
                self.name = str(n)
            def clear(self):
                self.name = 0
        def f(p: P):
            if isinstance(p.name, str):
                return 1
            return 2
        """,
    "setattr class var": """
        class C:
            total = 0
        def f(n: int):
            setattr(C, "total", "x")
            if C.total == "x":
                return 1
            return 2
        """,
    "setattr new object": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(n: int):
            p = P(n)
            setattr(p, "level", None)
            if p.level is None:
                return 1
            return 2
        """,
    "nested parameter shadows annotation": """
        class P:
            def __init__(self, level: int):
                def put(level):
                    self.level = level
                put(str(level))
        def f(p: P):
            if p.level == "x":
                return 1
            if isinstance(p.level, str):
                return 2
            return 3
        """,
    "slice assigned from lazy map": """
        def f(xs: list[int]):
            c = 0
            def inc(x):
                nonlocal c
                c += 1
                return x
            m = map(inc, [1, 2])
            c = 0
            xs[0:] = m
            if c == 2:
                return 1
            return 2
        """,
    "slice assigned bytes": """
        def f(n: int):
            xs = [b"x"]
            xs[0:] = b"ab"
            if xs[0] == 97:
                return 1
            return 2
        """,
    "slice upper generator": """
        def f(xs: list[int]):
            c = 0
            def gen():
                nonlocal c
                c = 5
                yield 1
            g = gen()
            c = 0
            xs[:0] = g
            if c == 5:
                return 1
            return 2
        """,
    "with target raises and is suppressed": """
        from contextlib import suppress
        def f(n: int):
            x = 1
            with suppress(TypeError) as (x, y):
                x = 2
            if x == 1:
                return 1
            return 2
        """,
    "with target raises then flag": """
        from contextlib import suppress
        def f(d: dict[str, int], n: int):
            done = 0
            with suppress(IndexError) as [][n]:
                done = 1
            if done == 0:
                return 1
            return 2
        """,
    "enum hash effect": """
        from enum import Enum
        class C:
            total = 0
        class F(Enum):
            A = 1
            B = 2
            def __hash__(self):
                C.total = 5
                return 1
        def f(c: F):
            C.total = 1
            c in {1, 2}
            if C.total == 5:
                return 1
            return 2
        """,
    "dataclass post init": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int
            def __post_init__(self):
                self.level = str(self.level)
        def f(n: int):
            p = P(n)
            if isinstance(p.level, str):
                return 1
            return 2
        """,
    "dataclass InitVar": """
        from dataclasses import dataclass, InitVar
        @dataclass
        class P:
            a: InitVar[int]
            b: int
        def f(n: int):
            p = P(3, "y")
            if p.b == "y":
                return 1
            return 2
        """,
    "StopIteration becomes RuntimeError after a change": """
        class C:
            total = 0
        def g():
            C.total = 5
            raise StopIteration
        def f(n: int):
            C.total = 1
            try:
                list(g() for _ in range(1))
            except RuntimeError:
                if C.total == 5:
                    return 1
            return 2
        """,
    "except does not ask the metaclass": """
        from abc import ABC
        class E(Exception, ABC):
            pass
        E.register(ValueError)
        def f(n: int):
            try:
                raise ValueError
            except E:
                return 1
            except ValueError:
                return 2
        """,
    "redirect stdout": """
        from contextlib import redirect_stdout
        class C:
            total = 0
        class W:
            def write(self, s):
                C.total = 5
        def f(n: int):
            with redirect_stdout(W()):
                C.total = 1
                print("a")
                if C.total == 5:
                    return 1
            return 2
        """,
    "property subclass": """
        class Loud(property):
            def __get__(self, o, t):
                return self.fget(t)
        def get(self):
            if self is P:
                return 5
            return 1
        class P:
            def __init__(self, level: int):
                self.level = level
            x = Loud(get)
        def f(p: P):
            if p.x == 5:
                return 1
            return 2
        """,
    "property subclass effect": """
        class Loud(property):
            def __get__(self, o, t):
                o.level = 7
                return super().__get__(o, t)
        def get(self):
            return 1
        class P:
            def __init__(self, level: int):
                self.level = level
            x = Loud(get)
        def f(p: P):
            p.level = 1
            p.x
            if p.level == 7:
                return 1
            return 2
        """,
    "classmethod subclass": """
        class Other(classmethod):
            def __get__(self, o, t):
                return lambda *a: 5
        class P:
            def __init__(self, level: int):
                self.level = level
            def x(cls):
                return 1
            y = Other(x)
        def f(p: P):
            if p.y() == 5:
                return 1
            return 2
        """,
    "staticmethod subclass": """
        class Other(staticmethod):
            def __get__(self, o, t):
                return lambda *a: 5
        def x():
            return 1
        class P:
            y = Other(x)
        def f(n: int):
            if P.y() == 5:
                return 1
            return 2
        """,
    "post init None": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int
            def __post_init__(self):
                if self.level < 0:
                    self.level = find(self.level)
        def find(n):
            return None
        def f(n: int):
            p = P(-1)
            if p.level is None:
                return 1
            return 2
        """,
    "post init of a parameter": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int
            def __post_init__(self):
                self.level = str(self.level)
        def f(p: P):
            if p.level == "x" or isinstance(p.level, str):
                return 1
            return 2
        """,
    "generator method keeps state": """
        class P:
            level: int = 0
            def walk(self):
                self.level = str(1)
                yield 1
        def f(p: P):
            for x in p.walk():
                pass
            if p.level == "1":
                return 1
            return 2
        """,
    "declared optional set through unread code": """
        class P:
            name: str = ""
            def fill(self, *parts):
                self.name = parts[0] if parts else find()
        def find():
            return None
        def f(p: P):
            p.fill()
            if p.name is None:
                return 1
            return 2
        """,
    "declared bool gets int": """
        class P:
            on: bool = False
            def fill(self, *parts):
                self.on = len(parts)
        def f(p: P):
            p.fill(1, 2)
            if p.on == 2:
                return 1
            return 2
        """,
    "class var counters by unread": """
        class C:
            total: int = 0
            @classmethod
            def add(cls, *xs):
                cls.total = None if not xs else sum(xs) / 2
        def f(n: int):
            C.add(3)
            if C.total == 1.5:
                return 1
            return 2
        """,
    "module dict alias patched": """
        import math
        def f(n: int):
            d = vars(math)
            old = d["floor"]
            d["floor"] = lambda x: 77
            y = math.floor(1.5)
            d["floor"] = old
            if y == 77:
                return 1
            return 2
        """,
    "capture stdout class": """
        import sys
        class C:
            total = 0
        class Tee:
            def __enter__(self):
                self.old = sys.stdout
                sys.stdout = self
                return self
            def __exit__(self, *a):
                sys.stdout = self.old
            def write(self, s):
                C.total += 1
        def f(n: int):
            with Tee():
                C.total = 0
                print("a")
                x = C.total
            if x > 0:
                return 1
            return 2
        """,
    "finalizer of exception value": """
        class C:
            total = 0
        class P:
            def __del__(self):
                C.total = 5
        def f(n: int):
            try:
                q = P()
                raise ValueError
            except ValueError:
                C.total = 1
                del q
            if C.total == 5:
                return 1
            return 2
        """,
    "temporary object del in expression": """
        class C:
            total = 0
        class P:
            def __init__(self, k: int):
                self.k = k
            def __del__(self):
                C.total += 1
        def f(n: int):
            C.total = 0
            x = P(1).k + P(2).k
            if C.total == 2:
                return 1
            return 2
        """,
    "context lock released by del": """
        class C:
            open_files = 0
        class H:
            def __init__(self):
                C.open_files += 1
            def __del__(self):
                C.open_files -= 1
        def use():
            h = H()
            return 1
        def f(n: int):
            C.open_files = 0
            use()
            if C.open_files == 0:
                return 1
            return 2
        """,
    "generator break in comprehension any": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
                yield 2
            finally:
                C.total = 5
        def f(n: int):
            g = gen()
            x = any(v == 1 for v in g)
            C.total = 1
            g = None
            if C.total == 5:
                return 1
            return 2
        """,
    "generator finally return inside loop in helper": """
        class C:
            total = 0
        def gen():
            try:
                yield 1
            finally:
                C.total += 1
        def first():
            for x in gen():
                C.total = 0
                return x
            C.total = 7
            return 0
        def f(n: int):
            y = first()
            if C.total == 1:
                return 1
            return 2
        """,
    "ne only with in held": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __ne__(self, o):
                return "yes"
        def f(p: P):
            x = p != p
            if x == "yes":
                return 1
            return 2
        """,
    "ne in base": """
        class B:
            def __ne__(self, o):
                return True
        class P(B):
            def __init__(self, level: int):
                self.level = level
        def f(p: P, q: P):
            if p is q and p != q:
                return 1
            if p != p:
                return 2
            return 3
        """,
    "match or eager walrus property read count": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def nxt(self):
                self.level += 1
                return self.level
        def f(p: P):
            p.level = 0
            match 1:
                case p.nxt | p.nxt | p.nxt:
                    if p.level == 1:
                        return 1
            return 2
        """,
    "slice store strings flatten to chars": """
        def f(s: str):
            xs = [b"ab", b"c"]
            xs[1:] = b"xyz"
            if isinstance(xs[1], int):
                return 1
            return 2
        """,
    "slice store object iter": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __iter__(self):
                self.level = 7
                return iter((1,))
        def f(p: P):
            p.level = 1
            xs = [1]
            xs[1:] = p
            if p.level == 7:
                return 1
            return 2
        """,
    "enum get in dict hash": """
        from enum import Enum
        class C:
            total = 0
        class F(Enum):
            A = 1
            def __hash__(self):
                C.total = 5
                return 1
        def f(c: F, d: dict[str, int]):
            C.total = 1
            d.get(c)
            if C.total == 5:
                return 1
            return 2
        """,
    "annotated call only": """
        def f(n: int):
            y = 0
            def g():
                nonlocal y
                y = 5
                return []
            g()[0]: int
            if y == 5:
                return 1
            return 2
        """,
    "annotated raises": """
        def f(xs: list[int], n: int):
            try:
                undefined_thing[0]: int
            except NameError:
                return 1
            return 2
        """,
    "sorted genexp key effect": """
        def f(n: int):
            c = 0
            k = 9
            def inc():
                nonlocal c
                c = 5
                return 0
            def key():
                nonlocal k
                k = c
                return None
            sorted((inc() for _ in (1,)), key=key())
            if k == 0 and c == 5:
                return 1
            return 2
        """,
    "except hook abc subclass check": """
        from abc import ABCMeta
        class E(Exception, metaclass=ABCMeta):
            @classmethod
            def __subclasshook__(cls, c):
                return True
        def f(n: int):
            try:
                raise KeyError
            except E:
                return 1
            except KeyError:
                return 2
        """,
    "post init": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int
            def __post_init__(self):
                self.level = str(self.level)
        def f(n: int):
            if P(n).level == "x" or isinstance(P(n).level, str):
                return 1
            return 2
        """,
    "lazy None": """
        class P:
            def __init__(self):
                self.best = None
            def add(self, v: int):
                self.best = v
        def f(p: P):
            if p.best is None:
                return 1
            return 2
        """,
    "ne through not in not equal tuple": """
        class P:
            level: int = 0
            def __ne__(self, o):
                return True
        def f(p: P):
            if p != p:
                return 1
            return 2
        """,
    "enum set comprehension hash": """
        from enum import Enum
        class C:
            total = 0
        class F(Enum):
            A = 1
            def __hash__(self):
                C.total = 5
                return 1
        def f(c: F):
            C.total = 1
            c in {1, 2}
            if C.total == 5:
                return 1
            return 2
        """,
    "swapped __class__ in a helper and field": """
        class Q:
            level = "x"
        class P:
            def __init__(self):
                self.n = 1
            level: int = 0
        def f(p: P):
            p.__class__ = Q
            if p.level == "x":
                return 1
            return 2
        """,
    "context manager generator dropped": """
        from contextlib import contextmanager
        class C:
            total = 0
        @contextmanager
        def cm():
            try:
                yield 1
            finally:
                C.total = 5
        def f(n: int):
            m = cm()
            m.__enter__()
            C.total = 1
            m = None
            if C.total == 5:
                return 1
            return 2
        """,
    "method shadowed by setattr alias": """
        class P:
            level: int = 0
            def run(self):
                return 1
        def put(d):
            d["run"] = lambda: 5
        def f(p: P):
            put(vars(p))
            if p.run() == 5:
                return 1
            return 2
        """,
    "dataclass field named like inherited method": """
        from dataclasses import dataclass
        class B:
            def run(self):
                return 1
        @dataclass
        class P(B):
            run: object
        def f(n: int):
            p = P(lambda: 5)
            if p.run() == 5:
                return 1
            return 2
        """,
    "set in set of constants": """
        def f(s: set[int]):
            if s in {1, 2}:
                return 1
            return 2
        """,
    "comprehension target item": """
        def f(n: int):
            xs = [0]
            [0 for xs[0] in (1, 2)]
            if xs[0] == 2:
                return 1
            return 2
        """,
    "comprehension target attribute": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            [0 for p.level in (1, 2)]
            if p.level == 2:
                return 1
            return 2
        """,
    "comprehension inner iter unbound": """
        def f(n: int):
            y = (1, 2)
            try:
                [y for x in (1,) for y in y]
            except NameError:
                return 1
            return 2
        """,
    "comprehension free variable unbound": """
        def f(n: int):
            try:
                ys = [x + y for x in range(2)]
            except UnboundLocalError:
                return 1
            except NameError:
                return 2
            y = 1
            return 3
        """,
    "dict item with strange keys": """
        class C:
            total = 0
        class K:
            def __init__(self, x: int):
                self.x = x
            def __hash__(self):
                return hash("a")
            def __eq__(self, other):
                C.total = 5
                return True
        def f(n: int):
            C.total = 1
            d = {K(1): 2}
            C.total = 1
            y = d["a"]
            if C.total == 5:
                return 1
            return 2
        """,
    "class property": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def __class__(self):
                return int
        def f(p: P):
            if isinstance(p, int):
                return 1
            return 2
        """,
    "class property of made": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def __class__(self):
                return int
        def f(n: int):
            if isinstance(P(n), int):
                return 1
            return 2
        """,
    "set in set of sets": """
        def f(s: set[int]):
            t = {frozenset()}
            try:
                if s in {1, "a"}:
                    return 1
            except TypeError:
                return 2
            return 3
        """,
    "set not in constants": """
        def f(s: set[int]):
            if s not in {"a", "b"}:
                return 1
            return 2
        """,
    "a literal set in set": """
        def f(n: int):
            if {n} in {"a", "b"}:
                return 1
            return 2
        """,
    "comprehension condition uses later target": """
        def f(n: int):
            b = 0
            try:
                [a for a in (1,) if b == 0 for b in (2,)]
            except NameError:
                return 1
            return 2
        """,
    "comprehension subscript index target": """
        def f(n: int):
            d = {}
            k = 3
            [0 for d[k] in (1, 2)]
            if d == {3: 2}:
                return 1
            return 2
        """,
    "set comprehension target item": """
        def f(n: int):
            d = {}
            s = {0 for d["a"] in (1, 2)}
            if len(d) == 1:
                return 1
            return 2
        """,
    "assign slice bytes": """
        def f(n: int):
            xs = [b"a"]
            xs[:1] = b"ab"
            if xs[0] == 97:
                return 1
            return 2
        """,
    "assign slice runs iter": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __iter__(self):
                self.level = 7
                return iter([1])
        def f(p: P, xs: list[int]):
            p.level = 1
            xs[0:] = p
            if p.level == 7:
                return 1
            return 2
        """,
    "keyword after generator": """
        def f(n: int):
            c = 0
            def inc():
                nonlocal c
                c += 1
                return 1
            t = sum((inc() for _ in range(3)), start=(d := c))
            if d != c:
                return 1
            return 2
        """,
    "keyword after generator sorted": """
        def f(n: int):
            c = 0
            d = 9
            def inc():
                nonlocal c
                c += 1
                return 1
            def snap():
                nonlocal d
                d = c
                return False
            t = sorted((inc() for _ in (1, 2)), reverse=snap())
            if d != c:
                return 1
            return 2
        """,
    "del method runs": """
        class C:
            total = 0
        class P:
            def __del__(self):
                C.total = 5
        def f(n: int):
            p = P()
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "harmless shadow 4": """
        class C:
            total = 0
        class P:
            def __init__(self, level: int):
                self.level = level
            def __bool__(self):
                C.total = 5
                return True
        def f(n: int):
            C.total = 1
            p = 3
            q = P(1)
            ys = [((p and 1) or 2) for p in [q]]
            if C.total == p + 2:
                return 1
            return 2
        """,
    "harmless shadow 5": """
        class C:
            total = 0
        class P:
            def __init__(self, level: int):
                self.level = level
            def __add__(self, o):
                C.total = 5
                return 1
        def f(p: int):
            C.total = 1
            q = P(1)
            ys = [(0 or p + 1) for p in [q]]
            if C.total == 5:
                return p
            return 2
        """,
    "append by slice none": """
        def f(n: int):
            xs = []
            xs[len(xs):] = [None]
            if xs[0] is None:
                return 1
            return 2
        """,
    "append by slice isinstance": """
        def f(n: int):
            xs = []
            xs[len(xs):] = [1, 2]
            if isinstance(xs[0], int):
                return 1
            return 2
        """,
    "slice assign nested lists": """
        def f(n: int):
            xs = [[1]]
            xs[1:] = [2]
            if isinstance(xs[1], int):
                return 1
            return 2
        """,
    "slice assign with dict in list": """
        def f(n: int):
            xs = [{}]
            xs[:0] = {"k": 1}
            if isinstance(xs[0], str):
                return 1
            return 2
        """,
    "in set order": """
        def f(n: int):
            c = 0
            def g(x):
                nonlocal c
                c = c * 10 + x
                return x
            try:
                [] in {g(2), g(3)}
            except TypeError:
                if c == 23:
                    return 1
            return 2
        """,
    "unhashable in set order": """
        def f(xs: list[int]):
            c = 0
            def g(x):
                nonlocal c
                c = c * 10 + x
                return x
            try:
                xs in {g(2), 5}
            except TypeError:
                if c == 2:
                    return 1
                return 3
            return 2
        """,
    "annotation of an item": """
        def f(n: int):
            c = 0
            def g():
                nonlocal c
                c = 5
                return 0
            xs = [1]
            xs[g()]: int
            if c == 5:
                return 1
            return 2
        """,
    "annotation of an attribute": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                self.level = 7
                return self
        def f(p: P):
            p.level = 1
            p.bump().x: int
            if p.level == 7:
                return 1
            return 2
        """,
    "annotation raises": """
        def f(n: int):
            try:
                (1 // 0).x: int
            except ZeroDivisionError:
                return 1
            return 2
        """,
    "count of a tuple of objects": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __eq__(self, other):
                return self.level == other
        def f(t: tuple[P, ...]):
            a = t.count(77)
            for p in t:
                p.level = 77
            b = t.count(77)
            if a != b:
                return 1
            return 2
        """,
    "count of a state": """
        class C:
            total = 0
        class P:
            def __init__(self, level: int):
                self.level = level
            def __eq__(self, other):
                C.total += 1
                return C.total % 2 == 0
        def f(t: tuple[P, ...]):
            C.total = 0
            a = t.count(77)
            b = t.count(77)
            if a != b:
                return 1
            return 2
        """,
    "annotation of an inner function": """
        def f(n: int):
            c = 0
            def bump():
                nonlocal c
                c = 5
                return int
            def g(x: bump()):
                return x
            if c == 5:
                return 1
            return 2
        """,
    "annotation of an inner result": """
        def f(n: int):
            c = 0
            def bump():
                nonlocal c
                c = 5
                return int
            def g(x) -> bump():
                return x
            if c == 5:
                return 1
            return 2
        """,
    "undefined annotation of an inner function": """
        def f(n: int):
            try:
                def g(x: Missing):
                    return x
            except NameError:
                return 1
            return 2
        """,
    "del makes local": """
        X = 5
        def f(n: int):
            try:
                X
            except UnboundLocalError:
                return 1
            if n == 10**9:
                del X
            return 3
        """,
    "hashed before the set is made": """
        def f(n: int):
            c = 0
            def g(x):
                nonlocal c
                c = x
                return x
            try:
                [] in {g(2), 3}
            except TypeError:
                if c == 2:
                    return 1
            return 2
        """,
    "hashed while making raises other": """
        def f(xs: list[int]):
            try:
                xs in {1 // 0, 3}
            except TypeError:
                return 2
            except ZeroDivisionError:
                return 1
            return 3
        """,
    "set equal keys in constants": """
        def f(s: set[str]):
            if not s in {None}:
                return 1
            return 2
        """,
    "set data not in": """
        def f(n: int):
            s = {n}
            if s in {1}:
                return 3
            return 2
        """,
    "del only in nested block": """
        X = 5
        def f(n: int):
            try:
                if X == 5:
                    return 2
            except NameError:
                return 1
            if n > 10**12:
                del X
            return 3
        """,
    "comprehension name error in except order": """
        def f(xs: list[int]):
            try:
                ys = [x + k for x in (1, 2)]
                k = 3
            except UnboundLocalError:
                return 2
            except Exception:
                return 1
            return 3
        """,
    "comprehension target nested item": """
        def f(n: int):
            xs = [[0], [0]]
            i = 1
            ys = [i for xs[i][0] in (5, 6)]
            if xs[1][0] == 6:
                return 1
            return 2
        """,
    "comprehension target attribute and use": """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P, n: int):
            ys = [p.level for p.level in (5, 6)]
            if ys == [5, 6]:
                return 1
            return 2
        """,
    "slice prepends strings to empty": """
        def f(s: str):
            xs = []
            xs[:0] = s.split()
            xs[:0] = ["k"]
            if isinstance(xs[0], str):
                return 1
            return 2
        """,
    "slice prepends in a loop": """
        def f(n: int):
            xs = []
            for i in range(3):
                xs[:0] = [i]
            k = 0
            for x in xs:
                if isinstance(x, int):
                    k = 1
            if k == 1:
                return 1
            return 2
        """,
    "slice prepends to list of lists then compares": """
        def f(n: int):
            xs = []
            xs[:0] = [n, n]
            y = xs.pop()
            if type(y) is int:
                return 1
            return 2
        """,
    "min default evaluated first and kept": """
        class C:
            total = 0
        def bump():
            C.total = C.total * 2
            return 1
        def add():
            C.total = C.total + 1
            return 1
        def f(n: int):
            C.total = 1
            m = max((add() for _ in (1,)), default=bump())
            if C.total == 3:
                return 1
            return 2
        """,
    "del of local only by del in a loop": """
        total = 3
        def f(n: int):
            try:
                total + 1
            except UnboundLocalError:
                return 1
            for i in range(0):
                del total
            return 2
        """,
    "inner annotations with walrus": """
        def f(n: int):
            k = 1
            def g(x: (k := 5)):
                return x
            if k == 5:
                return 1
            return 2
        """,
    "index of tuple slice": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __eq__(self, other):
                return self.level == other
        def f(t: tuple[P, ...]):
            a = t[0:2].count(5)
            for p in t:
                p.level = 5
            b = t[0:2].count(5)
            if b > a:
                return 1
            return 2
        """,
    "dict item raising eq": """
        class K:
            def __hash__(self):
                return hash(1)
            def __eq__(self, other):
                raise ValueError
        def f(n: int):
            d = {K(): 2}
            try:
                d[1]
            except KeyError:
                return 2
            except ValueError:
                return 1
            return 3
        """,
    "finally return from handler bare raise": """
        def f(n: int):
            try:
                try:
                    1 // 0
                except ZeroDivisionError:
                    return 5
                finally:
                    raise
            except ZeroDivisionError:
                return 2
            except RuntimeError:
                return 1
            return 3
        """,
    "finally break from handler bare raise": """
        def f(n: int):
            try:
                for i in (1,):
                    try:
                        try:
                            1 // 0
                        except ZeroDivisionError:
                            break
                    finally:
                        raise
            except ZeroDivisionError:
                return 2
            except RuntimeError:
                return 1
            return 3
        """,
    "finally break garbage then return": """
        def h(n):
            for i in (1,):
                try:
                    return 5
                finally:
                    break
            try:
                return 7
            finally:
                try:
                    1 // 0
                except ZeroDivisionError:
                    pass
        def f(n: int):
            if h(n) == 7:
                return 1
            return 2
        """,
    "finally continue garbage then return": """
        def f(n: int):
            def h():
                for i in (1, 2):
                    try:
                        return None
                    finally:
                        continue
                try:
                    return n
                finally:
                    try:
                        [][0]
                    except IndexError:
                        pass
            if h() is None:
                return 2
            return 1
        """,
    "match class property or": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def b(self):
                self.level = 7
                return int
        def f(p: P):
            p.level = 1
            match 1:
                case 1 | p.b():
                    pass
            if p.level == 1:
                return 1
            return 2
        """,
    "match class property raises": """
        class P:
            def __init__(self, level: int):
                self.level = level
            @property
            def b(self):
                raise ValueError
        def f(p: P):
            try:
                match 1:
                    case int() | p.b():
                        return 1
            except ValueError:
                return 2
            return 3
        """,
    "lambda walrus in comprehension makes local": """
        y = 3
        def f(n: int):
            if y == 3:
                k = 1
            else:
                k = 2
            xs = [(lambda: (y := i))() for i in range(2)]
            if k == 1:
                return 1
            return 2
        """,
    "mangled keyword": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def m(self, __x):
                return __x
        def f(p: P):
            try:
                p.m(__x=5)
            except TypeError:
                return 1
            return 2
        """,
    "percent of str subclass": """
        class S(str):
            def __rmod__(self, o):
                return 5
        def f(n: int):
            x = "a" % S("b")
            if x == 5:
                return 1
            return 2
        """,
    "decorated generator dropped": """
        class C:
            total = 0
        class P:
            @staticmethod
            def gen():
                try:
                    yield 1
                    yield 2
                finally:
                    C.total = 5
        def f(n: int):
            g = P.gen()
            next(g)
            C.total = 1
            g = None
            if C.total == 5:
                return 1
            return 2
        """,
    "decorated generator dropped by break": """
        class C:
            total = 0
        def same(fn):
            return fn
        @same
        def gen():
            try:
                yield 1
                yield 2
            finally:
                C.total = 5
        def f(n: int):
            for x in gen():
                C.total = 1
                break
            else:
                C.total = 1
            if C.total == 5:
                return 1
            return 2
        """,
    "coroutine dropped": """
        class C:
            total = 0
        class A:
            def __await__(self):
                yield 1
        async def co():
            try:
                await A()
            finally:
                C.total = 5
        def f(n: int):
            c = co()
            c.send(None)
            C.total = 1
            c = None
            if C.total == 5:
                return 1
            return 2
        """,
    "del method by assignment": """
        class C:
            total = 0
        class P:
            def close(self):
                C.total = 5
            __del__ = close
        def f(n: int):
            p = P()
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "weakref proxy callback": """
        import weakref
        class C:
            total = 0
        class P:
            pass
        def done(r):
            C.total = 5
        def f(n: int):
            p = P()
            r = weakref.proxy(p, done)
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "raise missing evaluates": """
        def f(n: int):
            try:
                raise Missing(1 // 0)
            except ZeroDivisionError:
                return 2
            except NameError:
                return 1
        """,
    "raise from constant": """
        def f(n: int):
            try:
                raise ValueError from 5
            except ValueError:
                return 2
            except TypeError:
                return 1
        """,
    "private attribute default": """
        class P:
            __best = 0
            def __init__(self, n: int):
                self.__best = str(n)
            def get(self):
                return self.__best
        def f(p: P):
            if isinstance(p.get(), str):
                return 1
            return 2
        """,
    "private attribute none": """
        class P:
            __best = 0
            def __init__(self, n: int):
                self.__best = None
            @property
            def best(self):
                return self.__best
        def f(p: P):
            if p.best is None:
                return 1
            return 2
        """,
    "private attribute annotated strict": """
        class P:
            __level: int
            def __init__(self, level: int):
                self.__level = level
            def walk(self):
                self.__level = "x"
                yield 1
            def get(self):
                return self.__level
        def f(p: P):
            for _ in p.walk():
                pass
            if p.get() == "x":
                return 1
            return 2
        """,
    "private method replaced": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __run(self):
                return 1
            def fix(self):
                self.__run = lambda: 5
            def go(self):
                return self.__run()
        def f(p: P):
            p.fix()
            if p.go() == 5:
                return 1
            return 2
        """,
    "private global": """
        _P__count = 0
        class P:
            def __init__(self, level: int):
                self.level = level
            def bump(self):
                global __count
                __count = 5
        def f(p: P):
            p.bump()
            if _P__count == 5:
                return 1
            return 2
        """,
    "except name is parameter": """
        class P:
            def __init__(self, level: int):
                try:
                    1 // 0
                except ZeroDivisionError as level:
                    self.level = level
        def f(p: P):
            if isinstance(p.level, Exception):
                return 1
            return 2
        """,
    "import name is parameter": """
        class P:
            def __init__(self, level: int):
                from math import pi as level
                self.level = level
        def f(p: P):
            if isinstance(p.level, float):
                return 1
            return 2
        """,
    "match name is parameter": """
        class P:
            def __init__(self, level: int):
                match str(level):
                    case level:
                        self.level = level
        def f(p: P):
            if isinstance(p.level, str):
                return 1
            return 2
        """,
    "inner function name is parameter": """
        class P:
            def __init__(self, level: int):
                def level():
                    return 5
                self.level = level
        def f(p: P):
            if callable(p.level):
                k = 1
            else:
                k = 2
            if isinstance(p.level, int):
                return 3
            return k
        """,
    "attribute of others": """
        class P:
            def __init__(self, level: int):
                self.errno = 0
                self.errno = OSError("x").errno
        def f(p: P):
            if p.errno is None:
                return 1
            return 2
        """,
    "attribute of others 2": """
        class P:
            def __init__(self, level: int):
                self.real = 1
                e = 2.5
                self.real = e.real
        def f(p: P):
            if isinstance(p.real, float):
                return 1
            return 2
        """,
    "len shadowed": """
        def len(x):
            return "x"
        class P:
            def __init__(self, n: int):
                self.size = len("abc")
        def f(p: P):
            if p.size == "x":
                return 1
            return 2
        """,
    "setattr aliased": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            put = setattr
            put(p, "level", "x")
            if p.level == "x":
                return 1
            return 2
        """,
    "exec sets attribute": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            exec("p.level = 'x'")
            if p.level == "x":
                return 1
            return 2
        """,
    "eval constant sets global": """
        LIMIT = 3
        def f(n: int):
            eval("globals().update(LIMIT=5)")
            if LIMIT == 5:
                return 1
            return 2
        """,
    "getattr dict": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            getattr(p, "__dict__")["level"] = "x"
            if p.level == "x":
                return 1
            return 2
        """,
    "globals aliased": """
        LIMIT = 3
        def f(n: int):
            g = globals
            g()["LIMIT"] = 5
            if LIMIT == 5:
                return 1
            return 2
        """,
    "stale dict item": """
        class K:
            def __init__(self):
                self.d = None
            def __hash__(self):
                return hash(1)
            def __eq__(self, other):
                self.d[self] = "x"
                return True
        def f(n: int):
            k = K()
            d = {k: 2}
            k.d = d
            if d[1] == "x":
                return 1
            return 2
        """,
    "dataclass field over staticmethod": """
        from dataclasses import dataclass
        from typing import Callable
        def zero(a=0):
            return 0
        @dataclass
        class P:
            level: int
            cb: Callable[[], int] = staticmethod(zero)
        def f(n: int):
            p = P(n, lambda: 1)
            if p.cb() == 1:
                return 1
            return 2
        """,
    "dataclass field over staticmethod of base": """
        from dataclasses import dataclass
        class A:
            @staticmethod
            def run():
                return 0
        @dataclass
        class P(A):
            run: object
            level: int = 0
        def f(n: int):
            p = P(lambda: 1)
            if p.run() == 1:
                return 1
            return 2
        """,
    "default factory": """
        from dataclasses import dataclass, field
        @dataclass
        class P:
            level: int = field(default_factory=lambda: None)
        def f(n: int):
            p = P()
            if p.level is None:
                return 1
            return 2
        """,
    "list iadd radd kind": """
        class P:
            def __radd__(self, o):
                return 5
        def f(n: int):
            xs = [1]
            xs += P()
            if isinstance(xs, int):
                return 1
            return 2
        """,
    "list iadd radd param": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __radd__(self, o):
                return self
        def f(p: P, xs: list[int]):
            xs += p
            if xs is p:
                return 1
            if type(xs) is list:
                return 2
            return 3
        """,
    "builtins patched 2": """
        import builtins
        def h():
            builtins.abs = lambda x: -5
        def g():
            builtins.abs = old
        old = abs
        def f(n: int):
            h()
            k = abs(n)
            g()
            if k == -5:
                return 1
            return 2
        """,
    "stale slice 2": """
        def f(n: int):
            class I:
                def __index__(self):
                    xs.append("a")
                    return 0
            i = I()
            xs = [1]
            ys = xs[i:]
            for y in ys:
                if isinstance(y, str):
                    return 1
            return 2
        """,
    "stale pop 2": """
        def f(n: int):
            class I:
                def __index__(self):
                    xs[0] = "a"
                    return 0
            i = I()
            xs = [1]
            y = xs.pop(i)
            if isinstance(y, str):
                return 1
            return 2
        """,
    "with in finally of return": """
        from contextlib import suppress
        def f(n: int):
            def h():
                for i in (1,):
                    try:
                        return 3
                    finally:
                        break
                try:
                    return 4
                finally:
                    with suppress(ValueError):
                        raise ValueError
            if h() == 4:
                return 1
            return 2
        """,
    "private class variable of other type": """
        class P:
            __total = 0
            def __init__(self, level: int):
                P.__total = "x"
            @classmethod
            def get(cls):
                return cls.__total
        def f(p: P):
            if P.get() == "x":
                return 1
            return 2
        """,
    "private property replaced at class": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __run(self):
                return 1
            @classmethod
            def patch(cls):
                cls.__run = lambda self: 5
            def go(self):
                return self.__run()
        def f(p: P):
            P.patch()
            if p.go() == 5:
                return 1
            return 2
        """,
    "update taken from vars": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            put = vars(p).update
            put(level="x")
            if p.level == "x":
                return 1
            return 2
        """,
    "setitem of dict taken": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            put = p.__dict__.__setitem__
            put("level", "x")
            if p.level == "x":
                return 1
            return 2
        """,
    "globals update taken": """
        LIMIT = 3
        def f(n: int):
            put = globals().update
            put(LIMIT=5)
            if LIMIT == 5:
                return 1
            return 2
        """,
    "setattr star": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            t = (p, "level", "x")
            setattr(*t)
            if p.level == "x":
                return 1
            return 2
        """,
    "map setattr": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
        def f(p: P):
            list(map(setattr, [p], ["level"], ["x"]))
            if p.level == "x":
                return 1
            return 2
        """,
    "defaults of alias": """
        def g(a=1):
            return a
        def patch(fn):
            fn.__defaults__ = (5,)
        def f(n: int):
            patch(g)
            if g() == 5:
                return 1
            return 2
        """,
    "code of alias": """
        def g(a=1):
            return 1
        def k(a=1):
            return 2
        def f(n: int):
            h = g
            h.__code__ = k.__code__
            if g() == 2:
                return 1
            return 2
        """,
    "defaults in loop": """
        def g(a=1):
            return a
        def k(a=1):
            return a
        def f(n: int):
            for fn in (g, k):
                fn.__defaults__ = (5,)
            if g() == 5:
                return 1
            return 2
        """,
    "code of bound method": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def run(self):
                return 1
            def other(self):
                return 2
        def f(p: P):
            p.run.__func__.__code__ = P.other.__code__
            if p.run() == 2:
                return 1
            return 2
        """,
    "yield from iterator with close": """
        class C:
            total = 0
        class It:
            def __iter__(self):
                return self
            def __next__(self):
                return 1
            def close(self):
                C.total = 5
        def gen():
            yield from It()
        def f(n: int):
            g = gen()
            next(g)
            C.total = 1
            g = None
            if C.total == 5:
                return 1
            return 2
        """,
    "exit stack dropped": """
        from contextlib import contextmanager, ExitStack
        class C:
            total = 0
        @contextmanager
        def cm():
            try:
                yield 1
            finally:
                C.total = 5
        def f(n: int):
            s = ExitStack()
            s.enter_context(cm())
            C.total = 1
            s = None
            if C.total == 5:
                return 1
            return 2
        """,
    "del by type call": """
        class C:
            total = 0
        def done(self):
            C.total = 5
        def f(n: int):
            A = type("A", (), {"__del__": done})
            a = A()
            C.total = 1
            a = None
            if C.total == 5:
                return 1
            return 2
        """,
    "del by setattr on class": """
        class C:
            total = 0
        class P:
            pass
        def f(n: int):
            P.__del__ = lambda self: setattr(C, "total", 5)
            p = P()
            C.total = 1
            p = None
            if C.total == 5:
                return 1
            return 2
        """,
    "async generator dropped": """
        class C:
            total = 0
        async def agen():
            try:
                yield 1
                yield 2
            finally:
                C.total = 5
        def f(n: int):
            g = agen()
            try:
                g.asend(None).send(None)
            except StopIteration:
                pass
            C.total = 1
            g = None
            if C.total == 5:
                return 1
            return 2
        """,
    "enum value by vars": """
        from enum import Enum
        class Color(Enum):
            RED = 1
            BLUE = 2
        def put(c, k):
            vars(c)[k] = 7
        def f(c: Color):
            put(c, "_value_")
            r = c.value
            put2 = c.__dict__
            put2["_value_"] = {"RED": 1, "BLUE": 2}[c.name]
            if r == 7:
                return 1
            return 2
        """,
    "private slot int then none": """
        class P:
            __n: int = 0
            def __init__(self, level: int):
                self.__n = level
            def stop(self):
                self.__n = None
            def is_stopped(self):
                return self.__n is None
        def f(p: P):
            for q in [p]:
                q.stop()
            if p.is_stopped():
                return 1
            return 2
        """,
    "private method shadowed at init": """
        class P:
            def __init__(self, level: int):
                self.__run = lambda: 5
            def __run(self):
                return 1
            def go(self):
                return self.__run()
        def f(p: P):
            if p.go() == 5:
                return 1
            return 2
        """,
    "mangled keyword constructor": """
        class P:
            def __init__(self, __x: int):
                self.level = __x
        def f(n: int):
            try:
                p = P(__x=n)
            except TypeError:
                return 1
            return 2
        """,
    "walrus lambda in comprehension nested generator": """
        y = "g"
        def f(n: int):
            r = y
            s = list((lambda: (y := 5))() for _ in (1,))
            if r == "g":
                return 1
            return 2
        """,
    "match isinstance property later class": """
        class P:
            def __init__(self, level: int):
                self.n = 0
            @property
            def cls(self):
                self.n += 1
                return str
        def f(p: P):
            p.n = 0
            match 3:
                case int() | p.cls():
                    pass
            if p.n == 0:
                return 1
            return 2
        """,
    "raise class later": """
        def f(n: int):
            c = 0
            try:
                raise Missing([1][2])
            except IndexError:
                return 2
            except NameError:
                return 1
        """,
    "raise missing with attribute": """
        def f(xs: list[int]):
            try:
                raise ValeuError(xs.foo)
            except AttributeError:
                return 2
            except NameError:
                return 1
        """,
    "raise from string in helper": """
        def g():
            raise KeyError from "x"
        def f(n: int):
            try:
                g()
            except LookupError:
                return 2
            except TypeError:
                return 1
        """,
    "raise from class no exception": """
        def f(n: int):
            try:
                raise KeyError from ...
            except KeyError:
                return 2
            except TypeError:
                return 1
        """,
    "stale dict item with closure": """
        def f(n: int):
            class K:
                def __hash__(self):
                    return 1
                def __eq__(self, other):
                    d[self] = None
                    return True
            k = K()
            d = {k: 2}
            if d[1] is None:
                return 1
            return 2
        """,
    "stale list insert result": """
        def f(n: int):
            class I:
                def __index__(self):
                    xs[0] = None
                    return 0
            i = I()
            xs = [n]
            if xs.pop(i) is None:
                return 1
            return 2
        """,
    "bytes percent subclass": """
        class B(bytes):
            def __rmod__(self, o):
                return None
        def f(b: bytes):
            x = b % B(b"x")
            if x is None:
                return 1
            return 2
        """,
    "str subclass percent param": """
        class S(str):
            def __rmod__(self, o):
                return len(o)
        def f(s: str):
            x = s % S()
            if isinstance(x, int):
                return 1
            return 2
        """,
    "attribute of other library object": """
        import datetime
        class P:
            def __init__(self, level: int):
                self.resolution = 0
                self.resolution = datetime.date.resolution
        def f(p: P):
            if isinstance(p.resolution, int):
                return 2
            return 1
        """,
    "attribute name of function": """
        class P:
            def __init__(self, level: int):
                self.start = 0
                self.start = slice(None, 3).start
        def f(p: P):
            if p.start is None:
                return 1
            return 2
        """,
    "str shadowed by parameter": """
        class P:
            def __init__(self, level: int):
                self.name = self.shown(level, len)
            def shown(self, v, str):
                self.text = str([v])
                return 1
        def f(p: P):
            if isinstance(p.text, int):
                return 1
            return 2
        """,
    "annotation shadowed": """
        int_ = int
        str = int
        class P:
            def __init__(self, level: int):
                self.name = str(level)
        def f(p: P):
            if isinstance(p.name, int_):
                return 1
            return 2
        """,
    "iadd list in a helper radd": """
        class Row(list):
            def __radd__(self, other):
                return tuple(other) + tuple(self)
        def f(xs: list[int]):
            xs += Row([1])
            if isinstance(xs, tuple):
                return 1
            return 2
        """,
    "iadd list attribute": """
        class R:
            def __radd__(self, o):
                return None
        def f(n: int):
            class H:
                pass
            r = R()
            xs = []
            xs += r
            if xs is None:
                return 1
            return 2
        """,
    "nested finally break twice": """
        def f(n: int):
            def g():
                for i in (1, 2):
                    try:
                        for j in (1, 2):
                            try:
                                return "in"
                            finally:
                                break
                    finally:
                        continue
                try:
                    return "out"
                finally:
                    try:
                        raise OSError
                    except OSError:
                        pass
            if g() == "out":
                return 1
            return 2
        """,
    "dataclass classmethod as field": """
        from dataclasses import dataclass
        @dataclass
        class P:
            level: int
            make: object = classmethod(lambda cls: 0)
        def f(n: int):
            p = P(n, lambda: 1)
            if p.make() == 1:
                return 1
            return 2
        """,
    "same name attribute strict": """
        class P:
            level: int
            def __init__(self, level: int):
                self.level = level
            def take(self, *qs):
                for q in qs:
                    self.level = q.level
        def f(p: P):
            class Q:
                level = None
            p.take(Q)
            if p.level is None:
                return 1
            return 2
        """,
    "same name attribute strict errno": """
        class P:
            errno: int
            def __init__(self, errno: int):
                self.errno = errno
            def take(self, *es):
                for e in es:
                    self.errno = e.errno
        def f(p: P):
            try:
                raise OSError("x")
            except OSError as e:
                p.take(e)
            if p.errno is None:
                return 1
            return 2
        """,
    "same name by argument of decorated": """
        def same(fn):
            return fn
        class P:
            def __init__(self, level: int):
                self.level = level
                self.stop = 0
            @same
            def cut(self, s):
                self.stop = s.stop
        def f(p: P):
            p.cut(slice(None))
            if p.stop is None:
                return 1
            return 2
        """,
    "exec in globals of function": """
        LIMIT = 3
        def g():
            pass
        def f(n: int):
            exec("LIMIT = 5", g.__globals__)
            if LIMIT == 5:
                return 1
            return 2
        """,
    "exec in dict of module": """
        import sys
        LIMIT = 3
        def f(n: int):
            exec("LIMIT = 5", sys.modules[__name__].__dict__)
            if LIMIT == 5:
                return 1
            return 2
        """,
    "exec in vars of math": """
        import math
        def f(n: int):
            old = math.floor
            exec("floor = lambda x: 77", vars(math))
            k = math.floor(1.5)
            exec("floor = old", vars(math), {"old": old})
            exec("floor = floor_ceil", math.__dict__, {"floor_ceil": old})
            if k == 77:
                return 1
            return 2
        """,
    "frame globals": """
        import sys
        LIMIT = 3
        def f(n: int):
            sys._getframe().f_globals["LIMIT"] = 5
            if LIMIT == 5:
                return 1
            return 2
        """,
    "str gives subclass": """
        class S(str):
            def __eq__(self, o):
                return True
            __hash__ = str.__hash__
        class Q:
            def __str__(self):
                return S("a")
        class P:
            def __init__(self, level: int):
                self.text = str(Q())
        def f(p: P):
            if p.text == 5:
                return 1
            return 2
        """,
    "fstring gives subclass": """
        class S(str):
            def __eq__(self, o):
                return True
            __hash__ = str.__hash__
        class Q:
            def __str__(self):
                return S("a")
        def f(n: int):
            x = f"{Q()}"
            if x == 5:
                return 1
            return 2
        """,
    "percent gives subclass": """
        class S(str):
            def __eq__(self, o):
                return True
            __hash__ = str.__hash__
        class Q:
            def __str__(self):
                return S("a")
        def f(n: int):
            x = "%s" % Q()
            if x == 5:
                return 1
            return 2
        """,
    "augmented by same name of other": """
        from fractions import Fraction
        class P:
            def __init__(self, level: int):
                self.imag = 0
                z = 1.5j
                self.imag += z.imag
        def f(p: P):
            if isinstance(p.imag, float):
                return 1
            return 2
        """,
    "class body value of other class": """
        class Node:
            size = None
        class P:
            def __init__(self, level: int):
                self.size = 0
                self.size = Node.size
        def f(p: P):
            if p.size is None:
                return 1
            return 2
        """,
    "dataclass field copied": """
        from dataclasses import dataclass
        @dataclass
        class Opts:
            size: object = None
        class P:
            def __init__(self, level: int):
                self.size = 1
                o = Opts()
                self.size = o.size
        def f(p: P):
            if p.size is None:
                return 1
            return 2
        """,
    "namedtuple field copied": """
        from typing import NamedTuple, Optional
        class Opts(NamedTuple):
            size: Optional[int] = None
        class P:
            def __init__(self, opts: int):
                self.size = 1
                self.size = Opts().size
        def f(p: P):
            if p.size is None:
                return 1
            return 2
        """,
    "argparse namespace copied": """
        from argparse import Namespace
        class P:
            def __init__(self, level: int):
                self.limit = 10
                args = Namespace(limit=None)
                self.limit = args.limit
        def f(p: P):
            if p.limit is None:
                return 1
            return 2
        """,
    "match object copied": """
        import re
        class P:
            def __init__(self, level: int):
                self.lastgroup = ""
                m = re.match("a", "a")
                self.lastgroup = m.lastgroup
        def f(p: P):
            if p.lastgroup is None:
                return 1
            return 2
        """,
    "except name in method sets attribute": """
        class P:
            def __init__(self, level: int):
                self.error = 0
            def fail(self, error: int):
                try:
                    raise ValueError
                except ValueError as error:
                    self.error = error
        def f(p: P):
            for q in [p]:
                q.fail(3)
            if isinstance(p.error, int):
                return 2
            return 1
        """,
    "match star name param": """
        class P:
            def __init__(self, level: int):
                match [1, 2]:
                    case [*level]:
                        self.level = level
        def f(p: P):
            if isinstance(p.level, int):
                return 2
            return 1
        """,
    "class name param": """
        class P:
            def __init__(self, level: int):
                class level:
                    pass
                self.level = level
        def f(p: P):
            if isinstance(p.level, int):
                return 2
            return 1
        """,
    "lambda name in defaults": """
        g = lambda a=1: a
        def f(n: int):
            g.__defaults__ = (5,)
            if g() == 5:
                return 1
            return 2
        """,
    "alias of function global": """
        def _impl(a=1):
            return a
        run = _impl
        def f(n: int):
            run.__defaults__ = (5,)
            if run() == 5:
                return 1
            return 2
        """,
    "method called by class alias defaults": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def run(self, a=1):
                return a
            go = run
        def f(p: P):
            P.go.__defaults__ = (5,)
            if p.run() == 5:
                return 1
            return 2
        """,
    "private property int": """
        class P:
            __size = 0
            def __init__(self, n: int):
                if n != 10**9:
                    self.__size = 1.5
            @property
            def size(self):
                return self.__size
        def f(p: P):
            if p.size == 1.5:
                return 1
            return 2
        """,
    "private class flag": """
        class P:
            __ready = False
            def __init__(self, n: int):
                self.__ready = "yes"
            def is_ready(self):
                return self.__ready == "yes"
        def f(p: P):
            if p.is_ready():
                return 1
            return 2
        """,
    "private cache none default typed": """
        class P:
            __cache: int = 0
            def __init__(self, n: int):
                self.n = n
            def get(self):
                if self.__cache is None:
                    return 1
                return 2
            def drop(self):
                self.__cache = None
        def f(p: P):
            for q in (p, p):
                q.drop()
            if p.get() == 1:
                return 1
            return 2
        """,
    "private dataclass field": """
        from dataclasses import dataclass
        @dataclass
        class P:
            __n: int = 0
            def stop(self, *more):
                self.__n = None
            def get(self):
                return self.__n
        def f(k: int):
            p = P()
            p.stop(1)
            if p.get() is None:
                return 1
            return 2
        """,
    "return in handler finally helper": """
        def h():
            try:
                raise KeyError
            except KeyError:
                return 1
            finally:
                raise
        def f(n: int):
            try:
                h()
            except KeyError:
                return 2
            except RuntimeError:
                return 1
            return 3
        """,
    "global declared name harmless": """
        X = 0
        class C:
            total = 0
        class Q:
            def __add__(self, o):
                C.total = 5
                return 1
        def g(*a):
            global X
            X = Q()
        def f(n: int):
            global X
            X = 1
            g()
            C.total = 1
            y = (X + 1 or 2) and 3
            if C.total == 5:
                return 1
            return 2
        """,
    "global declared name harmless bool": """
        X = 0
        class C:
            total = 0
        class Q:
            def __bool__(self):
                C.total = 5
                return True
        def g(*a):
            global X
            X = Q()
        def f(n: int):
            global X
            X = 1
            g()
            C.total = 1
            y = (X and 2) or 3
            if C.total == 5:
                return 1
            return 2
        """,
    "private exception name": """
        class __E(Exception):
            pass
        class P:
            def __init__(self, level: int):
                self.level = level
            def go(self):
                raise __E
        def f(p: P):
            try:
                p.go()
            except NameError:
                return 1
            except Exception:
                return 2
        """,
    "builtin module attributes": """
        def f(n: int):
            try:
                __class__
            except NameError:
                return 1
            return 2
        """,
    "inner function private parameter": """
        class P:
            def __init__(self, level: int):
                self.level = level
            def go(self):
                def g(__x=1):
                    return __x
                return g(__x=2)
        def f(p: P):
            try:
                p.go()
            except TypeError:
                return 1
            return 2
        """,
    "exception bases changed": """
        class A(Exception):
            pass
        class E(A):
            pass
        class B(Exception):
            pass
        def f(n: int):
            E.__bases__ = (B,)
            try:
                try:
                    raise E
                except B:
                    return 1
                except A:
                    return 2
            finally:
                E.__bases__ = (A,)
        """,
}
