"""What somebody sees who does something wrong, or asks for what cannot be."""

import io
import re
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from transpile import ConversionError, FallbackWarning, StagingError, convert

X = np.arange(4.0)


def makes_a_class(x):
    class Inside:
        pass

    return x


def gives_a_set(x):
    return {1, 2} if x[0] > 2 else "a"


def shown(error: BaseException) -> str:
    output = io.StringIO()
    traceback.print_exception(error, file=output)
    return output.getvalue()


@pytest.mark.parametrize("function, kind", [(makes_a_class, ConversionError), (gives_a_set, StagingError)])
def test_strict_error_shows_the_users_lines_and_few_of_ours(function: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        convert(function, strict=True)(X)
    text = shown(caught.value)
    assert text.count('  File "') <= 6 and text.count("Traceback") == 1
    assert re.search(rf"{re.escape(Path(__file__).name)}:\d+:\d+, in {function.__name__}\n", text)


def test_warning_that_is_made_an_error_is_shown_alone() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        with pytest.raises(FallbackWarning) as caught:
            convert(lambda x: makes_a_class(x))(X)
    assert shown(caught.value).count("Traceback") == 1


def test_device_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="device is 'cpu' or 'host', not 'gpu'"):
        convert(makes_a_class, device="gpu")


@pytest.mark.parametrize("thing", [len, np, np.add, "text"])
def test_what_cannot_be_converted_is_named(thing: Any) -> None:
    with pytest.raises(TypeError, match=re.escape(repr(thing))):
        convert(thing)


def fills(x, n):
    total = 0.0
    for i in range(2):
        total += np.ones((n, n)).sum() + x[i]
    return total


def says_what_it_fills(x, n):
    print("fills", n)
    return np.ones((n, n)).sum() + x[0]


@pytest.mark.parametrize("function", [fills, says_what_it_fills])
@pytest.mark.parametrize("calls", [1, 500])
def test_lack_of_memory_is_said_as_numpy_says_it(
    function: Callable[..., Any], calls: int, capsys: pytest.CaptureFixture[str]
) -> None:
    converted = convert(function, strict=True)
    for _ in range(calls):
        assert converted(X, 3) == function(X, 3)
    said = []
    for way in (function, converted):
        capsys.readouterr()
        with pytest.raises(MemoryError) as caught:
            way(X, 10**8)
        said.append((str(caught.value), capsys.readouterr().out))
    assert said[0] == said[1] and "(100000000, 100000000)" in said[0][0]
