"""Files are asked for and folders made as plain Python does, and a call that is left takes its folders back."""

import os
from pathlib import Path

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

X = np.arange(3.0)
DEVICES = pytest.mark.parametrize("device", ["host", "cpu"])


def outcome(function, folder, *args):
    try:
        found = function(str(folder), *args)
    except OSError as error:
        found = type(error)
    return found, sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def saves(folder, x):
    out = os.path.join(folder, "a", "b")
    asked = os.path.exists(out), os.path.isdir(folder), os.path.isfile(folder)
    os.makedirs(out, exist_ok=True)
    for i in range(len(x)):
        np.save(f"{out}/{i}", x * i)
    return asked, os.path.exists(out)


def saves_by_path(folder, x):
    out = Path(folder) / "c" / "d"
    before = out.exists(), out.is_dir()
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "x.npy", x)
    return before, out.exists(), (out / "x.npy").is_file()


def makes_twice(folder, x):
    os.makedirs(folder + "/e")
    os.makedirs(folder + "/e")
    return x


def is_left(folder, k):
    new = not os.path.exists(folder + "/f/g")
    os.makedirs(folder + "/f/g", exist_ok=True)
    np.save(folder + "/f/g/x", np.ones(2))
    for _ in range(100):
        k = k * 3
    return k, new


@DEVICES
@pytest.mark.parametrize(
    ("function", "argument"), [(saves, X), (saves_by_path, X), (makes_twice, X), (is_left, 2)]
)
def test_folders_are_made_as_python_makes_them(tmp_path, device, function, argument):
    found = []
    for name, run in (("plain", function), ("converted", convert(function, strict=True, device=device))):
        (tmp_path / name).mkdir()
        found.append([outcome(run, tmp_path / name, argument) for _ in range(2)])
    assert found[0] == found[1]


def test_what_is_not_known_is_refused(tmp_path):
    def alone(folder, x):
        (Path(folder) / "a").mkdir()
        return x

    with pytest.raises(StagingError, match="S315-path"):
        convert(alone, strict=True)(str(tmp_path), X)
