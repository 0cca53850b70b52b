"""An error that a program handles is what Python and NumPy say of things that an operation does not take, to the letter."""

import pytest

from .execution import check

OPERATIONS = [
    "len(v)", "range(v)", "[1] + v", "v + [1]", "np.zeros(v)", "v @ v", "x[:v]", "[1] * v", "v * [1]", "(1,) * v", "'a' * v", "x.reshape(v)", "x.sum(axis=v)",
    "np.full(v, 1)", "np.eye(v)", "np.tri(v)", "np.linspace(0, 1, v)", "x[[v]]", "x[v]", "max(*v)", "(lambda a, b: 1)(*v)", "dict(**v)", "np.arange(v)",
    "list(reversed(v))", "next(v)", "-v", "~v", "'ab'[v]", "'a' + v", "v << 1", "v < 'a'", "v[0]", "{1: 2}[v]", "math.gcd(v, 2)",
    "v // 2", "v % 2", "divmod(v, 2)", "v < 2", "2 >= v", "max(v, 1)", "min([v, 2])", "max(*[v, v])", "sorted([v, 1])",
    "'%s' % v", "'%s %s' % v", "'%d' % v", "'a' % v",
    "np.concatenate([x, v])", "np.concatenate([v, x])", "np.repeat(x, -1)", "deque([1], maxlen=v)",
]  # fmt: skip
THINGS = [
    "np.float32(1.5)", "np.int64(3)", "np.bool_(True)", "1.5", "3", "True", "1j", "None", "np.ones(())", "'a'", "[1]", "(1, 2)",
]  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_handlers_see_is_what_python_raises(operation: str) -> None:
    makers = "".join(
        f"def make_{n}():\n    return {thing}, np.zeros(3)\n\n" for n, thing in enumerate(THINGS)
    )
    names = ", ".join(f"make_{n}" for n in range(len(THINGS)))
    check(
        f"""
def f(v, x):
    x[0] = 1
    try:
        return {operation}
    except Exception as error:
        return type(error).__name__, str(error)

{makers}
CALLS = [{names}]
""",
        "host",
    )


STORES = [
    "x[0] = [1]", "x[0] = [v]", "x[0] = (v,)", "x[0] = []", "x[0] = [[1]]", "x[0] = w", "x[0] = w[:1]", "x[v] = [v]", "x[0, ...] = [1]", "x[0, ...] = w",
    "x[0] = range(2)", "x[:1] = [v]", "x[:] = [w]", "x[None] = [w]", "x[[0]] = [1]", "x[x > 5] = [1]", "y[0, 0] = [1]", "y[0] = [1]", "y[0] = [[1, 2]]",
    "y[0] = [w]", "y[0] = w", "y[:] = [[1, 2]]", "y[:] = [[[1, 2]]]", "y[...] = [w, w]", "x[0] += [1]", "x[0] += w", "x[v - 2] = w", "x[0] = [1] * v",
    "for i in range(v):\n            x[i] = [i]", "w[()] = [1, 2]", "x.fill([1])", "x.fill(w)", "x.fill([1, 1, 1])", "x.fill(np.ones(()))", "x[0] = np.ones(())", "x[0] = [np.ones(())]", "x[1:][0] = [v]",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float", "int", "bool", "complex"])
@pytest.mark.parametrize("store", STORES)
def test_a_sequence_is_stored_in_an_element_as_numpy_does(store: str, dtype: str) -> None:
    check(
        f"""
def f(v, x, y, w):
    x[1] += 1
    try:
        {store}
    except Exception as error:
        return type(error).__name__, str(error), repr(error.__cause__)

def make():
    return 2, np.ones(3, {dtype}), np.ones((2, 2), {dtype}), np.ones(2, {dtype})

def other():
    return 3, np.ones(4, {dtype}), np.ones((2, 2), {dtype}), np.ones(1, {dtype})

CALLS = [make, other]
""",
        "host",
    )
