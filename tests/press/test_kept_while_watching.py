"""What a program that goes on does again after a change, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.fonts import library
from duckpress.press import checking
from duckpress.press.frame_store import FrameStore
from duckpress.press.request import Request
from duckpress.press.sheets import piece_sheets
from duckpress.press.watching import builds
from duckpress.store.cache import Cache
from kinds import FILES, KEY, MakeWorkspace

DECK, SETUP = "content/kinds/decks/kind.yaml", "content/kinds/setup.yaml"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each check of rules, piece that is laid on sheets and font that is read."""
    notes: list[str] = []

    def noting(name: str, work: Callable[..., object]) -> Callable[..., object]:
        return lambda *args, **more: notes.append(name) or work(*args, **more)

    for module, name in (
        (checking, "check_game"),
        (piece_sheets, "impose_piece"),
        (library, "load_typeface"),
    ):
        monkeypatch.setattr(module, name, noting(name, getattr(module, name)))
    return notes


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("path", "old", "new", "again"),
    [
        (DECK, "The plain card", "A plain card", set()),
        (DECK, "The plain card", "The {=id} card", {"check_game"}),
        (DECK, "id: plain", "id: bare", {"check_game"}),
        (SETUP, "pile: draw", "pile: stack", {"check_game"}),
    ],
)
def test_only_what_a_change_touches_is_made_again(
    make_workspace: MakeWorkspace, tmp_path: Path, made: list[str], path: str, old: str, new: str, again: set[str]
) -> None:
    workspace = make_workspace(FILES)
    file = workspace.root / path
    request, store = Request(papers=("a4",)), FrameStore(Cache(tmp_path / "cache", KEY))
    watcher = builds(workspace, ("kinds",), request, tmp_path / "out", store)
    assert watcher.make("kinds").files
    made.clear()
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    assert watcher.make("kinds").files
    assert {*made} == again
