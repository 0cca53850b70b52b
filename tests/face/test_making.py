"""Tracing and compiling, one function at a time: a process may fork meanwhile."""

import os
import subprocess
import sys
import textwrap

import pytest

_PROGRAM = textwrap.dedent("""
    import os, signal, sys, threading
    import numpy as np
    from transpile import convert
    import transpile.calls

    def grows(x):
        for i in range(x.shape[0]):
            x[i] = np.exp(x[i]) + i * 7.25
        return x

    def gives(x):
        return x * 2.5

    begun = threading.Event()
    make = transpile.calls.Calls.traced
    def traced(self, values):
        begun.set()
        return make(self, values)
    transpile.calls.Calls.traced = traced

    grows, gives = convert(grows), convert(gives)
    thread = threading.Thread(target=grows, args=(np.ones(4),))
    thread.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        grows(np.ones(3))
        os._exit(int(gives(np.ones(2))[1] != 2.5))
    thread.join()
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_child_of_a_process_that_forks_while_it_compiles_can_compile(tmp_path) -> None:
    script = tmp_path / "forks.py"
    script.write_text(_PROGRAM)
    options = ["-W", "ignore::DeprecationWarning"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, *options, str(script)]
    assert subprocess.run(command, env=environment, timeout=120).returncode == 0
