"""docs/editions.md: its game prints as the page says, in the layout of files it says, with the keys it lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from json_keys import in_tables, keys_in

from duckpress.cli.commands import main
from duckpress.content.game.game_file import EditionKeys
from duckpress.files.workspace import Workspace

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "editions.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^## ", PAGE)[1:]}
FILES = dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", PAGE))

_HEADS = {"problems", "sheets.a4", "copies", "copies[].files"}
"""What every command reports, the name of a paper, and what only holds other keys."""

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def run(workspace: Workspace, *words: str) -> Result:
    return CliRunner().invoke(main, ["--workspace", str(workspace.root), *words], env={"COLUMNS": "120"})


def test_the_edition_says_what_the_page_says(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace.root)
    (said,) = re.findall(r"(?ms)^```console\n\$ [^\n]+\n(.*?)^```$", PAGE)
    done = run(workspace, "edition", "bingo", "--for", "people.csv", "--piece", "sheet", "--seed", "a winter evening")
    assert done.output.replace(f"{workspace.root}/", "") == said
    folder = workspace.root / "output" / "bingo" / "edition" / "0001-0003"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["bingo-ann-a4.pdf", "bingo-bob-a4.pdf", "bingo-eve-a4.pdf", "manifest.json"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert set(keys_in(manifest)) - _HEADS <= in_tables(SECTIONS["JSON"])


def test_the_game_of_the_page_has_no_finding(workspace: Workspace) -> None:
    assert run(workspace, "check", "bingo").output == "bingo: no problems\n"


def test_the_json_has_the_keys_of_the_page(workspace: Workspace) -> None:
    people = str(workspace.root / "people.csv")
    done = run(workspace, "edition", "bingo", "--for", people, "--seed", "x", "--format", "json")
    assert set(keys_in(json.loads(done.output))) - _HEADS <= in_tables(SECTIONS["JSON"])


def test_every_key_is_described() -> None:
    assert set(EditionKeys.keys) <= in_tables(SECTIONS["What differs"])
