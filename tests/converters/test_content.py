"""What the conversion of a function depends on: another text, other names around it, another compiler, but not the process."""

import linecache
import os
import subprocess
import sys

import pytest

from transpile.converters import content
from transpile.runtime.disk import digest_of

TEXT = """\
import math

LEAST = 2

def f(x):
    for value in (1, 2):
        if value in {"a", "b", "c"} or x > LEAST:
            x = math.sqrt(x)
    return x
"""


def content_of(function, others):
    return content.content_of(function, others, frozenset(), digest_of)


def made(text=TEXT, file="<kept>", **names):
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    namespace = {"__name__": "kept", **names}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def test_the_same_function_has_the_same_content_in_whatever_file():
    assert content_of(made(), None) == content_of(made(), None) == content_of(made(file="<elsewhere>"), None)


@pytest.mark.parametrize(
    "other",
    [
        lambda: made(TEXT.replace("> LEAST", "< LEAST")),
        lambda: made(TEXT.replace("LEAST:", "LEAST:  # so far")),
        lambda: made(TEXT.replace("import math", "")),
        lambda: made("\n" + TEXT),
        lambda: made(range=iter),
    ],
    ids=["code", "comment", "imports", "lines", "globals"],
)
def test_another_function_has_another_content(other):
    assert content_of(other(), None) != content_of(made(), None)


def test_functions_that_are_rewritten_together_have_a_content_of_their_own():
    f = made()
    assert len({content_of(f, others) for others in (None, {}, {"f": f}, {"g": f})}) == 4


def test_the_code_that_converts_is_part_of_it(monkeypatch):
    before = content_of(made(), None)
    content._converters.cache_clear()
    assert content_of(made(), None) == before
    monkeypatch.setattr(content, "_converters", lambda digest: "another one")
    assert content_of(made(), None) != before


def test_there_is_none_where_the_code_that_converts_cannot_be_read(monkeypatch, tmp_path):
    monkeypatch.setattr(content, "__file__", str(tmp_path / "content.pyc"))
    monkeypatch.setattr(content, "_converters", content._converters.__wrapped__)
    assert content_of(made(), None) is None


def test_there_is_none_without_a_source():
    namespace = {}
    exec("def f(x): return x", namespace)
    assert content_of(namespace["f"], None) is None


def test_it_is_the_same_in_every_process(tmp_path):
    (tmp_path / "kept.py").write_text(TEXT)
    program = (
        "import hashlib, kept; from transpile.converters.content import content_of;"
        "from transpile.runtime.disk import digest_of;"
        "content = content_of(kept.f, None, frozenset(), digest_of);"
        "print(hashlib.sha256(content.encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
