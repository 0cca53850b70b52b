"""Positions of instructions are those that Python tells, and the code is gone through once for all of them."""

from transpile.runtime import positions


def several(x):
    y = x + 1
    if y:
        y = (x *
             y)  # fmt: skip
    return [y, x]


def test_positions_are_those_of_the_instructions() -> None:
    code = several.__code__
    for place, (line, end_line, column, end_column) in enumerate(code.co_positions()):
        found = positions.position_of(code, 2 * place)
        assert (found.line, found.function) == (line, "several")
        known = found.end_line, found.column, found.end_column
        assert known == tuple(-1 if each is None else each for each in (end_line, column, end_column))
    assert positions.position_of(code, -1) == positions.position_of(code, 0)
    assert positions.position_of(code, 10_000).line == code.co_firstlineno


def test_code_is_gone_through_once() -> None:
    code = several.__code__
    positions.position_of(code, 0)
    ranges = positions._RANGES[id(code)]
    positions.position_of(code, 8)
    assert positions._RANGES[id(code)] is ranges
    for number in range(2 * positions._CODES):
        exec(compile("x = 1", f"<{number}>", "exec"))
        positions.position_of(compile("x = 1", f"<{number}>", "exec"), 2)
    assert len(positions._RANGES) <= positions._CODES
