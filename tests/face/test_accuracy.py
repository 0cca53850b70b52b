"""Where the accuracy of compiled code is asked for, and that nobody gets another who does not ask."""

import pickle
import sys

import numpy as np
import pytest

from transpile import convert, hook
from transpile.cli import main


def wave(x):
    return np.sin(x).sum()


def another():
    """A function that nobody else has: one that is hooked stays so."""
    return lambda x: wave(x)


class Source:
    def at(self, x):
        return wave(x)


def test_default_is_numpys() -> None:
    assert convert(wave).calls.accuracy == "numpy" == hook.offer(another()).calls.accuracy


def test_accuracy_goes_to_all_that_is_converted_with_it() -> None:
    assert convert(accuracy="fast")(wave).calls.accuracy == "fast"
    assert convert(type("Other", (Source,), {"at": Source.at}), accuracy="fast").at.calls.accuracy == "fast"
    assert hook.offer(another(), accuracy="fast").calls.accuracy == "fast"


def test_it_belongs_to_the_graph_and_to_what_is_made_of_the_calls() -> None:
    x = np.linspace(0, 1, 50)
    fast, plain = convert(wave, strict=True, accuracy="fast"), convert(wave, strict=True)
    assert fast.graph(x).accuracy == "fast" and plain.graph(x).accuracy == "numpy"
    assert plain(x) == wave(x)
    assert fast(x) == pytest.approx(wave(x), rel=1e-14)
    kind, arguments, *_ = fast.calls.__reduce__()
    assert kind(*arguments).accuracy == "fast" and pickle.dumps(arguments[1:])


def test_interpreter_keeps_numpys_bits() -> None:
    x = np.linspace(0, 9, 500)
    assert convert(wave, strict=True, device="host", accuracy="fast")(x) == wave(x)


def test_hook_converts_a_module_with_it(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "waves_to_hook.py").write_text("def f(x):\n    return x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with hook.installed("waves_to_hook", accuracy="fast"):
        import waves_to_hook  # type: ignore[import-not-found]
    try:
        assert waves_to_hook.f.calls.accuracy == "fast"
    finally:
        del sys.modules["waves_to_hook"]
    with pytest.raises(ValueError, match="accuracy is 'numpy' or 'fast', not 'exact'"):
        hook.install("waves_to_hook", accuracy="exact")


@pytest.mark.parametrize("accuracy", ["numpy", "fast"])
def test_command_line_hands_it_on(accuracy: str, tmp_path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "script.py"
    script.write_text("def f(x):\n    return x\n\n\nprint(f.calls.accuracy)\n")
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    assert main(["run", "--accuracy", accuracy, str(script)]) == 0
    assert capsys.readouterr().out == f"{accuracy}\n"
