"""`duckpress pull`: what a deck's address gives becomes its file, whole or not at all, and what changed is told."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from test_importing import GAME, formatted

import running
from duckpress.files.download import Downloaded, NotFetched
from duckpress.files.workspace import Workspace
from kinds import MakeWorkspace
from local_server import NoTls, page, serving

URL = "https://sheets.example/pub"
DECK = f"""\
title: Items
size: poker
front: card
fields: {{name: text, cost: whole}}
table:
  url: {URL}
  file: data/items.csv
  columns: {{cost: Price}}
  id: name
"""
Pull = Callable[..., dict[str, Any]]
OLD = "Name,Price\nSword,2\nBow,3\nBread,1\n"


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({"content/g/game.yaml": GAME, "content/g/decks/items.yaml": DECK})


def reworded(workspace: Workspace, old: str, new: str) -> None:
    """Let the deck of today say something else."""
    (workspace.root / "content/g/decks/items.yaml").write_text(DECK.replace(old, new), "utf-8")


@pytest.fixture
def pull(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Pull:
    """Return a function that gives the JSON of a pull in which every address gives the same."""

    def pulled(answer: str | bytes | NotFetched, kind: str = "text/csv") -> dict[str, Any]:
        def fetch(_: str) -> Downloaded:
            if isinstance(answer, NotFetched):
                raise answer
            return Downloaded(answer if isinstance(answer, bytes) else answer.encode(), kind, "sheets.example")

        monkeypatch.setattr("duckpress.cli.tables.fetcher", lambda **_: fetch)
        done = run(workspace, "--format", "json")
        told: dict[str, Any] = json.loads(done.output)
        assert done.exit_code == (1 if told["problems"] else 0)
        return told

    return pulled


def run(workspace: Workspace, *options: str) -> Result:
    return running.run(workspace, "pull", *options, columns=160)


def table(workspace: Workspace) -> Path:
    return workspace.root / "content/g/data/items.csv"


def problem(told: dict[str, Any]) -> tuple[str, str, str, str]:
    (one,) = told["problems"]
    return one["code"], f"{one['file'].removeprefix('content/g/')}:{one['line']}", one["what"], one["fix"]


def test_a_new_table_is_written_and_the_game_reads_it(workspace: Workspace, pull: Pull) -> None:
    check = running.run(workspace, "check")
    assert "fetch it with `duckpress pull g`" in check.output
    told = pull(OLD)
    facts = {"file": "data/items.csv", "host": "sheets.example", "rows": 3, "is_written": True}
    assert told["tables"] == [{"game": "g", **facts, "changes": None}]
    assert table(workspace).read_text("utf-8") == OLD


def test_it_tells_what_changed_and_writes_nothing_where_nothing_did(workspace: Workspace, pull: Pull) -> None:
    pull(OLD)
    before = table(workspace).stat().st_mtime_ns
    (one,) = pull(OLD)["tables"]
    assert not one["is_written"]
    assert not any(one["changes"].values())
    assert table(workspace).stat().st_mtime_ns == before
    assert "data/items.csv from sheets.example: no change (3 rows)" in run(workspace).output
    told = pull("Price,Name,Art\n1,Bread,x\n4,Sword,y\n7,Axe,z\n")
    assert told["tables"][0]["changes"] == {
        "added": ["Axe"], "changed": ["Sword"], "removed": ["Bow"], "new_columns": ["Art"], "lost_columns": [],
    }  # fmt: skip
    assert "Axe" in table(workspace).read_text("utf-8")


def test_equal_rows_are_counted_each(workspace: Workspace, pull: Pull) -> None:
    pull("Name,Price\nSword,2\nSword,3\n")
    told = pull("Name,Price\nSword,2\nSword,3\nSword,3\n")
    assert told["tables"][0]["changes"]["added"] == ["Sword"]
    assert told["tables"][0]["changes"]["changed"] == []


LOGIN = "<!DOCTYPE html>\n<html><head><title>Sign in &ndash;\n Sheets</title></head></html>"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (LOGIN, "text/html", "a web page ('Sign in – Sheets')"),
        ("\ufeff  <html>", "text/csv", "a web page, no table"),
        ('{"error": 1}', "application/json", "JSON, no table"),
        (b"PK\x03\x04....", "application/zip", "a file that is no CSV"),
        ('a"b,c\n', "text/csv", "no table to read"),
        ("Name,Price\n", "text/csv", "it has no row below the names"),
    ],
)
def test_what_is_no_table_leaves_the_old_one(
    workspace: Workspace, pull: Pull, answer: str | bytes, kind: str, words: str
) -> None:
    pull(OLD)
    code, place, what, fix = problem(pull(answer, kind))
    assert (code, place) == ("not-a-table", "decks/items.yaml:6")
    assert words in what
    assert fix
    assert table(workspace).read_text("utf-8") == OLD
    assert sorted(path.name for path in table(workspace).parent.iterdir()) == ["items.csv"]


@pytest.mark.parametrize("answer", [b"<!---->" * 60 + b"x", b"<html>" + b"<title" * 16_000])
def test_a_page_made_to_hurt_is_refused_at_once(workspace: Workspace, pull: Pull, answer: bytes) -> None:
    """Forty comments, 280 bytes from a server, took for ever."""
    began = time.process_time()
    assert problem(pull(answer))[0] == "not-a-table"
    assert time.process_time() - began < 1


def test_what_goes_wrong_on_the_way_is_told_at_the_address(workspace: Workspace, pull: Pull) -> None:
    told = pull(NotFetched("not-fetched", "it broke off", "try again"))
    assert problem(told) == ("not-fetched", "decks/items.yaml:6", "it broke off", "try again")
    assert not table(workspace).exists()
    reworded(workspace, "https:", "http:")
    assert problem(pull(NotFetched("not-fetched", "asked", "")))[:2] == ("address-refused", "decks/items.yaml:6")
    assert "address-refused" in running.run(workspace, "check").output


@pytest.mark.parametrize("file", ["../h/items.csv", "game.yaml", "out/items.csv"])
def test_a_file_is_written_in_the_games_folder_only(workspace: Workspace, pull: Pull, file: str) -> None:
    elsewhere = workspace.root / "elsewhere"
    elsewhere.mkdir()
    (workspace.root / "content/g/out").symlink_to(elsewhere)
    reworded(workspace, "data/items.csv", file)
    code, place, *_ = problem(pull(OLD))
    assert code in ("outside-workspace", "wrong-type")
    assert place == "decks/items.yaml:7"
    assert not list(elsewhere.iterdir())
    assert (workspace.root / "content/g/game.yaml").read_text("utf-8") == GAME


def test_a_link_in_the_place_of_the_file_is_replaced(workspace: Workspace, pull: Pull) -> None:
    precious = workspace.root / "content/g/precious.csv"
    precious.write_text("Name,Price\nMine,1\n", "utf-8")
    table(workspace).parent.mkdir()
    table(workspace).symlink_to(precious)
    pull(OLD)
    assert not table(workspace).is_symlink()
    assert "Mine" in precious.read_text("utf-8")


def test_decks_that_share_a_file_fetch_it_once_and_from_one_address(workspace: Workspace, pull: Pull) -> None:
    other = workspace.root / "content/g/decks/other.yaml"
    other.write_text(DECK, "utf-8")
    assert len(pull(OLD)["tables"]) == 1
    other.write_text(DECK.replace("/pub", "/other"), "utf-8")
    code, place, what, _ = problem(pull(OLD))
    assert (code, place) == ("not-fetched", "decks/other.yaml:6")
    assert "content/g/decks/items.yaml:6" in what


def test_a_workbook_is_read_sheet_by_sheet(workspace: Workspace, pull: Pull) -> None:
    book = formatted(row.split(",") for row in OLD.splitlines())
    reworded(workspace, "items.csv", "items.xlsx\n  sheet: Items")
    (one,) = pull(book, "application/x")["tables"]
    assert (one["file"], one["rows"]) == ("data/items.xlsx", 3)
    reworded(workspace, "items.csv", "items.xlsx\n  sheet: Itmes")
    code, _, what, fix = problem(pull(book, "application/x"))
    assert (code, "no sheet 'Itmes'" in what, fix) == ("not-a-table", True, "did you mean 'Items'?")


def test_a_game_without_addresses_is_told_so(workspace: Workspace) -> None:
    reworded(workspace, f"  url: {URL}\n", "")
    assert "no deck names a table with an address" in run(workspace).output


@pytest.mark.usefixtures("loopback")
def test_a_whole_pull_from_a_server(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command asks this computer only where it is told that it may."""
    monkeypatch.setattr("duckpress.files.download.ssl.create_default_context", NoTls)
    with serving(lambda _, send: send(page(OLD.encode()))) as port:
        reworded(workspace, URL, f"https://127.0.0.1:{port}/x")
        refused = run(workspace)
        assert refused.exit_code == 1
        assert "address-refused" in refused.output
        assert not table(workspace).exists()
        done = run(workspace, "--allow-private")
    assert "g: data/items.csv from 127.0.0.1: new, 3 rows" in done.output
    assert table(workspace).read_text("utf-8") == OLD
