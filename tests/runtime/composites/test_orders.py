"""In which order results lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, agree, in_layouts

CUBE = np.arange(24.0).reshape(2, 3, 4)

CASES: list[tuple[Any, ...]] = [
    ("a.mean(axis=(0,2))", CUBE),
    ("a.swapaxes(0,1).copy()", CUBE),
    ("np.concatenate([a.T,a.T],axis=0)", CUBE),
    ("a.T+a.T", CUBE),
    ("np.where(a.T>3,a.T,0)", CUBE),
    ("a.transpose(1,0,2)*b", CUBE, np.ones((3, 2, 4))),
    ("a.transpose(1,2,0).sum(axis=1)", CUBE),
    ("a.transpose(1,2,0).cumsum(axis=1)", CUBE),
    ("np.stack([a.T,a.T],axis=1)", CUBE),
    ("np.zeros_like(a.transpose(1,2,0))", CUBE),
    ("np.copy(a.transpose(1,2,0))", CUBE),
    ("a.transpose(1,2,0).astype(int)", CUBE),
    ("np.roll(a.transpose(1,2,0),1,axis=1)", CUBE),
    ("np.broadcast_to(a,(2,3,4)).copy('K')", CUBE[0, 0]),
    ("np.broadcast_to(a[:,None],(3,4)).copy('K')", CUBE[0, :, 0]),
    ("np.zeros_like(np.broadcast_to(a,(3,4)))", CUBE[0, 0]),
    ("(np.broadcast_to(a,(3,4))*2)", CUBE[0, 0]),
    ("np.where(np.broadcast_to(a,(3,4))>1,1.,2.)", CUBE[0, 0]),
    ("np.broadcast_to(a,(3,4)).astype(int)", CUBE[0, 0]),
    ("a[:,:1].T.copy('K')", X),
    ("np.array(a[:,:1].T)", X),
    ("a[:, :, 0].T.ravel('K')", CUBE),
    ("np.asfortranarray(a)", CUBE),
    ("a.ravel('F')", CUBE),
    ("a.flatten('F')", CUBE),
    ("np.moveaxis(a,2,0).mean(axis=1)", CUBE),
    ("a.argmin(axis=1)", CUBE),
    ("a.max(axis=(0,1),keepdims=True)", CUBE),
    ("a@b", CUBE, np.ones((4, 2))),
    ("np.matmul(a,b)", CUBE, CUBE.swapaxes(1, 2)),
    ("np.dot(a[0],b)", CUBE, np.ones(4)),
    ("np.diff(a.T,axis=1)", CUBE),
    ("np.flip(a.T,1).copy()", CUBE),
    ("np.repeat(a.T,2,axis=1)", CUBE),
    ("np.tile(a.T,(2,1,1))", CUBE),
    ("np.expand_dims(a.T,1)*1", CUBE),
    ("np.clip(a.transpose(1,0,2),1,b)", CUBE, 5),
    ("np.round(a.T)", CUBE),
    ("a.T.std(axis=0)", CUBE),
    ("np.isclose(a.T,b)", CUBE, CUBE.T.copy()),
    ("np.full_like(a.T,3)", CUBE),
    ("np.empty_like(a.T).strides", CUBE),
    ("np.select([a.T>3],[a.T],0)", CUBE),
    ("np.tril(a.T)", CUBE),
    ("np.nansum(a.T,axis=0)", CUBE),
    ("np.cross(a[0,:,:3].T,a[1,:,:3].T)", CUBE),
    ("np.meshgrid(a,a,indexing='ij')", CUBE[0, 0]),
    ("np.outer(a.T,a.T)", CUBE[:, :2, :2]),
    ("np.append(a.T,a.T,axis=0)", CUBE),
    ("np.append(a.T,1)", CUBE),
    ("np.vstack([a.T[0],a.T[1]])", CUBE),
    ("np.column_stack([a[0].T,a[0].T])", CUBE),
    ("np.hstack([a.T,a.T])", CUBE),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_results_lie_in_memory_as_those_of_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_results_lie_alike_for_arguments_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
