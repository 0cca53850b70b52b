"""A package from the registry, as it is published, is converted by the hook, and gives what it gave."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import collections, time, zlib
import numpy as np
import padasip

weights = np.random.default_rng(0).normal(size=(4000, 5)).cumsum(axis=0)
# Long enough for it to pay to compile, however busy the machine is.
until = time.thread_time() + 4
# No statement, which would be compiled with what it calls: that is about functions of the package.
turns = iter(lambda: time.thread_time() < until, False)
calls = ((time.perf_counter(), padasip.detection.learning_entropy(weights, m=20)) for _ in turns)
((start, entropy),) = collections.deque(calls, maxlen=1)
took = time.perf_counter() - start
print(entropy.shape, entropy.dtype, zlib.crc32(entropy.tobytes()))
entropy = padasip.detection.learning_entropy(weights, m=30, alpha=[2.0, 4.0, 8.0])
print(entropy.shape, entropy.dtype, zlib.crc32(entropy.tobytes()))
import sys
print(f"learning_entropy: {1000 * took:.2f} ms", file=sys.stderr)
"""


@pytest.mark.slow
def test_published_package_is_compiled_and_gives_what_it_gave(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    plain = subprocess.run([sys.executable, script], capture_output=True, text=True)
    command = [sys.executable, "-m", "transpile", "run", "--hook", "padasip", "--explain", script]
    converted = subprocess.run(command, capture_output=True, text=True)
    assert plain.returncode == 0, plain.stderr
    assert converted.returncode == 0, converted.stderr
    assert converted.stdout == plain.stdout
    report = converted.stderr
    print("plain", plain.stderr, "converted", report)
    assert "learning_entropy  (" in report and "compiled whole for cpu" in report
