"""What is kept of a conversion is what was made: the same code, that belongs to the same functions."""

import marshal
from types import FunctionType

import pytest

from transpile import corpus
from transpile.converters import convert
from transpile.converters.rewriting import rewritten
from transpile.converters.rewritten import packed, unpacked
from transpile.runtime.disk import digest_of
from transpile.runtime.errors import ConversionError

from .eager import EagerOps


class Memory:
    """Keeps in memory what a store keeps on disk."""

    def __init__(self):
        self.kept = {}
        self.found = 0

    def digest_of(self, folders):
        return digest_of(folders)

    def load(self, content):
        self.found += content in self.kept
        return self.kept.get(content)

    def save(self, content, data):
        self.kept[content] = data


def helpers(entry):
    functions = [thing for thing in entry.__globals__.values() if type(thing) is type(entry)]
    return [each for each in functions if each.__module__ == entry.__module__]


@pytest.mark.parametrize("name", corpus.names())
def test_code_is_unpacked_as_it_was_packed(name):
    for function in helpers(corpus.load(name).entry):
        if function.__name__ in ("make_inputs", "bad_inputs"):
            continue
        made = rewritten(function, None)
        found = unpacked(packed(made), function.__code__.co_filename)
        assert found.code == made.code and found.ops == made.ops
        assert found.code.co_linetable == made.code.co_linetable
        assert found.code.co_filename == made.code.co_filename
        assert dict(found.codes) == dict(made.codes)


def test_what_is_kept_of_one_file_serves_another():
    made = rewritten(counts, {"counts": counts})
    found = unpacked(packed(made), "<cell 7>")
    pending = [found.code]
    assert found.codes.keys() == made.codes.keys()
    while pending:
        code = pending.pop()
        assert code.co_filename == "<cell 7>"
        pending += [value for value in code.co_consts if isinstance(value, type(code))]


def again(function):
    """Returns another function of the same code, of which nothing is known yet."""
    made = type(function)(function.__code__.replace(), function.__globals__, function.__name__)
    made.__module__ = function.__module__
    return made


def halves(x):
    total = 0
    for value in range(x):
        if value % 2:
            total += value
    return total


def counts(n):
    return 0 if n < 1 else 1 + counts(n - 1)


@pytest.mark.parametrize("function, others", [(halves, None), (counts, {"counts": counts})])
def test_a_conversion_that_was_kept_prints_the_same_source(function, others):
    memory = Memory()
    first = convert(again(function), others, memory)
    second = convert(again(function), others, memory)
    assert memory.found == len(memory.kept) == 1
    assert second.source() == first.source() == convert(function, others).source()
    assert second.codes == first.codes


def test_what_is_refused_is_refused_again():
    def waits(x):
        try:
            return x()
        except* ValueError:
            x = None

    memory = Memory()
    for _ in range(2):
        with pytest.raises(ConversionError, match="C01"):
            convert(again(waits), None, memory)
    assert not memory.kept


def lists_constants():
    return list({1024, 8, 33, 16, 64, 129, 513}), [each for each in {1.5, True, "x"} if each]


def test_sets_of_constants_are_those_of_the_code_whatever_their_order():
    memory = Memory()
    # What is loaded from a file has them in another order than what has just been compiled.
    other = marshal.loads(marshal.dumps(lists_constants.__code__))
    loaded = FunctionType(other, lists_constants.__globals__)
    again = FunctionType(marshal.loads(marshal.dumps(other)), lists_constants.__globals__)
    for function in (lists_constants, loaded, again):
        conversion = convert(function, kept=memory)
        bound = conversion.bind(EagerOps())
        assert bound() == function()
        assert bound.__code__ in conversion.codes
    assert memory.found == 2
