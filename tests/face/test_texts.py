"""Functions that are handed one text after the other are traced for all of them, unless they look into them."""

import numpy as np
import pytest

from transpile import convert

X = np.arange(3.0)
DEVICES = pytest.mark.parametrize("device", ["host", "cpu"])


def converted_and_called(function, device, *calls):
    converted = convert(function, strict=True, device=device)
    for call in calls:
        assert repr(converted(*call)) == repr(function(*call))
    return converted


@DEVICES
def test_one_trace_serves_all_files(tmp_path, device):
    for number in range(4):
        np.save(tmp_path / f"x{number}", X * number)

    def doubled(path):
        found = np.load(path) * 2
        np.save(path, found)
        return path, found.sum()

    converted = convert(doubled, strict=True, device=device)
    for number in range(4):
        path = str(tmp_path / f"x{number}.npy")
        assert converted(path) == (path, 6.0 * number)
    assert converted.cache_info().currsize == 2
    assert np.array_equal(np.load(tmp_path / "x3.npy"), X * 6)


@DEVICES
def test_texts_are_printed_and_returned(device, capsys):
    def told(name, x):
        print(name, x.sum())
        return f"{name:>5}", name + "!", [name], x * 2

    converted = converted_and_called(told, device, *((name, X) for name in "abcd"))
    assert converted.cache_info().currsize == 2
    assert capsys.readouterr().out == "".join(f"{name} 3.0\n" * 2 for name in "abcd")


@DEVICES
def test_what_is_looked_into_is_known(device):
    def chosen(mode, name, x):
        if mode == "double":
            return name, x * 2
        return name, np.pad(x, 1, mode=mode)

    calls = [("double", "a", X), ("edge", "b", X), ("wrap", "c", X), ("edge", "d", X), ("double", "e", X)]
    converted = converted_and_called(chosen, device, *calls)
    assert converted.cache_info().currsize <= len(calls)


@DEVICES
def test_what_pythons_own_functions_look_into_is_known(device):
    def found(mode, x):
        return x * 2 if mode in "rw+" else x

    def joined(casting, x):
        return np.concatenate([x, x], casting=casting)

    converted_and_called(found, device, ("r", X), ("w", X), ("a", X))
    converted_and_called(joined, device, ("safe", X), ("no", X), ("unsafe", X))


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_a_text_of_another_class_is_none():
    class Name(str):
        __slots__ = ()

    def named(name, x):
        return name, x

    converted = convert(named)
    assert [type(converted(name, X)[0]) for name in ("a", "b", Name("c"))] == [str, str, Name]
