"""Branches and loops do what they did."""

import inspect
import re

import pytest

from .outcomes import converted, module, same

NUMBERS = [([],), ([1],), ([0, 3, 5],), ([4, -1, 12, 7],), ([-2, -3, 20],), ([1, 2, 3, 4, 5, 6],)]

LOOPS = {
    "if, elif and else": """
        def f(xs):
            kinds = []
            for x in xs:
                if x < 0:
                    kind = "negative"
                elif x == 0:
                    kind = "zero"
                elif x > 9:
                    kind = "large"
                else:
                    kind = "small"
                kinds.append(kind)
            return kinds
    """,
    "an if without a result": """
        def f(xs):
            if xs:
                print(xs[0])
            if not xs:
                pass
            else:
                print("some")
    """,
    "while": """
        def f(xs):
            i = total = 0
            while i < len(xs):
                total += xs[i]
                i += 1
            return total, i
    """,
    "while with else and break": """
        def f(xs):
            i = 0
            while i < len(xs):
                if xs[i] > 9:
                    print("break", i)
                    break
                i += 1
            else:
                print("else", i)
            return i
    """,
    "while true": """
        def f(xs):
            xs = iter(xs)
            while True:
                x = next(xs, None)
                if x is None:
                    return "end"
                if x > 9:
                    break
                print(x)
            return x
    """,
    "for with else, break and continue": """
        def f(xs):
            for i, x in enumerate(xs):
                if x < 0:
                    continue
                if x > 9:
                    break
                print(i, x)
            else:
                print("all")
                return "all"
            return i, x
    """,
    "return in nested loops": """
        def f(xs):
            for x in xs:
                for y in xs:
                    if x + y == 6:
                        return x, y
                    if y > x:
                        break
                else:
                    print("no break", x)
                    continue
                print("break", x, y)
            else:
                print("no return")
    """,
    "break in the else of an inner loop": """
        def f(xs):
            for x in xs:
                for y in range(x):
                    if y == 3:
                        break
                else:
                    print("inner else", x)
                    break
                print("after", x)
            else:
                print("outer else")
    """,
    "continue in the else of an inner loop": """
        def f(xs):
            for x in xs:
                while x > 3:
                    x -= 1
                    if x == 4:
                        break
                else:
                    continue
                print("after", x)
            return "end"
    """,
    "return in an else": """
        def f(xs):
            for x in xs:
                if x > 9:
                    break
            else:
                return "else"
            return "break", x
    """,
    "early returns": """
        def f(xs):
            if not xs:
                return
            if xs[0] > 3:
                if len(xs) > 2:
                    return "many"
                print("few")
            elif xs[0] == 0:
                return None
            print("end")
            return xs[-1]
    """,
    "both branches return": """
        def f(xs):
            if len(xs) > 2:
                return "long"
            else:
                return "short"
    """,
    "a return in a loop in one branch": """
        def f(xs):
            if len(xs) > 2:
                print("long")
            else:
                for x in xs:
                    if x:
                        return x
            print("end")
            return "end"
    """,
    "a return in a loop in one branch of a loop": """
        def f(xs):
            for x in xs:
                if x > 3:
                    while x > 4:
                        x -= 1
                        if x == 8:
                            return "eight"
                elif x == 0:
                    continue
                print("end", x)
            return "end"
    """,
    "falling off the end": """
        def f(xs):
            for x in xs:
                if x > 3:
                    return x
    """,
    "code after a jump": """
        def f(xs):
            for x in xs:
                break
                print("never")
            else:
                print("else")
            return 1
            print("never")
    """,
    "jumps that no way leads to": """
        def f(xs):
            for x in xs:
                print(x)
                continue
                return x
            for x in xs:
                while True:
                    if x > 3:
                        return "large"
                    else:
                        break
                    break
                    return "never"
                else:
                    return "never"
            while xs:
                xs.pop()
                continue
                break
            else:
                return "else"
            return "end"
    """,
    "a loop that always returns": """
        def f(xs):
            for x in xs:
                return x
            return "none"
    """,
    "a loop that always breaks": """
        def f(xs):
            while xs:
                print(xs.pop())
                break
            else:
                print("else")
    """,
    "a target bound before and read after": """
        def f(xs):
            x = "before"
            for x in xs:
                pass
            return x
    """,
    "a target assigned in the body": """
        def f(xs):
            for x in xs:
                x = x * 2
                print(x)
            return x if xs else None
    """,
    "tuple, list and starred targets": """
        def f(xs):
            out = []
            for i, (a, *b) in enumerate([xs[i:] for i in range(len(xs))]):
                out.append((i, a, b))
            for [c, d] in zip(xs, xs[1:]):
                out.append(c - d)
            return out
    """,
    "subscript and attribute targets": """
        def f(xs):
            box = {}
            for box["x"], box["y"] in enumerate(xs):
                print(box)
            for box["z"] in xs:
                pass
            for xs[0] in xs[:]:
                print(xs)
            return box
    """,
    "names carried and names that are not": """
        def f(xs):
            previous, biggest = None, 0
            for x in xs:
                doubled = x * 2
                if previous is not None:
                    step = x - previous
                    if step > biggest:
                        biggest, where = step, (previous, doubled)
                previous = x
            if biggest:
                return where
            return previous
    """,
    "the iterable is evaluated once": """
        def f(xs):
            ys = xs
            for x in ys:
                ys = []
                print(x)
            return ys
    """,
    "the loop sees what it appends": """
        def f(xs):
            for x in xs:
                if len(xs) < 8:
                    xs.append(x + 1)
            return xs
    """,
    "the test is evaluated once more after the last turn": """
        def f(xs):
            def test():
                print("test", len(xs))
                return xs
            while test():
                xs.pop()
    """,
    "but not after a break": """
        def f(xs):
            def test():
                print("test", len(xs))
                return xs
            while test():
                if xs.pop() > 3:
                    break
    """,
    "nested three deep": """
        def f(xs):
            count = 0
            for x in xs:
                for y in xs:
                    if y == x:
                        continue
                    while y > 0:
                        y -= 2
                        if y == 1:
                            break
                        count += 1
                        if count > 20:
                            return "many", x, y
                    else:
                        count += 100
            return count
    """,
    "swapped names": """
        def f(xs):
            a, b = 0, 1
            for _ in xs:
                a, b = b, a + b
            return a, b
    """,
    "del in a loop": """
        def f(xs):
            for x in xs:
                y = x
                del x
            return y
    """,
    "a loop over nothing leaves its target unbound": """
        def f(xs):
            for x in xs:
                pass
            return x
    """,
    "a generated name that the user has": """
        def f(xs):
            ops = done = result = returned = item = if_true = loop_body = 1
            for loop_test in xs:
                if loop_test > 3:
                    return ops, done, result, returned, item, if_true, loop_body, loop_test
            return result
    """,
    "unbound and never read": """
        def f(xs):
            if len(xs) > 1:
                y = 1
            for i in range(2):
                if len(xs) == 1:
                    y = i
            if xs:
                return y
            return "unbound is not read"
    """,
    "deleted and bound again": """
        def f(xs):
            ys = xs
            del xs
            if ys:
                xs = 3
                del ys
                ys = xs
            return ys
    """,
    "a constant test": """
        def f(xs):
            if 1:
                a = 1
            if "":
                a = 2
            while 0:
                a = 3
            while 1:
                break
            return a
    """,
    "an endless loop ends in an error": """
        def f(xs):
            while True:
                xs.pop()
    """,
    "print in order": """
        def f(xs):
            print("start")
            for x in xs:
                print(x, end=" ")
                if x > 3:
                    print("big", end=" ")
            print("end")
    """,
}


