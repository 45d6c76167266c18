"""Pages to learn from are run as a reader would: files are written, commands run, and their output compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from pages import Page

from duckpress.cli.commands import main
from running import write_files

_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("page", "game"), [("tutorial", "pond"), ("spreadsheet", "orchard")])
def test_the_page_works_as_it_stands(page: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = 0
    for kind, file, text in _BLOCK.findall(Page(page).text):
        if file:
            write_files(tmp_path, {file: text})
        elif kind == "console":
            line, _, promised = text.partition("\n")
            name, *words = shlex.split(line.removeprefix("$ "))
            done = CliRunner().invoke(main, words, env={"COLUMNS": "120"})
            assert (name, done.output.replace(f"{tmp_path}/", "")) == ("duckpress", promised), line
            shown += 1
    assert shown >= 3
    for paper in ("a4", "letter"):
        assert (tmp_path / f"output/{game}/{game}-cards-{paper}.pdf").is_file()
