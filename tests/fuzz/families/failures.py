"""Writes that fail halfway, and what handles them."""

from ..scope import Family

FAILURES = Family(
    preamble='''\
class Refused(ValueError):
    """An error that holds something."""

    def __init__(self, place, value=0):
        super().__init__(f"refused {value} at {place}")
        self.place = place


def checked(value, limit=10):
    if value > limit:
        raise Refused("checked", value)
    return value


def halves(values, stop):
    for place in range(len(values) + 1):
        if place == stop:
            raise Refused(place)
        values[place] *= 0.5
    return values
''',
    reads={
        "f0": ["checked(<f0>)", "checked(<f0>, limit=<i0>)", "halves(<F1>, <i0>)[0]", "<F1>[<i0>]", "(1 // <i0>)", "math.sqrt(<f0>)", "float(<text>)", "int(<f0>)"],
        "f1": ["halves(<F1>, <i0>)", "<f1>[<i0>:][:3]"],
    },
    writes=[
        "<F1>[<i0>] = <f0>", "<F1>[1:3] = <f1>", "<F1>[<I1>] += <f0>", "halves(<F1>, <small>)", "<V1>[<i0>] //= <i0>", "<F1>[<small>] = checked(<f0>)",
        "if <b0>:\n    raise Refused(<i0>, <f0>)", "assert <f0> < 5, f'at {<i0>}'", "<F1:a>[0], <a>[<i0>] = <f0>, <f0>", "<LIST>[<i0>] = <f0>", "<F2>[<i0>] = <f1>",
        "try:\n    <F1:a>[0] = <f0>\n    <a>[<i0>] = 2\nexcept IndexError as error:\n    print(error)\n    <a>[-1] = <f0>",
        "try:\n    <F1:a>[0] += 1\n    <a>[1:3] = <f1>\n    <a>[2] = <f0>\nexcept ValueError as error:\n    print(type(error).__name__, error)",
        "try:\n    <=i0:n> = <i0> // <i0>\n    <F1>[<n> % 2] = <n>\nexcept ZeroDivisionError:\n    <block>\nelse:\n    print('divided', <n>)\nfinally:\n    <F1>[0] -= 1",
        "try:\n    halves(<F1:a>, <i0>)\nexcept Refused as error:\n    print(error, error.place)\nexcept IndexError:\n    <a>[0] = <f0>",
        "try:\n    try:\n        <block>\n        <F1:a>[<i0>] = <f0>\n    except <error> as error:\n        raise Refused('inner', <i0>) from error\nexcept Refused as error:\n    print(error, repr(error.__cause__))",
        "try:\n    halves(<F1:a>, 2)\nexcept Refused as error:\n    raise Wrong(<f0>) from error",
        "try:\n    <block>\nexcept <error>:\n    raise",
        "try:\n    <block>\n    checked(<f0>, <i0>)\nfinally:\n    <F1:a>[0] += 1\n    print('finally', <a>[0])",
        "for <=i0:i> in range(<size>):\n    try:\n        <F1:a>[<i>] /= <i0>\n        <a>[<i> + 1] += checked(<f0>)\n    except (ZeroDivisionError, Refused) as error:\n        print(<i>, error)\n        continue\n    <block>",
        "for <=i0:i> in range(4):\n    try:\n        <F1:a>[<i>] = 1 / (<i> - <i0>)\n    except ZeroDivisionError:\n        <a>[<i>] = 0\n    except IndexError:\n        break\n    finally:\n        print(<i>)",
        "while True:\n    <counter:k> += 1\n    try:\n        <F1>[<k>] += checked(<f0> + <k>, 4)\n    except (IndexError, Refused):\n        break\n    if <k> > 5:\n        break",
        "for <=f0:v> in <F1:a>:\n    if <v> > <f0>:\n        raise Refused(<v>)\n    <a>[0] = <v>",
        "def careful(v):\n    try:\n        return 1 / v\n    except ZeroDivisionError:\n        return <f0>\n    finally:\n        events.append(v)\n<=f0> = careful(<i0>) + careful(<f0>)",
        "with suppress(IndexError, Refused):\n    <F1:a>[0] = <f0>\n    halves(<a>, <small>)\n    <block>",
        "with np.errstate(all='ignore'):\n    <F1> /= <f0>\n    <block>\n    <F1>[0] = np.log(<f0>)",
        "with np.errstate(divide='ignore', invalid='ignore'):\n    <=f1> = np.where(<F1:a> > 0, np.log(<a>), <f0>)",
        "with Guard('g'):\n    <F1>[<i0>] = <f0>\n    <block>",
        "try:\n    <RESULT>\nexcept NameError as error:\n    print('unbound')".replace("<RESULT>", "print(<any>)"),
        "try:\n    <=f1> = <F1> + np.ones(<small>)\nexcept ValueError as error:\n    print(error)\n    <=f1> = <f1>",
        "try:\n    <F1:a> += np.ones(<small>)\nexcept ValueError:\n    <a> *= 2",
        "try:\n    <=f1?> = np.concatenate([<f1>, <f2>])\nexcept ValueError as error:\n    print(str(error)[:30])",
        "try:\n    <=f1> = <f2> @ <f1>\nexcept ValueError:\n    print('no product')",
    ],
)  # fmt: skip
