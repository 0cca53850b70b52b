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


@pytest.mark.parametrize("key", [True, False, (None, ..., True), (True, False), np.True_, np.array(True)])
def test_truths_are_indices_of_numpys_numbers(key: object) -> None:
    def pick(x, key=key):
        return x[0][key], x.sum()[key]

    agree(pick, (np.array([1.5, -2.0]),), (np.array([3, 4]),), strict=False)


def test_a_truth_that_run_time_gives_is_an_index_of_a_number() -> None:
    def keep(x):
        number = x[0]
        return number[number > 0]

    agree(keep, (np.array([1.5]),), (np.array([-1.5]),))


@pytest.mark.parametrize("key", [0, (..., ...), (..., 0), [], [0], "a", 0.5, slice(None), np.array([True])])
def test_other_indices_of_numpys_numbers_raise_what_the_program_handles(key: object) -> None:
    def pick(x, key=key):
        try:
            return x[0][key]
        except IndexError as error:
            return str(error)

    agree(pick, (np.array([1.5, -2.0]),))


def test_an_index_of_a_known_number_is_not_refused_for_what_stands_for_it() -> None:
    def keep(x):
        number = np.float64(2.5)
        try:
            return number[x[0] > 0]
        except IndexError as error:
            return str(error)

    agree(keep, (np.array([1.5]),), (np.array([-1.5]),), strict=False)


def test_an_index_that_control_flow_decides_is_not_refused() -> None:
    def pick(x, k):
        key = None if k > 1 else True
        try:
            return x[0][key]
        except IndexError as error:
            return str(error)

    agree(pick, (np.array([1.5]), 2), (np.array([1.5]), 1), strict=False)
