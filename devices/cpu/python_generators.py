"""Python's own generators of random numbers: where they lie, and how kernels draw from them."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from typing import Any

from .toolkit import cgutils, ir

# Note [Python's generators in kernels]
# A kernel draws from a generator of Python's in place: from the words that its object holds, by the method that Python follows (the Mersenne Twister of Matsumoto and
# Nishimura, 1998). Nothing is lent and nothing given back, so whatever else draws finds the generator as Python would have left it: a kernel that draws so
# keeps the interpreter's lock, but where it waits for Python. Where the words lie in the object is known of CPython, and used only if they are seen to lie there.

_COUNT, _AHEAD = 624, 397
_UPPER, _LOWER, _TWIST = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
# How the bits of a word are mixed when it is drawn: by how many it is shifted, to the left or not, and which bits of that are taken.
_MIXED = ((11, False, 0xFFFFFFFF), (7, True, 0x9D2C5680), (15, True, 0xEFC60000), (18, False, 0xFFFFFFFF))

_INT32, _INT64, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
_STATE = ir.LiteralStructType([_INT32, ir.ArrayType(_INT32, _COUNT)])


def address(generator: random.Random) -> int:
    """Return where a generator keeps the place of its next word, and its words behind that; 0 where that is not known."""
    return id(generator) + object.__basicsize__ if type(generator) is random.Random and _are_known() else 0


@cache
def _are_known() -> bool:
    """Whether the words lie in an object where they are taken to lie."""
    generator = random.Random(5)
    if random.Random.__basicsize__ < object.__basicsize__ + 4 * (_COUNT + 1):
        return False
    generator.random()
    *words, place = generator.getstate()[1]
    return [*(ctypes.c_uint32 * (_COUNT + 1)).from_address(id(generator) + object.__basicsize__)] == [
        place,
        *words,
    ]


def next_double(builder: Any, state: Any) -> Any:
    """Draw from [0, 1), of what lies at a pointer: 53 bits of two words."""
    high, low = (
        builder.uitofp(builder.lshr(next_word(builder, state), ir.Constant(_INT32, spare)), _DOUBLE)
        for spare in (5, 6)
    )
    whole = builder.fadd(builder.fmul(high, ir.Constant(_DOUBLE, 2.0**26)), low)
    return builder.fmul(whole, ir.Constant(_DOUBLE, 2.0**-53))


def next_word(builder: Any, state: Any) -> Any:
    """Draw a word of 32 bits, of what lies at a pointer."""
    return builder.call(_function(builder.module, "python_word", _INT32, _draw), [state])


def _function(module: Any, name: str, result: Any, define: Any) -> Any:
    """Return a function of a module that takes a pointer to a generator's words; `define` says what it does, the first time."""
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(result, [ir.IntType(8).as_pointer()]), name)
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block())
    define(builder, builder.bitcast(function.args[0], _STATE.as_pointer()))
    return function


def _place(builder: Any, state: Any) -> Any:
    return builder.gep(state, [ir.Constant(_INT32, 0), ir.Constant(_INT32, 0)])


def _word(builder: Any, state: Any, place: Any) -> Any:
    return builder.gep(state, [ir.Constant(_INT32, 0), ir.Constant(_INT32, 1), place])


def _draw(builder: Any, state: Any) -> None:
    count, place = ir.Constant(_INT32, _COUNT), _place(builder, state)
    with builder.if_then(builder.icmp_unsigned(">=", builder.load(place), count), likely=False):
        refill = _function(builder.module, "python_words", ir.VoidType(), _refill)
        refill.attributes.add("noinline")
        builder.call(refill, [builder.function.args[0]])
    here = builder.load(place)
    builder.store(builder.add(here, ir.Constant(_INT32, 1)), place)
    word = builder.load(_word(builder, state, here))
    for distance, is_left, taken in _MIXED:
        shift = builder.shl if is_left else builder.lshr
        part = builder.and_(shift(word, ir.Constant(_INT32, distance)), ir.Constant(_INT32, taken))
        word = builder.xor(word, part)
    builder.ret(word)


def _refill(builder: Any, state: Any) -> None:
    """Make the next words of the last ones, from the first on: each of itself, of the one behind it, and of one that is further on, around the end."""

    def between(begin: int, end: int, ahead: int, behind: int) -> None:
        with cgutils.for_range(builder, ir.Constant(_INT32, end), ir.Constant(_INT32, begin), _INT32) as loop:
            at, following, other = (
                _word(builder, state, builder.add(loop.index, ir.Constant(_INT32, distance)))
                for distance in (0, behind, ahead)
            )
            upper = builder.and_(builder.load(at), ir.Constant(_INT32, _UPPER))
            bits = builder.or_(upper, builder.and_(builder.load(following), ir.Constant(_INT32, _LOWER)))
            odd = builder.neg(builder.and_(bits, ir.Constant(_INT32, 1)))
            mixed = builder.xor(
                builder.lshr(bits, ir.Constant(_INT32, 1)), builder.and_(odd, ir.Constant(_INT32, _TWIST))
            )
            builder.store(builder.xor(builder.load(other), mixed), at)

    between(0, _COUNT - _AHEAD, _AHEAD, 1)
    between(_COUNT - _AHEAD, _COUNT - 1, _AHEAD - _COUNT, 1)
    between(_COUNT - 1, _COUNT, _AHEAD - _COUNT, 1 - _COUNT)
    builder.store(ir.Constant(_INT32, 0), _place(builder, state))
    builder.ret_void()
