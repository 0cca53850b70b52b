"""What `import transpile` brings in."""

import json
import subprocess
import sys
from pathlib import Path


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


def test_a_script_that_gains_nothing_loads_neither_numpy_nor_what_traces(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, json\n"
        "def total(n):\n"
        "    return sum(i * i for i in range(n))\n"
        "for k in range(3):\n"
        "    total(k)\n"
        "print(json.dumps(list(sys.modules)))\n"
    )
    code = f"from transpile import cli; cli.main(['run', {str(script)!r}])"
    loaded = set(json.loads(run(code)))
    assert "transpile.hooked_calls" in loaded
    assert not loaded & {
        "numpy",
        "logging",
        "argparse",
        "shutil",
        "transpile.tracing",
        "transpile.choice",
    }


def test_convert_is_found_in_the_package() -> None:
    code = "import transpile; print('convert' in dir(transpile), transpile.convert.__module__, transpile.convert is transpile.convert)"
    assert run(code) == "True transpile.converting True\n"


def test_what_serves_calls_is_there_before_the_first_call_of_a_converted_function() -> None:
    code = "import sys, json, transpile; transpile.convert(lambda x: x); print(json.dumps(list(sys.modules)))"
    loaded = set(json.loads(run(code)))
    assert loaded >= {"transpile.tracing", "transpile.entry", "transpile.entrance", "transpile.direct"}
    assert "transpile.devices.cpu.executable" in loaded
    assert not loaded & {"numba", "transpile.devices.cpu.emit", "transpile.converters.pipeline"}
