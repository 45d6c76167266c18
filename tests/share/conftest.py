"""What the tests of releases share."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from held_pond import Pond, pond_files
from running import MakeWorkspace
from shared import once
from story import GAME, Story


@pytest.fixture(scope="session")
def story(run_folder: Path) -> Story:
    """A game that was released as 0.1, printed into `held`, tweaked and bundled; its update pack is unpacked.

    It is the same for all workers of a run: only to be looked at, or copied.
    """

    def tell(root: Path) -> Path:
        story = Story(root)
        story.begin()
        held = story.run("build", GAME, "--paper", "a4", "--out", str(root / "held"))
        assert held.exit_code == 0, held.output
        story.tweak()
        packet = root / "output" / GAME / "packet"
        packet.mkdir(parents=True)
        (packet / f"{GAME}-host-a4.pdf").write_bytes(b"a secret")
        done = story.run("bundle", GAME)
        assert done.exit_code == 0, done.output
        assert "version 0.2 is not released yet" in done.output
        with zipfile.ZipFile(root / "output" / GAME / f"{GAME}-0.2.zip") as archive:
            archive.extractall(root / "unpacked")
        return root

    return Story(once(run_folder, "story", tell))


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Pond:
    """A small game."""
    return Pond(make_workspace(pond_files()))
