"""Copies in one PDF: each is there as in a file of its own, in order, and says whose it is; what fails is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pikepdf
import pytest

import bingo
from bingo import FILES
from duckpress.core.geometry import Size
from duckpress.files.workspace import Workspace
from duckpress.impose import Side
from duckpress.render.document import Booklet, SheetDocument
from duckpress.share.editions.edition_run import EditionRun
from duckpress.share.editions.shards import Form
from running import MakeWorkspace as Make

GAME = "content/bingo/game.yaml"
MARKED = {**FILES, GAME: FILES[GAME] + '  marks: {name: "{{ row.name }}"}\n'}


def printed(workspace: Workspace, out: Path, form: Form = Form.SHARD, **ways: Any) -> EditionRun:
    return bingo.printed(workspace, out, form=form, seed="a winter evening", **ways)


def streams(path: Path) -> list[bytes]:
    """Return what each page paints."""
    with pikepdf.open(path) as document:
        for page in document.pages:
            page.contents_coalesce()
        return [page.Contents.read_bytes() for page in document.pages]


def bookmarks(path: Path) -> list[str]:
    with pikepdf.open(path) as document, document.open_outline() as outline:
        return [str(item.title) for item in outline.root]


def listed(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / "manifest.json").read_bytes())["copies"])


def test_each_copy_is_there_as_in_a_file_of_its_own(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(MARKED)
    run = printed(workspace, tmp_path / "joint")
    alone = printed(workspace, tmp_path / "alone", Form.PDF)
    assert (run.copies, run.files, run.sheets) == (3, 2, alone.sheets)
    assert not run.checked.problems
    folder = run.folder / "0001-0002"
    pages = streams(folder / "bingo-0001-0002-a4.pdf")
    assert bookmarks(folder / "bingo-0001-0002-a4.pdf") == [
        "ann: Sheets",
        "ann: Numbers",
        "bob: Sheets",
        "bob: Numbers",
    ]
    for copy in listed(folder):
        (file,) = copy["files"]
        first = file["first"] - 1
        own = streams(alone.folder / "0001-0002" / f"bingo-{copy['id']}-a4.pdf")
        assert pages[first : first + file["pages"]] == own
    assert [copy["files"][0]["first"] for copy in listed(folder)] == [1, 1 + len(pages) // 2]


def test_a_copy_that_fails_its_proof_is_left_out(
    make_workspace: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_page, owns = SheetDocument._draw_page, list[object]()

    def of_another(document: SheetDocument, booklet: Booklet, side: Side, paper: Size) -> None:
        if side.own not in owns:
            owns.append(side.own)
        is_of_bob = owns.index(side.own) == 2
        draw_page(document, booklet, side._replace(own=owns[0]) if is_of_bob else side, paper)

    monkeypatch.setattr(SheetDocument, "_draw_page", of_another)
    run = printed(make_workspace(MARKED), tmp_path, size=3, pieces=("sheet",))
    assert [entry.id for entry in run.failed] == ["bob"]
    assert "proof-page" in {one.code for one in run.failed[0].problems}
    assert {one.what.partition(":")[0] for one in run.checked.problems} == {"copy 'bob'"}
    assert bookmarks(run.folder / "0001-0003" / "bingo-0001-0003-a4.pdf") == ["ann: Sheets", "eve: Sheets"]
    assert [len(copy["files"]) for copy in listed(run.folder / "0001-0003")] == [1, 0, 1]


def test_where_all_copies_fail_there_is_no_file(make_workspace: Make, tmp_path: Path) -> None:
    people = "id,name\nann," + "Ann " * 60 + "\nbob," + "Bob " * 60 + "\n"
    run = printed(make_workspace(FILES), tmp_path, people=people)
    assert (run.files, [entry.id for entry in run.failed]) == (0, ["ann", "bob"])
    assert not list(run.folder.rglob("*.pdf"))


def test_there_is_a_file_for_each_paper(make_workspace: Make, tmp_path: Path) -> None:
    people = "id,name,paper\nann,Ann,\nbob,Bob,letter\neve,Eve,\n"
    run = printed(make_workspace(FILES), tmp_path, people=people, size=3, pieces=("sheet",))
    folder = run.folder / "0001-0003"
    assert sorted(path.name for path in folder.glob("*.pdf")) == [
        "bingo-0001-0003-a4.pdf",
        "bingo-0001-0003-letter.pdf",
    ]
    assert bookmarks(folder / "bingo-0001-0003-a4.pdf") == ["ann: Sheets", "eve: Sheets"]
    assert run.sheets == {"a4": 2, "letter": 1}


def test_another_form_takes_the_place_of_the_first(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    for form, name in ((Form.SHARD, "0001-0001-a4.pdf"), (Form.BUNDLE, "ann-a4.zip"), (Form.PDF, "ann-a4.pdf")):
        run = printed(workspace, tmp_path, form, people="id,name\nann,Ann\n")
        assert run.standing == 0
        assert {path.name for path in (run.folder / "0001-0001").iterdir()} == {f"bingo-{name}", "manifest.json"}
