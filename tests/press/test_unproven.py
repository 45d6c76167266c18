"""What becomes of a build whose proof fails: nothing is written, or, with --force, what could be drawn, marked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from msgspec.structs import replace

from dealing_table import FILES
from duckpress.core.frame import Item, Text
from duckpress.core.problems import fault, is_fault
from duckpress.files.workspace import Workspace
from duckpress.impose import Layer
from duckpress.press import pipeline, printing
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.render.pen import Pen
from pdf_reading import pages_of
from printed_pond import POND
from running import MakeWorkspace, run

GAME, DECK = "content/pond/game.yaml", "content/pond/decks/cards.yaml"
ONLY = "  - {id: alone, title: Alone, decks: [alone]}\n"
WRONG = "Zyzzyva"
ONE_WRONG = {**POND, DECK: POND[DECK].replace("Swan", WRONG)}


@pytest.fixture(autouse=True)
def drawn_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one card's words be drawn a millimetre too low."""
    draw = Pen.draw

    def lowered(item: Item | Layer) -> Item | Layer:
        return replace(item, y_mm=item.y_mm + 1.0) if isinstance(item, Text) and WRONG in item.text else item

    def with_fault(self: Pen, items: Iterable[Item | Layer]) -> None:
        draw(self, [lowered(item) for item in items])

    monkeypatch.setattr(Pen, "draw", with_fault)


def built(workspace: Workspace, out: Path, game: str = "pond", **options: Any) -> Built:
    return build(workspace, load(workspace, game), Request(**{"papers": ("a4",), **options}), out)


def codes(done: Built) -> set[str]:
    return {problem.code for problem in done.checked.problems}


def unproven(done: Built) -> dict[str, bool | None]:
    """Return the files of a manifest, and whether they are unproven."""
    files = json.loads((done.folder / "manifest.json").read_bytes())["files"]
    return {file["name"]: file.get("unproven") for file in files}


