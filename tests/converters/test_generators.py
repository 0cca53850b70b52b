"""Generators yield what they did, when they did."""

import pytest

from .eager import EagerOps
from .outcomes import converted, module, outcome, same

PROGRAMS = {
    "a loop": """
        def f(x):
            print("start")
            for i in range(x):
                if i == 2:
                    print("two")
                    continue
                yield i
                if i == 3:
                    break
            else:
                yield "else"
            print("end")
    """,
    "names that are bound on one way": """
        def f(x):
            while x:
                if x == 2:
                    y = 5
                    yield y
                if x == 1:
                    z = y + 1
                x -= 1
            if x == 0:
                yield z
            return y
    """,
    "a branch": """
        def f(x):
            if x > 1:
                got = yield x
                print(got)
                y = 2
            elif x == 1:
                y = 1
            yield y
    """,
    "yield from": """
        def f(x):
            def g(n):
                for i in range(n):
                    yield i * x
                return n
            total = yield from g(x)
            yield total
            yield from [1, 2]
    """,
    "try and with": """
        import contextlib
        def f(x):
            for i in range(x):
                try:
                    yield 1 // (i - 1)
                except ZeroDivisionError as error:
                    yield str(error)
                finally:
                    print("finally", i)
                with contextlib.nullcontext(i) as j:
                    yield j
            if x == 1:
                return
            yield "end"
    """,
    "match": """
        def f(x):
            match x:
                case 1:
                    yield "one"
                case 2 | 3:
                    if x == 2:
                        return
                    yield "three"
    """,
    "blocks without yields": """
        def f(x):
            total = 0
            for i in range(x):
                for j in range(i):
                    if j:
                        total += j
                    else:
                        total += 1
                yield total
            functions = [lambda: total]
            total = -1
            yield functions[0]()
    """,
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_generators_do_what_they_did(text):
    same(module(text).f, *((x,) for x in range(5)))


class PushingOps(EagerOps):
    """Has generators hand their items on, to a list."""

    @staticmethod
    def yielding(pulled, pushed, arguments):
        if pushed is None:
            return pulled(*arguments)
        items = []
        result = pushed(*arguments, items.append)

        def given():
            yield from items
            return result

        return given()


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_items_that_are_handed_on_are_those_that_are_yielded(text):
    function = module(text).f
    for x in range(5):
        expected, found = outcome(function, (x,), ""), outcome(converted(function, PushingOps()), (x,), "")
        failed = expected.failure and (expected.failure.kind, expected.failure.message)
        assert (found.failure and (found.failure.kind, found.failure.message)) == failed
        if not failed:
            assert found.output == expected.output
            assert found.result.partition("[")[2] == expected.result.partition("[")[2]


def test_what_is_sent_arrives():
    function = module(
        """
        def f(x):
            while x:
                x = yield x + 1
            return "done"
        """
    ).f
    for call in (function, converted(function)):
        items = call(3)
        assert [next(items), items.send(7), items.send(1)] == [4, 8, 2]
        with pytest.raises(StopIteration, match="done"):
            items.send(0)
