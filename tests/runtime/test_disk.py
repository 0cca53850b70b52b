"""What is kept on disk is found again where it is whole and one's own."""

import gc
import os
import time
import warnings
from pathlib import Path

import pytest

from transpile.runtime.disk import Store, cache_folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_what_was_saved_is_loaded(folder: Path) -> None:
    store = Store("thing")
    assert store.load("made of this") is None
    store.save("made of this", b"a thing")
    assert store.load("made of this") == b"a thing"
    assert store.load("made of that") is None
    assert Store("another").load("made of this") is None
    assert [path.suffix for path in cache_folder().rglob("*.*")] == [".thing"]


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:20], lambda b: b[:-1], lambda b: b + b"!"])
def test_what_is_damaged_is_not_loaded_and_saved_anew(folder: Path, damage) -> None:  # type: ignore[no-untyped-def]
    store = Store("thing")
    store.save("made of this", b"a thing")
    (file,) = folder.rglob("*.thing")
    file.write_bytes(damage(file.read_bytes()))
    assert store.load("made of this") is None
    store.save("made of this", b"a thing")
    assert store.load("made of this") == b"a thing"


def test_what_is_somebody_elses_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store("thing")
    store.save("made of this", b"a thing")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert store.load("made of this") is None


def test_a_folder_that_cannot_be_written_keeps_nothing(folder: Path) -> None:
    folder.write_text("a file")
    store = Store("thing")
    store.save("made of this", b"a thing")
    assert store.load("made of this") is None


def test_what_was_not_used_for_long_goes_when_something_is_saved_beside_it(folder: Path) -> None:
    store = Store("thing")
    store.save("made of this", b"a thing")
    (kept,) = folder.rglob("*.thing")
    unused = kept.with_name("0" * 30 + ".thing")
    draft = kept.with_name("1" * 30 + ".17.4.tmp")
    others = kept.with_name("notes.txt")
    long_ago = time.time() - 61 * 86400
    for path in (unused, draft, others):
        path.write_bytes(b"")
        os.utime(path, (long_ago, long_ago))
    os.utime(kept, (long_ago, long_ago))
    assert store.load("made of this") == b"a thing"
    store.save("made of this", b"a thing")
    assert sorted(path.name for path in kept.parent.iterdir()) == sorted([kept.name, others.name])


def test_what_another_process_removes_first_does_not_keep_the_rest(folder: Path) -> None:
    store = Store("thing")
    store.save("made of this", b"a thing")
    (kept,) = folder.rglob("*.thing")
    unused = [kept.with_name(digit * 30 + ".thing") for digit in "23"]
    gone = [kept.with_name(digit * 30 + ".thing") for digit in "01"]
    long_ago = time.time() - 61 * 86400
    for path in unused:
        path.write_bytes(b"")
        os.utime(path, (long_ago, long_ago))
    for path in gone:
        path.symlink_to(folder / "nothing")  # Listed, and not there when it is asked for.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.save("made of this", b"a thing")
        gc.collect()
    assert not any(path.exists() for path in unused)


def test_loading_notes_that_it_is_used(folder: Path) -> None:
    store = Store("thing")
    store.save("made of this", b"a thing")
    (kept,) = folder.rglob("*.thing")
    long_ago = time.time() - 59 * 86400
    os.utime(kept, (long_ago, long_ago))
    store.load("made of this")
    assert time.time() - kept.stat().st_mtime < 86400


def test_the_folder_is_what_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("TRANSPILE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "transpile"


def test_nothing_is_kept_of_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TRANSPILE_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    store = Store("thing")
    store.save("made of this", b"a thing")
    assert store.load("made of this") is None
