"""Sample calls of every function do what NumPy does: in some dtypes, layouts and shapes each, which `make sweep` tries all of."""

from __future__ import annotations

import numpy as np
import pytest

from transpile.samples import Sample, samples

from .differential import Refused, differs
from .variants import DTYPES, LAYOUTS, Variant, chosen, covering, is_chosen

# Of every sample call, how many variants are run on the host; and one of how many calls is compiled, in one variant.
_VARIANTS, _COMPILED = 2, 16
# What is known to differ: NumPy fails in what dispatches to the function, which tracing leaves out; there are no warnings after one that cannot be taken back.
_KNOWN = ("np.poly(v[:3])", "np.polyfit(w, v, 1, w=w)")
# Parts of the work, for several processes.
_PARTS = 24

_ALL = [sample for sample in samples() if sample.text not in _KNOWN]


def _differences(sample: Sample, variants: list[Variant], device: str) -> list[str]:
    found = []
    for variant in variants:
        try:
            text = differs(sample, variant, device)
        except Refused:
            continue
        found += [f"{sample.text} [{variant}]: {text}"] if text else []
    return found


@pytest.mark.skipif(
    not np.__version__.startswith("2.4."), reason="layouts and messages are those of NumPy 2.4"
)
@pytest.mark.parametrize("part", range(_PARTS))
def test_sample_calls_agree_with_numpy(part: int) -> None:
    found = [
        text
        for sample in _ALL[part::_PARTS]
        for text in _differences(sample, chosen(sample, _VARIANTS), "host")
    ]
    assert not found, "\n".join(found)


@pytest.mark.skipif(
    not np.__version__.startswith("2.4."), reason="layouts and messages are those of NumPy 2.4"
)
@pytest.mark.parametrize("part", range(_PARTS))
def test_compiled_sample_calls_agree_with_numpy(part: int) -> None:
    compiled = [sample for sample in _ALL if is_chosen(sample, _COMPILED)]
    found = [
        text for sample in compiled[part::_PARTS] for text in _differences(sample, chosen(sample, 1), "cpu")
    ]
    assert not found, "\n".join(found)


def test_variants_are_chosen_by_the_text_alone() -> None:
    sample = Sample("", "np.sum(a)")
    assert chosen(sample, 3) == chosen(Sample("other", "np.sum(a)"), 3)
    assert all(
        isinstance(argument, np.ndarray)
        for variant in chosen(sample, 3)
        for argument in variant.arguments(sample)
    )


def test_a_sweep_has_every_dtype_layout_and_kind_of_numbers() -> None:
    for sample in _ALL[:40]:
        every = covering(sample)
        assert {variant.dtype for variant in every} == set(DTYPES)
        assert {variant.layout for variant in every} == set(LAYOUTS)
        assert {variant.extreme for variant in every} == {False, True}
