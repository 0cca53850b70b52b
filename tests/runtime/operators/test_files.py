"""NumPy's files are written and read as NumPy does, in the program's order, and a call that is left after that leaves no trace of it."""

import filecmp
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

DEVICES = pytest.mark.parametrize("device", ["host", "cpu"])


@pytest.fixture
def agree(tmp_path, device):
    """Run a function in two folders, plainly and converted, and compare what it gives, writes, raises and warns of."""

    def check(function, *args, deoptimised=0):
        found = []
        converted = convert(function, strict=True, device=device)
        for number, run in enumerate((function, converted)):
            folder = tmp_path / f"{function.__name__}{number}"
            folder.mkdir(exist_ok=True)
            _prepare(str(folder / "given"))
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                # When files are found unclosed is up to the collector of garbage.
                warnings.simplefilter("ignore", ResourceWarning)
                try:
                    result = run(str(folder / "file"), str(folder / "given"), *args)
                except (OSError, ValueError, TypeError) as error:
                    result = repr(error).replace(str(folder), "")
            said = [(str(w.message), w.lineno, w.filename) for w in warned]
            found.append((repr(result), said, sorted(path.name for path in folder.iterdir())))
        assert found[0] == found[1]
        first = tmp_path / f"{function.__name__}0"
        for path in first.iterdir():
            if path.suffix != ".npz":
                assert filecmp.cmp(path, tmp_path / f"{function.__name__}1" / path.name, shallow=False), (
                    path.name
                )
        assert [entry.deoptimised for entry in converted.calls.entries] == [deoptimised]

    return check


def _prepare(path):
    array = np.arange(6.0).reshape(2, 3)
    np.save(path, array)
    np.savez(path, array, other=array.T)
    np.savetxt(f"{path}.txt", array)
    array.tofile(f"{path}.bin")
    for number in range(3):
        np.save(f"{path}{number}", array * number)


X = np.arange(6.0).reshape(2, 3)


@DEVICES
@pytest.mark.parametrize("x", [X, X.T.copy().T], ids=["C", "F"])
def test_arrays_are_written_as_they_lie(agree, x):
    def write(file, given, x):
        y = x * 2 + 1
        np.save(file, y)
        np.save(f"{file}T", x.T)
        np.save(file + "x", x)
        np.savez(file, x, b=y.T, c=y[:, 1])
        np.savez_compressed(f"{file}c", x)
        np.savetxt(f"{file}.txt", y, fmt="%.3f", header="h")
        y.tofile(f"{file}.bin")
        y.T.dump(f"{file}.dump")
        return y

    agree(write, x)


@DEVICES
def test_files_are_written_where_loops_and_branches_do(agree):
    def write(file, given, x, n):
        total = 0.0
        for i in range(n):
            x = x * 1.5
            if x[0, 1] > 2:
                np.savetxt(f"{file}{i}.txt", x)
            total += x.sum()
        return total

    agree(write, X, 4)


@DEVICES
def test_what_is_read_is_computed_with(agree):
    def read(file, given):
        x, y, z = np.load(given + ".npy"), np.loadtxt(f"{given}.txt"), np.fromfile(given + ".bin")
        total = 0.0
        for k in range(x.shape[0]):
            total += x[k].sum()
        a, b, c = np.loadtxt(f"{given}.txt", unpack=True)
        return x, y, z, total, a + b - c, y.shape[1], np.genfromtxt(f"{given}.txt")

    agree(read)


@DEVICES
def test_lines_are_read(agree):
    def read(file, given):
        return np.loadtxt(["1 2", "3 4"]), np.genfromtxt(["1,2", "3,x"], delimiter=",")

    agree(read)


@DEVICES
def test_archives_are_read(agree):
    def read(file, given):
        with np.load(given + ".npz") as held:
            first = held["arr_0"]
        return first * 2, np.load(given + ".npz")["other"].sum()

    agree(read)