def test_a_build_that_fails_its_proof_writes_nothing_and_forced_marks_what_is_unproven(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    workspace = make_workspace(ONE_WRONG)
    done = built(workspace, tmp_path / "out")
    assert done.files == ()
    assert not list(tmp_path.rglob("*.pdf"))
    first = done.checked.problems[0]
    assert (first.code, is_fault(first)) == ("proof-art", True)
    assert "card 'swan' of deck 'cards'" in first.what
    assert "fault in duckpress, not in the game" in first.fix
    assert "`duckpress build --force`" in first.fix
    done = built(workspace, tmp_path / "out", is_forced=True)
    assert done.has_errors
    assert codes(done) == {"proof-art"}
    assert unproven(done) == {"pond-all-a4.pdf": True, "pond-cards-a4.pdf": True, "pond-alone-a4.pdf": None}
    pages = {file["name"]: file["pages"] for file in json.loads((done.folder / "manifest.json").read_bytes())["files"]}
    for name in ("pond-all-a4.pdf", "pond-cards-a4.pdf"):
        words = pages_of(done.folder / name)
        assert len(words) == pages[name]
        assert any(words)
        assert all("DRAFT · UNPROVEN" in one for one in words if one), name
    assert "DRAFT" not in "".join(pages_of(done.folder / "pond-alone-a4.pdf"))


@pytest.mark.parametrize("is_ganged", [False, True])
def test_what_no_paper_holds_is_told_and_not_forced(
    make_workspace: MakeWorkspace, tmp_path: Path, is_ganged: bool
) -> None:
    files = {**POND, DECK: POND[DECK].replace("size: poker", "size: page-landscape")}
    done = built(make_workspace(files), tmp_path / "out", is_forced=True, papers=("a5",), is_ganged=is_ganged)
    assert (codes(done), done.files) == ({"does-not-fit"}, ())


def test_pages_that_are_read_have_the_note(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    files = {**POND, "content/pond/rules.md": f"# Pond\n\nA {WRONG} swims.\n"}
    done = built(make_workspace(files), tmp_path / "out", is_forced=True, pieces=("rules",))
    assert done.files == ("pond-rules-a4.pdf",), done.checked.problems
    assert all("DRAFT · UNPROVEN" in words for words in pages_of(done.folder / done.files[0]) if words)
    picture = pypdfium2.PdfDocument(done.folder / done.files[0])[0].render(scale=4).to_pil().convert("L")
    beside, behind = (
        picture.getpixel((round(x_mm * 4 / 25.4 * 72), round(5.4 * 4 / 25.4 * 72))) for x_mm in (6.5, 7.4)
    )
    assert beside < 100, "the head of the page is dark"
    assert behind == 255, "the note is on light ground, so that it can be read"


def test_a_piece_under_two_names_is_unproven_under_both(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    files = {**ONE_WRONG, GAME: POND[GAME].replace(ONLY, "") + "cover: no\n"}
    done = built(make_workspace(files), tmp_path / "out", is_forced=True)
    assert unproven(done) == {"pond-all-a4.pdf": True, "pond-cards-a4.pdf": True}
    assert len({(done.folder / name).read_bytes() for name in unproven(done)}) == 1


def test_a_fault_of_the_layout_makes_every_file_unproven(
    make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out = pipeline.lay_out_faces

    def with_fault(task: Any) -> object:
        pieces, problems = lay_out(task)
        return pieces, [*problems, fault("proof-frame", "card 'teal' lacks a word")]

    monkeypatch.setattr(pipeline, "lay_out_faces", with_fault)
    workspace = make_workspace(POND)
    assert built(workspace, tmp_path / "plain").files == ()
    done = built(workspace, tmp_path / "out", is_forced=True)
    assert [*unproven(done).values()] == [True] * 3
    assert "DRAFT · UNPROVEN" in pages_of(done.folder / "pond-alone-a4.pdf")[0]


def test_an_error_in_the_proof_is_a_finding(
    make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> object:
        raise RecursionError

    monkeypatch.setattr("duckpress.proof.file_proof.check_plan", broken)
    workspace = make_workspace(POND)
    done = built(workspace, tmp_path / "out")
    assert (codes(done), done.files) == ({"proof-stopped"}, ())
    assert "RecursionError" in done.checked.problems[0].what
    assert len(built(workspace, tmp_path / "out", is_forced=True).files) == 3


def test_a_packet_is_marked_too(make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    differences = printing._differences

    def of_seat_two(job: Any, file: printing.ImposedFile, *rest: Any) -> object:
        if "seat-02" in file.name:
            return [fault("proof-art", "a slip shows something else")]
        return differences(job, file, *rest)

    monkeypatch.setattr(printing, "_differences", of_seat_two)
    options = {"seed": "a seed that nobody guesses", "players": 4, "game": "table"}
    workspace = make_workspace(FILES)
    assert built(workspace, tmp_path / "plain", **options).files == ()
    done = built(workspace, tmp_path / "out", is_forced=True, **options)
    packet = done.folder / "packet"
    assert json.loads((packet / "manifest.json").read_bytes())["unproven"] == ["table-told-seat-02-a4.pdf"]
    assert "UNPROVEN" in pages_of(packet / "table-told-seat-02-a4.pdf")[0]
    assert "UNPROVEN" not in pages_of(packet / "table-told-seat-01-a4.pdf")[0]
    assert not any(unproven(done).values())


def test_it_is_made_again_and_not_taken_for_up_to_date(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next build, with the fault mended, proves the file and forgets that it was unproven."""
    root = make_workspace(ONE_WRONG).root
    for _ in range(2):
        output = run(root, "build", "--force", "--paper", "a4", status=1).output
        assert "up to date" not in output
        assert "proof-art" in output
    monkeypatch.undo()
    run(root, "build", "--paper", "a4", status=0)
    folder = root / "output" / "pond"
    assert "unproven" not in (folder / "manifest.json").read_text()
    assert not any("UNPROVEN" in words for words in pages_of(folder / "pond-all-a4.pdf"))
