"""Printed trees parse to the trees that they were."""

import ast
import sys
import textwrap
import warnings
from pathlib import Path

import numpy
import pytest

from transpile.converters.print_expressions import WIDTH
from transpile.converters.unparse import unparse

from .sweep import module_files

EXPRESSIONS = """
a
-1 ** 2
(-1) ** 2
2 ** -1
2 ** 3 ** 4
(2 ** 3) ** 4
(a + b) * c
a - (b - c)
a - b - c
- -a
not a == b
(not a) == b
not not a
a and (b and c)
(a or b) and c
a or b and c
a < b < c
(a < b) < c
a < (b < c)
a if b else c if d else e
(a if b else c) if d else e
a if (b if c else d) else e
lambda: a
lambda *a, b=1, **c: (a, b)
lambda a, /, b, *, c: lambda: a
(lambda: a)()
(a, b), c
a,
()
[a, (b, c)]
a[1:2, ::3]
a[1,]
a[()]
a[b, c]
a[(b := 1)]
a[lambda: b, :c]
a[:, None, ...]
f(*a, *b or c, d=1, **e)
f(x for x in y)
f((x for x in y), 1)
f((yield), (a := 1))
1 .real
1.5.real
(-1).real
1e400
1e400j
{**a, 'b': c, **(d or e)}
{1}
{*a, *b}
[x for x in (a if b else c) if (d if e else f)]
{x: y for x, (y, *z) in a for b in c}
[lambda: x for x in y]
await_(a)
(a, *b)
a @ b // c % d
a << b >> c & d | e ^ f
~a ** -b
'it\\'s "x"'
b'\\x00'
u'x'
f'{a}'
f'{a!r:>{b}} {{}}'
f'{a:{b}.{c}f}'
f"{a['b']}"
f"{'a' + f'{b}'}"
f'''{a["b"] + c['d']}'''
f'{a = }'
f'{(lambda: a)}'
f'{ {1: 2}[1] }'
f'{(a := 1)}'
f'{a, b}'
f'\\n{a}\\t\\\\{b}\\''
f'{a:%H\\n}'
f''
(yield_)
a is not b not in c
"""


@pytest.mark.parametrize("text", [line for line in EXPRESSIONS.splitlines() if line])
def test_expressions_print_with_the_fewest_parentheses(text):
    tree = ast.parse(text)
    printed = unparse(tree)
    assert ast.dump(ast.parse(printed)) == ast.dump(tree)
    assert len(printed.strip()) <= max(len(text), 3) + 3


STATEMENTS = """
    x: int = 1
    (x): int
    a, b = *c, d = e
    a.b, c[d] = e
    for a, b in c, d: pass
    for x in (yield): pass
    async def f(): return [await x async for y in z]
    def f(a, b: int = 1, /, c=2, *d: str, e, f=3, **g: float) -> None: return a, *b
    def f(): x = yield; y = yield x; yield a, b; return (yield)
    def f(): yield from (yield)
    class A: pass
    class A(B, metaclass=C): x = 1
    @a.b(c)
    def f(): pass
    with a as b, c as (d, e): pass
    with (a, b): pass
    with ((a, b)): pass
    with (yield): pass
    try: a
    except* (b, c) as d: e
    try:
        try: a
        except b: c
    except* d: e
    else: f
    finally: g
    match a, b:
        case [1, -2.5, 3 + 4j, None, "x", *_] if c: pass
        case {"a": b.c, **rest} | {}: pass
        case A(b, c=(d as e) | f): pass
        case (1 | 2) as g: pass
        case [(a | b) as c, *d]: pass
        case (a, b): pass
        case A() | _: pass
    del a, (b, c), d[e]
    global a, b
    import a.b as c, d
    from . import a
    from ..b import c as d
    assert a, (b, c)
    raise a from b
    if a: b
    elif c: d
    else: e
    while (a := b): c
    else: d
    a += b, c
    (a := 1)
    a, b
    lambda: (yield)
    print(*a if b else c)
    return_ = a if b else lambda: c
"""


def test_all_statements_are_the_same_again():
    tree = ast.parse(textwrap.dedent(STATEMENTS))
    for statement in tree.body:
        printed = unparse(statement)
        assert ast.dump(ast.parse(printed).body[0]) == ast.dump(statement), printed
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of 3.12")
def test_type_parameters_are_the_same_again():
    tree = ast.parse(
        "type A[T: int, *U, **V] = list[T]\ndef f[T](x: T): pass\nclass B[T: (int, str)](C): pass\n"
    )
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


def test_long_lines_are_broken_at_brackets():
    names = ", ".join(f"argument_number_{number}" for number in range(6))
    tree = ast.parse(
        f"def f():\n    x = function({names}, [{names}], key=({names}), **{{'a': 1}})\n    return ({names}),\n"
    )
    printed = unparse(tree)
    assert ast.dump(ast.parse(printed)) == ast.dump(tree)
    assert max(map(len, printed.splitlines())) <= WIDTH + 2
    assert "function(\n        argument_number_0,\n" in printed


def test_docstrings_keep_their_lines():
    tree = ast.parse('def f():\n    """One.\n\n    Two \\\\ "three".\n    """\n')
    printed = unparse(tree)
    assert '"""One.\n\n    Two' in printed
    assert ast.dump(ast.parse(printed)) == ast.dump(tree)


def test_nothing_is_written_around_an_expression():
    assert unparse(ast.parse("lambda x: x + 1", mode="eval").body) == "lambda x: x + 1"


FILES = module_files(Path(ast.__file__).parent, 300) + module_files(Path(numpy.__file__).parent, 80)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(8))
def test_files_are_the_same_again(start):
    for file in FILES[start::8]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read_bytes())
            assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree), file
