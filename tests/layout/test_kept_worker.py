"""A worker that is kept makes cards that changed, as long as nothing else did; what comes is that of a new run."""

from __future__ import annotations

import pytest

from crews import METHODS, use
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout.faces import kept_worker, piece
from duckpress.pool import ProcessPool
from duckpress.press.frame_store import FrameStore
from kinds import CHANGES, DECK_FILE, FACE_FILE, FILES, KINDS, MakeWorkspace, cache_in, change, font, lay_out, png


class Program:
    """A program that goes on: it lays the game out, rests, and lays it out again."""

    def __init__(self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        self._workspace = workspace
        self._store = FrameStore(cache_in(workspace), "program")
        self._store.is_patient = True
        self._begun: list[int] = []
        first = piece.ProcessPool

        def begun(*given: object, **more: object) -> ProcessPool[object, object]:
            self._begun.append(1)
            return first(*given, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(piece, "ProcessPool", begun)
        monkeypatch.setattr("duckpress.press.frame_store.can_fork", lambda: True)

    def needs_others(self) -> bool:
        """Lay the game out as a program that knows nothing does; return whether other workers were needed for it."""
        hashes, new, problems = lay_out(self._workspace)
        self._begun.clear()
        found, one, told = lay_out(RecordingWorkspace(self._workspace), self._store)
        needed = bool(self._begun)
        assert (found, told) == (hashes, problems)
        assert one.drawings.keys() == new.drawings.keys()
        assert (one.pictures, one.fits, one.decorations) == (new.pictures, new.fits, new.decorations)
        return needed

    def rest(self) -> None:
        self._store.write_due()
        self._store.keep_worker("kinds")

    def end(self) -> None:
        self._store.end_worker()


@pytest.fixture
def program(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> tuple[Workspace, Program]:
    workspace = make_workspace(FILES)
    found = Program(workspace, monkeypatch)
    assert found.needs_others()
    found.rest()
    return workspace, found


@pytest.mark.sweep(2)
@pytest.mark.parametrize("method", METHODS)
def test_what_is_written_on_cards_is_told_to_the_worker(
    method: str, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, 1, method, at_once=48)
    monkeypatch.setattr(kept_worker, "ProcessPool", piece.ProcessPool)
    workspace = make_workspace(FILES)
    game = Program(workspace, monkeypatch)
    try:
        assert game.needs_others()
        for old, new in (("The plain card.", "The plain duck."), ("The plain duck.", "A {coin}."), ("A {coin}.", "1")):
            game.rest()
            change(workspace, DECK_FILE, old, new)
            assert not game.needs_others()
        change(workspace, DECK_FILE, "The accent card.", "It is blue.")
        change(workspace, DECK_FILE, "The words card.", "Bang.")
        assert not game.needs_others(), "two cards at once, and no rest before"
    finally:
        game.end()


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", CHANGES)
def test_it_serves_no_longer_than_all_else_is_as_it_was(name: str, program: tuple[Workspace, Program]) -> None:
    workspace, game = program
    change(workspace, *CHANGES[name])
    change(workspace, DECK_FILE, "The plain card.", "The plain duck.")
    assert game.needs_others()
    change(workspace, DECK_FILE, "The plain duck.", "The plain goose.")
    assert game.needs_others(), "the worker began before the other change"
    game.rest()
    change(workspace, DECK_FILE, "The plain goose.", "The plain swan.")
    assert not game.needs_others(), "another one has begun"


@pytest.mark.parametrize("path", ["content/kinds/art/pond.png", "fonts/own/regular.ttf"])
def test_files_that_faces_show_end_its_service(path: str, program: tuple[Workspace, Program]) -> None:
    workspace, game = program
    (workspace.root / path).write_bytes(png(91) if path.endswith("png") else font("AlegreyaSans-Medium.ttf"))
    change(workspace, DECK_FILE, "The plain card.", "The plain duck.")
    assert game.needs_others()


TOLD = {
    "a text that does not fit": "The plain duck. " * 60,
    "an icon that is not there": "A {crown}.",
    "a card that is shown": "Show.",
}
SHOWING = str(FILES[FACE_FILE]).replace(
    "</face>", '{% if card.text == "Show." %}<card of="kind/bold" x="10" y="20" width="20"/>{% endif %}</face>'
)


@pytest.mark.parametrize("name", TOLD)
def test_what_is_to_be_told_is_made_by_others(
    name: str, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(FILES | {FACE_FILE: SHOWING})
    game = Program(workspace, monkeypatch)
    game.needs_others()
    game.rest()
    change(workspace, DECK_FILE, "The plain card.", TOLD[name])
    change(workspace, DECK_FILE, "The **bold** card.", "The **bolder** card.")
    assert game.needs_others()


def test_many_cards_are_made_by_others(program: tuple[Workspace, Program]) -> None:
    workspace, game = program
    for name in [name for name in KINDS if name not in ("bold", "icon", "alias", "field")] + ["bold"]:
        deck = (workspace.root / DECK_FILE).read_text()
        (workspace.root / DECK_FILE).write_text(deck.replace(f'id: {name}, text: "', f'id: {name}, text: "Now '))
    assert game.needs_others()


@pytest.mark.soak
def test_a_worker_that_has_died_is_replaced(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, 1, METHODS[-1], at_once=48)
    monkeypatch.setattr(kept_worker, "ProcessPool", piece.ProcessPool)
    workspace = make_workspace(FILES)
    game = Program(workspace, monkeypatch)
    try:
        game.needs_others()
        game.rest()
        for worker in game._store.worker("kinds")._pool._workers:  # type: ignore[union-attr]
            worker.kill()
        change(workspace, DECK_FILE, "The plain card.", "The plain duck.")
        game.needs_others()
    finally:
        game.end()
