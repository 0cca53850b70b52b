"""Functions made of text are functions with source."""

import inspect

import transpile
from transpile.written import written


def test_functions_made_of_text_have_source_and_convert() -> None:
    made = written("double", ["x", "y"], "x * 2 + offset + y", {"offset": 3})
    assert inspect.getsource(made) == "def double(x, y):\n    return x * 2 + offset + y\n"
    assert transpile.convert(made, strict=True, device="host")(4, 1) == made(4, 1) == 12
