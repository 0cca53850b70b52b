"""Functions that keep state: closures, generators, defaults, keyword-only arguments, partial and decorated functions."""

from ..scope import Family

CLOSURES = Family(
    preamble='''\
from functools import partial, reduce, wraps
from itertools import accumulate, chain, count, islice, product, takewhile, zip_longest


def counter(start=0, *, by=1):
    total = start

    def step(more=0):
        nonlocal total
        total += by + more
        return total

    return step


def smoother(values):
    last = values[0]

    def smooth(rate=0.5):
        nonlocal last, values
        last = last * rate + values[-1]
        values = values * rate
        return values + last

    return smooth


def told(function):
    @wraps(function)
    def inner(*args, **kwargs):
        events.append(function.__name__)
        return function(*args, **kwargs)

    return inner


@told
def blend(one, other=2.0, /, weight=0.5, *rest, extra=0, **named):
    return one * weight + other * (1 - weight) + extra + sum(rest) + sum(named.values())


def running(values, start=0.0):
    total = start
    for value in values:
        total += value
        if total > 100:
            return
        yield total


def pairs_of(values):
    previous = None
    for value in values:
        if previous is not None:
            yield previous, value
        previous = value


def powers(base):
    value = 1
    while True:
        yield value
        value *= base


def gathered(value, into=[], *, most=6):
    into.append(value)
    del into[:-most]
    return sum(into)


tick = counter(by=2)
''',
    kept=["tick", "gathered", "counter"],
    names={"tick": "step"},
    makes={
        "step": ["counter(<i0>)", "counter(<f0>, by=<i0>)", "counter(by=<f0>)", "partial(max, <i0>)", "(lambda more=1: more + <f0>)"],
        "smooth": ["smoother(<f1>)", "smoother(<F1>)"],
        "stream": ["running(<f1>)", "iter(<F1>)", "running(<F1>, start=<f0>)", "(v * 2 for v in <F1>)", "accumulate(<F1>)", "islice(powers(<i0>), 5)", "islice(count(<i0>), 4)"],
    },
    reads={
        "f0": ["<STEP>()", "<STEP>(<i0>)", "blend(<f0>)", "blend(<f0>, <i0>)", "blend(<f0>, weight=<f0>)", "blend(<f0>, 1, 0.25, <i0>, <f0>)", "blend(<f0>, extra=<i0>)",
               "blend(<f0>, more=<f0>, extra=1)", "gathered(<f0>)", "gathered(<i0>, most=2)", "gathered(<f0>, [<i0>])", "next(<STREAM>, <f0>)", "sum(<STREAM>)",
               "reduce(lambda u, v: u * 0.5 + v, <F1>, <f0>)", "sum(running(<f1>))", "sum(a * b for a, b in pairs_of(<F1>))", "max(running(<f1>), default=<f0>)",
               "sum(islice(powers(<f0>), <small>))", "counter(<f0>)(<i0>)", "blend(*<PAIR>)", "blend(*(<f0>, <i0>), **{'weight': <f0>})"],
        "f1": ["<SMOOTH>()", "<SMOOTH>(<f0>)", "np.array(list(running(<f1>)))", "blend(<f1>)", "blend(<f1>, <f0>, weight=<f0>)", "np.fromiter(running(<f1>), float)",
               "np.array([a - b for a, b in pairs_of(<F1>)])"],
        "list": ["list(running(<f1>))", "list(<STREAM>)", "[v for v in running(<f1>) if v > <f0>]", "list(takewhile(lambda v: v < <f0>, <F1>))", "[*accumulate(<F1>)]",
                 "[u * v for u, v in product(<F1>, (1, <f0>))][:6]", "list(chain(<LIST>, [<f0>]))"],
        "i0": ["sum(1 for _ in running(<f1>))", "len(list(pairs_of(<F1>)))"],
    },
    writes=[
        "<STEP>()", "<STEP>(<i0>)", "print(<STEP>(), gathered(<f0>))", "<=f0> = <STEP>()", "gathered(<f1>, [])", "tick(<i0>)", "<=step> = <STEP>", "print(next(<STREAM>, None))",
        "<=f1> = <SMOOTH>(<f0>)", "<=f0>, <=f0> = islice(powers(<f0>), 2)", "<=f0>, *<=list> = running(<f1>)", "*<=list>, <=f0> = <F1>", "<=f0>, *_, <=f0> = <LIST>",
        "for <=f0:v> in running(<f1>):\n    if <b0>:\n        break\n    <block>",
        "for <=f0:u>, <=f0:v> in pairs_of(<F1:a>):\n    <a>[0] = <u> - <v>\n    <block>",
        "for <=f0:v> in <STREAM>:\n    print(<v>)\n    <block>",
        "for <=f0:v> in islice(powers(<i0>), 4):\n    <block>",
        "for <=i0:i> in range(<size>):\n    <STEP:s>(<i>)\n    <block>\nprint(<s>())",
        "for <=i0:i> in range(<small>):\n    <=f1:v> = <SMOOTH>()\n    <block>",
        "for <=f0:u>, <=f0:v> in zip_longest(<F1>, <V1>, fillvalue=<f0>):\n    <block>",
        "if <b0>:\n    <STEP:s> = counter(<i0>)\n<=f0> = <s>()",
        "for <=i0:i> in range(3):\n    <=step> = counter(<i>, by=<f0>)\n    print(<STEP>(), <STEP>())",
        "<=stream:s> = running(<f1>)\n<=f0> = next(<s>, 0.0)\n<block>\nprint(list(<s>))",
        "functions = [lambda u=1, k=k: u * k + <f0> for k in range(3)]\n<=f0> = functions[<at>](<f0>) + sum(g() for g in functions)",
        "if (<=i0:n> := <i0>) > 1 and (<=i0:o> := <n> - 1) >= 0:\n    print(<n>, <o>)\n    <block>",
        "while (<counter:k> := <k> + 1) < 5 and <b0>:\n    <block>",
        "if <small> <= <i0> < <STEP>() <= 7 != <i0>:\n    <block>",
    ],
)  # fmt: skip
