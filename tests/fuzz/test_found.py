"""Programs that were found to differ once, made smaller."""

import pytest

from .execution import check

# Each by its claim. Those of `WHOLE` compile whole.
FOUND = {
    "methods of arrays take the arguments that they have": """
def f(x):
    out = []
    for what in (
        lambda: x.var(correction=1), lambda: x.std(axis=0, correction=1), lambda: x.var(ddof=1), lambda: np.var(x, correction=1),
        lambda: x.put([0], v=1), lambda: x.put(indices=[0], values=7), lambda: np.put(x, [1], v=9), lambda: x.std(0, mean=x.mean(0)),
    ):
        try:
            out.append(what())
        except TypeError as error:
            out.append(str(error))
    return out, x

def arguments():
    return np.arange(6.0).reshape(2, 3),
""",
    "methods of ufuncs cast what they give as it has to be": """
def f(x, truths, small):
    out = []
    for what in (
        lambda: np.add.reduce(x, axis=1, out=truths), lambda: np.add.accumulate(x[0, :2], out=truths),
        lambda: np.maximum.reduceat(x[0], [0, 1], out=truths), lambda: np.add.reduce(x, axis=1, out=small),
        lambda: np.sum(x, axis=1, dtype=np.int32, out=truths), lambda: np.max(x, axis=1, out=small),
        lambda: np.cumsum(x[0, :2], out=small), lambda: np.dot(x, x[0], out=small), lambda: np.round(x[:, 0], out=small),
    ):
        try:
            out.append(what().copy())
        except (TypeError, ValueError) as error:
            out.append(str(error))
    return out

def arguments():
    return np.arange(6).reshape(2, 3), np.ones(2, bool), np.ones(2, np.uint8)
""",
    "an array without axes has none that can be named": """
def f(x, given):
    out = []
    for axis in (0, -1, 1, True, (0,)):
        for what in (
            lambda: np.average(x, axis=axis), lambda: np.average(x, axis=axis, weights=x),
            lambda: np.add.accumulate(x, axis=axis), lambda: np.multiply.reduceat(x, [0], axis=axis),
            lambda: np.take(x, [0, -1], axis=axis), lambda: np.take(x, 0, axis=axis), lambda: np.compress([True], x, axis=axis),
            lambda: np.nanmedian(np.zeros((0, 2)), axis=axis), lambda: np.nanmedian(np.zeros((2, 2)), axis=axis),
        ):
            try:
                out.append(what())
            except (TypeError, ValueError) as error:
                out.append((type(error), str(error)))
    return out

def arguments():
    return np.array(3.0), [1, 2]
""",
    "lists know nothing of axes": """
def f(x, given):
    out = []
    for thing in (given, given[0], x, x[0], (1, 2), [given, given]):
        for what in (lambda: np.rollaxis(thing, 0), lambda: np.hsplit(thing, 1), lambda: np.vsplit(thing, 1)):
            try:
                out.append(what())
            except (AttributeError, ValueError) as error:
                out.append((type(error), str(error)))
    return out

def arguments():
    return np.arange(3.0), [1, 2]
""",
    "lists of nothing are places": """
def f(x):
    x[[[], []]] = 1.0
    return x[[[]]], x[[], [[]]], x[np.zeros((0, 2), int)], np.take(x, 0)

def arguments():
    return np.arange(6.0).reshape(2, 3),
""",
    "a number is taken out of an array without axes": """
def f(x, k):
    return np.take(x, 0, axis=0), np.take(x, [[0, -1]], axis=-1), x.take([0]), np.compress([True], x, axis=0)

def arguments():
    return np.array(3.5), 0
""",
    "a list that is appended to is not None": """
def last(v, into=None):
    if into is None:
        into = []
    into.append(v)
    return into[-1] if into is None else v

def f(x):
    if events is not None:
        last(x.sum(), events)
    return last(x[0], into=events) + last(x[1])

def arguments():
    return np.arange(3.0),
""",
    "what the test of a loop does is done, though no turn is completed": """
def note(v, wanted):
    events.append(v)
    totals["sum"] += v
    return wanted

def f(a, k):
    n = 0
    while n < len(a) and note(k, k % 2 == 0):
        n += 1
        a[:k] = np.zeros((2, k))
    seen = [n]
    while seen.append(k) or note(n + 5, k > 6):
        raise Wrong(k)
    return a, n, seen

def arguments():
    return np.ones(4), 3
""",
    "what fails while an error is handled came of it": """
def f(x, y):
    try:
        a = y // (y - 2)
        for v in steps(1):
            pass
        a = v // v
    except ZeroDivisionError:
        for i in range(1):
            x[i] = 0

def arguments():
    return np.arange(0, dtype=np.float32), 3
""",
    "an array that a class holds is beside one that is written": """
class Grid:
    offset = np.arange(3.0)

def f(x):
    x[:] = x - Grid.offset
    x *= Grid.offset
    return Grid.offset + x

def arguments():
    return np.ones(3),
""",
    "one of several arrays is added to the items of a list": """
def f(x, v):
    z = [v, 1, 2, 3]
    z += x if v > 1 else x * 0.5
    y = [v, 1, 2, 3]
    y += x if v > 1 else [3, 4, 5, 6]
    w = [v, 1, 2, 3] + (x if v > 1 else x * 0.5)
    return z, y, w

def arguments():
    return np.arange(4), 2.0
""",
    "an array is added to the items of a list": """
def f(x, v):
    y = [v, 1, 2, 3]
    z = [v, 1, 2, 3]
    z += x
    w = []
    for i in range(len(x)):
        w.append(i * v)
    u = w + x
    w += x
    return [v, 1, 2, 3] + x, x + y, z, y, u, w

def arguments():
    return np.arange(4), 2.0
""",
    "out and where are named among shapes that do not go together": """
def f(x, y, w):
    out = []
    for target in (np.zeros(3), np.zeros(2), np.zeros((2, 2))):
        for where in (w, w[:2], w[:1]):
            try:
                out.append(np.divide(x, y, out=target, where=where))
            except ValueError as error:
                out.append(str(error))
    return out

def arguments():
    return np.arange(1.0, 3), 2, np.array([True, False, True])
""",
    "an operator in place takes what may be a tuple": """
def f(y, x, n):
    for i in range(5):
        if i <= n < i:
            x = 1
    y[0] /= x

def arguments():
    return np.arange(16.0).reshape(2, 8), (1, 2), 3
""",
    "an integer of a list leaves 64 bits": """
def f(n):
    return np.zeros(3) + [0.0, n + n, 0]

def arguments():
    return -2**63,
""",
    "a complex number is no float": """
def f(n, c, x):
    out = []
    for thing in (n, c, c * 2, x[0]):
        for kind in (float, int, complex, bool):
            try:
                out.append(kind(thing))
            except TypeError as error:
                out.append(str(error))
    return out

def arguments():
    return 1j, 2 - 1j, np.ones(3)
""",
    "methods of ufuncs take one of several arrays": """
def f(x, z, n):
    w = z if 2 < n else np.full_like(z, 2, dtype=np.int32)
    np.add.at(x, w, n)
    return x, np.add.reduce(w), np.multiply.accumulate(w), np.add.outer(w, x), np.maximum.reduce(w, axis=0)

def arguments():
    return np.arange(5.0), np.arange(3), 2
""",
    "numpy.copyto casts a number of NumPy's": """
def f(x, v):
    np.copyto(x, v)
    return x

def arguments():
    return np.arange(4, dtype=np.int8), np.int64(300)
""",
    "numpy.copyto takes no Python number of another kind": """
def f(x, v):
    out = []
    for where in (True, x > 1):
        y = x.copy()
        try:
            np.copyto(y, v, where=where)
        except (TypeError, OverflowError) as error:
            out.append(str(error))
        out.append(y)
    return out

def arguments():
    return np.arange(4, dtype=np.uint8), 2.0
""",
    "out is too long for what a loop computes": """
def f(x):
    for i in range(1, len(x)):
        a = np.divide(0, x.astype(np.float32), out=np.zeros(3))

def arguments():
    x = np.arange(2)
    return (x,)
""",
    "out is named among shapes that do not go together": """
def f(x, y):
    out = []
    for target in (np.zeros(3), np.zeros(2), np.zeros(1), np.zeros((2, 3)), np.zeros((3, 2)), np.zeros(())):
        try:
            out.append(np.divide(2, x.astype(np.float32), out=target))
        except ValueError as error:
            out.append(str(error))
        try:
            out.append(np.add(x, y, target))
        except ValueError as error:
            out.append(str(error))
        try:
            out.append(np.exp(y, out=target))
        except ValueError as error:
            out.append(str(error))
    return out

def arguments():
    return np.arange(1, 3), np.arange(2.0)
""",
    "an attribute is missing of one of NumPy's": """
def f(x, n):
    out = []
    for thing in (x, x[0], n, x > 1, x[0] > 1):
        try:
            out.append(thing.bits)
        except AttributeError as error:
            out.append(str(error))
    try:
        x[0].bit_length()
    except AttributeError as error:
        out.append(str(error))
    return out

def arguments():
    return np.arange(4.0), np.int64(4)
""",
    "array.flat is given what does not fit": """
def f(x, y, n, m):
    out = []
    for a in (x, y):
        for v in (n, m, 3, n * m, x[0], y[0], -1, 300.5):
            b = a.copy()
            try:
                b.flat[0] = v
            except (ValueError, OverflowError) as error:
                out.append(str(error))
            try:
                b.flat[1:3] = v
            except (ValueError, OverflowError) as error:
                out.append(str(error))
            out.append(b)
    return out

def arguments():
    return np.resize(np.nan, 4), np.arange(6, dtype=np.int16).reshape(2, 3), 5, 1e300
""",
    "a product of two numbers of several types each": """
def f(x, y, t):
    for i in range(2):
        x += 100
        t = x * t
        for v in y:
            x = y[3]
    return t, x

def arguments():
    return 0.0, np.arange(5.0), True
""",
    "a function that is called in a loop writes a variable of the function around it": """
def f(bump, get, n):
    bump()
    print(get())
    for i in range(n.size):
        if n[i] > 1:
            bump()
        while get() < i:
            bump(2)
            if n[0] < 1:
                bump(0.5)
    a = get()
    if n[0] < 1:
        bump()
    return a, get()

def counter():
    count = 0
    def bump(by=1):
        nonlocal count
        count += by
    def get():
        return count
    return bump, get

def arguments():
    return *counter(), np.arange(7)
""",
    "numbers of a filtered list have to fit": """
def f(x):
    return np.array([v for v in x if v], dtype=np.int32)

def arguments():
    return np.array([1.0, np.inf]),
""",
    "items that are stored at places have to fit": """
def f(x, n):
    x[[0, 1, 0]] = [n, 2, 5]

def arguments():
    return np.arange(7, dtype=np.uint16), float('inf')
""",
    "a list is stored item after item": """
def f(x, y, n):
    x[:] = [x[1], x[0]]
    y[:3] = [y[2], y[0], n]
    y[1:][:2] = y[:2], [n, 1]
    return x, y

def arguments():
    return np.arange(4.0).reshape(2, 2), np.arange(4), 7
""",
    "nothing is put into an empty array": """
def f(x, y):
    b = np.ones(0)
    np.put(b, [], y)
    for a in (x, x[:0], b):
        try:
            np.put(a, 1, y)
        except IndexError as error:
            print(error)

def arguments():
    return np.zeros(2), 3
""",
    "an index of a list leaves 64 bits": """
def f(x, y):
    y *= 7
    a = [np]
    try:
        print(x)
        if a[y]:
            pass
    except IndexError as error:
        print(error)

def arguments():
    return 1, 2**63 - 1
""",
    "a name that the body of a try deletes is unbound where it fails then": """
def f(x, y):
    a = 0
    d = 3
    try:
        del d
        d = np.arctan2(np.ones(2, dtype=np.float32), np.ones(a, dtype=np.float32))
    except ValueError:
        pass
    return d

def arguments():
    return False, 0
""",
    "an array is no complex number": """
def f(n):
    try:
        n[1] = n
    except (TypeError, ValueError) as error:
        print(type(error), error)
    n[0] = n

def arguments():
    return np.ones(5, np.complex64),
""",
    "a complex number that is stored as an integer has to fit": """
def f(x):
    for i in range(1):
        x[1] /= complex(0, 0)
        print(0)

def arguments():
    return np.zeros(2, np.int8),
""",
    "numpy.arange takes no array": """
def f(x):
    return np.arange(x, dtype=np.float64)

def arguments():
    return np.eye(7, 4)
""",
    "only integers repeat a sequence": """
def f(x, y):
    y += np.min(3)
    y *= x

def arguments():
    return (0,), 2.0
""",
    "an index is looked at before the value": """
def f(x, y):
    y[x] = x * 255

def arguments():
    return 9.75, np.zeros(4, np.uint8)
""",
    "an array with gaps that is written keeps them": """
def f(y):
    for v in reversed(y):
        for k in range(5):
            y[[0, -1]] /= y[-1]
            print(-1, np.dot(y, y))

def arguments():
    return np.arange(4.0 * 3).reshape(4, 3)[:, 1],
""",
    "a list grows by itself, where it may be an array": """
def f(x, y):
    for j in range(2, y.size):
        for i in range(j % 5):
            x[2, :] *= 1e10
            y += y
        if bool(-0.0):
            continue
        y = [2, np.sqrt(y.min())]
    return y, x

def arguments():
    return np.arange(5 * 3 * 4.0).reshape(5 * 2, 3 * 2)[::2, 3:], np.arange(3, dtype=np.float32)
""",
    "a list that the body of a loop changes is as the test saw it where that ends": """
def f(x, y):
    y = [y, -1.5]
    k1 = 0
    while not -1 <= -1:
        try:
            y[1] /= math.exp(y[sum((k1 for v in (3,)))])
        except OverflowError:
            pass
        else:
            y = float('inf')

def arguments():
    return True, 1e308
""",
    "numpy.arange has no length for NaN": """
def f(x, y):
    a = np.arange(y, dtype=np.float32)
    return np.arange(x, y, 0.5)

def arguments():
    return 0, float('nan')
""",
    "divmod by zero has a message of its own": """
def f(x, n):
    x[0] = n
    out = []
    for a in (n, n * 0.5, 0.5 if n > 2 else 1, 7):
        try:
            out.append(divmod(a, n))
        except ZeroDivisionError as error:
            out.append(str(error))
    return out, divmod(0.5 if n > 3 else 2, 0)

def arguments():
    return np.arange(2.0), 0
""",
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
    "a call is left to Python that changes a dictionary of the module's, prints and fails": """
def f(x):
    totals['sum'] = 0.0
    print(0, 0)
    if not 0 <= x:
        raise ValueError

def arguments():
    return -2,
""",
    "names that a loop binds are seen by a handler around it": """
def f(x):
    for i, v in enumerate([3, 4]):
        try:
            for i in range(1):
                x[v] += 1
        except IndexError:
            print(i, end=' ')

def arguments():
    return [True],
""",
    "a reduction over no elements fails though its result have none": """
def f(x):
    try:
        x = np.full((0, 0), 0).min(axis=0)
    except ValueError as error:
        print(type(error).__name__, error)
    return x

def arguments():
    return 2,
""",
    "an array is written in place that is unbound after a loop": """
def f(y):
    for i in range(1):
        y /= 2
        del y

def arguments():
    return np.ones(3),
""",
    "a column in place names the shape of what is computed": """
def f(x):
    b = np.arange(4.0)
    print(2)
    k = 0
    while k < 5:
        x[:, 0] /= b
        k += 1

def arguments():
    return np.full((1, 5), 0.5),
""",
    "an integer beyond 64 bits is named as NumPy names it": """
def f(x, y):
    y.fill(x - 2)

def arguments():
    return -2**63, np.zeros(3, np.uint8)
""",
    "a branch that is never taken says nothing of shapes": """
def f(n):
    for i in range(3):
        if i > 7:
            c = np.where(n, n, [1, 2])
    n[n] = 1
    return n

def arguments():
    return np.arange(5),
""",
    "a float that does not fit an integer is refused": """
def f(x, y):
    x[y] = 1e+308

def arguments():
    return np.ones(7, np.uint32), 2
""",
    "a truth takes the truth of an array of one element": """
def f(x):
    x[0] = x

def arguments():
    return np.ones(1, bool),
""",
    "a handler prints the exception that it has caught": """
def f(x):
    try:
        a, = a
    except Exception as error:
        print(type(error).__name__, error)
        for k in range(0, 5, 2):
            c = x // x

def arguments():
    return 0,
""",
    "an operator in place looks at dtypes before shapes": """
def f(n):
    print(1)
    n[n > 3] *= np.zeros_like(n, dtype=np.int32)

def arguments():
    return np.arange(5, dtype=np.uint16),
""",
    "a truth is stored of a complex number": """
def f(x):
    x[0] = 1j
    x[1:] = 0j
    return x

def arguments():
    return np.ones(3, bool),
""",
    "an integer leaves 64 bits on one of two ways": """
def f(x):
    match x:
        case 1 | 2:
            x = np.int64(1)
        case _:
            x += -1
    return x

def arguments():
    return -2**63,
""",
    "an index that is no index of any array": """
def f(x, y, n):
    a = np.arange(2, dtype=np.int64)
    a[n - y] *= 2

def arguments():
    return 2, -2 ** 63, 2
""",
    "what is appended before a branch raises is kept": """
def f(y):
    if y.max():
        pass
    else:
        events.append(0)
        raise Wrong

def arguments():
    return np.arange(1),
""",
    "what is stored before a branch fails is kept": """
def f(x):
    if x[0]:
        totals['sum'] = 3
        assert 0

def arguments():
    return np.ones(3),
""",
    "a list is sorted in a loop that fails": """
def f(y, x):
    for i in range(3):
        y.sort()
        assert x

def arguments():
    return [0.5, 0], 0
""",
    "a handler prints which error of NumPy's a result is that its array cannot be given": """
def f(x):
    try:
        x += 0
    except Exception as error:
        print(type(error).__name__, error)

def arguments():
    return np.zeros(0, bool),
""",
    "a handler prints shapes that run time gives": """
def f(x, y, n):
    try:
        b = np.where(np.full(2, 0), np.zeros(0, np.int64), np.eye(x.size, dtype=np.int32))
    except ValueError as error:
        print(type(error).__name__, error)

def arguments():
    return np.arange(3), 0, 0
""",
    "a return in finally ends an error": """
def f(x):
    try:
        x |= 5
    finally:
        return 4

def arguments():
    return np.zeros(0),
""",
    "an integer of thousands of digits": """
def f(x):
    if x <= 2 ** 63 ** 3:
        return 1

def arguments():
    return 1,
""",
    "a list is indexed by what may be no number": """
def f(x):
    c = 0

    def g(v):
        pass
    for j in range(2, 2):
        c = g(4)
    a = [x]
    a[c] = a

def arguments():
    return 0,
""",
    "an operator in place of what may be of another dtype": """
def f(x, y):
    a = 0 if y[0] else (-1) ** 0.5
    x *= np.maximum(x, a)

def arguments():
    return np.arange(0), (1,)
""",
    "what may be a number is reversed": """
def f(x, n):
    c = np.array([2.0, 1.0])
    for i in range(n):
        c = x
    return list(reversed(c))

def arguments():
    return 1.5, 0
""",
    "a number is stored that may be a float, and no integer": """
def f(x, y):
    for i in range(4):
        x[0] = y // i
        y /= y

def arguments():
    return np.arange(9, dtype=np.int16).reshape(3, 3), np.int32(3)
""",
    "shapes are looked at before indices": """
def f(x, y):
    for i in range(1, len(y)):
        x[[1]] = x

def arguments():
    return np.zeros(0, int), np.ones(4)
""",
    "an array that is returned out of a loop has gaps": """
def f(x):
    for i in range(x, 1, -1):
        a = np.arange(5, dtype=np.float32)
        return a[-1::-2]

def arguments():
    return 2,
""",
    "of what is stored only the kind of number that it is has to fit": """
def f(n, x):
    for k in range(3):
        n[0] = 2147483647 + x - (k * 3 if k > 2 else k + 0.5)

def arguments():
    return np.arange(5, dtype=np.int16), 1
""",
    "a row that an inner loop has bound is written": """
def f(y, n):
    for k in range(n):
        for row in y:
            pass
    row[0] = -3

def arguments():
    return np.arange(9).reshape(3, 3), 2
""",
    "a row that a branch in a branch has bound is written": """
def f(y, n):
    if n > 1:
        if n > 2:
            row = y[0]
        else:
            row = y[1]
    else:
        row = y[2]
    row[0] = -3

def arguments():
    return np.arange(9).reshape(3, 3), 2
""",
    "an error of a function of known numbers where no run gets": """
def f(n, t):
    try:
        n[0] = t
        c = math.floor(float('inf'))
    except ValueError as error:
        pass

def arguments():
    return np.full((4, 4), 0), np.zeros(0, int)
""",
    "an integer that leaves 64 bits is refused though nobody uses the result": """
def f(x, y):
    e = x * 4 - np.full(3, x).min()

def arguments():
    return 2 ** 63 - 1, 0
""",
    "an operator in place of one of several arrays": """
def f(x, y):
    k = 0
    while k < 3:
        k += 1
        y[k, k:k + 2] //= np.full_like(x, -129, dtype=np.int32) if k >= 2 else x.astype(np.int64)

def arguments():
    return np.arange(5.0), np.eye(5, 5, dtype=int)
""",
    "the sign of the least NaN is that of the code that finds it": """
def f(x):
    x %= 0
    x %= np.min(x)
    return x

def arguments():
    return np.arange(8.0)[::2],
""",
    "a slice begins beyond the end of what is empty": """
def f(x):
    x[1:][1::2] -= x
    return x[2:], x[:-3], x[-3:]

def arguments():
    return np.linspace(1, 1, 0),
""",
    "a negative integer need not fit a way that is not taken": """
def f(x, y, n):
    y[1] = -129 + n + scale(np.min(x))

def arguments():
    return np.ones(5, np.uint64), np.zeros(3), 3
""",
    "one number of Python's or NumPy's beside one of single precision": """
def f(x, y, n):
    found = []
    for j in range(n):
        found += [x + y, x * y, y - x, y == x, y < x]
        y = np.float64(0.1)
    return found

def arguments():
    return np.float32(0.1), 0.1, 3
""",
    "what is iterated over is a number on a way that is not taken": """
def f(x, y, n):
    for v in n:
        if max(y):
            pass
        else:
            try:
                x[2][0] = y.astype(np.int64)
            except ValueError:
                y = 0

def arguments():
    return np.zeros((8, 10)), np.arange(2), [0, 1]
""",
    "a place is given by more bits than an index has": """
def f(y, n):
    y -= n
    for v in y:
        y[::-1][v] *= 2

def arguments():
    return np.ones(4, np.uint64), 255
""",
    "NumPy's integers wrap around before they are compared": """
def f(x):
    a = x[1] * 2
    b = x[0] + 2 ** 62 + 2 ** 62
    return a > 1, a, b < x[0], b, abs(b) < 0, -b < 0, a * a, np.sum(x * 3) > 0, (x + x > 0).any()

def arguments():
    return np.resize(2 ** 62, 4),
""",
    "a place that is known is larger than any": """
def f(t, u):
    u[:2 ** 70] += 1
    u[-2 ** 64::2] += u[2 ** 63::-1][:2]
    t[2 ** 63] /= 0

def arguments():
    return np.ones(5, np.complex64), np.ones(4)
""",
    "a difference is Python's on one way and NumPy's on the other": """
def f(x, y):
    if not y:
        y = 1
    if y - x <= 0.1:
        y *= 0
    return y, y - x + 1.0, -(y - x)

def arguments():
    return 0.0, np.uint8(0)
""",
    "a list is sorted in a loop that reads it at run-time places": """
def f(x):
    c = [2147483647, 100]
    match np.arange(2, dtype=np.float32).sum():
        case int():
            pass
        case _:
            k1 = 0
            while k1 < min(2, 6):
                k1 += 1
                if c[k1 % len(c)]:
                    a = np.arange(x.shape[0], dtype=np.int8) - np.square(np.sort(np.zeros(3, np.uint32)))
                    if k1 > 0.001:
                        continue
                    b = x.astype(np.float64)
                    c.sort()
                else:
                    x *= 5

def arguments():
    return np.arange(3, dtype=np.float32).reshape(3, 1),
""",
    "an integer need not fit a way that is not taken": """
def f(x):
    x &= scale(np.zeros(1, np.uint32).min())
    return x

def arguments():
    return -2,
""",
    "a place that a known tuple has not is the program's error": """
def f(x):
    with suppress(ZeroDivisionError):
        c = x[0]
        c //= c
        d = x[2]

def arguments():
    return (0,),
""",
    "an attribute that a number has not is the program's error": """
def f(x, y):
    try:
        x[2] = 0
    except IndexError:
        pass
    else:
        try:
            y[0] *= 2
        except Exception:
            y.reverse

def arguments():
    return np.array([0, 0]), 1e-310
""",
}
WHOLE = (
    "zeros of single precision keep their sign", "a view of all is another object", "a stream is the one that stands there now",
    "the number that an index is computed of is kept", "texts are joined", "a list that is appended to is not None",
    "lists of nothing are places", "a number is taken out of an array without axes",
)  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("claim", FOUND)
def test_what_differed_once_does_not(claim: str, device: str) -> None:
    check(f"{FOUND[claim]}\n\nCALLS = [arguments]\n", device, strict=claim in WHOLE)
