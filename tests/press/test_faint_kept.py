"""Words looked at by an earlier build are not looked at again, and are told just the same."""

from __future__ import annotations

import pytest

from crews import use
from duckpress.art import picture_files as pictures
from duckpress.core.frame import Frame
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.layout.legibility import checks
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import load
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.text.fonts import FontLibrary
from kinds import FILES, KEY, MakeWorkspace, cache_in, change

FACES = 12


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    found = make_workspace(FILES)
    change(found, "content/kinds/theme.yaml", 'accent: "#aa3300"', 'accent: "#eeeeee"')
    return found


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """Return the frames that are looked at from now on, here or ahead."""
    found: list[Frame] = []
    opened = checks.Grounds.open

    def noted(grounds: checks.Grounds, items: object) -> None:
        found.append(items)  # type: ignore[arg-type]
        opened(grounds, items)  # type: ignore[arg-type]

    monkeypatch.setattr(checks.Grounds, "open", noted)
    return found


def told(workspace: Workspace, store: BuildCache | None) -> list[str]:
    """Return the warnings of the game laid out."""
    game = load(workspace, "kinds").game
    assert game is not None
    _, problems = typeset(TypesetTask(workspace, game, FontLibrary(workspace), game.pieces, frames=store))
    return [str(problem) for problem in problems]


def store_in(workspace: Workspace) -> BuildCache:
    return BuildCache(Memo(cache_in(workspace, KEY), "program"))


def test_a_second_build_looks_at_what_is_new(workspace: Workspace, looked_at: list[Frame]) -> None:
    plain = told(workspace, None)
    assert any("hard to read" in one for one in plain)
    looked_at.clear()
    assert told(workspace, store_in(workspace)) == plain
    assert len(looked_at) == FACES
    looked_at.clear()
    assert told(workspace, store_in(workspace)) == plain
    assert looked_at == []
    change(workspace, "content/kinds/decks/kind.yaml", "The macro card.", "The other card.")
    assert told(workspace, store_in(workspace)) == plain
    assert len(looked_at) == 1


@pytest.mark.sweep(2)
@pytest.mark.parametrize("damage", [b"", b"{}", b"x", b"\xff" * 200])
def test_a_damaged_entry_is_none(workspace: Workspace, looked_at: list[Frame], damage: bytes) -> None:
    plain = told(workspace, store_in(workspace))
    (entry,) = (workspace.root / ".duckpress-cache").glob("words-*")
    entry.write_bytes(entry.read_bytes()[:-3] + damage)
    looked_at.clear()
    assert told(workspace, store_in(workspace)) == plain
    assert len(looked_at) == FACES


def test_what_workers_looked_through_is_known_to_those_that_come_later(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, 2)
    monkeypatch.setattr(pictures, "_checked", {})
    told(workspace, None)
    data = (workspace.root / "content/kinds/art/pond.png").read_bytes()
    picture, _ = pictures.read_picture("pond.png", data)
    assert list(pictures._checked) == [picture.key]
    monkeypatch.setattr(pictures, "_checked", {})
    told(workspace, None)
    assert list(pictures._checked) == [picture.key], "workers told it"
