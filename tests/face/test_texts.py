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


def sorted_by(kind, x):
    return np.sort(x, kind=kind), np.argsort(x, kind=kind)


def taken(mode, x):
    return np.take(x, [0, 7], mode=mode), x.take([1, 9], mode=mode)


def placed(mode, x):
    return np.ravel_multi_index(np.array([[1, 5], [2, 3]]) + x.astype(int)[:2], (3, 4), mode=mode)


def searched(side, x):
    return np.searchsorted(x, [1.5, 2.0], side=side)


def halves(UPLO, x):
    return np.linalg.eigh(np.outer(x, x), UPLO=UPLO)[0]


@DEVICES
@pytest.mark.parametrize(
    ("function", "options"),
    [
        (sorted_by, ["quicksort", "stable", "heapsort"]),
        (taken, ["clip", "wrap", "clip"]),
        (placed, ["clip", "wrap", "clip"]),
        (searched, ["left", "right", "left"]),
        (halves, ["L", "U", "L"]),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_options_of_numpys_functions_are_known(function, options, device):
    converted_and_called(function, device, *((option, X) for option in options))


@DEVICES
@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_options_that_numpy_does_not_know_are_its_errors(device):
    def raveled(order, x):
        return x.reshape(1, 3, order=order), x.ravel(order), x.flatten(order)

    converted = convert(raveled, device=device)
    for order in ("C", "F", "Z", "K", "f", "Z"):
        outcomes = []
        for each in (raveled, converted):
            try:
                outcomes.append(repr(each(order, X)))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_a_text_of_another_class_is_none():
    class Name(str):
        __slots__ = ()

    def named(name, x):
        return name, x

    converted = convert(named)
    assert [type(converted(name, X)[0]) for name in ("a", "b", Name("c"))] == [str, str, Name]
