"""What conversion makes of code, as it is in memory and as it is kept."""

import ast
import marshal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
