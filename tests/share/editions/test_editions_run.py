"""An edition printed: every copy is what a build of its game is, whoever made it and however often that was stopped."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import bingo
from bingo import FILES, PEOPLE, copier_of, files_in, game_of
from crews import UseWorkers
from duckpress.expressions.sandbox import Sandbox
from duckpress.files.workspace import Workspace
from duckpress.layout.faces.face_maker import FaceMaker, OpenDeck
from duckpress.model import Game
from duckpress.model.game import Copy
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import CopyMark, Request
from duckpress.render.document import SheetDocument
from duckpress.share.editions import shards
from duckpress.share.editions.draws import planned
from duckpress.share.editions.edition_run import EditionRequest, EditionRun, run_edition
from duckpress.share.editions.inputs import numbered_copies, read_people
from duckpress.store.output_folder import beside
from running import MakeWorkspace as Make

GAME, SHEET = "content/bingo/game.yaml", "content/bingo/layouts/sheet.xml"
A4 = Request(papers=("a4",))
needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def printed(workspace: Workspace, out: Path, request: Request = A4, **ways: Any) -> EditionRun:
    """Print copies into a folder where no other edition lies, unless one may be replaced."""
    return bingo.printed(
        workspace, out, **{"papers": request.papers, "pieces": request.pieces, "replaces": False, **ways}
    )


def same_as_builds(
    workspace: Workspace, out: Path, pieces: tuple[str, ...], mark: Callable[[Copy, Game], CopyMark | None]
) -> None:
    """Print copies, and see that the file of each has the bytes of a build of its game."""
    request = replace(A4, pieces=pieces)
    run = printed(workspace, out / "edition", request)
    assert not run.checked.problems
    copier, copies = copier_of(workspace), read_people(game_of(workspace), "people.csv", PEOPLE.encode()).value
    for copy, draw in zip(copies, planned(copier, copies).value, strict=True):
        game = copier.game(copy, draw).value
        loaded = replace(load(workspace, "bingo"), game=game)
        build(workspace, loaded, replace(request, has_cover=False, copy=mark(copy, game)), out / copy.id)
        (own,) = run.folder.rglob(f"bingo-{copy.id}-a4.pdf")
        name = f"bingo-{pieces[0] if pieces else 'all'}-a4.pdf"
        assert own.read_bytes() == (out / copy.id / "bingo" / name).read_bytes(), copy.id


@pytest.mark.sweep(3)
@pytest.mark.parametrize("pieces", [("sheet",), ("numbers",), ()])
def test_a_copy_has_the_bytes_of_a_build_of_its_game(
    pieces: tuple[str, ...], make_workspace: Make, tmp_path: Path
) -> None:
    same_as_builds(make_workspace(FILES), tmp_path, pieces, lambda _copy, _game: None)


def test_sheets_say_which_copy_they_are_of(make_workspace: Make, tmp_path: Path) -> None:
    def mark(copy: Copy, game: Game) -> CopyMark:
        owner = str(game.decks["sheet"].cards[0].values["owner"])
        return CopyMark(copy.number, 3, owner.replace(" and the ", " of "))

    game_yaml = FILES[GAME] + '  marks: {name: "{{ row.name }} of {{ names.team }}"}\n'
    same_as_builds(make_workspace({**FILES, GAME: game_yaml}), tmp_path, ("sheet",), mark)


@pytest.mark.forks
@needs_fork
def test_the_bytes_are_the_same_for_any_number_of_processes(
    make_workspace: Make, tmp_path: Path, use_workers: UseWorkers
) -> None:
    workspace = make_workspace(FILES)
    made = []
    for jobs in (0, 2):
        use_workers(jobs)
        printed(workspace, tmp_path / str(jobs), size=1)
        made.append(files_in(tmp_path / str(jobs)))
    assert made[0] == made[1]
    assert len(made[0]) == 3 + 3 + 1


def test_what_stands_is_left_alone_and_what_differs_is_made_again(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    first = printed(workspace, tmp_path)
    assert (first.standing, first.shards) == (0, ("0001-0002", "0003-0003"))
    before = {path: path.stat().st_mtime_ns for path in first.folder.rglob("*.pdf")}
    assert printed(workspace, tmp_path).standing == 2
    assert {path: path.stat().st_mtime_ns for path in first.folder.rglob("*.pdf")} == before
    assert printed(workspace, tmp_path, people=PEOPLE.replace("Eve", "Eva")).standing == 1
    assert printed(workspace, tmp_path, seed="other", replaces=True).standing == 0
    next(first.folder.rglob("bingo-ann-a4.pdf")).write_bytes(b"torn")
    assert printed(workspace, tmp_path, seed="other").standing == 1
    (workspace.root / SHEET).write_text(FILES[SHEET].replace('y="4"', 'y="5"'))
    assert printed(workspace, tmp_path, seed="other").standing == 0


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("ways", "gone", "why"),
    [
        ({"people": "id,name,mood\nzoe,Zoe,1\n"}, "3 of its copies would go (ann, bob, eve)", "this one does not have"),
        ({"people": PEOPLE.replace("bob", "rob")}, "1 of its copies would go (bob)", "this one does not have"),
        ({"seed": "other"}, "3 of its copies would go (ann, bob, eve)", "made with another seed or other options"),
        ({"request": Request(papers=("letter",))}, "3 of its copies", "made with another seed or other options"),
    ],
    ids=["others", "one other", "seed", "paper"],
)
def test_an_edition_that_lies_there_is_not_taken_away_in_silence(
    ways: dict[str, Any], gone: str, why: str, make_workspace: Make, tmp_path: Path
) -> None:
    """`edition --for people.csv`, then `--count 3`: the folder with everybody's copies was gone, no word said."""
    workspace = make_workspace(FILES)
    folder = printed(workspace, tmp_path).folder
    before = files_in(tmp_path)
    refused = printed(workspace, tmp_path, **ways)
    (problem,) = refused.checked.problems
    assert (problem.code, refused.copies) == ("other-edition", 0)
    assert gone in problem.what
    assert why in problem.what
    assert str(folder) in problem.what
    assert "--out DIR" in problem.fix
    assert "--replace" in problem.fix
    assert files_in(tmp_path) == before
    replaced = printed(workspace, tmp_path, **ways, replaces=True)
    assert not replaced.checked.has_errors
    after = files_in(tmp_path)
    assert before != after
    assert printed(workspace, tmp_path, **ways).standing == len(replaced.shards)  # it lies there now
    assert files_in(tmp_path) == after


