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


def of_paths(path, x):
    made = Path(path) / f"{len(x)}.npy"
    np.save(made, x)
    return (
        made,
        str(made),
        made.parent,
        made.name,
        made.stem,
        os.path.join(path, "a"),
        os.fspath(path),
        f"{path!r}",
        isinstance(path, Path),
        isinstance(path, str),
        path is None,
        [path],
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_paths_of_pathlib_are_handed_on(tmp_path, device):
    converted = transpile.convert(of_paths, strict=True, device=device)
    for folder in ("one", "other", "third", "fourth"):
        path = tmp_path / folder
        path.mkdir()
        x = np.arange(3.0)
        assert converted(path, x) == of_paths(path, x)
        assert converted(path, x)[-1][0] is path
        assert np.array_equal(np.load(path / "3.npy"), x)
    assert converted.cache_info().currsize == 2


@pytest.mark.parametrize(
    "body",
    [
        lambda path, x: (path == Path("a"), path.suffix == ".npy", x + 1),
        lambda path, x: (path in {Path("a"): 1}, x + 1),
        lambda path, x: len(str(path)) + x.sum(),
        lambda path, x: 1 if path.name else x,
        lambda path, x: (path < Path("b"), path is path, path.exists(), x * 2),
        lambda path, x: (path / "b", path / f"{x[0]}", path.parent, "c" / path, path.stem, x * 2),
        lambda path, x: ([path, path] == sorted([path, path]), f"{path}", x + 1),
    ],
)
def test_paths_are_what_they_are(body):
    converted = transpile.convert(body, strict=True)
    for path in (Path("a"), Path("b.npy"), Path("a"), Path("c/d.x")):
        assert repr(converted(path, X)) == repr(body(path, X))


def test_a_path_is_told_from_its_like():
    def told(one, other, x):
        return one is other, one == other, one, x + 1

    converted = transpile.convert(told, strict=True)
    a, b = Path("a"), Path("a")
    for given in ((a, b, X), (a, a, X), (b, a, X), (b, b, X)):
        found = converted(*given)
        assert found[:3] == told(*given)[:3] and found[2] is given[0]


@pytest.mark.parametrize(
    "body",
    [lambda file: str(file), lambda file: f"{file}", lambda file: repr(file), lambda file: [f"{file!r}"]],
)
def test_what_is_held_is_not_shown_as_what_stands_for_it(body, tmp_path):
    with (tmp_path / "a").open("w") as file, pytest.raises(StagingError, match="S205-object"):
        transpile.convert(body, strict=True)(file)
