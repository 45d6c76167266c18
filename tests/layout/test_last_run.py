"""Cards that have changed are laid out, in a program that goes on and in a new one, and what comes is that of all."""

from __future__ import annotations

import pytest

from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout.faces.face_maker import FaceMaker
from duckpress.press.frame_store import FrameStore
from kinds import CHANGES, DECK_FILE, FACE_FILE, FILES, KINDS, MakeWorkspace, cache_in, change, font, lay_out, png


class Going:
    """A game that is laid out again and again, with the faces at hand."""

    def __init__(self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, *, begins_again: bool = False) -> None:
        self._workspace = workspace
        self._begins_again = begins_again
        self._store = FrameStore(cache_in(workspace), "program")
        self._filled: list[str] = []
        first = FaceMaker.card

        def noted(maker: FaceMaker, opened: object, number: int, *more: object) -> object:
            self._filled.append(opened.cards[number].id)  # type: ignore[attr-defined]
            return first(maker, opened, number, *more)  # type: ignore[arg-type]

        monkeypatch.setattr(FaceMaker, "card", noted)

    def laid_out(self) -> list[str]:
        """Return the cards that a worker was given, having held all that came against a run that knows nothing."""
        hashes, piece, problems = lay_out(self._workspace)
        self._filled.clear()
        if self._begins_again:
            self._store = FrameStore(cache_in(self._workspace), "program")
        found, one, told = lay_out(RecordingWorkspace(self._workspace), self._store)
        filled = list(self._filled)
        assert (found, told) == (hashes, problems)
        assert one.drawings.keys() == piece.drawings.keys()
        assert (one.pictures, one.fits, one.decorations) == (piece.pictures, piece.fits, piece.decorations)
        return filled


@pytest.fixture(params=["goes on", "begins again"])
def going(
    request: pytest.FixtureRequest, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> tuple[Workspace, Going]:
    workspace = make_workspace(FILES)
    found = Going(workspace, monkeypatch, begins_again=request.param == "begins again")
    assert found.laid_out() == list(KINDS)
    return workspace, found


def test_only_cards_that_changed_are_laid_out(going: tuple[Workspace, Going]) -> None:
    workspace, game = going
    assert game.laid_out() == []
    for old, new in (("The plain card.", "The plain duck."), ("The plain duck.", "1"), ('text: "1"', "text: 'yes'")):
        change(workspace, DECK_FILE, old, new)
        assert game.laid_out() == ["plain"]
    assert game.laid_out() == []


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", CHANGES)
def test_whatever_else_changes_has_all_cards_laid_out(name: str, going: tuple[Workspace, Going]) -> None:
    workspace, game = going
    change(workspace, *CHANGES[name])
    assert set(game.laid_out()) >= set(KINDS)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("path", ["content/kinds/art/pond.png", "fonts/own/regular.ttf"])
def test_files_that_faces_show_have_all_cards_laid_out(path: str, going: tuple[Workspace, Going]) -> None:
    workspace, game = going
    (workspace.root / path).write_bytes(png(91) if path.endswith("png") else font("AlegreyaSans-Medium.ttf"))
    assert set(game.laid_out()) >= set(KINDS)


def test_art_that_no_card_shows_any_more_is_gone(going: tuple[Workspace, Going]) -> None:
    workspace, game = going
    change(workspace, "content/kinds/art/token.svg", 'r="4"', 'r="2"')  # like no other
    game.laid_out()
    change(workspace, DECK_FILE, "Its {token} card.", "Its card.")
    game.laid_out()  # it holds the drawings against those of a run that knows nothing


@pytest.mark.parametrize(
    "element",
    [
        '<text x="5" y="60" width="50" height="10">{{ decks.kind.cards[0].text }}</text>',
        '<text x="5" y="60" width="20" height="4" together="all">{{ card.text }}</text>',
    ],
)
def test_cards_that_depend_on_each_other_are_laid_out_together(
    element: str, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = str(FILES[FACE_FILE]).replace("</face>", f"{element}</face>")
    workspace = make_workspace(FILES | {FACE_FILE: face})
    game = Going(workspace, monkeypatch)
    game.laid_out()
    change(workspace, DECK_FILE, "The plain card.", "The plain duck.")
    assert set(game.laid_out()) == set(KINDS)


def test_a_card_of_which_something_is_told_is_laid_out_every_time(going: tuple[Workspace, Going]) -> None:
    workspace, game = going
    low = '{% if card.id == "bold" %}<text x="1" y="80" width="50" height="6">Low</text>{% endif %}</face>'
    change(workspace, FACE_FILE, "</face>", low)
    game.laid_out()
    assert game.laid_out() == ["bold"]


def test_what_an_earlier_program_left_counts_for_itself_alone(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(FILES)
    game = Going(workspace, monkeypatch, begins_again=True)
    game.laid_out()
    for entry in (workspace.root / ".duckpress-cache").glob("cards-*"):
        data = entry.read_bytes()
        for changed in (data.replace(b"plain", b"plane"), data[:-1], data + b"\0", b""):
            entry.write_bytes(changed)
            assert game.laid_out() == list(KINDS)
            assert entry.read_bytes() == data
    for entry in (workspace.root / ".duckpress-cache").glob("art-*"):
        entry.unlink()
        assert game.laid_out() == list(KINDS)
        assert entry.exists()
    assert game.laid_out() == []
    monkeypatch.setattr("duckpress.layout.faces.last_run._MOST_ART", 10**9)
    change(workspace, "content/kinds/theme.yaml", "#aa3300", "#005522")
    assert set(game.laid_out()) >= set(KINDS)
    assert set(game.laid_out()) >= set(KINDS)  # too much art to be kept
