"""The walkthrough says what is so: its program is followed through the stages, and each block compared."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "walkthrough.md"

# A command in a block of its own, and the block of what it prints.
_SHOWN = re.compile(r"(```sh\n(?P<command>.*?)\n```\n\n```\w+\n)(?P<output>.*?)(?P<end>```\n)", re.DOTALL)


def run(command: str, folder: Path) -> str:
    assert command.startswith("transpile ")
    arguments = [sys.executable, "-m", *re.findall(r'"[^"]*"|\S+', command)]
    done = subprocess.run([a.strip('"') for a in arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).strip("\n")


def test_every_block_is_what_the_command_above_it_prints(
    tmp_path: Path, check_text: Callable[[Path, str], None]
) -> None:
    text = PAGE.read_text()
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert program is not None
    (tmp_path / "heat.py").write_text(program[1])

    def printed(match: re.Match[str]) -> str:
        output = re.sub(r"in \d+\.\d\d s", "in 0.50 s", run(match["command"], tmp_path))
        return match[1] + output + "\n" + match["end"]

    assert len(_SHOWN.findall(text)) == 4
    check_text(PAGE, _SHOWN.sub(printed, text))
