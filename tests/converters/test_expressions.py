"""Expressions do what they did, in the order in which they did it."""

import pytest

from .eager import EagerOps
from .outcomes import converted, module, same

LOGGED = """
    def t(value):
        print("t", value)
        return value
"""

EXPRESSIONS = {
    "lists": "([a, *[b]], {'k': [t(a)]}, [] if a else [b])",
    "and gives an operand": "t(a) and t(b) and t(3)",
    "or gives an operand": "t(a) or t(b) or t(3)",
    "mixed logic": "t(a) and not t(b) or (t(3) and t(b))",
    "nested not": "not not a, not (a and b)",
    "conditional expression": "t(1) if t(a) else t(2)",
    "nested conditional expressions": "t(1) if t(a) else t(2) if t(b) else t(3)",
    "chained comparison": "t(0) < t(a) < t(b) <= t(5)",
    "chained comparison of all kinds": "t(a) == a != t(b) is not None",
    "chain with in": "t(a) in [t(a), 1] != t([])",
    "chain that ends in is": "1 <= t(a) is t(b)",
    "chained comparison in a test": "1 if a < b < 3 else 2",
    "identity": "a is None, a is not b, a is a",
    "membership": "a in [1, 2], a not in (b,), 'x' in 'xyz'",
    "single comparisons": "a < b, a <= b, a == b, a != b, a > b, a >= b",
    "arguments in order": "dict([(t('x'), t(1))], **{t('y'): t(2)}, z=t(3))",
    "unpacked arguments": "print(*[t(1), t(2)], *(a, b), sep=t('-'))",
    "method calls": "[t(a), b].index(t(b)), 'x'.join([str(a)]), {'k': a}.get('k')",
    "chained calls": "(lambda: (lambda x: x + t(a)))()(t(b))",
    "calls in subscripts": "[1, 2, 3][t(1)], [1, 2, 3][t(0) : t(2)]",
    "displays": "[t(1), *[t(2)]], {t(3), 4}, {t('a'): t(5), **{'b': t(6)}}, (t(7), *range(2))",
    "operators": "a + b * 2 - -b, ~a, a ** 2, a / 2, a // 2, a % 3, a << 1, a >> 1, a & b, a | b, a ^ b",
    "list comprehension": "[x * a for x in range(4)]",
    "list comprehension with conditions": "[t(x) for x in range(6) if t(x) > a if x != b]",
    "several for": "[(x, y) for x in range(3) if x for y in range(x) if y != a]",
    "for over an outer target": "[y for x in ([1, 2], [3]) for y in x]",
    "set comprehension": "sorted({x % 3 for x in range(9) if x != a})",
    "dict comprehension": "{t(k): t(v) for k, v in [('x', a), ('y', b)]}",
    "dict comprehension with conditions": "{k: v for k, v in zip('abc', range(3)) if v if k != 'b'}",
    "several for in a dict": "{(x, y): x + y for x in range(3) for y in range(2) if x != y}",
    "several for in a set": "sorted({t(x * y) for x in range(3) for y in range(2)})",
    "unpacking targets": "[x + y + sum(z) for x, (y, *z) in [(1, (2, 3, 4)), (5, (6,))]]",
    "unpacking targets with conditions": "[x + y for x, y in [(1, 2), (0, 3), (4, 5)] if x > t(a) - 1]",
    "subscript targets": "(lambda box: [box[0] for box[0] in [t(a), b]] + box)([0])",
    "target hides a name": "[a for a in range(3)], a",
    "nested comprehensions": "[[x * y for y in range(x)] for x in range(4)]",
    "generator": "list(x + a for x in range(4) if x != 2)",
    "generator of several for": "list((x, y) for x in range(3) for y in range(x))",
    "a generator runs when it is read": "[(t(9), *g) for g in [(t(x) for x in [1, 2])]]",
    "a generator is joined to text": "['-'.join(str(x * y) for x in range(y)) for y in range(a)]",
    "a generator stops early": "any(t(x) > 0 for x in [0, a, b, 5])",
    "a comprehension in a comprehension's iterable": "[x for x in [y + 1 for y in range(a)]]",
    "lambda": "(lambda x, y=t(a), *z, k=t(b), **w: (x, y, z, k, w))(1, k=2, m=3)",
    "lambda in a comprehension": "[sorted(range(3), key=lambda x: -x) for _ in range(2)]",
    "f-string": 'f"{a}{b!r:>4}-{a + b:{b}.{a}f}{{x}}"',
    "f-string conversions": "f\"{'é'!a} {'x'!r} {'y'!s:>3}\"",
    "f-string without values": 'f"{{}}" f"x"',
    "f-string with =": 'f"{a = } {a+b=:3d}"',
    "nested f-strings": """f"{f'{a}' + f'{b!r}'}" """,
    "percent": "'%d and %s' % (a, b), '%.3f' % a, 'x' 'y%%' % ()",
    "percent on an f-string": "f'{a}%d' % b",
    "percent on a number": "7 % b",
    "string methods": "'{:>5}|{x}'.format(a, x=b)",
    "bytes percent": "b'%d' % a",
    "await-free walrus": "(c := t(a)), c + 1",
    "walrus in a call": "t(c := a + 1) + c",
    "slices": "list(range(9))[a:b:2], list(range(9))[::-1], list(range(9))[:-a]",
    "ellipsis and constants": "(..., None, True, 1j, b'x', 1e400)",
    "starred return": "(*range(a), b)",
    "subscripted call result": "dict(a=[1])['a'][0]",
    "lambdas on a line": "[f(a) for f in (lambda x: x + 1, lambda x: x * 2, lambda x: -x)]",
}

