"""What memory there is, as Linux tells it: the least of what is free and of what control groups leave."""

import sys

import pytest

from transpile.devices.cpu import free_memory


@pytest.fixture
def system(monkeypatch, tmp_path):
    """Gives what writes the files of a system, by their names."""
    for name, place in (("_MEMORY", "meminfo"), ("_GROUPS", "own"), ("_ROOT", "groups")):
        monkeypatch.setattr(free_memory, name, tmp_path / place)

    def make(**files):
        for name, text in files.items():
            write(tmp_path / name, text)

    make.path = tmp_path
    return make


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_nothing_is_told_without_the_files(system):
    assert free_memory.free_memory() is None


def test_what_is_free_is_in_kilobytes(system):
    system(meminfo="MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable:   4000 kB\nHugePages_Total: 0\n")
    assert free_memory.free_memory() == 4000 * 1024


@pytest.mark.parametrize(
    "inner, outer, expected", [("max", "max", 4096000), ("5000", "max", 4300), ("5000", "1500", 700)]
)
def test_groups_and_those_around_them_leave_less(system, inner, outer, expected):
    system(meminfo="MemAvailable: 4000 kB\n", own="1:cpu:/x\n0::/a/b\n")
    for folder, limit, used in (("a/b", inner, "1000"), ("a", outer, "1100")):
        group = system.path / "groups" / folder
        write(group / "memory.max", f"{limit}\n")
        write(group / "memory.current", f"{used}\n")
        write(group / "memory.stat", "anon 500\ninactive_file 300\n")
    assert free_memory.free_memory() == expected


def test_groups_of_the_older_kind(system):
    system(meminfo="MemAvailable: 4000 kB\n", own="4:memory:/jobs/1\n0::/\n")
    group = system.path / "groups/memory/jobs/1"
    write(group / "memory.limit_in_bytes", "3000\n")
    write(group / "memory.usage_in_bytes", "3500\n")
    write(group / "memory.stat", "total_inactive_file 100\n")
    assert free_memory.free_memory() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_this_system_tells():
    assert free_memory.free_memory() > 0
