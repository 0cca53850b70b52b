"""The bytes of arrays are what NumPy says, as they lie in memory."""

import pickle

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

X = np.arange(6.0).reshape(2, 3)
DEVICES = pytest.mark.parametrize("device", ["host", "cpu"])


def in_all_orders(x):
    y = x * 2
    found = x.tobytes(), x.T.tobytes(), x.tobytes("F"), x.tobytes(order="A"), x.T.tobytes("A"), y.tobytes("A")
    x[0, 0] = 9
    return found, x.tobytes()


def as_text(x):
    return str(x[0].tobytes()), f"{x[1].tobytes()}", [x.tobytes()] * 2


@DEVICES
@pytest.mark.parametrize("x", [X, np.asfortranarray(X)], ids=["C", "F"])
@pytest.mark.parametrize("function", [in_all_orders, as_text])
def test_bytes_are_numpys(function, x, device):
    assert convert(function, strict=True, device=device)(x.copy("K")) == function(x.copy("K"))


@DEVICES
def test_what_is_pickled_is_numpys(device):
    def pickled(x):
        return x.dumps(), x.T.dumps(), (x + 1).dumps()

    found = convert(pickled, strict=True, device=device)(X)
    assert found == pickled(X)
    assert pickle.loads(found[1]).flags.f_contiguous


@pytest.mark.parametrize(
    "body", [lambda x: len(x.tobytes()), lambda x: x.tobytes() + b"", lambda x: x.tobytes() in {b"": 1}]
)
def test_nothing_looks_into_bytes(body):
    with pytest.raises(StagingError, match=r"S313-bytes|S232-text"):
        convert(body, strict=True)(X)
