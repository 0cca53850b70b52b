"""NumPy's reshaping do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from ..arrays.agreement import agree as agree_on
from .agreement import X, Z, agree, difference, in_layouts

BLOCKS = np.arange(48.0).reshape(6, 8)

CASES: list[tuple[Any, ...]] = [
    ("a.reshape(b)", X, -1),
    ("np.reshape(a,(b,2))", X, -1),
    ("a.reshape(b)", X, -2),
    ("a.reshape(b,c)", X, -1, -1),
    ("a.reshape(b,-1)", X, 6),
    ("a.reshape(-1,b)", X, 5),
    ("a.reshape(-1,b)", X, 0),
    ("a.reshape(b)", X, 12),
    ("a.reshape((2,6))", X),
    ("a.sum().reshape(())", X),
    ("np.reshape(a.sum(), ()), np.reshape(a.sum(), 1)", X),
    ("np.reshape(a, ())", 2.5),
    ("a.reshape(-1)", X),
    ("a.reshape(b, -1, copy=False)", X, 6),
    ("a.reshape(-1)", X.T),
    ("a.ravel()", X),
    ("a.ravel()", X.T),
    ("a.flatten()", X),
    ("a.flatten('F')", X),
    ("a.T.ravel('A'),a.T.flatten('A'),a.T.ravel('K'),a.ravel('A')", X),
    ("a.T.reshape((2,-1),order='A')", X),
    ("a.T.astype(a.dtype,order='A',copy=False)", X),
    ("b=np.broadcast_to(a[:,None],(a.shape[0],2,a.shape[1]))\nreturn b.ravel('A'),b.flatten('A')", X),
    ("np.broadcast_to(a[:,None],(a.shape[0],2,a.shape[1])).ravel('K')", X),
    ("a.T.ravel()", X),
    ("a[:,:2].ravel()", X),
    ("a[:2].ravel()", X),
    ("a.reshape(3,1,4)", X.T.reshape(4, 3).T),
    ("a.reshape(1,3,1,4,1)", X),
    ("a.reshape(6,2)", X),
    ("a.reshape(5,2)", X),
    ("a.reshape(-1,-1)", X),
    ("np.reshape(a,(4,3))", X),
    ("a.reshape(len(a)*4)", X),
    ("y=a[:]\ny.shape=(-1,b)\nreturn y", X, 6),
    ("y=a[:]\ny.shape=(4,-1)\ny[0]=1\nreturn y.shape", X),
    ("y=a[:]\ny.shape=(5,-1)\nreturn y", X),
    ("y=a.ravel()\ny[0]=5\nreturn y", X),
    ("y=a.T.ravel()\ny[1]=5\nreturn y", X),
    ("y=a.reshape(2,6)\ny[1]=5\nreturn a", X),
    ("y=a.flatten()\ny[1]=5\nreturn a", X),
    ("np.shape(a)", X),
    ("a.reshape(a.shape[0]//2,2,a.shape[1]//2,2).mean(axis=(1,3))", BLOCKS),
    ("a.reshape(3,2,4,2).swapaxes(1,2).reshape(3,4,4)", BLOCKS),
    ("n,m=a.shape\nreturn a.T.reshape(m*n)", BLOCKS),
    ("n,m=a.shape\nreturn a.T.reshape(m,1,n)", BLOCKS),
    ("n,m=a.shape\nreturn a.T.reshape(m*n,1)", BLOCKS),
    # The sizes at hand tell which axes go together.
    ("n,m=a.shape\nreturn a.reshape(n//b,b,m//b,b).transpose(0,2,1,3).reshape(-1,b*b)", BLOCKS, 2),
    (
        "n,m=a.shape\nt=a.reshape(n//b,b,m//b,b).transpose(0,2,1,3)\nreturn t.transpose(0,2,1,3).reshape(n,m)",
        BLOCKS,
        2,
    ),
    (
        "n,m=a.shape\nt=a.reshape(n,b,m//b).swapaxes(0,1)\nreturn t.swapaxes(0,1).reshape(n,m), t.reshape(b*n,-1)",
        BLOCKS,
        4,
    ),
    (
        "n,m=a.shape\nh=(n+2-3)//c+1\nd=np.zeros((n,m,3,h,h))\nreturn d.transpose(0,3,4,1,2).reshape(n*h*h,-1).shape",
        BLOCKS,
        2,
        1,
    ),
    # A view in another order than C's.
    (
        "n,m=a.shape\nt=a.reshape(2,n//2,2,m//2).transpose(2,3,0,1)\nr=t.reshape(m,n)\nr[0]=7\nreturn a,r,r*2",
        BLOCKS,
    ),
    (
        "n,m=a.shape\nr=a.reshape(n,2,-1).transpose(1,2,0).reshape(-1,n)\nr[0]=7\nreturn a,r.sum(axis=0)",
        BLOCKS,
    ),
    ("n,m=a.shape\nreturn a[:,::-1].reshape(n*m)", BLOCKS),
    ("n,m=a.shape\nreturn a[:,::-1].reshape(1,n*m)", BLOCKS),
    ("n,m=a.shape\nreturn a[1:-1,1:-1].reshape(-1)", BLOCKS),
    ("n,m=a.shape\nreturn a[1:-1,1:-1].ravel().sum()", BLOCKS),
    ("n,m=a.shape\nb=a.reshape(2,n//2,m)\nreturn b.transpose(1,0,2).reshape(n//2,2*m)", BLOCKS),
    ("n,m=a.shape\nreturn a[:,None,:].reshape(n*m)", BLOCKS),
    ("n,m=a.shape\nb=np.broadcast_to(a[0],(3,m))\nreturn b.reshape(3*m)", BLOCKS),
    ("n,m=a.shape\nreturn np.stack([a,a],axis=2).reshape(n,2*m)", BLOCKS),
    ("n,m=a.shape\nreturn np.transpose(a.reshape(n,m,1),(1,0,2)).reshape(m,n)", BLOCKS),
    ("b=np.zeros((6,8))\nb[:]=a\nc=b[:,:4].reshape(6,2,2)\nc[0]=5\nreturn b,c", BLOCKS),
    ("b=np.zeros((6,8))\nb[:]=a\nc=b[:,::2].reshape(3,2,2,2)\nreturn c*2,c", BLOCKS),
    (
        "b=np.zeros((6,8))+a\nreturn b.T.reshape(4,12),b[::2].reshape(3,2,4),b[:,4:].reshape(24),b[::-1].reshape(2,3,8)",
        BLOCKS,
    ),
    ("a.real.sum()", Z),
    ("a.imag.mean(axis=0)", Z),
    ("np.sqrt(a.real**2+a.imag**2)", Z),
    ("a.ravel()", BLOCKS[:, :4]),
    ("a.ravel('K')", BLOCKS.T),
    ("a.reshape(-1)*2", BLOCKS[::-1]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reshaping_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reshaping_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


def unfolded(x, n):
    rows = np.broadcast_to(x, (n, *x.shape)).swapaxes(0, 1)
    flat, tiled, turned = rows.ravel(), np.tile(rows, (2, 1)), rows.T.ravel()
    return flat, rows.reshape(-1, x.shape[1]), [each.flags.writeable for each in (flat, tiled, turned)]


def tiled(x):
    return np.tile(x, 2).flags.writeable, np.tile(x, (2, 1, 0)).flags.writeable, x.T.ravel().flags.writeable


def test_what_cannot_be_written_stays_so_where_it_is_empty() -> None:
    x = np.arange(6.0).reshape(2, 3)
    agree_on(unfolded, (x, 2), (x[:0], 2), (x, 0), (x[:1], 1), (x, 2), strict=False)
    x.flags.writeable = False
    agree_on(tiled, (x[:0],), (x,), (x[:, :0],), strict=False)
    agree_on(tiled, (x,), (x[:0],), strict=False)


def heads(x: Any, count: int) -> Any:
    parts = np.split(x, 3, axis=-1)
    length, width = parts[0].shape
    return [part.reshape(length, count, width // count).transpose(1, 0, 2) for part in parts]


def heads_of_what_is_left(x: Any, count: int) -> Any:
    part = x[:, : x.shape[1] // 3]
    part.reshape(part.shape[0], count, -1)[:, 0] += 1.0
    return part.reshape(part.shape[0], count, part.shape[1] // count).sum(axis=-1), x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [heads, heads_of_what_is_left])
def test_a_part_of_memory_is_split_by_what_run_time_gives(function: Any, device: str) -> None:
    converted = transpile.convert(function, strict=True, device=device)
    for length, width, count in ((9, 24, 4), (5, 24, 4), (9, 24, 2), (7, 12, 3), (1, 12, 3), (9, 12, 12)):
        x = np.arange(length * width * 3.0).reshape(length, width * 3)
        for found, expected in zip(converted(x.copy(), count), function(x.copy(), count), strict=True):
            assert not difference(expected, found)
            assert found.tolist() == expected.tolist()
    with pytest.raises(ValueError, match="cannot reshape array of size 32"):
        converted(np.ones((4, 24)), 5)
