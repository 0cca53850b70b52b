"""Files that a function opens and writes hold what plain Python leaves in them, whatever fails on the way."""

# ruff: noqa: SIM115, UP031

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transpile


def in_with(x, path):
    with open(path, "w") as file:
        for i in range(len(x)):
            file.write("%d %g\n" % (i, x[i]))
    return x.sum()


def closed_by_hand(x, path):
    file = open(path, "w")
    file.write("# header\n")
    for i in range(len(x)):
        print(i, x[i], sep=", ", file=file)
    file.flush()
    file.close()
    return x


def appended(x, path):
    total = 0
    with open(path, "a") as file:
        for i in range(len(x)):
            total += x[i]
            file.write(f"{total}\n")
            if total > 2:
                break
    return total


def by_numpy(x, path):
    with open(path, mode="w", encoding="utf-8") as file:
        np.savetxt(file, x, fmt="%.3f")
        file.write("end")
    return x * 2


def of_bytes(x, path):
    with open(path, "wb") as file:
        np.save(file, x)
        x.tofile(file)
    return x


def left_by_an_error(x, path):
    with open(path, "w") as file:
        for i in range(6):
            file.write("%g\n" % x[i])
    return 1


def handled(x, path):
    x[0] = 9
    try:
        with open(path, "w") as file:
            for i in range(6):
                print(x[i], file=file)
                print(i)
    except IndexError:
        print("short")
    return 1


def not_there(x, path):
    try:
        with open(path + "/none/a", "w") as file:
            file.write("a")
    except OSError as error:
        print(type(error).__name__)
    return x


def must_be_new(x, path):
    with open(path, "x") as file:
        file.write("a%d" % x[0])
    return 3


def left_early(x, path):
    with open(path, "w") as file:
        file.write("early")
        if x[0] < 1:
            return 5
        file.write("late")
    return 6


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("before", [None, "what was there\n"])
@pytest.mark.parametrize(
    "function",
    [
        in_with,
        closed_by_hand,
        appended,
        by_numpy,
        of_bytes,
        left_by_an_error,
        handled,
        not_there,
        must_be_new,
        left_early,
    ],
)
def test_files_hold_what_plain_python_writes(
    function: Any, before: str | None, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    converted = transpile.convert(function, device=device, strict=True)
    path = tmp_path / "written"

    def outcome(run: Any) -> tuple[Any, ...]:
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_text(before)
        x = np.arange(4.0)
        try:
            result = repr(run(x, str(path)))
        except Exception as error:
            result = repr(error)
        return result, repr(x), path.read_bytes() if path.exists() else None, capsys.readouterr().out

    expected = outcome(function)
    for _ in range(2):
        assert outcome(converted) == expected


def read(x, path):
    with open(path) as file:
        return x + float(file.read())


def test_what_is_read_is_left_to_python(tmp_path: Path) -> None:
    (tmp_path / "given").write_text("2.5")
    with pytest.raises(transpile.StagingError, match="S316-open"):
        transpile.convert(read, device="host", strict=True)(np.ones(2), str(tmp_path / "given"))
