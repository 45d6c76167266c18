"""`build --gang`: one file for pieces that share sheets, with bookmarks for what lies where; the rest as ever."""

from __future__ import annotations

import pikepdf
import pypdfium2

import running
from printed_pond import POND
from running import MakeWorkspace


def test_what_shares_no_sheet_has_a_file_of_its_own_and_json_tells_so(make_workspace: MakeWorkspace) -> None:
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
    document = pypdfium2.PdfDocument(root / "output/pond/pond-gang-a4.pdf")
    titles = [one.get_title() for one in document.get_toc()]
    assert all(any(name in title for title in titles) for name in ("Cards", "Alone")), titles
    assert document.get_metadata_dict()["Title"] == "Pond: Shared sheets"
    lines = (
        running.run(root, "build", "--gang", "--paper", "a4").output.replace(f"{root}/output/pond/", "").splitlines()
    )
    assert [" ".join(line.split()) for line in lines[-5:-3]] == [
        "Shared sheets 2 (1 of A4 saved by sharing)",
        "All together 3",
    ]
    assert [line.partition(" sheet")[0] for line in lines[-2:]] == [
        "Print this: pond-gang-a4.pdf (2", "and: pond-rules-a4.pdf (1",
    ]  # fmt: skip
    assert "shared" not in running.run(root, "build", "--gang", "--paper", "a4", "--piece", "cards").output


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
