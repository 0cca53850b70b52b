"""NumPy's joining do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from .agreement import F32, I8, X, agree, function_of, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.concatenate([a,b])", X, X.astype(F32)),
    ("np.concatenate([a,b],axis=1)", X, X),
    ("np.concatenate((a,b),axis=None)", X, X[0]),
    ("np.concatenate([np.float32(a),b,2.5],axis=None)", X[0], 1e-30),
    ("np.concatenate([np.int8(1),b,c,300],axis=None)", 0, 200, -3),
    ("np.concatenate([np.int8(1),b,True,300],axis=None)", 0, 2.5),
    ("np.concatenate([np.float16(a),b,1j],axis=None)", 0.5, 2),
    ("np.concatenate([a,b,c],axis=None)", 1, True, 2.5),
    ("np.concatenate([a,np.float64(b),1],axis=None)", X[0].astype(F32), 2.5),
    ("np.concatenate([a,[b,1]],axis=None)", X[0].astype(F32), 2.5),
    ("np.concatenate([np.int8(a),b],axis=None,dtype=np.int16)", 1, 300),
    ("np.concatenate([np.float32(a),b],axis=None,casting='no')", 1, 300),
    ("np.concatenate([a[0],b],axis=None,casting='no')", I8, X[0]),
    ("np.concatenate([a,b])", X, X[:, :2]),
    ("np.concatenate([a,b])", X, X[0]),
    ("np.concatenate([a,[1,2]])", X[0]),
    ("np.concatenate([a,b],out=c)", X[0], X[1], np.zeros(8)),
    ("np.concatenate([a,b],dtype=np.float32)", X, X),
    ("np.concatenate([a,a],axis=1)", X.T),
    ("np.concatenate([a])", 3.0),
    ("np.concatenate([a,b],axis=2)", X, X),
    ("np.concatenate([a,b])", I8, X[0]),
    ("np.stack([a,b])", X, X),
    ("np.stack([a,b],axis=-1)", X, X),
    ("np.stack([a,b],axis=1)", X.T, X.T),
    ("np.stack([a,b])", X, X[:2]),
    ("np.stack([a,b])", 1.0, 2),
    ("np.vstack([a,b])", X, X[0]),
    ("np.hstack([a,b])", X[0], X[1]),
    ("np.hstack([a,b])", X, X),
    ("np.column_stack([a,b])", X[0], X[1]),
    ("np.column_stack([a,b])", X[:, 0], X),
    ("np.dstack([a,b])", X, X),
    ("np.append(a,b)", X, 3.0),
    ("np.append(a,b,axis=0)", X, X),
    ("np.vstack(a)", X.reshape(3, 2, 2)),
    ("np.diff(a)", X),
    ("np.diff(a,axis=0)", X),
    ("np.diff(a,2)", X),
    ("np.diff(a>3)", X),
    ("np.diff(a,prepend=0)", X),
    ("np.roll(a,1)", X[0]),
    ("np.roll(a,-2,axis=1)", X),
    ("np.roll(a,b)", X, 5),
    ("np.roll(a,b,axis=0)", X, -7),
    ("np.roll(a,(1,2),axis=(0,1))", X),
    ("np.roll(a,1,axis=0)", X.T),
    ("np.roll(a,b)", X[0, :0], 2),
    ("np.tile(a,3)", X),
    ("np.tile(a,(2,1))", X[0]),
    ("np.tile(a,(1,1))", X.T),
    ("np.repeat(a,2)", X),
    ("np.repeat(a,b,axis=0)", X, 2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_joining_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_joining_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize(
    "things", ["(x for x in a)", "map(abs, a)", "{0: a, 1: a}.values()", "iter([a, a])", "zip(a, a)", "3"]
)
@pytest.mark.parametrize(
    "name", ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "astype", "copyto"]
)
def test_what_is_no_sequence_is_refused_in_numpys_words(name: str, things: str) -> None:
    second = {"astype": ", float", "copyto": ", a"}.get(name, "")
    function = function_of(
        f"try:\n    return np.{name}({things}{second})\nexcept Exception as error:\n"
        "    return type(error).__name__, str(error)",
        "a",
    )
    assert convert(function, device="host")(X.copy()) == function(X.copy())
