"""Digests of sources: files are read again only where they have changed."""

import os
from pathlib import Path

import pytest

from transpile.runtime import disk
from transpile.runtime.disk import digest_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(disk, "_SETTLED", -60.0)
    made = tmp_path / "sources"
    made.mkdir()
    (made / "one.py").write_text("x = 1\n")
    (made / "two.py").write_text("y = 2\n")
    (made / "notes.txt").write_text("nothing")
    return made


def read_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    read = []
    original = Path.read_bytes
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", lambda path: read.append(path) or original(path))
        digest_of([folder])
    return len(read)


def test_files_are_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_count(folder, monkeypatch) == 2
    before = digest_of([folder])
    assert read_count(folder, monkeypatch) == 0
    assert digest_of([folder]) == before and digest_of(iter([folder])) == before
    assert digest_of([folder / "none"]) == digest_of([]) == ""


def test_another_text_gives_another_digest_though_size_and_time_are_the_same(folder: Path) -> None:
    before = digest_of([folder])
    file = folder / "one.py"
    status = file.stat()
    file.write_text("x = 3\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    changed = digest_of([folder])
    assert changed != before
    file.write_text("x = 1\n")
    assert digest_of([folder]) == before
    (folder / "three.py").write_text("")
    (folder / "two.py").rename(folder / "four.py")
    assert digest_of([folder]) != changed


def test_a_file_written_just_now_is_read_each_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_SETTLED", 60.0)
    assert [read_count(folder, monkeypatch) for _ in range(2)] == [2, 2]


def test_nothing_is_kept_where_there_is_no_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(folder / "one.py"))
    assert digest_of([folder]) == digest_of([folder]) != ""
