"""docs/content.md: its game checks and builds, and every key, option, size and JSON key there is stands on the page."""

from __future__ import annotations

import json
import re

import pytest
from pages import Page, in_tables, keys_in

from declared_keys import keys_of
from duckpress import cli
from duckpress.cli.commands import main
from duckpress.content import load_game
from duckpress.content.game.deck_file import AnyDeckKeys
from duckpress.content.game.fields import CardFamilyKeys
from duckpress.content.game.game_file import GameKeys
from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.files.download import Downloaded
from duckpress.files.workspace import Workspace
from duckpress.model import FieldKind
from duckpress.text.fonts import WEIGHTS
from duckpress.text.fonts.library import FamilyKeys
from running import MakeWorkspace, every_command, run, run_json

PAGE = Page("content")
SECTIONS, PARTS = PAGE.sections, PAGE.parts


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(PAGE.files)


def test_the_game_of_the_page_has_no_warning_and_its_manifest_the_keys_of_the_page(workspace: Workspace) -> None:
    problems = run_json(workspace, "check", "harbour")["problems"]
    assert [problem["level"] for problem in problems] == ["note"]
    run(workspace, "build", "harbour", "--paper", "a4", "--finish", "prototype", status=0)
    folder = workspace.root / "output" / "harbour"
    assert {"harbour-cards-a4.pdf", "harbour-all-a4.pdf"} <= {path.name for path in folder.iterdir()}
    named = in_tables(PARTS["manifest.json"].partition("\n## ")[0])
    manifest = json.loads((folder / "manifest.json").read_text())
    assert set(keys_in(manifest)) == named - {"files[].unproven", "files[].outdated"}  # of a failed proof; of `watch`


def test_every_key_that_is_read_is_described() -> None:
    assert keys_of(GameKeys) == in_tables(SECTIONS["game.yaml"])
    assert keys_of(FamilyKeys) == in_tables(SECTIONS["Fonts"])
    assert all(f"`{name}`" in SECTIONS["Fonts"] for name in WEIGHTS)
    others = {*CardFamilyKeys.keys, *FORMATS, *(kind.value for kind in FieldKind)}
    assert keys_of(AnyDeckKeys) | others == in_tables(SECTIONS["Decks and boards"]) | {
        name for name in FORMATS if name.endswith(("-landscape", "-upright"))
    }


def test_the_kinds_of_fields_are_all_there_and_all_used(workspace: Workspace) -> None:
    kinds = {kind.value for kind in FieldKind}
    assert kinds <= in_tables(PARTS["Fields"])
    game, _ = load_game(workspace, "harbour")
    assert game is not None
    assert {field.kind.value for deck in game.decks.values() for field in deck.fields.values()} == kinds


def test_the_table_of_sizes_is_that_of_the_program() -> None:
    rows = re.findall(r"(?m)^\| `([\w.-]+)` \| ([\d.]+) x ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE.text)
    told = {name: tuple(map(float, numbers)) for name, *numbers in rows}
    assert told == {
        name: (*size.trim, size.corner_mm, size.bleed_mm, size.safe_mm)
        for name, size in FORMATS.items()
        if not name.endswith(("-landscape", "-upright"))
    }
    assert {name for name, size in FORMATS.items() if size.is_round} == {name for name in FORMATS if "round" in name}
    assert {name for name, size in FORMATS.items() if size.is_hex} == {name for name in FORMATS if "hex" in name}


def test_the_table_of_papers_is_that_of_the_program() -> None:
    rows = re.findall(r"(?m)^\| `([\w.-]+)` \| ([\d.]+) x ([\d.]+) \| ([\d.]+) \|$", PAGE.text)
    told = {name: tuple(map(float, numbers)) for name, *numbers in rows}
    assert told == {name: (*paper.size, paper.margin_mm) for name, paper in PAPERS.items()}


def test_every_command_option_and_exit_status_is_described() -> None:
    rows = re.findall(r"(?m)^\| ((?:`--[\w-]+`(?:, )?)+) \| ([^|]+) \|", SECTIONS["Commands"])
    told = {option: commands for options, commands in rows for option in re.findall(r"--[\w-]+", options)}
    statuses = (cli.DONE, cli.CONTENT_ERROR, cli.USAGE_ERROR, cli.MACHINE_ERROR)
    assert re.findall(r"(?m)^\| (\d) \|", SECTIONS["Commands"]) == [str(status) for status in statuses]
    every = every_command()
    for name, command in every.items():
        assert name.rpartition(" ")[2] in SECTIONS["Commands"]
        assert " " in name or f"`duckpress {name}" in SECTIONS["Commands"]
        for option in (option for parameter in command.params for option in parameter.opts if option.startswith("--")):
            assert option in told, f"{name} {option}"
            assert told[option].startswith("all") or name in told[option], f"{name} {option}"
    parameters = [parameter for command in (main, *every.values()) for parameter in command.params]
    known = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    assert set(told) <= known


@pytest.mark.sweep(9)
@pytest.mark.parametrize(
    "command",
    ["list", "check", "table", "build", "licences", "stats", "new", "import", "pull", "export", "preview", "show",
     "find"],
)  # fmt: skip
def test_the_json_of_a_command_has_the_keys_of_the_page(
    command: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck, fleet = (workspace.root / f"content/harbour/{path}" for path in ("decks/ship.yaml", "data/fleet.csv"))
    if command == "pull":
        deck.write_text(deck.read_text().replace("  file:", "  url: https://sheets.example/fleet\n  file:"))
        answer = Downloaded(fleet.read_bytes(), "text/csv", "sheets.example")
        monkeypatch.setattr("duckpress.cli.tables.fetcher", lambda **_: lambda _: answer)
    lines = {
        "list": "list",
        "stats": "stats harbour --ink-estimate",
        "licences": "licences",
        "new": "new other",
        "pull": "pull harbour",
        "import": f"import {workspace.root}/content/harbour/data/fleet.csv --game harbour",
        "export": "export harbour --to png --dpi 40",
        "show": "show goods/glass",
    }
    line = lines.get(command, f"{command} harbour")
    found = set(keys_in(run_json(workspace, *line.split(), status=None)))
    parts = re.split(r"(?m)^`duckpress (\w+)`", SECTIONS["JSON"])
    own = dict(zip(parts[1::2], map(in_tables, parts[2::2]), strict=True))
    common = in_tables(parts[0])
    # The one accepted finding of the page's game.
    has_findings = command in ("check", "build", "stats", "export", "preview", "show", "table")
    assert found - {"problems"} == own.get(command, set()) | (common if has_findings else set())
