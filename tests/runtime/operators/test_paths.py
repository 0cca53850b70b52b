"""Names of files are made as `os.path` makes them, of names that run time gives, too."""

import os
from os.path import basename, join, splitext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

X = np.arange(3.0)


def known(x, folder):
    name = os.path.join(folder, "a", "b.txt")
    return x.sum(), name, splitext(name), os.path.split(name), basename(name), os.path.isabs(name)


def saved(x, folder):
    for k in range(len(x)):
        np.save(join(folder, f"step_{k:03d}.npy"), x * k)
    return np.load(os.path.join(os.fspath(folder), os.path.normpath("./step_002.npy"))).sum()


def given(x, folder):
    for k in range(len(x)):
        print(join(folder, f"{x[k]}"), os.path.basename(f"{folder}/{k}"), os.path.dirname(f"{folder}/{k}"))
    return x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [known, saved, given])
def test_names_are_those_of_os_path(
    function: Any, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = function(X, str(tmp_path)), capsys.readouterr().out
    converted = transpile.convert(function, device=device, strict=True)
    for _ in range(2):
        assert (repr(converted(X, str(tmp_path))), capsys.readouterr().out) == (
            repr(expected[0]),
            expected[1],
        )


def halves(x, folder):
    return os.path.split(f"{folder}/{x[0]}")


def test_what_gives_several_texts_is_left_to_python(tmp_path: Path) -> None:
    with pytest.raises(StagingError, match="S315-path"):
        transpile.convert(halves, device="host", strict=True)(X, str(tmp_path))