@DEVICES
def test_a_loop_reads_the_files_that_it_names(agree):
    def read(file, given, n):
        total = 0.0
        for i in range(n):
            total += np.load(f"{given}{i}.npy").sum()
        return total

    agree(read, 3)


@DEVICES
def test_a_file_is_read_after_it_was_written(agree):
    def write_and_read(file, given, x):
        np.save(given, x * 3)
        return np.load(given + ".npy")

    agree(write_and_read, X)


@DEVICES
def test_a_file_that_is_missing_at_run_time_is_NumPys_to_tell(agree):
    def read(file, given, n):
        total = 0.0
        for i in range(n):
            total += np.load(f"{given}{i}.npy").sum()
        return total

    agree(read, 5)


@DEVICES
def test_NumPy_says_what_is_wrong(agree):
    def to_nowhere(file, given, x):
        np.save(file + "/no/x", x)
        return x.sum()

    def in_no_format(file, given, x):
        np.savetxt(file, x, fmt="%d %d")
        return x.sum()

    agree(to_nowhere, X)
    agree(in_no_format, X)


@DEVICES
def test_a_handler_hears_of_it(agree):
    def write(file, given, x):
        np.save(given, x)
        try:
            np.save(file + "/no/x", x)
        except OSError:
            return "no"
        return "yes"

    agree(write, X, deoptimised=1)


@DEVICES
def test_a_call_that_is_left_reads_again_what_it_has_written_over(agree, device):
    def count(file, given, k):
        np.save(given, np.load(given + ".npy") + 1)
        for _ in range(100):
            k = k * 3
        return k

    # The interpreter leaves where an integer does not fit, compiled code as well.
    agree(count, 1, deoptimised=int(device == "cpu"))


def test_floating_errors_are_warned_of_where_a_file_is_written(tmp_path):
    def write(file, x):
        np.save(file, np.log(x))
        return x + 1

    converted = convert(write, strict=True)
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in log"):
        converted(str(tmp_path / "x"), X)
    assert np.isneginf(np.load(tmp_path / "x.npy")[0, 0])


@DEVICES
def test_a_file_of_another_kind_is_left_to_the_original(tmp_path, device):
    def read(file):
        return np.load(file) * 2

    converted = convert(read, strict=True, device=device)
    file = str(tmp_path / "x.npy")
    for array in (X, X + 1, X[0], X.astype(np.int16)):
        np.save(file, array)
        found = converted(file)
        assert found.dtype == array.dtype and np.array_equal(found, array * 2)
    assert [entry.deoptimised for entry in converted.calls.entries] == [2]


@DEVICES
def test_of_a_long_text_the_first_lines_are_looked_at(tmp_path, device, monkeypatch):
    monkeypatch.setattr("transpile.runtime.operators.files._LINES", 500)
    np.savetxt(tmp_path / "x.txt", np.arange(90.0).reshape(30, 3))

    def read(file):
        return np.loadtxt(file), np.genfromtxt(file)[:, 1].sum()

    converted = convert(read, strict=True, device=device)
    assert repr(converted(str(tmp_path / "x.txt"))) == repr(read(str(tmp_path / "x.txt")))
    assert [entry.deoptimised for entry in converted.calls.entries] == [0]


def test_a_large_file_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.setattr("transpile.runtime.ops.written_files._MOST", 4)

    def write(file, x):
        np.save(file, np.log(x))

    file = tmp_path / "x.npy"
    file.write_bytes(b"12345")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        converted = convert(write, strict=True)
        converted(str(file), X)
    assert [entry.deoptimised for entry in converted.calls.entries] == [1]
    assert np.load(file).shape == X.shape


@DEVICES
def test_what_no_graph_holds_is_refused(tmp_path, device):
    np.save(tmp_path / "x", np.array(["a"]))

    def text(file):
        return np.load(file)

    def nothing(file):
        return np.load(file + "no")

    for function in (text, nothing):
        with pytest.raises(StagingError, match="S311-read"):
            convert(function, strict=True, device=device)(str(tmp_path / "x.npy"))
