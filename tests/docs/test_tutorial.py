"""The tutorial is run as a reader would: its files are written, its commands run, its output compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _run(line: str, folder: Path) -> str:
    words = shlex.split(line)
    assert words[0] == "duckpress"
    environment = {**os.environ, "COLUMNS": "120"}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return (done.stdout + done.stderr).replace(f"{folder}/", "")


def test_the_tutorial_works_as_it_stands(tmp_path: Path) -> None:
    shown = []
    for kind, file, text in _BLOCK.findall(PAGE.read_text()):
        if file:
            target = tmp_path / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        elif kind == "console":
            first, _, output = text.partition("\n")
            shown.append((first, output, _run(first.removeprefix("$ "), tmp_path)))
    assert len(shown) >= 3
    for line, promised, given in shown:
        assert given == promised, line
    assert (tmp_path / "output" / "pond" / "pond-cards-a4.pdf").is_file()
    assert (tmp_path / "output" / "pond" / "pond-cards-letter.pdf").is_file()
