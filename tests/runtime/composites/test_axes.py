"""NumPy's axes do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.flip(a)", X),
    ("np.flip(a,0)", X),
    ("np.flip(a,(0,1))", X),
    ("np.flip(a,3)", X),
    ("np.fliplr(a)", X),
    ("np.flipud(a)", X.T),
    ("np.rot90(a)", X),
    ("np.rot90(a,2)", X),
    ("np.rot90(a,-1)", X),
    ("a[1:].T", X),
    ("a.transpose(1,0)", X),
    ("a.transpose((0,1))", X),
    ("np.transpose(a,(0,0))", X),
    ("np.transpose(a,(0,))", X),
    ("np.swapaxes(a,0,-1)", X),
    ("np.swapaxes(a,0,2)", X),
    ("np.moveaxis(a,0,-1)", X.reshape(3, 2, 2)),
    ("np.moveaxis(a,[0,1],[1,2])", X.reshape(3, 2, 2)),
    ("np.rollaxis(a,2)", X.reshape(3, 2, 2)),
    ("np.expand_dims(a,0)", X),
    ("np.expand_dims(a,(0,-1))", X),
    ("np.expand_dims(a,5)", X),
    ("a.squeeze()", X[:1]),
    ("np.squeeze(a,0)", X[:1]),
    ("np.squeeze([1, b])", X, 2),
    ("np.squeeze(np.zeros((3, int(b), 2)), axis=1)", X, 1.0),
    ("np.squeeze(np.zeros((3, int(b), 2)), axis=1)", X, 2.0),
    ("np.zeros((int(b), 2, int(c))).squeeze((0, -1))", X, 1.0, 1.0),
    ("np.squeeze([0] * b)", X, 2),
    ("np.squeeze(b)", X, 2),
    ("np.flip(a[0, 0], 0)", X),
    ("np.flip(a[:1, 0].reshape(()), -1)", X),
    ("np.flip(a[:1, 0].reshape(()), ())", X),
    ("np.argmax(a[:1, 0].reshape(()), ())", X),
    ("a[:1, 0].reshape(()).argmin((), keepdims=True)", X),
    ("np.repeat(a, 2, (0,))", X),
    ("np.repeat(a[:1, 0].reshape(()), 2, 0)", X),
    ("np.linspace(0, b, 3, axis=1)", X, 2.5),
    ("np.linspace(0, b, 3, axis=-1)", X, 2.5),
    ("np.logspace(0, b, 3, axis=None)", X, 2.5),
    ("np.squeeze(a[0, 0])", X),
    ("np.squeeze(a[0, 0], axis=())", X),
    ("a[0, 0].squeeze(())", X),
    ("np.squeeze(b, axis=())", X, 2),
    ("np.moveaxis(a[0, 0], (), ())", X),
    ("np.moveaxis(b, (), ())", X, 2),
    ("np.squeeze(a,0)", X),
    ("np.broadcast_to(a,(2,3,4))", X),
    ("np.broadcast_to(a,(b,4))", X[0], 3),
    ("np.broadcast_to(a,(3,))", X),
    ("np.broadcast_to(a,(4,5))", X[:, :2]),
    ("np.broadcast_to(a,(3,2))", X[:1, :2]),
    ("np.atleast_2d(a)", X[0]),
    ("np.atleast_1d(a)", 2.0),
    ("np.atleast_3d(a)", X),
    ("np.broadcast_arrays(a,b)[1]*2", X, X[0]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_axes_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_axes_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize(
    "body",
    [
        "return np.broadcast_to(a, (2, 3, 4)), np.broadcast_to(a, (3, 4)), np.broadcast_to(a, (2, 3, 4))[0]",
        "return np.diagonal(a), np.diag(a), a.diagonal(1)",
        "np.broadcast_to(a[0], (2, 4))[0][0] = 1",
        "a.diagonal()[:] = 1",
        "b = np.diag(a).copy()\nb[0] = 5\nreturn b",
    ],
)
def test_views_that_numpy_locks_are_not_written(body: str) -> None:
    agree(body, X)


def test_a_view_of_everything_is_another_object() -> None:
    agree("return a[:], a, a.reshape(a.shape), np.asarray(a)", X)
    agree("y = a[:]\nreturn y is a", X)


def test_what_has_no_axis_to_squeeze_is_handed_back_itself() -> None:
    agree("x = np.squeeze(a)\nreturn x is a, x", X)
    agree("x = a.squeeze()\nx[0] = 7\nreturn x is a, x", X)
    agree("x = a.squeeze(())\nreturn x is a, np.squeeze(a, axis=()) is a, x", X)
    agree("x = np.squeeze(a[:1])\nreturn x is a, x", X)


def test_any_order_is_that_which_an_array_has() -> None:
    for given in (X, X.T, X[:, ::2], X[::-1]):
        agree("x = np.asarray(a, order='A')\nreturn x is a, x, np.array(a, order='A', copy=None) is a", given)


def test_an_array_without_axes_that_is_flipped_is_a_number() -> None:
    agree("return np.flip(a[0, 0, ...], ()), np.flip(np.array(a[0, 0]))", X)


def test_what_has_the_dims_already_is_handed_back_itself_by_broadcast_arrays() -> None:
    agree("x, y = np.broadcast_arrays(a, 1)\nreturn x is a, x", X)
    agree("x, y = np.broadcast_arrays(a, a * 2)\nx[0] = 7\nreturn x is a, y", X)


@pytest.mark.filterwarnings("ignore:future versions will not create")
@pytest.mark.parametrize("body", ["np.broadcast_arrays(a, a[0])", "np.meshgrid(a[0], a[:, 0], copy=False)"])
def test_arrays_that_numpy_warns_of_writing_are_those_of_numpy(body: str) -> None:
    agree(body, X)
