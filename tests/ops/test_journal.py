"""What a call has done is noted, taken back, and done anew."""

import contextlib
import io
import random
import types

import numpy as np
import pytest

from transpile.runtime.errors import Deoptimise
from transpile.runtime.ops import journal, written_files


class Plain:
    level = 3


class Slots:
    __slots__ = ("x", "y")


def left_after(act):
    """Return the journal of a call that acts and is then left."""

    def run():
        act()
        raise Deoptimise("enough")

    with pytest.raises(Deoptimise) as caught:
        journal.recording(run)()
    return caught.value.journal


def test_a_call_that_does_nothing_has_no_journal():
    assert left_after(lambda: None) is None


def test_attributes_are_as_they_were():
    thing, slots = Plain(), Slots()
    thing.a = 1
    slots.x = 2

    def act():
        for value in range(3):
            for owner, name in ((thing, "a"), (thing, "level"), (thing, "new"), (slots, "x"), (slots, "y")):
                journal.store_attribute(owner, name, value)

    found = left_after(act)
    assert (thing.level, slots.y) == (2, 2)
    found.run_anew(lambda: None)
    assert vars(thing) == {"a": 1}
    assert slots.x == 2 and not hasattr(slots, "y")


def test_cells_and_items_are_as_they_were():
    full, empty, items = types.CellType(1), types.CellType(), {"a": 1}

    def act():
        for cell in (full, empty):
            journal.store_attribute(cell, "cell_contents", 5)
        journal.store_item(items, "a", 5)
        journal.store_item(items, "b", 5)

    left_after(act).run_anew(lambda: None)
    assert full.cell_contents == 1
    assert items == {"a": 1}
    with pytest.raises(ValueError, match="empty"):
        empty.cell_contents  # noqa: B018


@pytest.mark.parametrize(
    "generator",
    (
        np.random.default_rng(1),
        np.random.Generator(np.random.MT19937(1)),
        np.random.RandomState(1),
        random.Random(1),
        np.random,
    ),
    ids=lambda generator: getattr(type(generator), "__name__", ""),
)
def test_generators_draw_the_same_again(generator):
    draw = generator.gauss if isinstance(generator, random.Random) else generator.normal
    draw(0.0, 1.0)
    drawn = []

    def act():
        journal.journal().keep_generator(generator)
        drawn.extend(draw(0.0, 1.0) for _ in range(3))

    found = left_after(act)
    assert [found.run_anew(lambda: draw(0.0, 1.0)), draw(0.0, 1.0), draw(0.0, 1.0)] == drawn


def prints(*texts):
    for text in texts:
        print(text)


def shown(act, again):
    """Return what a stream shows of a call that is left, and run anew."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        found = left_after(act)
        try:
            found.run_anew(again)
        finally:
            assert "write" not in vars(out)
    return out.getvalue()


def notes(*texts):
    return lambda: [journal.show((text,), {}) for text in texts]


def test_text_is_shown_once():
    assert shown(notes("a", "b"), lambda: prints("a", "b", "c")) == "a\nb\nc\n"


def test_other_text_in_between_is_let_through():
    assert shown(notes("a", "b"), lambda: prints("a", "other", "b", "c")) == "a\nb\nother\nc\n"


def test_text_that_does_not_come_again_is_an_error():
    with pytest.raises(RuntimeError, match="does not show"):
        shown(notes("a", "b"), lambda: prints("a"))


@pytest.mark.parametrize("kind", (KeyboardInterrupt, RecursionError))
def test_errors_of_the_original_go_through(kind):
    def again():
        prints("a")
        raise kind

    with pytest.raises(kind):
        shown(notes("a", "b"), again)


def test_calls_nest():
    def inner():
        left_after(notes("b", "c")).run_anew(lambda: prints("b", "c", "d"))

    def again():
        prints("a")
        inner()
        prints("e")

    def act():
        notes("a")()
        notes("b", "c", "d")()

    assert shown(act, again) == "a\nb\nc\nd\ne\n"


def test_a_stream_with_a_write_of_its_own_keeps_it():
    out, texts = io.StringIO(), []
    out.write = own = texts.append
    with contextlib.redirect_stdout(out):
        left_after(notes("a")).run_anew(lambda: prints("a", "b"))
    assert texts == ["a", "\n", "b", "\n"]
    assert out.write is own


def test_files_hold_what_they_held(tmp_path):
    there, new = tmp_path / "there", tmp_path / "new"
    there.write_text("before")

    def act():
        for path in (there, new, there):
            journal.journal().keep_file(path)
            path.write_text("after")

    left_after(act).run_anew(lambda: None)
    assert there.read_text() == "before" and not new.exists()


def test_a_device_is_not_written(tmp_path):
    with pytest.raises(Deoptimise, match="or a device"):
        journal.recording(lambda: journal.journal().keep_file("/dev/null"))()


def test_so_much_is_kept_of_files_for_one_call(tmp_path, monkeypatch):
    monkeypatch.setattr(written_files, "_MOST", 10)
    for name in "abc":
        (tmp_path / name).write_text("1234")

    def act():
        for name in "abc":
            journal.journal().keep_file(tmp_path / name)
            (tmp_path / name).write_text(name)

    with pytest.raises(Deoptimise, match="large files") as caught:
        journal.recording(act)()
    caught.value.journal.run_anew(lambda: None)
    assert [(tmp_path / name).read_text() for name in "abc"] == ["1234"] * 3
