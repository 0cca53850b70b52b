"""Numbers are cast as NumPy casts them, and what does not fit raises what NumPy raises."""

import numpy as np
import pytest

from transpile import StagingError, convert

from .agreement import agree

DTYPES = "?bhilBHILfdFD"


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_number_takes_the_dtype_of_the_array_beside_it(dtype: str) -> None:
    def add(x, number):
        return x + number, number * x

    agree(add, *[(np.ones(3, dtype), number) for number in (True, 3, 2.5, np.float32(0.5), np.int64(7))])


@pytest.mark.parametrize("number", [-1, 255, 256, 127, -129, 2**31])
def test_an_integer_that_does_not_fit_raises_numpys_error(number: int) -> None:
    def add(x, number):
        return x + number

    agree(add, *[(np.ones(3, dtype), number) for dtype in "bBhl"])


def test_a_large_integer_is_refused_by_a_code() -> None:
    with pytest.raises(StagingError, match="S120-big-integer"):
        convert(lambda x: x + 2**64, strict=True)(np.ones(3, int))


def test_zeros_keep_their_sign_in_every_precision() -> None:
    for kind in (np.float32, np.float64, np.complex64):

        def zeros(x, kind=kind):
            return x - kind(-0.0), x * 0 + kind(0), np.copysign(x.real, -0.0)

        agree(zeros, (np.zeros(3, kind),))
