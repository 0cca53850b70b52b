"""Programs that were found to differ once, made smaller."""

import pytest

from .execution import check

# Each by its claim. Those of `WHOLE` compile whole.
FOUND = {
    "zeros of single precision keep their sign": """
def f(x):
    x[0] -= -0.0
    x.fill(0)

def arguments():
    return np.arange(2, dtype=np.float32),
""",
    "a view of all is another object": """
def f(x):
    y = x.view()
    y[0] = 3
    return y, x.view(x.dtype)

def arguments():
    return np.ones(4),
""",
    "a stream is the one that stands there now": """
def f(x):
    print(x, file=sys.stderr)

def arguments():
    return 2.5,
""",
    "the number that an index is computed of is kept": """
def f(x):
    x[0 % len(x)] = 1
    x[2] = 0

def arguments():
    return np.arange(5),
""",
    "an array of one element is no element": """
def f(x):
    x[0] = x

def arguments():
    return np.array([1]),
""",
    "texts are joined": """
def f(x):
    print('<' + f'{x!r}' + '>')

def arguments():
    return 3,
""",
    "text that run time gives is compared": """
def f(x):
    if f'{x}' == '3' and len(f'{x}') == 1:
        return 1
    return 2

def arguments():
    return 3,
""",
    "an integer beside narrower ones wraps in numpy.where": """
def f(x, n):
    b = np.where(n, np.zeros(1, np.int32), x)
    print(bool(x))
    return b[x]

def arguments():
    return 2**62, 5
""",
    "an operator in place names the operand that is written once more": """
def f(x):
    x[x <= 4] += x

def arguments():
    return np.array([3.0, 4.0, 5.0]),
""",
    "an operator in place names the shape of what is computed, too": """
def f(y):
    y -= np.cumsum(y)

def arguments():
    return np.full((7, 5), 0),
""",
    "where a loop finds an error, and the program catches it": """
def f(x, y):
    print(4, end=' ')
    try:
        a ^= 0
    except Exception as error:
        print(type(error).__name__, error)
    return a

def arguments():
    return 0, 0
""",
    "a list of the module's grows in a loop": """
def f(y):
    for v in y:
        events.append(0)

def arguments():
    return np.zeros(4, int),
""",
}
WHOLE = (
    "zeros of single precision keep their sign", "a view of all is another object", "a stream is the one that stands there now",
    "the number that an index is computed of is kept", "texts are joined",
)  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("claim", FOUND)
def test_what_differed_once_does_not(claim: str, device: str) -> None:
    check(f"{FOUND[claim]}\n\nCALLS = [arguments]\n", device, strict=claim in WHOLE)
