"""`duckpress watch`: builds what has changed, tells what is wrong, goes on, and ends when it is asked to."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest

import running
from duckpress.cli import build as building
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.watching import Watcher, builds
from kinds import FILES, MakeWorkspace, cache_in, change

GAMES = {path.replace("/kinds/", "/other/"): data for path, data in FILES.items() if "content" in path}
DECK = "content/kinds/decks/kind.yaml"


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({**FILES, **GAMES, "content/other/theme.yaml": FILES["content/kinds/theme.yaml"]})


def watcher_of(workspace: Workspace, *games: str) -> tuple[Watcher[Built], BuildCache]:
    store = BuildCache(Memo(cache_in(workspace), "program"))
    (workspace.root / "content/other/game.yaml").write_text(
        str(FILES["content/kinds/game.yaml"]).replace("theme: kinds", "theme: other")
    )
    return builds(workspace, games, Request(papers=("a4",)), workspace.root / "output", store), store


def test_only_games_that_changed_are_built_and_only_faces_that_changed(workspace: Workspace) -> None:
    watcher, store = watcher_of(workspace)
    assert watcher.changed() == ["kinds", "other"]
    for game_id in watcher.changed():
        assert watcher.make(game_id).files
    assert watcher.changed() == []
    before = store.laid_out
    change(workspace, DECK, "The plain card.", "The plain duck.")
    assert watcher.changed() == ["kinds"]
    assert watcher.make("kinds").files
    assert store.laid_out == before + 2  # in the other language, too: its text is not translated
    assert watcher.changed() == []
    assert not watcher.is_stale("kinds")
    change(workspace, "fonts/own/family.yaml", "OFL-1.1", "OFL-1.0")
    assert watcher.changed() == ["kinds", "other"]


def test_a_broken_file_is_told_and_a_mended_one_is_built(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop itself: each time it has nothing to do, something is changed for it."""
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(None))  # what all tests left may be much
    watcher, _ = watcher_of(workspace, "kinds")
    steps = [("title: Kinds", "titel: Kinds"), ("titel: Kinds", "title: [Kinds"), ("title: [Kinds", "title: Kinds")]
    told: list[str] = []

    def sleep(_seconds: float) -> None:
        said = capsys.readouterr().out
        if "watching kinds" not in said:
            told.append(said)
            return  # it waits for files to keep still
        told.append(said)
        if not steps:
            raise KeyboardInterrupt
        change(workspace, DECK, *steps.pop(0))

    with pytest.raises(KeyboardInterrupt):
        building.keep_built(watcher, sleep)
    rounds = [said for said in told if "watching kinds" in said]
    assert len(rounds) == len(collected) == 4
    assert "2 files in" in rounds[0]
    assert "unknown-key" in rounds[1]
    assert "nothing printed" in rounds[1]
    assert "yaml-syntax" in rounds[2] or "error" in rounds[2]
    assert "2 files in" in rounds[3]


def test_a_new_file_where_one_was_missed_is_seen(workspace: Workspace) -> None:
    watcher, _ = watcher_of(workspace, "kinds")
    art = workspace.root / "content/kinds/art/pond.svg"
    kept = art.read_text()
    art.unlink()
    assert not watcher.make("kinds").files
    art.write_text(kept)
    assert watcher.changed() == ["kinds"]
    assert watcher.make("kinds").files


def test_a_file_changed_while_it_is_built_makes_the_build_stale(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_late(*given: Any, **options: Any) -> Built:
        built = build(*given, **options)
        change(workspace, DECK, "The plain card.", "The plain duck.")
        return built

    monkeypatch.setattr("duckpress.press.pipeline.build", change_late)
    watcher, _ = watcher_of(workspace, "kinds")
    watcher.make("kinds")
    assert watcher.is_stale("kinds")


def test_ctrl_c_ends_it_in_good_order(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes of a signal then is tried in tests/lost/test_stopping.py."""
    told: list[str] = []
    monkeypatch.setattr(building, "finish_at_interrupt", told.append)
    monkeypatch.setattr(building, "keep_built", lambda watcher, _sleep: told.extend(watcher.changed()))
    running.run(workspace, "watch", "kinds", status=0)
    assert told == ["no longer watching", "kinds"]


def test_files_of_papers_that_it_does_not_print_stay_and_are_listed_as_outdated(workspace: Workspace) -> None:
    out = workspace.root / "output"
    build(workspace, load(workspace, "kinds"), Request(papers=("letter",)), out)
    letters = {path.name: path.read_bytes() for path in out.glob("kinds/*-letter.pdf")}
    store = BuildCache(Memo(cache_in(workspace), "program"))
    watcher = builds(workspace, ("kinds",), Request(papers=("a4",), keeps_papers=True), out, store)
    for is_outdated in (False, True):
        watcher.make("kinds")
        assert {path.name: path.read_bytes() for path in out.glob("kinds/*-letter.pdf")} == letters
        listed = json.loads((out / "kinds/manifest.json").read_text())["files"]
        found = {entry["name"]: bool(entry.get("outdated")) for entry in listed if entry["name"] in letters}
        assert found == dict.fromkeys(letters, is_outdated)
        change(workspace, DECK, *(("plain card.", "plain duck.") if not is_outdated else ("duck.", "goose.")))
