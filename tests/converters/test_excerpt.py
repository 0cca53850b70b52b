"""Functions are read from their own lines, at the places that they have in the file."""

import ast
import linecache
from types import CodeType, FunctionType

import numpy as np
import pytest

from transpile.converters import locate as locate_module
from transpile.converters.excerpt import parse_excerpt
from transpile.converters.locate import locate

# A file; every function in it is read from its own lines alone.
READ = '''\
import functools
import numpy as np

def first(x): return x

def documented(x):
    """Of several
lines."""
    return np.sum(x)
def ends_with_text(x):
    x()
    """
not a definition
    """

class A:
    @functools.cache
    def decorated(self,
        x):

        # how
# and why
        return self.__hidden + x

    class __B:
        def method(self, __x):
            def inner(y):
                return __x, y.__hidden
            return inner(__x)

        def after(self): pass

def outer(x):
    class C:
        def method(self):
            nonlocal x
            x = (
1,
                lambda: x)
            return self
    if x:
        def conditional():
            if 0:
                return
            global y
        return conditional
    return C
\tdef
'''.replace("\tdef\n", "")


def codes(text: str, file: str) -> list[CodeType]:
    """Gives the codes of all functions of a text."""
    pending, found = [compile(text, file, "exec")], []
    while pending:
        code = pending.pop()
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        if code.co_name in [n.name for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]:
            found.append(code)
    return found


def test_what_is_read_is_what_the_file_has() -> None:
    nodes = [node for node in ast.walk(ast.parse(READ)) if isinstance(node, ast.FunctionDef)]
    whole = {node.name + str(node.lineno): ast.dump(node, include_attributes=True) for node in nodes}
    found = [parse_excerpt(code, READ.splitlines(keepends=True)) for code in codes(READ, "<read>")]
    assert {n.name + str(n.lineno): ast.dump(n, include_attributes=True) for n in found if n} == whole
    assert len(whole) == 10


@pytest.mark.parametrize("name", ["first", "documented", "decorated", "ends_with_text"])
def test_a_function_is_found_without_reading_its_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = "<a file with functions>"
    linecache.cache[file] = (len(READ), None, READ.splitlines(keepends=True), file)
    (code,) = (code for code in codes(READ, file) if code.co_name == name)
    monkeypatch.setattr(locate_module, "_candidates", lambda text: {})
    found = locate(FunctionType(code, {"np": np}))
    assert found.node.lineno >= code.co_firstlineno
    assert found.class_name == ("A" if name == "decorated" else None)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x\n    x(\n1)\n",
        "def f(x):\n    return x\n    '''\n1'''\n",
        "def f(x):\n    return x\n    x = \\\n1\n",
        "async def f(x):\n    return x\n",
    ],
)
def test_lines_that_are_no_function_by_themselves_are_not_taken(text: str) -> None:
    code = next(c for c in compile(text, "f", "exec").co_consts if isinstance(c, CodeType))
    assert parse_excerpt(code, text.splitlines(keepends=True)) is None


def test_a_lambda_is_not_taken_for_the_function_around_it() -> None:
    text = "def f(x): return lambda: x\n"
    (outer,) = codes(text, "f")
    inner = next(constant for constant in outer.co_consts if isinstance(constant, CodeType))
    assert parse_excerpt(inner, [text]) is None and parse_excerpt(outer, [text]) is not None