CALLS = [(1, 2), (2, 1), (0, 4), (3, 3), (-1, 1)]


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions_do_what_they_did(expression):
    same(module(f"{LOGGED}\n    def f(a, b):\n        return {expression}\n").f, *CALLS)


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions_in_a_lambda_do_what_they_did(expression):
    same(module(f"{LOGGED}\n    f = lambda a, b: ({expression})\n").f, *CALLS)


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions_in_a_loop_do_what_they_did(expression):
    text = f"""{LOGGED}
    def f(a, b):
        i = 0
        while i < 2:
            if i or b:
                value = {expression}
            i += 1
        return value, a, b
    """
    same(module(text).f, *CALLS)


@pytest.mark.parametrize("call", [(1, 2), (2, 1), (1, 1), (5, 0)])
def test_a_chain_evaluates_each_operand_at_most_once(call):
    function = module(
        """
        def f(a, b):
            seen = []
            def see(x):
                seen.append(x)
                return x
            return see(a) < see(b) < see(3) < see(4), seen
        """
    ).f
    assert converted(function)(*call) == function(*call)


def test_a_single_comparison_stays_with_the_values():
    ops = EagerOps()
    assert converted(module("def f(a, b):\n    return a < b").f, ops)(1, 2)
    assert ops.calls == []


WALRUSES = {
    "while": """
        def f(xs):
            xs = iter(xs)
            while (x := next(xs, 0)) > 0:
                print(x)
            return x
    """,
    "while with else and break": """
        def f(xs):
            xs = iter(xs)
            while (x := next(xs, 0)) > 0 and (y := x * 2) < 20:
                if y == 6:
                    break
                print(x, y)
            else:
                print("else")
            return x
    """,
    "while with continue": """
        def f(xs):
            while n := len(xs):
                xs.pop()
                if n % 2:
                    continue
                print(n)
    """,
    "if and elif": """
        def f(xs):
            if (n := len(xs)) > 4:
                return n
            elif n and (m := xs[0]) > 2:
                return "m", m
            elif m := 5:
                return n, m
    """,
    "conditional expression": """
        def f(xs):
            a = (n := len(xs)) if xs else (m := -1)
            return a, n
    """,
    "arm of a conditional expression": """
        def f(xs):
            n = 0
            return (n := 5) + n if len(xs) > 2 else n
    """,
    "comprehension leaks": """
        def f(xs):
            big = [last for x in xs if (last := x * 2) > 3]
            return big, last
    """,
    "any finds a witness": """
        def f(xs):
            found = [y := x for x in xs]
            return found, y
    """,
    "running total": """
        def f(xs):
            total = 0
            return [total := total + x for x in xs], total
    """,
    "running total in a set and a dict": """
        def f(xs):
            total = 0
            a = sorted({(total := total + x) for x in xs})
            return a, {x: (total := total - x) for x in xs if x}, total
    """,
    "nested comprehension": """
        def f(xs):
            return [(x, y) for x in xs if (y := x + 1) for z in range(2) if (w := z)], 1
    """,
    "chain": """
        def f(xs):
            n = 3
            ok = 0 < len(xs) < (n := 4) <= (m := 6)
            return ok, n
    """,
    "order of evaluation": """
        def f(xs):
            a = 1
            return (a, [a, xs and (a := 2), a], a + (xs and (a := 3) or a), a)
    """,
    "assert": """
        def f(xs):
            assert (n := len(xs)) < 5, n
            return n
    """,
    "return of logic": """
        def f(xs):
            y = None
            return xs and (y := xs[0]) or y
    """,
    "for over a walrus": """
        def f(xs):
            for x in (ys := xs[1:]):
                print(x)
            return ys
    """,
    "subscript": """
        def f(xs):
            xs = xs or [1]
            xs[(i := 0)] += (j := 2)
            return xs, i, j
    """,
}


@pytest.mark.parametrize("text", WALRUSES.values(), ids=WALRUSES)
def test_a_walrus_binds_where_it_did(text):
    same(module(text).f, ([],), ([1],), ([2, 3, 4],), ([4, 1],), ([3, 3, 9, 9, 9, 1],))