@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_statements_do_what_they_did(text):
    same(module(text).f, *NUMBERS)


ARITHMETIC = {
    "augmented names": """
        def f(a, b):
            a += b
            a -= 1
            a *= b
            a //= 3
            a <<= 2
            a |= b
            a ^= 5
            a &= 255
            a **= 2
            a %= 1000
            a /= 3
            return a
    """,
    "augmented lists are changed in place": """
        def f(a, b):
            xs = ys = [a]
            if a < b:
                xs += [b]
            for _ in range(2):
                xs += [0]
            return xs, ys, xs is ys
    """,
    "augmented subscripts evaluate once": """
        def f(a, b):
            def key():
                print("key")
                return 0
            xs = [a, b]
            xs[key()] += 1
            xs[key():] *= 2
            return xs
    """,
    "augmented attributes": """
        def f(a, b):
            box = Box()
            box.x = a
            box.x += b
            while box.x < 20:
                box.x += 7
            return box.x
        class Box:
            pass
    """,
    "chained targets": """
        def f(a, b):
            x = y = [0, 0]
            x[0] = y[1] = z = a
            (p, q), *r = w = (a, b), 1, 2
            return x, y, z, p, q, r, w
    """,
    "annotated assignments": """
        def f(a, b):
            x: int = a
            y: undefined
            z: list[b]
            (w): int = 2
            if a:
                y: str = "y"
            else:
                y = 0
            return x, y, w
    """,
    "conditional swaps": """
        def f(a, b):
            if a > b:
                a, b = b, a
            return a, b
    """,
    "names of one branch": """
        def f(a, b):
            if a > b:
                c = a
                d = 1
            else:
                d = c = b
            if d:
                e = c
            return c, d
    """,
    "imports": """
        def f(a, b):
            import math
            import os.path as path, sys
            if a > 2:
                from math import floor as whole
            else:
                whole = int
            import collections.abc
            return math.sqrt(4), whole(2.5), path.join("a", "b"), sys.maxsize, collections.__name__
    """,
    "divmod by hand": """
        def f(a, b):
            quotient = 0
            while a >= b:
                a -= b
                quotient += 1
            return quotient, a
    """,
    "recursion": """
        def f(a, b):
            if a <= 1:
                return b
            return f(a - 1, b + a)
    """,
}


@pytest.mark.parametrize("text", ARITHMETIC.values(), ids=ARITHMETIC)
def test_assignments_do_what_they_did(text):
    same(module(text).f, (1, 2), (3, 1), (17, 4), (2, 2))


@pytest.mark.parametrize(
    "signature",
    ["a, b=2", "a, /, b=2", "a, *, b=2", "a, *b", "a, *b, c=3, **d", "*a, **b", "a, /, b=1, *c, d=4, **e"],
)
def test_parameters_stay_as_they_are(signature):
    names = [part.strip(" *").partition("=")[0] for part in signature.split(",")]
    names = [name for name in names if name not in ("/", "")]
    text = f"""
        def f({signature}):
            if {names[0]}:
                {names[0]} = {names[0]}, 1
            return {", ".join(names)},
    """
    function = module(text).f
    other = converted(function)
    assert inspect.signature(other) == inspect.signature(function)
    for arguments in ((1,), (0,), (1, 5), (1, 2, 3), ()):
        for keywords in ({}, {"b": 7}, {"z": 9, "d": 8}):
            try:
                expected = function(*arguments, **keywords)
            except TypeError as error:
                with pytest.raises(TypeError, match=re.escape(str(error))):
                    other(*arguments, **keywords)
            else:
                assert other(*arguments, **keywords) == expected
