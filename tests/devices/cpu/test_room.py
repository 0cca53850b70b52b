"""What a call returns does not lie beside memory that the call has done with."""

import os
import subprocess
import sys

import numpy as np
import pytest

import transpile


def test_room_is_made_where_a_result_is_written_first():
    @transpile.convert(strict=True)
    def function(x):
        t = np.sin(x)
        u = t[1:] + t[:-1]
        return u[1:] - u[:-1]

    lines = [line.strip() for line in function.kernels(np.arange(9.0)).splitlines()]
    place = next(k for k, line in enumerate(lines) if line.startswith("make_room("))
    (name,) = lines[place].removeprefix("make_room(").split(")")[:1]
    assert not any(line.startswith(f"{name}[") for line in lines[:place])
    assert any(line.startswith(f"{name}[") for line in lines[place:])


def test_a_kernel_without_memory_of_its_own_makes_none():
    @transpile.convert(strict=True)
    def function(x):
        return x * 2.0 + 1.0

    assert "make_room" not in function.kernels(np.arange(9.0))


_PEAK = """
import ctypes
import numpy as np
import transpile

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

def function(x, n):
    total = np.zeros(len(x))
    for _ in range(n):
        t = np.sqrt(x)
        u = t[1:] + t[:-1]
        total[1:-1] += u[1:] - u[:-1]
    long = np.concatenate((total, total[:n]))
    return long[2:] - long[:-2], long[::2].copy(), n

def grown(f, x):
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS")
    f(x, 3)
    return status("VmHWM") - before

ctypes.CDLL(None).mallopt(-3, 65536)
converted = transpile.convert(function, strict=True)
converted(np.linspace(1, 2, 2000), 3)
x = np.linspace(1, 2, 2_000_000)
plain = grown(function, x)
print(plain, grown(converted, x))
"""


@pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK),
    reason="/proc tells how large a process was, when asked anew",
)
def test_a_call_takes_no_more_memory_than_numpy(tmp_path):
    file = tmp_path / "peak.py"
    file.write_text(_PEAK)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    plain, compiled = map(int, done.stdout.split())
    # 16 MB an array.
    assert plain > 40_000 and compiled < plain + 1_000


def test_room_for_what_python_makes_is_not_the_room_of_a_list():
    def function(x, n):
        kept = []
        for _ in range(n):
            x = np.fft.ifft(np.fft.fft(x) * 0.5)
            kept.append(np.abs(x).sum())
        return x * 2, kept

    converted = transpile.convert(function, strict=True)
    expected, found = function(np.arange(4.0), 3), converted(np.arange(4.0), 3)
    assert found[0].tolist() == expected[0].tolist() and found[1] == expected[1]
