"""The blocks of a function that calls itself: how one leads to others, and what each reads."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

Block = list[Any]
"""Statements and what follows here; the last of a way through it says which block comes next."""


@dataclass(frozen=True, slots=True)
class Goto:
    """Goes on with another block."""

    number: int


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the function, and goes on with what waits for that."""


@dataclass(frozen=True, slots=True)
class Suspend:
    """Keeps what a block reads that is to go on after a call."""

    number: int
    at: gast.AST


@dataclass(frozen=True, slots=True)
class Resume:
    """Begins such a block: takes what was kept, and what the call has returned."""

    number: int
    target: str | None
    at: gast.AST


def parts_in(block: Block) -> Iterator[Any]:
    """Gives the parts of a block, those in its branches included."""
    for part in block:
        yield part
        if isinstance(part, gast.If):
            yield from parts_in(part.body)
            yield from parts_in(part.orelse)


def repeat_short(blocks: list[Block], most: int) -> list[int]:
    """Repeats short blocks that end the function wherever they are gone to. Gives the numbers of those that stay."""
    short = {
        number: block
        for number, block in enumerate(blocks)
        if len(block) <= most
        and block[-1:] == [Return()]
        and not any(isinstance(part, Resume) for part in block)
    }
    for block in blocks:
        _replace(block, short)
    return sorted(
        {0}
        | {part.number for block in blocks for part in parts_in(block) if isinstance(part, Goto | Suspend)}
    )


def _replace(block: Block, short: dict[int, Block]) -> None:
    match block[-1:]:
        case [Goto(number)] if number in short:
            block[-1:] = copy.deepcopy(short[number])
    for part in block:
        if isinstance(part, gast.If):
            _replace(part.body, short)
            _replace(part.orelse, short)


class Liveness:
    """Tells which names each block reads, or one that comes after it, before they are bound: ``starts``, by number."""

    def __init__(self, blocks: list[Block]) -> None:
        self.starts: list[set[str]] = [set() for _ in blocks]
        before = None
        while before != self.starts:
            before = [set(names) for names in self.starts]
            self.starts = [self._before(block, set()) for block in blocks]

    def _before(self, block: Block, live: set[str]) -> set[str]:
        for part in reversed(block):
            live = self._before_part(part, live)
        return live

    def _before_part(self, part: Any, live: set[str]) -> set[str]:
        match part:
            case Goto(number):
                return set(self.starts[number])
            case Return():
                return set()
            case Suspend(number):
                return live | self.starts[number]
            case Resume(_, target):
                return live - {target or ""}
            case gast.If():
                ways = self._before(part.body, live) | self._before(part.orelse, live)
                return ways | _names(part.test, gast.Load)
            case gast.For() | gast.While():
                header = part.iter if isinstance(part, gast.For) else part.test
                bound = _names(part.target, gast.Store) if isinstance(part, gast.For) else set()
                for _ in range(2):
                    live = live | _names(header, gast.Load) | (self._before(part.body, live) - bound)
                return live
            case gast.Assign():
                bound = {name for target in part.targets for name in _names(target, gast.Store)}
                return (live - bound) | _names(part, gast.Load)
            case gast.AugAssign():
                return live | _names(part, gast.Load | gast.Store)
            case _:
                return live | _names(part, gast.Load | gast.Del)


def _names(node: gast.AST, context: Any) -> set[str]:
    return {
        each.id for each in gast.walk(node) if isinstance(each, gast.Name) and isinstance(each.ctx, context)
    }
