"""An error that a program handles is what Python and NumPy say of things that an operation does not take, to the letter."""

import pytest

from .execution import check

OPERATIONS = [
    "len(v)", "range(v)", "[1] + v", "v + [1]", "np.zeros(v)", "v @ v", "x[:v]", "[1] * v", "v * [1]", "(1,) * v", "'a' * v", "x.reshape(v)", "x.sum(axis=v)",
    "np.full(v, 1)", "np.eye(v)", "np.tri(v)", "np.linspace(0, 1, v)", "x[[v]]", "x[v]", "max(*v)", "(lambda a, b: 1)(*v)", "dict(**v)", "np.arange(v)",
    "list(reversed(v))", "next(v)", "-v", "~v", "'ab'[v]", "'a' + v", "v << 1", "v < 'a'", "v[0]", "{1: 2}[v]", "math.gcd(v, 2)",
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
