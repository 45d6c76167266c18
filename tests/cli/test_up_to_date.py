"""Whole builds and checks: what has not changed is not done again, and what is done gives the same bytes."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import signal
import sys
from typing import NoReturn

import pytest
from click.testing import Result

import running
from duckpress.files import recording
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press import checking
from duckpress.press.reading import Loaded
from duckpress.store import locked_outputs
from kinds import FILES, MakeWorkspace, change, folder_of

UP_TO_DATE = "up to date"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(running.write_files(tmp_path_factory.mktemp("kept") / "game", FILES), bundled_root())


@pytest.fixture
def workspace(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    return _with_cache(make_workspace(FILES), monkeypatch)


@pytest.fixture
def built(kept: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A game that is built already: its files stay as they are, and what is printed is right again after each test."""
    build(_with_cache(kept, monkeypatch))
    return kept


def _with_cache(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.delenv("DUCKPRESS_CACHE")
    settings = workspace.root.with_name(f"{workspace.root.name}-settings")
    monkeypatch.setattr("duckpress.cli.options.settings_folder", lambda: settings)
    return workspace


def build(workspace: Workspace, options: str = "") -> Result:
    return running.run(workspace, "build", "kinds", "--paper", "a4", *options.split(), status=0)


def files_of(workspace: Workspace, out: str = "output") -> dict[str, str]:
    folder = workspace.root / out / "kinds"
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def test_nothing_changed_nothing_is_done(workspace: Workspace) -> None:
    assert UP_TO_DATE not in build(workspace).output
    before = {path: path.stat().st_mtime_ns for path in (workspace.root / "output/kinds").iterdir()}
    again = build(workspace)
    assert "Kinds, up to date: 1 warning" in again.output
    assert {path: path.stat().st_mtime_ns for path in (workspace.root / "output/kinds").iterdir()} == before
    first, again = (json.loads(build(workspace, f"{cache} --format json").output) for cache in ("--no-cache", ""))
    assert first == again
    assert UP_TO_DATE not in build(workspace, "--no-cache").output


def test_another_request_or_folder_is_another_build(workspace: Workspace) -> None:
    build(workspace)
    for options in ("--ink grey", f"--out {workspace.root}/other"):
        assert UP_TO_DATE not in build(workspace, options).output
    build(workspace)  # the manifest has changed: it is written again, and then both stand
    assert UP_TO_DATE in build(workspace, "--ink grey").output


def test_a_file_that_is_not_as_it_was_written_is_made_again(built: Workspace) -> None:
    before = files_of(built)
    for name in before:
        path = built.root / "output/kinds" / name
        path.unlink() if name == "manifest.json" else path.write_bytes(path.read_bytes() + b" ")
        assert UP_TO_DATE not in build(built).output
        assert files_of(built) == before


def test_the_source_date_is_part_of_it(built: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", "86400")
    assert UP_TO_DATE not in build(built).output


def test_a_damaged_note_is_none(built: Workspace) -> None:
    before = files_of(built)
    for at in (25, -1):
        for note in folder_of(built).glob("build-*"):
            data = bytearray(note.read_bytes())
            data[at] ^= 1
            note.write_bytes(data)
        assert UP_TO_DATE not in build(built).output
        assert files_of(built) == before


def test_every_door_of_the_workspace_is_watched(workspace: Workspace) -> None:
    doors = {name for name, _ in inspect.getmembers(Workspace, inspect.isfunction) if not name.startswith("_")}
    for name in doors - {"games", "alike", "add"}:  # those ask `folders`, `has` and `files`; the last one asks nothing
        watched = recording.RecordingWorkspace(workspace)
        getattr(watched, name)("content/kinds" if name in ("files", "folders") else "content/kinds/game.yaml")
        assert len(watched.answers) == 1, name
        assert recording.is_unchanged(workspace, watched.answers), name


def test_a_file_changed_while_it_is_read_never_stands(workspace: Workspace) -> None:
    door = recording.RecordingWorkspace(workspace)
    door.read("content/kinds/game.yaml")
    assert recording.is_unchanged(workspace, door.answers)
    change(workspace, "content/kinds/game.yaml", "Ann", "Ben")
    door.read("content/kinds/game.yaml")
    assert not recording.is_unchanged(workspace, door.answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed that was forked")
def test_a_lock_that_a_killed_run_left_goes_with_a_run_that_finds_all_standing(built: Workspace) -> None:
    """Nothing is written then, and nobody else would ever take it away."""
    left = built.root / "output/.duckpress-kinds.lock"
    child = os.fork()
    if child == 0:
        with locked_outputs(built.root / "output/kinds"):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert left.exists()
    before = files_of(built)
    assert UP_TO_DATE in build(built).output
    assert not left.exists()
    assert files_of(built) == before


def test_every_language_is_printed_at_once(workspace: Workspace) -> None:
    told = json.loads(build(workspace, "--lang all --format json").output)["games"]
    assert [game["language"] for game in told] == ["en", "fr"]
    assert json.loads(build(workspace, "--lang fr --format json").output)["games"] == told[1:]
    build(workspace, "--lang all")  # the manifest was another before the last language
    again = build(workspace, "--lang all").output
    assert "Kinds (en), up to date: 1 warning" in again
    assert again.count(UP_TO_DATE) == 2
    done = running.run(workspace, "build", "--lang", "all", "--seed", "quack", status=2)
    assert "--lang all prints no packet" in done.output


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were checked, not only told of."""
    games: list[str] = []
    check = checking.check

    def checked(*args: object, **options: object) -> object:
        games.append(args[1].game_id)  # type: ignore[attr-defined]
        return check(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "check", checked)
    return games


def check(workspace: Workspace, options: str = "") -> tuple[int, str]:
    result = running.run(workspace, "check", "kinds", *options.split())
    return result.exit_code, result.output


def test_what_was_told_is_told_again_and_another_question_is_another_check(
    workspace: Workspace, checks: list[str]
) -> None:
    first = check(workspace)
    assert check(workspace) == first
    assert (first[0], checks) == (0, ["kinds"])
    check(workspace, "--ink grey")
    assert check(workspace, "--no-cache") == first
    assert len(checks) == 3


def test_every_file_of_the_game_counts(
    workspace: Workspace, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check for each changed file is only begun; once the file is as it was, what was found before stands again."""
    check(workspace)

    def only_begun(_workspace: Workspace, loaded: Loaded, **_options: object) -> NoReturn:
        checks.append(loaded.game_id)
        sys.exit(9)

    monkeypatch.setattr(checking, "check", only_begun)
    files = sorted(path for path in workspace.root.glob("content/kinds/**/*") if path.is_file())
    for number, path in enumerate(files, 1):
        was = path.read_bytes()
        path.write_bytes(was + b" ")
        assert check(workspace)[0] == 9, path
        path.write_bytes(was)
        assert len(checks) == number + 1, path
    assert len(files) > 5
    assert check(workspace)[0] == 0
    assert len(checks) == len(files) + 1


def test_an_error_is_looked_for_again(workspace: Workspace, checks: list[str]) -> None:
    change(workspace, "content/kinds/game.yaml", "players: ", "players: nobody # ")
    assert check(workspace)[0] == check(workspace)[0] == 1
    assert checks == ["kinds"] * 2
