"""The one door to files: what may be read, what wins, and what is refused, each with its code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duckpress.core.problems import MachineError, Source
from duckpress.files.workspace import Refused, Workspace

Make = Callable[[Mapping[str, str | bytes]], Workspace]


def code_of(workspace: Workspace, path: str) -> str:
    with pytest.raises(Refused) as refused:
        workspace.read(path)
    problem = refused.value.problem(Source("content/pond/game.yaml", 3, 4))
    assert (problem.source.line, bool(problem.what), bool(problem.fix)) == (3, True, True)
    return problem.code


def test_a_file_is_given_and_a_missing_one_refused(make_workspace: Make) -> None:
    workspace = make_workspace({"content/pond/a.txt": b"quack"})
    assert workspace.read("content/pond/a.txt") == b"quack"
    assert code_of(workspace, "content/pond/b.txt") == "missing-file"
    assert code_of(workspace, "content/pond/a.txt/b.txt") == "missing-file"


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../a.txt", "content/../../a.txt", "~/a.txt", "c:/a.txt", "content//a.txt", "content/./a.txt", ""],
)
def test_a_path_that_is_not_plain_is_refused(path: str, make_workspace: Make) -> None:
    workspace = make_workspace({"content/pond/a.txt": b"quack"})
    assert code_of(workspace, path) == "outside-workspace"
    assert not workspace.has(path)


@pytest.mark.skipif(os.name != "posix", reason="pipes are made otherwise elsewhere")
def test_what_is_meant_as_a_game_is_one_whatever_its_name_or_its_rights(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {f"content/{name}": b"" for name in ("a/game.yaml", "b/GAME.YAML", "c/game.yml", "d/notes.txt", "e/x.txt")}
    workspace = make_workspace(games)
    try:
        (workspace.root / "content" / "f\ng").mkdir()
        (workspace.root / "content" / "f\ng" / "game.yaml").touch()
    except OSError:
        pytest.skip("no such names here")
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "e" and may(path, mode))
    assert workspace.games() == ["a", "b", "c", "e", "f\ng"]


def test_a_folder_that_may_not_be_looked_into_is_told(make_workspace: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(place: Path) -> None:
        raise PermissionError(13, "Permission denied", str(place))

    workspace = make_workspace({"content/pond/decks/a.yaml": b""})
    assert workspace.files("content/pond/boards", ".yaml") == []
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(MachineError, match="cannot look into content/pond/decks: permission denied"):
        workspace.files("content/pond/decks", ".yaml")


def test_a_file_that_the_system_refuses_is_refused(make_workspace: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = make_workspace({"content/pond/a.txt": b"quack"})

    def refuse(path: Path, flags: int, dir_fd: int | None = None) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "supports_dir_fd", {refuse})
    assert code_of(workspace, "content/pond/a.txt") == "unreadable-file"
