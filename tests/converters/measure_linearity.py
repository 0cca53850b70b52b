"""Prints how long conversion takes per line, for functions of 50 to 2000 lines: a script, not a test.

Run as ``python -m tests.converters.measure_linearity`` from the root of the checkout.
"""

import itertools
import linecache
import random
import time
from collections.abc import Iterator
from types import FunctionType

from transpile.converters import convert

_SIMPLE = (
    "{a} = {b} + {c} * 2",
    "{a}[{b}] = {c} - g({b})",
    "{a} += {b} if {c} > 0 else {a}",
    "{a}, {b} = {b}, {c}",
    "{a} = [x + {b} for x in range({c})]",
    "print({a}, f'{{{b}}}')",
    "assert {a} < {b} < {c}",
)
_HEADERS = ("if {a} > {b} and {c}:", "for {a} in range({b}):", "while {a} < {b}:")
_JUMPS = ("return {a}", "break", "continue")


def lines(count: int, chooser: random.Random) -> Iterator[str]:
    """Gives the statements of a function: nested up to four deep, a jump in one loop of three."""
    depth, loops = 1, [False]
    while count > 0:
        names = {letter: f"{letter}{chooser.randrange(12)}" for letter in "abc"}
        pad = "    " * depth
        kind = chooser.random()
        if kind < 0.2 and depth < 5:
            header = chooser.choice(_HEADERS)
            yield pad + header.format(**names)
            depth += 1
            loops.append(not header.startswith("if"))
            yield "    " * depth + chooser.choice(_SIMPLE).format(**names)
            count -= 1
        elif kind < 0.35 and depth > 1:
            if any(loops) and chooser.random() < 0.3:
                yield pad + f"if {names['a']}:"
                yield pad + "    " + chooser.choice(_JUMPS).format(**names)
                count -= 2
            depth -= 1
            loops.pop()
            continue
        else:
            yield pad + chooser.choice(_SIMPLE).format(**names)
        count -= 1


def function_of(count: int, number: int) -> FunctionType:
    """Makes a function of about so many lines."""
    names = ", ".join(f"{letter}{index}" for letter in "abc" for index in range(12))
    text = "\n".join([f"def f(g, {names}):", *lines(count, random.Random(number)), "    return a0", ""])
    file = f"<function {count} {number}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, FunctionType] = {}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def main() -> None:
    """Prints a line for each size."""
    print(f"{'lines':>6} {'ms':>9} {'ms per line':>12}")
    for count in (50, 100, 200, 500, 1000, 2000):
        best = min(_seconds(function_of(count, number)) for number in itertools.repeat(count, 3))
        print(f"{count:6} {best * 1e3:9.1f} {best * 1e3 / count:12.3f}")


def _seconds(function: FunctionType) -> float:
    start = time.process_time()
    convert(function)
    return time.process_time() - start


if __name__ == "__main__":
    main()
