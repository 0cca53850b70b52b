"""Every form of index, for reading and for writing: what is made of all kinds of parts, in all orders."""

from __future__ import annotations

import itertools

import pytest

from transpile.samples import Sample

from .differential import Refused, differs
from .variants import Variant, chosen, is_chosen

# Parts of an index of `c`, which has 2, 3 and 4 elements along its axes.
_PARTS = (
    "1",
    "-1",
    "n - 2",
    ":",
    "1:",
    "::-1",
    "...",
    "None",
    "[1, 0]",
    "j % 2",
    "j[:, None] % 2",
    "np.array(1)",
    "M[0, 1:3]",
    "t[:2]",
    "M[:2, :3]",
    "M.T[:3]",
    "[]",
)
_STORES = (
    "c[{}] = 7",
    "c[{}] += 1",
    "c[{}] = c[{}]",
    "np.add.at(c, np.s_[{}], 1)",
    "c[{}] = v[:1]",
    "c[{}] = w",
)


def _indices() -> list[str]:
    found = [", ".join(parts) for count in (1, 2, 3) for parts in itertools.product(_PARTS, repeat=count)]
    return [text for text in found if text.count("...") < 2]


def _samples() -> list[Sample]:
    reads = [Sample("indexing", f"c[{index}]") for index in _indices()]
    writes = [Sample("indexing", store.format(index, index)) for index in _indices() for store in _STORES]
    return [sample for sample in reads if is_chosen(sample, 10)] + [
        sample for sample in writes if is_chosen(sample, 60)
    ]


def _differences(samples: list[Sample], device: str) -> list[str]:
    found = []
    for sample in samples:
        (variant,) = chosen(sample, 1)
        variant = Variant(
            variant.dtype, variant.layout if variant.layout not in _SHAPES else "C", variant.extreme
        )
        try:
            text = differs(sample, variant, device)
        except Refused:
            continue
        found += [f"{sample.text} [{variant}]: {text}"] if text else []
    return found


# The layouts that are other shapes.
_SHAPES = ("0-d", "one element", "empty", "empty at the end")
_ALL = _samples()


@pytest.mark.parametrize("part", range(8))
def test_indices_of_all_kinds_agree_with_numpy(part: int) -> None:
    found = _differences(_ALL[part::8], "host")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("part", range(8))
def test_compiled_indices_agree_with_numpy(part: int) -> None:
    found = _differences([sample for sample in _ALL if is_chosen(sample, 32)][part::8], "cpu")
    assert not found, "\n".join(found)
