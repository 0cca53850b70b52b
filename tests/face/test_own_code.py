"""A program that gives a function other code, as decorators do that write their code when it is first called, runs that code."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from transpile import convert, hook

LAZY = '''
class Lazy:
    """Writes the code of a function when it is first called, and gives it to the function."""

    def __call__(self, f):
        def func(*args, __wrapper=None, **kwargs):
            return Lazy.compiled(__wrapper)(*args, **kwargs)

        func.__name__ = f.__name__
        func.__dict__.update(f.__dict__)
        func.__wrapped__ = f
        func.__kwdefaults__["_Lazy__wrapper"] = func
        return func

    @classmethod
    def compiled(cls, func):
        namespace = {"f": func.__wrapped__}
        exec("def func(x, *, _Lazy__wrapper=None):\\n    return f(x) + 1", namespace)
        func.__globals__.update(f=func.__wrapped__)
        func.__code__ = namespace["func"].__code__
        return func


lazy = Lazy()


@lazy
def total(x):
    return x.sum()


def twice(x):
    return 2 * total(x)
'''


@pytest.mark.parametrize("hooked", [False, True])
def test_a_decorator_that_writes_code_finds_what_it_wrapped(tmp_path: Path, hooked: bool) -> None:
    name = f"lazily_{hooked}"
    (tmp_path / f"{name}.py").write_text(LAZY)
    sys.path.insert(0, str(tmp_path))
    try:
        with hook.installed(name if hooked else "nothing_at_all"):
            module: Any = importlib.import_module(name)
    finally:
        sys.path.remove(str(tmp_path))
    for _ in range(3):
        assert module.total(np.ones(3)) == 4.0
        assert module.twice(np.ones(3)) == 8.0


def one(x: Any) -> Any:
    return x + 1


def two(x: Any) -> Any:
    return x + 2


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_code_that_the_program_gives_a_converted_function_runs(device: str) -> None:
    converted: Any = convert(one, device=device)
    for _ in range(2):
        assert converted(np.ones(2))[0] == 2.0
    converted.__code__ = two.__code__
    assert converted(np.ones(2))[0] == 3.0
    converted.calls.clear()
    assert converted(np.ones(2))[0] == 3.0
