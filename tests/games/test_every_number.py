"""Every number that players count with is pinned: changed by one, up or down, it brings up a finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from number_changes import Changes

from duckpress.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
GAMES = Workspace(ROOT).games()


@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_pinned(game: str, project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = Changes(project, game, monkeypatch)
    unnoticed = [found for number in changes.numbers() if (found := changes.unnoticed(number)) is not None]
    assert not unnoticed, f"{len(unnoticed)} numbers can be changed without a finding:\n" + "\n".join(unnoticed)
