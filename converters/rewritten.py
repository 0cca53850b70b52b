"""What conversion makes of code, as it is in memory and as it is kept."""

import ast
import marshal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import CodeType, FunctionType, MappingProxyType

Others = Mapping[str, FunctionType]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What conversion makes of a code object: without its tree, where it was kept. It does not hold on to the original."""

    tree: ast.stmt | ast.expr | None
    code: CodeType
    codes: Mapping[CodeType, str]
    ops: str


def packed(rewritten: Rewritten) -> bytes:
    """Gives what is kept for another process."""
    owners = [rewritten.codes.get(code) for code in _all(rewritten.code)]
    return marshal.dumps((rewritten.code, owners, rewritten.ops))


def unpacked(data: bytes, file: str) -> Rewritten:
    """Makes it anew of what was kept, for a function of a file."""
    code, owners, ops = marshal.loads(data)
    code = _moved(code, file)
    codes = {each: owner for each, owner in zip(_all(code), owners, strict=True) if owner is not None}
    return Rewritten(None, code, MappingProxyType(codes), ops)


def with_sets_of(rewritten: Rewritten, originals: Iterable[CodeType]) -> Rewritten:
    """Gives it the very sets of constants that the originals hold: equal ones may hold their items in another order."""
    own = {
        _items(constant): constant
        for original in originals
        for code in _all(original)
        for constant in code.co_consts
        if isinstance(constant, frozenset)
    }
    if not own:
        return rewritten
    code = _with_constants(rewritten.code, own)
    codes = {
        new: rewritten.codes[old]
        for old, new in zip(_all(rewritten.code), _all(code), strict=True)
        if old in rewritten.codes
    }
    return replace(rewritten, code=code, codes=MappingProxyType(codes))


def _items(constant: frozenset[object]) -> frozenset[str]:
    return frozenset(map(repr, constant))


def _with_constants(code: CodeType, own: Mapping[frozenset[str], frozenset[object]]) -> CodeType:
    constants = (
        _with_constants(value, own)
        if isinstance(value, CodeType)
        else own.get(_items(value), value)
        if isinstance(value, frozenset)
        else value
        for value in code.co_consts
    )
    return code.replace(co_consts=tuple(constants))


def _moved(code: CodeType, file: str) -> CodeType:
    """Gives code as it would be in a file; a cell of a notebook is in another one each time."""
    if code.co_filename == file:
        return code
    constants = (_moved(value, file) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(constants))


def _all(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all(constant)
