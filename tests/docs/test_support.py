"""The page of what is supported is what tracing shows, and leaves nothing out."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from transpile.coverage import Kind, measure
from transpile.samples import Sample, samples
from transpile.support import methods_and_attributes, names_in, overridable, page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "numpy-support.md"


@pytest.mark.skipif(not np.__version__.startswith("2.4."), reason="the page is written with NumPy 2.4")
def test_page_is_current(check_text: Callable[[Path, str], None]) -> None:
    check_text(PAGE, page())


def test_every_function_is_called_in_a_sample() -> None:
    called = {sample.subject for sample in samples()}
    names = {
        *overridable(),
        *methods_and_attributes(),
        *names_in("numpy", np),
        *names_in("numpy.linalg", np.linalg),
        *names_in("numpy.fft", np.fft),
    }
    assert not sorted(names - called)


def test_what_a_graph_calls_decides_the_kind() -> None:
    kinds = {
        text: measure(Sample("", text))
        for text in ("np.sum(a)", "np.fliplr(a)", "np.fft.fft(v)", "np.asmatrix(a)", "np.add(a, v)")
    }
    found = [None if kind is None else kind.kind for kind in kinds.values()]
    assert found == [Kind.COMPILED, Kind.COMPILED, Kind.ROUTINE, Kind.LEFT, None]