def test_folders_of_an_earlier_edition_go_but_for_what_others_put_there(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    folder = printed(workspace, tmp_path).folder
    (folder / "0003-0003" / "note.txt").write_text("mine")
    printed(workspace, tmp_path, size=5)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "0001-0003/bingo-ann-a4.pdf",
        "0001-0003/bingo-bob-a4.pdf",
        "0001-0003/bingo-eve-a4.pdf",
        "0001-0003/manifest.json",
        "0003-0003/note.txt",
        "manifest.json",
    ]
    printed(workspace, tmp_path, size=2)
    assert sorted(path.name for path in folder.iterdir()) == ["0001-0002", "0003-0003", "manifest.json"]


def test_a_copy_that_fails_is_left_out_and_listed_and_the_rest_goes_on(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    long = PEOPLE.replace("Bob", "Bob " * 60)
    run = printed(workspace, tmp_path, people=long, size=1)
    assert [entry.id for entry in run.failed] == ["bob"]
    assert {(one.code, one.what.partition(":")[0]) for one in run.checked.problems} == {("text-overflow", "copy 'bob'")}
    assert [path.name for path in sorted(run.folder.rglob("*.pdf"))] == ["bingo-ann-a4.pdf", "bingo-eve-a4.pdf"]
    assert json.loads((run.folder / "manifest.json").read_text())["failed"] == ["bob"]
    again = printed(workspace, tmp_path, size=1)
    assert (again.standing, again.failed) == (2, ())


def test_marks_of_another_copy_and_none_are_told(
    make_workspace: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where all else on a page was proven: of all copies it is the same."""
    workspace = make_workspace({**FILES, GAME: FILES[GAME] + "  marks: {}\n"})
    draw_page, first = SheetDocument._draw_page, dict[object, Any]()

    def drawn_with(own: Callable[[Any, Any], object]) -> None:
        draw = lambda document, booklet, side, paper: draw_page(  # noqa: E731
            document, booklet, side._replace(own=own(side, paper)), paper
        )
        monkeypatch.setattr(SheetDocument, "_draw_page", draw)

    drawn_with(lambda side, paper: first.setdefault(paper, side.own))
    run = printed(workspace, tmp_path / "sample", replace(A4, pieces=("numbers",)))
    assert {entry.id for entry in run.failed} == {"ann", "bob", "eve"}
    for entry in run.failed:  # the letters of a name may also be in no font of the file
        assert "proof-page" in {one.code for one in entry.problems} <= {"proof-page", "proof-font"}
    drawn_with(lambda _side, _paper: ())
    run = printed(workspace, tmp_path / "none", replace(A4, pieces=("numbers",)))
    assert run.files == 0
    assert "proof-page" in {one.code for one in run.checked.problems}


def test_shared_faces_are_laid_out_once(make_workspace: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, card = Counter[str](), FaceMaker.card

    def counted(self: FaceMaker, opened: OpenDeck, number: int, *more: Any) -> object:
        made[opened.cards[number].id] += 1
        return card(self, opened, number, *more)

    monkeypatch.setattr(FaceMaker, "card", counted)
    printed(make_workspace(FILES), tmp_path)
    assert made["sheet"] == 1 + 3
    assert max(made[f"n{number}"] for number in range(1, 13)) == 1 + 1  # for the sample, and for all copies


def test_a_card_that_cannot_be_laid_out_stops_those_who_draw_it(make_workspace: Make, tmp_path: Path) -> None:
    """Also where all cards are laid out together for all copies, of which it spoils none."""
    people = "id,name\n" + "".join(f"p{number},Person {number}\n" for number in range(6))
    workspace = make_workspace(FILES)
    copier, copies = copier_of(workspace), read_people(game_of(workspace), "p.csv", people.encode()).value
    drawn = {
        copy.id: {card.id for card in copier.game(copy, draw).value.decks["number"].cards}
        for copy, draw in zip(copies, planned(copier, copies).value, strict=True)
    }
    sample = {card.id for card in copier.sample().decks["number"].cards}
    bad = next(
        card for card in sorted(set().union(*drawn.values()) - sample) if sum(card in one for one in drawn.values()) < 6
    )
    layout = "content/bingo/layouts/number.xml"
    broken = FILES[layout].replace("<ground/>", "<ground/>{% if card.id == '" + bad + "' %}<nothing/>{% endif %}")
    run = printed(make_workspace({**FILES, layout: broken}), tmp_path, people=people)
    assert {entry.id for entry in run.failed} == {id_ for id_, cards in drawn.items() if bad in cards}
    assert {one.code for entry in run.failed for one in entry.problems} == {"unknown-element"}


def test_what_a_shard_leaves_is_gone_after_it_without_a_collector(
    make_workspace: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_workers: UseWorkers
) -> None:
    """As in commands: memory does not grow with the number of copies."""
    use_workers(0)
    counts, make = list[int](), shards.ShardMaker.make

    def counted(self: shards.ShardMaker, shard: shards.Shard, put: shards.Put) -> shards.ShardManifest:
        manifest = make(self, shard, put)
        counts.append(sum(type(one) is Sandbox for one in gc.get_objects()))  # not those of the sample: they are frozen
        return manifest

    monkeypatch.setattr(shards.ShardMaker, "make", counted)
    gc.disable()
    try:
        printed(make_workspace(FILES), tmp_path, size=1)
    finally:
        gc.enable()
        gc.unfreeze()
    assert counts == counts[:1] * 3


def test_nothing_is_printed_while_an_error_stands(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    assert printed(workspace, tmp_path, people=PEOPLE.replace("Bob", "")).copies == 0
    (workspace.root / SHEET).write_text("<face><ground/><nothing/></face>")
    run = printed(workspace, tmp_path)
    assert (run.copies, [one.code for one in run.checked.problems]) == (0, ["unknown-element"])
    assert not (tmp_path / "bingo").exists() or not list((tmp_path / "bingo").rglob("*.pdf"))


def test_a_game_without_an_edition_prints_copies_that_are_alike(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace({**FILES, GAME: FILES[GAME].partition("edition:")[0]})
    asked = EditionRequest(A4, lambda game: numbered_copies(game, 3))
    run = run_edition(workspace, load(workspace, "bingo"), asked, tmp_path)
    assert (run.copies, run.failed) == (3, ())
    assert len({path.read_bytes() for path in run.folder.rglob("*.pdf")}) == 1


@pytest.mark.forks
@needs_fork
def test_a_process_that_dies_costs_nothing_but_time(
    make_workspace: Make, tmp_path: Path, use_workers: UseWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_workers(2)
    workspace = make_workspace(FILES)
    me, make = os.getpid(), shards.ShardMaker.make

    def deadly(self: shards.ShardMaker, shard: shards.Shard, put: shards.Put) -> shards.ShardManifest:
        manifest = make(self, shard, put)
        if shard.folder == "0002-0002" and os.getpid() != me:
            os.kill(os.getpid(), signal.SIGKILL)
        return manifest

    printed(workspace, tmp_path / "whole", size=1)
    monkeypatch.setattr(shards.ShardMaker, "make", deadly)
    run = printed(workspace, tmp_path / "killed", size=1)
    assert run.failed == ()
    for kind in ("lock", "new"):  # of a run that was killed when a folder was complete
        beside(run.folder / "0003-0003", kind).touch()
    assert printed(workspace, tmp_path / "killed", size=1).standing == 3
    assert files_in(tmp_path / "killed") == files_in(tmp_path / "whole")
