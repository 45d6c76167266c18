"""What the tests of releases share."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared import once
from story import Story


@pytest.fixture(scope="session")
def released(run_folder: Path) -> Story:
    """A story that has begun, the same for all workers of a run; only to be copied."""

    def begin(root: Path) -> Path:
        Story(root).begin()
        return root

    return Story(once(run_folder, "story", begin))
