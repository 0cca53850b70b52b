"""`match` does what it did."""

import pytest

from .outcomes import module, same

TEXT = """
from collections import namedtuple, OrderedDict
class Point:
    __match_args__ = "x", "y"
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __repr__(self):
        return f"Point({self.x}, {self.y})"
class Color:
    RED = 1
    def __repr__(self):
        return "Color"
Pair = namedtuple("Pair", "a b")
def see(x):
    print("see", x)
    return x
"""

CASES = {
    "values": """
        match x:
            case 0 | 1:
                return "small"
            case -1 | 2.5 | "a" | b"a":
                return "value"
            case None:
                return "none"
            case True:
                return "true"
            case Color.RED:
                return "red"
    """,
    "alternatives of which the last matches anything": """
        match x:
            case 0 | _ if see(x) == 5:
                return "five"
            case Color.BLUE | _:
                return "any"
    """,
    "alternatives behind which nothing comes": """
        match x:
            case [1, 2 | _] | 3:
                return "some"
            case [0, _] | _:
                return "all"
    """,
    "guards": """
        match see(x):
            case 0 if see(False):
                return "never"
            case int(n) if see(n) > 1:
                return n
            case n if n == 1:
                return "one"
            case [a, b] if a == b:
                return a
        return n
    """,
    "sequences": """
        match x:
            case []:
                return "empty"
            case [a]:
                return a
            case (a, b, [c, *d]):
                return a, b, c, d
            case [a, *_, "z"]:
                return a
            case [*a, 3, b]:
                return a, b
            case [a, *b]:
                return a, b
    """,
    "mappings": """
        match x:
            case {"a": 1, "b": [b, *_]}:
                return b
            case {"a": a, **rest}:
                return a, rest
            case {}:
                return "mapping"
    """,
    "classes": """
        match x:
            case Point(0, y):
                return y
            case Point(x=a, y=Point(b, 2) as p):
                return a, b, p
            case Point(z=1):
                return "z"
            case Point():
                return "point"
            case int() | float():
                return "number"
            case str(s):
                return s
            case Pair(a, b):
                return b, a
    """,
    "too many positions": """
        match x:
            case Point(a, b, c):
                return a
            case Color(a):
                return a
        return None
    """,
    "names that are bound before a guard fails": """
        a = b = None
        match x:
            case [a, 3]:
                pass
            case [_, b] if b == 2:
                pass
        return a, b
    """,
    "in a loop": """
        seen = []
        for v in (x if isinstance(x, list) else [x]):
            match v:
                case 1:
                    continue
                case 3:
                    break
                case [y]:
                    seen.append(y)
                case _:
                    seen.append(v)
        else:
            return seen
        return seen, v
    """,
    "an assignment in a guard": """
        match x:
            case int() if (y := x + 1) > 2:
                return y
            case [y, *_] if y and (z := y):
                return z
        return "none"
    """,
}

SUBJECTS = [
    "0",
    "1",
    "2",
    "-1",
    "2.5",
    '"a"',
    '"ab"',
    'b"a"',
    "None",
    "True",
    "[]",
    "[1]",
    "[1,2]",
    "[2,3]",
    "[2,2]",
    "(1,2,[3])",
    "(1,2,[3,4,5])",
    '["a",1,"z"]',
    "[[9]]",
    "[1,[4],3]",
    "{}",
    '{"a":1}',
    '{"a":1,"b":[7,8]}',
    "Point(0,1)",
    "Point(3,Point(4,2))",
    "Point(3,4)",
    "Pair(1,2)",
    "Color()",
    "range(2)",
    "OrderedDict(a=2)",
    "{1,2}",
]


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_match_does_what_it_did(text):
    names = module(TEXT + "def f(x):" + text.replace("\n        ", "\n    "))
    same(names.f, *((eval(subject, vars(names)),) for subject in SUBJECTS))
