"""`check` asked again: what it told is told again without checking, until anything it was made of changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import running
from duckpress.files.workspace import Workspace
from duckpress.press import checking
from kinds import FILES, MakeWorkspace, change


@pytest.fixture
def workspace(make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.delenv("DUCKPRESS_CACHE")
    settings = tmp_path.with_name(f"{tmp_path.name}-settings")
    monkeypatch.setattr("duckpress.cli.options.settings_folder", lambda: settings)
    return make_workspace(FILES)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
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


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_was_told_is_told_again_and_nothing_is_done(form: str, workspace: Workspace, done: list[str]) -> None:
    first = check(workspace, f"--format {form}")
    assert check(workspace, f"--format {form}") == first
    assert (first[0], done) == (0, ["kinds"])


def test_another_question_is_another_check(workspace: Workspace, done: list[str]) -> None:
    check(workspace)
    for options in ("--ink grey", "--no-cache", "--players 2"):
        check(workspace, options)
    assert done == ["kinds"] * 4


def test_every_file_of_the_game_counts(workspace: Workspace, done: list[str]) -> None:
    check(workspace)
    files = sorted(path for path in workspace.root.glob("content/kinds/**/*") if path.is_file())
    for number, path in enumerate(files, 1):
        path.write_bytes(path.read_bytes() + b" ")
        check(workspace)
        assert len(done) == number + 1, path
    assert len(files) > 5


def test_an_error_is_looked_for_again(workspace: Workspace, done: list[str]) -> None:
    change(workspace, "content/kinds/game.yaml", "players: ", "players: nobody # ")
    assert check(workspace)[0] == check(workspace)[0] == 1
    assert done == ["kinds"] * 2
