"""Calls that are left to the original after they have warned or logged: each warning and record is shown once, where and as often as by plain Python."""

import logging
import threading
import time
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.ops import told

DEVICES = ("host", "cpu")


class Kept(logging.Handler):
    """Keeps what a logger shows."""

    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append((record.name, record.levelname, record.getMessage(), record.lineno))


class OwnLogger(logging.Logger):
    """Calls its handlers in a way of its own."""

    def callHandlers(self, record):
        super().callHandlers(record)


kept = Kept()
logger = logging.getLogger(__name__)
own = OwnLogger(f"{__name__}.own")
for _logger in (logger, own):
    _logger.addHandler(kept)
    _logger.setLevel("INFO")
    _logger.propagate = False


def grows(n):
    logger.info("n is %d", n)
    product = 1
    for k in range(n):
        product *= 3
        logger.debug("nobody sees this")
        if k % 20 == 0:
            logger.warning("at %d: %d", k, product % 7)
    return product


def grows_warned(n):
    product = 1
    for _ in range(n):
        warnings.warn("again", stacklevel=1)
        product *= 7
    return product


def caught(n):
    a = np.ones(3)
    warnings.warn("one", UserWarning, stacklevel=1)
    try:
        return a[n]
    except IndexError as error:
        warnings.warn("two", stacklevel=1)
        return str(error)


def divides_first(n):
    a = np.arange(3.0) / (np.arange(3.0) - n)
    warnings.warn("one", stacklevel=1)
    return a


def divides_last(n):
    logger.info("dividing")
    warnings.warn("one", stacklevel=1)
    return np.arange(3.0) / (np.arange(3.0) - n)


def divides_between(n):
    total = 0.0
    for k in range(4):
        if k == n:
            logger.error("zero")
        total += float((np.ones(3)[k:] / (np.arange(3.0)[k:] - n)).max(initial=0))
        warnings.warn("same", stacklevel=1)
    return total


def in_place(n):
    a = np.arange(4.0)
    for k in range(n):
        warnings.warn("same", stacklevel=1)
        a[k] += 1
        a[k] /= k - 1
    return a


def library_warns(n):
    c = np.polyfit(np.arange(3.0), np.arange(3.0), 5)
    logger.info("fitted")
    return c / n


def casts(n):
    z = np.arange(3) * 1e30 + 1j
    return np.array(z[n:], dtype="i1"), z.astype(float) / (np.arange(3) - n)


def sums(n):
    logger.info("sums")
    return np.array([1e308, 1e308, n]).sum()


def logs_otherwise(n):
    own.warning("n is %d", n)
    return n * 2


CASES = [
    (grows, 5), (grows, 60), (grows_warned, 30), (caught, 1), (caught, 5), (divides_first, 1), (divides_first, 9), (divides_last, 1),
    (divides_last, 9), (divides_between, 2), (in_place, 4), (in_place, 1), (library_warns, 1), (library_warns, 0), (casts, 0), (casts, 3), (sums, 3),
    (logs_otherwise, 5),
]  # fmt: skip


def outcome(function, n, action):
    kept.records = []
    globals().pop("__warningregistry__", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        warnings.filterwarnings("ignore", ".*plain Python.*")
        try:
            result = repr(function(n))
        except Exception as error:
            result = type(error), str(error)
    return result, [(each.category, str(each.message), each.lineno) for each in caught], kept.records


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("action", ["always", "default", "once", "error"])
@pytest.mark.parametrize("function, n", CASES)
def test_what_is_told_is_told_once(function, n, action, device):
    expected = outcome(function, n, action)
    converted = convert(function, device=device)
    for _ in range(3):
        assert outcome(converted, n, action) == expected


@pytest.mark.parametrize("function", [grows, grows_warned, caught, divides_last, library_warns])
def test_what_tells_compiles(function):
    outcome(convert(function, strict=True), 3, "always")


# -- what NumPy warns of, before and after what the original could not do anew ----------------------------------------------


def timed(a, b):
    start = time.perf_counter()
    c = a / b
    print(time.perf_counter() - start > 0)
    return c


def timed_between(a, b):
    start = time.perf_counter()
    c = a / b
    print(time.perf_counter() - start > 0)
    d = np.sqrt(a - 2) + np.log(b)
    print(time.perf_counter() - start > 0)
    return c, d


def timed_in_turns(a, b):
    total = 0.0
    for k in range(3):
        start = time.time()
        total += a[k] / b[k] + np.exp(a[k] * 800)
        print(time.time() - start >= 0)
        a *= 1.5
    return total


def timed_on_one_way(a, b):
    start = time.time()
    if a[0] > 1:
        print(time.time() - start >= 0)
    return (a / b).sum(), np.maximum(a / b, 1)


def sleeps(a, b):
    time.sleep(0)
    a[:] = a / b
    time.sleep(0)
    a += 1
    return np.maximum(a, 1 / b)


@pytest.mark.parametrize("action", ["always", "default", "error"])
@pytest.mark.parametrize("zero", [0.0, 3.0])
@pytest.mark.parametrize("function", [timed, timed_between, timed_in_turns, timed_on_one_way, sleeps])
def test_numpy_warns_before_and_after_what_is_final(function, zero, action, capsys):
    def called(function, scale):
        def call(_):
            a, b = np.ones(3) * scale, np.array([1.0, zero, 2.0])
            return function(a, b), a

        return outcome(call, None, action), capsys.readouterr()

    converted = convert(function, strict=True) if action != "error" else convert(function)
    for scale in (1, 1, 2):
        assert called(converted, scale) == called(function, scale)


def test_other_threads_are_told_meanwhile():
    def warn_there(_):
        thread = threading.Thread(target=warnings.warn, args=("again",))
        thread.start()
        thread.join()
        return False

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with told._asked(warn_there):
            warnings.warn("here", stacklevel=1)
        shown = [str(each.message) for each in caught]
        assert shown == ["again", "here"]
        message = caught[-1]
    assert told._of_warning(message)[1] == "here"
    assert not told._under_way


def test_what_is_missing_is_passed_over():
    keys = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with told.noting(keys):
            for text in ("a", "b", "c"):
                warnings.warn_explicit(text, UserWarning, "file", 1)
        with told.passing_over(keys):
            for text in ("b", "a", "c", "c", "d"):
                warnings.warn_explicit(text, UserWarning, "file", 1)
    assert [str(each.message) for each in caught] == ["a", "b", "c", "a", "c", "d"]
