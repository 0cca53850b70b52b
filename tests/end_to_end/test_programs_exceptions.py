"""Programs with `try` and `with`: what fails at run time, what fails for certain, and what is written and printed before."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()

CONFIG = {"rate": 0.5}


def vector(n, start=1.0):
    return lambda: (np.arange(start, start + n),)


def with_number(n, *numbers):
    return lambda: (np.arange(1.0, 1.0 + n), *numbers)


class Broken(Exception):
    def __init__(self, what, code=3):
        super().__init__(what)
        self.code = code


class Timer:
    def __init__(self):
        self.entered = 0
        self.left = 0

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, kind, error, traceback):
        self.left += 1
        return False


@programs(with_number(4, 2), with_number(4, 9), with_number(4, -1))
def index_or_default(x, i):
    try:
        y = x[i]
    except IndexError:
        y = -1.0
    return y * 2


@programs(with_number(4, 2), with_number(4, 0))
def division(x, n):
    try:
        share = 10 // n
    except ZeroDivisionError as error:
        print("handled", error)
        share = 0
    else:
        print("else")
    finally:
        print("finally")
    return x * share


@programs(with_number(5, 2), with_number(5, 7))
def writes_before_failing(x, i):
    x[0] = 100.0
    try:
        for k in range(3):
            x[i + k - 1] += k
    except IndexError:
        x[1] = -1.0
    return x.sum()


@programs(vector(4), vector(4, -2.0))
def raised_on_a_condition(x):
    try:
        for i in range(len(x)):
            if x[i] < 0:
                raise Broken("negative", 7)
        total = x.sum()
    except Broken as error:
        total = -float(error.code)
    return total


def checked(x):
    if x.ndim != 1:
        raise ValueError(f"{x.ndim} dims")
    return x * 2


@programs(vector(3), lambda: (np.ones((2, 2)),))
def raised_with_certainty(x):
    kind = "vector"
    try:
        kind = "tried"
        y = checked(x)
    except ValueError as error:
        print(error, kind)
        y = x.ravel()
    return y + 1


@programs(vector(3))
def key_of_a_dictionary(x):
    try:
        rate = CONFIG["missing"]
    except KeyError:
        rate = CONFIG["rate"]
    return x * rate


@programs(vector(3))
def state_before_a_certain_failure(x):
    seen = []
    try:
        x[0] = 5.0
        seen.append(x.sum())
        x[1] = 1 // 0
    except ZeroDivisionError:
        x[2] = seen[0]
    return x * 2


@programs(vector(5), vector(2), vector(0))
def returns_and_breaks(x):
    total = 0.0
    for i in range(10):
        try:
            if i == 4:
                break
            if i == 1:
                continue
            total += x[i]
        except IndexError:
            return -total
        finally:
            total += 0.5
    return total


@programs(vector(3), vector(0))
def in_a_staged_branch(x):
    y = 0.0
    if x.sum() > 1:
        try:
            y = x[1]
        except IndexError:
            y = 3.0
    return y


@programs(with_number(3, 1), with_number(3, 5))
def in_a_function_called(x, i):
    def element(k):
        try:
            return x[k]
        except IndexError:
            return 0.0

    return element(i) + element(0)


@programs(lambda: (np.array([[2.0, 0.0], [0.0, 4.0]]),), lambda: (np.zeros((2, 2)),))
def singular(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        b = np.full_like(a, np.nan)
    return b + 1


@programs(vector(3), vector(0))
def nested(x):
    try:
        try:
            y = x[1]
        except KeyError:
            y = 1.0
        finally:
            x += 1
    except IndexError:
        y = 2.0
    return y


@programs(vector(3), vector(3, 0.0))
def errstate(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = 1 / x
        if y[0] > 1e300:
            y[0] = 0.0
    return y


@programs(vector(3), gaps="S273-errstate")
def errstate_that_raises(x):
    try:
        with np.errstate(all="raise"):
            y = 1 / (x - 1)
    except FloatingPointError:
        y = x
    return y


@programs(vector(3), vector(3, 0.0))
def warnings_are_ignored(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=RuntimeWarning)
        y = 1 / x
    return y


@programs(vector(3), vector(3, 0.0), gaps="S281-warns")
def warnings_are_errors(x):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return 1 / x
    except RuntimeWarning:
        return -x


@programs(vector(3), gaps="S281-warns")
def some_warnings_are_ignored(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "divide by zero")
        return 1 / x


@programs(vector(3), gaps="S281-warns")
def warnings_are_counted(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("one", UserWarning)
    return x, len(caught)


@programs(vector(3), gaps="S281-warns")
def warnings_of_its_own(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("one", UserWarning)
    return x


@programs(vector(3), vector(0))
def managers(x):
    timer = Timer()
    with timer as t, contextlib.nullcontext(2.0) as two:
        for i in range(len(x)):
            x[i] *= two
            if i == 1:
                break
        t.entered += 1
    return x, timer.entered, timer.left


@programs(vector(3), vector(0))
def suppressed(x):
    y = 1.0
    with contextlib.suppress(IndexError):
        y = x[2]
    return y


@programs(with_number(3, 1), with_number(3, 5))
def leaving_with(x, i):
    for k in range(3):
        with Timer() as t:
            if k == i:
                return x * t.entered
            x = x + t.left + 1
    return x


@programs(with_number(3, 1), with_number(3, 5))
def printed_before_a_failure(x, i):
    print("before")
    try:
        y = x[i]
    except IndexError:
        y = 0.0
    return y


@programs(vector(3))
def prints_before_what_may_fail(x):
    try:
        for i in range(3):
            print(x[int(x[i])])
    except IndexError:
        print("short")
    return x


@programs(vector(3))
def prints_under_try(x):
    try:
        for v in x:
            print("item", v, f"{v:.3f}", sep="; ")
        print(x)
    finally:
        print("end")
    return x


@programs(with_number(2, 3), with_number(2, 3.5))
def text_that_may_fail(x, n):
    print("start")
    try:
        print(f"{n:d}")
    except ValueError as error:
        print(error)
    return x


@programs(lambda: (np.eye(2), 0), lambda: (np.eye(2), 1))
def class_that_is_asked_for_in_vain(x, axis):
    try:
        return x.sum(axis=axis)
    except np.linalg.once.LinAlgError:
        return x


@programs(with_number(3, 1), with_number(3, 5))
def reraised(x, i):
    try:
        return x[i]
    except IndexError:
        x[0] = 7.0
        raise


@programs(vector(3), gaps="S240-handled")
def returned_over_an_exception(x):
    try:
        print(CONFIG["missing"])
    finally:
        return x * 2  # noqa: B012


@programs(vector(3), vector(0))
def returned_over_a_return(x):
    try:
        return x[0]
    finally:
        return len(x)  # noqa: B012


@programs(vector(3))
def attribute_that_is_not_there(x):
    try:
        return x.units
    except AttributeError:
        return x.shape


@programs(vector(3), lambda: (3.0,))
def length_of_what_may_be_a_number(x):
    try:
        n = len(x)
    except TypeError:
        n = 1
    return n * 2


class Account:
    def __init__(self):
        self.n = 0
        self.log = []
        self.rate = 2.0

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *failure):
        self.n += 100


def with_account(*places):
    return [lambda i=i: (Account(), np.arange(4.0), i) for i in places]


@programs(*with_account(1, 9, 0))
def stores_around_a_failure(account, x, i):
    account.n += 1
    try:
        y = x[int(x[0]) + i]
    except IndexError:
        y = 0.0
        account.n += 10
    return y


@programs(*with_account(1, 9))
def an_object_that_manages(account, x, i):
    with account as entered:
        y = x[i] * entered.rate
    return y


@programs(*with_account(1, 9))
def an_object_that_manages_what_is_printed(account, x, i):
    with account:
        print("in")
        y = x[int(x[0]) + i]
    print("out")
    return y


@programs(*with_account(1, 9))
def a_log_that_is_kept(account, x, i):
    try:
        account.log.append(i)
        y = x[int(x[0]) + i]
        account.log.append("done")
    except IndexError as error:
        account.log.append(str(error))
        y = -1.0
    finally:
        account.n += 1
    return y


@programs(*with_account(0, 1, 9))
def state_from_turn_to_turn(account, x, i):
    for k in range(4):
        try:
            x[k] += x[int(x[k]) + i]
        except IndexError:
            x[0] = -5
            continue
        finally:
            account.n += 1
        account.rate *= 2
    return x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
