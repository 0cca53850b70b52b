"""What `import transpile` brings in."""

import json
import subprocess
import sys


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_leaves_the_heavy_libraries_for_later() -> None:
    loaded = set(json.loads(run("import sys, json, transpile; print(json.dumps(list(sys.modules)))")))
    assert not loaded & {
        "numba",
        "llvmlite",
        "scipy",
        "rich",
        "numpy.testing",
        "numpy.f2py",
        "transpile.corpus",
    }


def test_import_leaves_what_rewrites_for_functions_of_which_nothing_is_kept() -> None:
    loaded = set(json.loads(run("import sys, json, transpile; print(json.dumps(list(sys.modules)))")))
    assert not loaded & {"gast", "astunparse", "transpile.converters.pipeline"}


def test_import_leaves_what_describes_ops_for_the_first_trace() -> None:
    loaded = set(json.loads(run("import sys, json, transpile; print(json.dumps(list(sys.modules)))")))
    assert not loaded & {"transpile.runtime.ops.table", "transpile.runtime.trace.tracer", "random"}


def test_what_serves_calls_is_there_before_the_first_call_of_a_converted_function() -> None:
    code = "import sys, json, transpile; transpile.convert(lambda x: x); print(json.dumps(list(sys.modules)))"
    loaded = set(json.loads(run(code)))
    assert loaded >= {"transpile.tracing", "transpile.entry", "transpile.entrance", "transpile.direct"}
    assert "transpile.devices.cpu.executable" in loaded
    assert not loaded & {"numba", "transpile.devices.cpu.emit", "transpile.converters.pipeline"}
