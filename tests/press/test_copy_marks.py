"""Copies of an edition: every side says which one it is, and nothing else on it is otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.core.backs import Backs
from duckpress.core.frame import Item
from duckpress.core.geometry import Rect, Size
from duckpress.core.printer_profile import Printer
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.impose import Sheet, Side
from duckpress.press.pipeline import build
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.reading import load
from duckpress.press.request import Built, CopyMark, Request
from duckpress.press.sheets import copy_marks
from duckpress.press.sheets.copy_marks import CopyMarker
from duckpress.press.sheets.imposition import impose
from duckpress.press.typesetting import TypesetTask, lay_out_faces
from duckpress.text.fonts import FontLibrary
from pdf_reading import pages_of
from running import MakeWorkspace
from shared import with_faces

COPY = CopyMark(17, 40, "Ann Example")
FILES = {
    "content/pond/game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Ann\nplayers: 2\ntheme: base\nlanguages: [{}]\n"
    "pieces: [{{id: cards, title: Cards, decks: [duck]}}]\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: poker\nfront: duck\ncards: [{id: teal}]\n",
    "content/pond/layouts/duck.xml": '<face><text x="5" y="5" width="50" height="10">Teal</text></face>',
}


def with_language(language: str) -> dict[str, str]:
    return {path: text.format(language) if path.endswith("game.yaml") else text for path, text in FILES.items()}


WAYS = {
    "pond": Request(papers=("a4",)),
    "colour": Request(papers=("a4",), pieces=("cards", "rules", "rules-booklet", "box")),
    "grey, folded": Request(papers=("letter",), pieces=("cards", "aids"), backs=Backs.GUTTERFOLD, ink="grey"),
    "fronts, little ink": Request(papers=("photo-4x6", "a5"), pieces=("cards",), backs=Backs.NONE, ink="low"),
    "backs, with lines": Request(papers=("a4",), pieces=("cards",), backs=Backs.ONLY, cut="lines"),
    "corrected": Request(papers=("a4",), pieces=("cards", "box"), printer=Printer("home", 0.8, -0.5, 1.004, 0.997)),
    "bundle": Request(papers=("letter",), has_cover=True),
}


def printed(project: Workspace, game: str, request: Request, folders: tuple[Path, Path]) -> Built:
    """Return what is printed of a game; nothing is published that is not proven."""
    loaded = with_faces(folders[0], load(project, game))
    built = build(project, loaded, request, folders[1])
    assert [one for one in built.checked.problems if one.code in ("copy-mark", "proof-copy")] == []
    assert built.files
    return built


@pytest.mark.sweep(8)
@pytest.mark.parametrize("way", WAYS)
def test_each_side_of_each_sheet_names_its_copy(
    project: Workspace, make_workspace: MakeWorkspace, run_folder: Path, tmp_path: Path, way: str
) -> None:
    workspace, game = project, "ducks-in-a-row"
    if way == "pond":
        files = with_language("en") | {"content/pond/rules.md": "# Play\n\nDraw a duck."}
        files["content/pond/game.yaml"] += "booklet: yes\n"
        workspace, game, run_folder = make_workspace(files), "pond", tmp_path
    built = printed(workspace, game, replace(WAYS[way], copy=COPY), (run_folder, tmp_path / "out"))
    assert {*built.files} >= {f"{game}-rules-a4.pdf", f"{game}-rules-booklet-a4.pdf"} or way != "pond"
    for name in built.files:
        if name.endswith(".pdf"):
            said = pages_of(built.folder / name)
            assert said
            assert all("copy 17 of 40" in text for text in said if text.strip()), name


def sheets_of(files: list[ImposedFile]) -> list[Sheet]:
    return [sheet for file in files for one in file.pieces for sheet in one.sheets]


def sides_of(sheet: Sheet) -> list[Side]:
    return [side for side in (sheet.front, sheet.back) if side is not None and side.placements]


@pytest.fixture
def job(make_workspace: MakeWorkspace) -> tuple[PrintJob, list[ImposedFile]]:
    return imposed(make_workspace(with_language("en")), "pond")


def imposed(project: Workspace, name: str) -> tuple[PrintJob, list[ImposedFile]]:
    """Return the files of a game before they say which copy they are of, and what they were made for."""
    loaded = load(project, name)
    game = loaded.game
    assert game is not None
    request = Request(papers=("a4",), has_cover=False)
    job = PrintJob(game, request, FontLibrary(project))
    papers = tuple(map(request.paper, request.papers))
    task = TypesetTask(project, game, job.fonts, game.pieces, None, None, request.ink, papers, None)
    pieces, _ = lay_out_faces(task)
    return job, impose(job, pieces, None, is_draft=False).files


def test_copies_differ_in_their_marks_alone_and_a_line_may_be_left_out(job: tuple[PrintJob, list[ImposedFile]]) -> None:
    marker, file = CopyMarker(job[0]), job[1][0]
    first, other = (marker.marked(file, replace(COPY, number=number)) for number in (1, 2))
    assert first != other
    assert first == marker.marked(file, replace(COPY, number=1))
    (side, *_) = sides_of(sheets_of([marker.marked(file, replace(COPY, has_line=False))])[0])
    assert side.own == ()


def test_sides_with_cards_in_the_same_places_have_the_very_same_marks(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though their footers differ; but not where one of them would have a shorter line by it."""
    files = with_language("en")
    files["content/pond/decks/duck.yaml"] = files["content/pond/decks/duck.yaml"].replace("teal", "teal, copies: 27")
    job, (file, *_) = imposed(make_workspace(files), "pond")

    def marks() -> list[tuple[Item, ...]]:
        return [side.own for sheet in sheets_of([CopyMarker(job).marked(file, COPY)]) for side in sides_of(sheet)]

    plan, boxes = CopyMarker._plan, list[int]()

    def noted(self: CopyMarker, side: Side, size: Size, paper: Paper, taken: Sequence[Rect]) -> Any:
        boxes.append(len(taken))
        return plan(self, side, size, paper, taken)

    monkeypatch.setattr(CopyMarker, "_plan", noted)
    first, second, third = marks()
    assert first is second is third
    assert min(boxes) < max(boxes)

    def smaller(self: CopyMarker, side: Side, size: Size, paper: Paper, taken: Sequence[Rect]) -> Any:
        made = plan(self, side, size, paper, taken)
        return made if len(taken) == min(boxes) else made._replace(line=None)

    monkeypatch.setattr(CopyMarker, "_plan", smaller)
    assert [len(own) for own in marks()] == [1, 1, 1]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("language", ["ar", "de", "fr", "he", "ja"])
@pytest.mark.parametrize("name", ["Ann “the Duck” Example-Featherstonehaugh of Ham " * 3, "دينا", ""])
def test_it_is_said_in_the_language_of_the_sheets(
    make_workspace: MakeWorkspace, tmp_path: Path, language: str, name: str
) -> None:
    workspace = make_workspace(with_language(language))
    request = Request(papers=("a4",), is_forced=True, copy=replace(COPY, name=name))
    built = build(workspace, load(workspace, "pond"), request, tmp_path / "out")
    assert [one for one in built.checked.problems if one.code.startswith("proof") or one.code == "copy-mark"] == []
    assert built.files


def test_what_has_no_room_is_told_once(
    job: tuple[PrintJob, list[ImposedFile]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_marks, "line_place", lambda *_: None)
    marker, file = CopyMarker(job[0]), job[1][0]
    found = marker.problems(file, COPY)
    assert [(one.code, one.level, one.what.partition("have")[2]) for one in found] == [
        ("copy-mark", "note", " no room for which copy it is")
    ]
    assert sheets_of([marker.marked(file, COPY)]) == sheets_of([file])
