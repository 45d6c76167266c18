"""A folder in memory for tests that write thousands of files: waiting for a disk shows nothing more."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from mishaps import MEMORY

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "hostile"))  # its small game, and its harness


@pytest.fixture
def quick_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder of the test's own, on a file system in memory where there is one."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="duckpress-test-", dir=MEMORY) as folder:
        yield Path(folder)
