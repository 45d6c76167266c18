"""A run that waits for another one prints what its files say then, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.core.problems import MachineError
from duckpress.press.pipeline import build
from duckpress.press.reading import load_all
from duckpress.press.request import Request
from duckpress.store import output_folder
from duckpress.store.file_writing import Busy
from kinds import DECK_FILE, FILES, MakeWorkspace


@pytest.fixture
def waiting(make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], object]:
    """Return what builds while another run writes into the folder; a file may be saved before that one has finished."""
    workspace, lock = make_workspace(FILES), output_folder._lock

    def waits(is_saved: bool) -> object:
        def busy(folder: Path) -> output_folder.OutputFolder:
            monkeypatch.setattr(output_folder, "_lock", lock)
            path = workspace.root / DECK_FILE
            path.write_text(path.read_text() + ("\n# saved\n" if is_saved else ""))
            raise Busy(f"one that writes into {folder.name}")

        (loaded,) = load_all(workspace, ("kinds",))
        monkeypatch.setattr(output_folder, "_lock", busy)
        return build(workspace, loaded, Request(papers=("a4",)), tmp_path / "out").files

    return waits


def test_what_was_saved_meanwhile_is_not_written_over(waiting: Callable[[bool], object], tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"saved while this run waited .* run it again"):
        waiting(True)
    assert not list((tmp_path / "out").rglob("*.pdf"))


def test_files_that_are_as_they_were_are_printed(waiting: Callable[[bool], object]) -> None:
    assert waiting(False)
