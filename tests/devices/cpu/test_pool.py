"""Memory that kernels are done with is kept for the next one, within bounds, whichever threads ask."""

import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import pool, symbols

KEEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Block:
    """A block, by its record."""

    def __init__(self, size: int) -> None:
        symbols.register(["transpile_pool_make"])
        make = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(pool._resolve("make") or 0)
        self.record = make(size)
        if self.record is not None:
            self.words = (ctypes.c_uint64 * 6).from_address(self.record)
            self.address = self.words[3]

    def give_back(self) -> None:
        """As numba does with the last share."""
        allocator = (ctypes.c_uint64 * 4).from_address(self.words[5])
        KEEP(allocator[2])(self.record, None)


@pytest.fixture
def emptied() -> Iterator[None]:
    """Has the pool keep nothing."""
    gc.collect()
    pool.release()
    yield


def test_a_block_that_is_given_back_serves_the_next_that_needs_as_much(emptied):
    first = Block(1_000_000)
    assert first.address % 64 == 0
    ctypes.memset(first.address, 7, 1_000_000)
    first.give_back()
    second = Block(900_000)
    assert second.address == first.address
    assert second.words[0] == 1 and second.words[4] == 900_000
    second.give_back()


def advised(address: int) -> bool:
    """Whether the system has been asked for huge pages at an address."""
    inside = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        name, *rest = line.split()
        if "-" in name:
            first, last = (int(number, 16) for number in name.split("-"))
            inside = first <= address < last
        elif inside and name == "VmFlags:":
            return "hg" in rest
    return False


_HUGE_PAGES = """
from tests.devices.cpu.test_pool import Block, advised
print(advised(Block(1 << 27).address + (1 << 26)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a system without huge pages")
@pytest.mark.parametrize("wanted", (False, True))
def test_a_large_block_lies_in_huge_pages_where_arrays_of_numpy_do(wanted):
    root = Path(__file__).parents[3]
    environment = {**os.environ, "NUMPY_MADVISE_HUGEPAGE": str(int(wanted)), "PYTHONPATH": str(root)}
    found = subprocess.run(
        [sys.executable, "-c", _HUGE_PAGES], env=environment, capture_output=True, text=True
    )
    assert found.stdout == f"{wanted}\n", found.stderr


def test_a_block_in_use_serves_nobody_else(emptied):
    blocks = [Block(200_000) for _ in range(40)]
    assert len({block.address for block in blocks}) == 40
    for block in blocks:
        block.give_back()


def test_a_block_more_than_twice_as_large_is_left_for_others(emptied):
    first = Block(1_000_000)
    first.give_back()
    second = Block(300_000)
    assert second.address != first.address
    second.give_back()


def test_the_closest_of_the_blocks_that_are_kept_serves(emptied):
    blocks = [Block(size) for size in (1_900_000, 1_100_000, 1_500_000)]
    for block in blocks:
        block.give_back()
    found = Block(1_000_000)
    assert found.address == blocks[1].address
    found.give_back()


_GROWTH = """
import ctypes
from tests.devices.cpu.test_pool import Block

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

ctypes.CDLL(None).mallopt(-3, 65536)
Block(1_000_000).give_back()
before = status("VmRSS")
sizes = [5_000_000 * k for k in range(1, 9)] + [600_000 * k for k in range(1, 9)]
for size in sizes:
    block = Block(size)
    ctypes.memset(block.address, 1, size)
    block.give_back()
print(status("VmHWM") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how large a process was")
def test_what_is_kept_goes_before_a_process_grows_larger_than_its_blocks_in_use_have_been():
    # One after the other they need 40 MB; all that could be kept of them is 67.
    done = subprocess.run([sys.executable, "-c", _GROWTH], capture_output=True, text=True, check=True)
    assert 38_000 < int(done.stdout) < 42_000


def test_there_is_no_block_where_there_is_no_memory():
    assert Block(1 << 62).record is None
    assert Block(-(2**16)).record is None


def test_threads_never_share_a_block():
    wrong: list[int] = []

    def work(number: int) -> None:
        for turn in range(300):
            blocks = [Block(70_000 + 1000 * ((turn + k) % 40)) for k in range(3)]
            for block in blocks:
                ctypes.memset(block.address, number, 64)
            wrong.extend(b.address for b in blocks if ctypes.string_at(b.address, 64) != bytes([number] * 64))
            for block in blocks:
                block.give_back()

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_a_kernel_returns_is_not_what_it_has_kept():
    @transpile.convert(strict=True)
    def smooth(x):
        t = np.sqrt(x)
        u = t[1:] + t[:-1]
        return u[1:] - u[:-1]

    x = np.linspace(0, 1, 50_000)
    found = [smooth(x + k) for k in range(4)]
    for k, one in enumerate(found):
        t = np.sqrt(x + k)
        u = t[1:] + t[:-1]
        assert one.tobytes() == (u[1:] - u[:-1]).tobytes()


def resident():
    """How many bytes of memory the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how large a process is")
def test_all_that_is_kept_can_be_given_back(emptied):
    # The C library, too, gives back a block of more than 32 MiB at once.
    block = Block(60_000_000)
    ctypes.memset(block.address, 7, 60_000_000)
    block.give_back()
    before = resident()
    pool.release()
    assert before - resident() > 50_000_000
