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
}
WHOLE = set(FOUND) - {"an array of one element is no element", "text that run time gives is compared"}


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("claim", FOUND)
def test_what_differed_once_does_not(claim: str, device: str) -> None:
    check(f"{FOUND[claim]}\n\nCALLS = [arguments]\n", device, strict=claim in WHOLE)
