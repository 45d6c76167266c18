"""`build --gang`: one file for pieces that share sheets, with bookmarks for what lies where; the rest as ever."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from test_commands import POND

import running
from running import MakeWorkspace

WORDS = ("build", "duck-blind", "--piece", "bonus,aids,tokens", "--paper", "a4", "--gang")


@pytest.mark.soak
def test_pieces_become_one_file_that_names_them(tmp_path: Path) -> None:
    told = running.run(tmp_path, *WORDS, "--out", str(tmp_path), status=0).output
    assert "shared sheets: 3 sheets of a4 (1 saved)" in told
    assert "on shared sheets of a4" in told
    folder = tmp_path / "duck-blind"
    assert {path.name for path in folder.iterdir()} == {"duck-blind-gang-a4.pdf", "manifest.json"}
    (entry,) = (one for one in json.loads((folder / "manifest.json").read_bytes())["files"] if one["piece"] == "gang")
    assert (entry["sheets"], entry["pages"]) == (3, 6)
    document = pypdfium2.PdfDocument(folder / "duck-blind-gang-a4.pdf")
    titles = [one.get_title() for one in document.get_toc()]
    for name in ("Bonus cards", "Player aids and setup card", "Order tokens and start player token"):
        assert any(name in title for title in titles), titles
    for number in range(0, len(document), 2):
        words = document[number].get_textpage().get_text_bounded()
        assert any(title in words for title in titles)
    with pikepdf.open(folder / "duck-blind-gang-a4.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]) == "Duck Blind: Shared sheets"


def test_what_shares_no_sheet_has_a_file_of_its_own_and_json_tells_so(
    make_workspace: MakeWorkspace,
) -> None:
    alone = "content/pond/boards/alone.yaml"  # one card, as large as the ten others, which leave room for it
    files = {
        alone: POND[alone].replace("mini\n", "poker\nback: back\n"),
        "content/pond/rules.md": "# Pond\n\nTake three.\n",
    }
    root = make_workspace({**POND, **files}).root
    (told,) = running.run_json(root, "build", "--gang", "--paper", "a4")["games"]
    assert told["shared"] == {"a4": {"sheets": 2, "saved": 1}}
    assert {row["piece"]: row["sheets"] for row in told["pieces"]} == {"cards": {}, "alone": {}, "rules": {"a4": 1}}
    written = {path.name for path in (root / "output" / "pond").iterdir()}
    assert written == {"pond-gang-a4.pdf", "pond-rules-a4.pdf", "manifest.json"}


@pytest.mark.soak
def test_one_piece_alone_shares_with_nobody(tmp_path: Path) -> None:
    words = ("build", "duck-blind", "--piece", "tokens", "--paper", "a4", "--gang")
    told = running.run(tmp_path, *words, "--out", str(tmp_path), status=0).output
    assert "shared" not in told
    assert (tmp_path / "duck-blind" / "duck-blind-tokens-a4.pdf").exists()


def test_in_the_file_with_everything_pieces_share_sheets_if_they_are_printed_on_the_same(
    make_workspace: MakeWorkspace,
) -> None:
    alone = "content/pond/boards/alone.yaml"
    files = {**POND, alone: POND[alone].replace("mini\n", "poker\nback: back\n").replace("component: no\n", "")}
    for stock, sheets, saved in (("", 2, 1), (", stock: board", 3, 0)):
        game = files["content/pond/game.yaml"].replace("decks: [alone]", f"decks: [alone]{stock}")
        root = make_workspace({**files, "content/pond/game.yaml": game}).root
        (told,) = running.run_json(root, "build", "--paper", "a4", "--no-cache")["games"]
        assert (told["sheets"], told["saved"], told["shared"]) == ({"a4": sheets}, {"a4": saved}, {})
        assert [row["sheets"] for row in told["pieces"]] == [{"a4": 2}, {"a4": 1}]
        with pikepdf.open(root / "output" / "pond" / "pond-all-a4.pdf") as pdf:
            assert len(pdf.pages) == 2 * sheets
        assert ("saved by sharing" in running.run(root, "build", "--paper", "a4").output) is bool(saved)
