"""A page that `duckpress preview --live` serves, started as a designer starts it, in a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kit.browser import Page, browsing
from running import write_files


@contextmanager
def live_page(root: Path, game: str, files: Mapping[str, str], *options: str) -> Iterator[Page]:
    """Write a game's files, serve its page, and yield it; neither the page nor the program has then told of a fault."""
    write_files(root / "content" / game, files)
    command = [sys.executable, "-m", "duckpress", "--workspace", str(root), "preview", game, "--live", "--no-open"]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (`&` has it ignored)
    )  # fmt: skip
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    try:
        assert found is not None
        with browsing(root / "profile", 1000, 700) as page:
            page.go(found[0])
            page.wait("!!document.querySelector('.card')")
            yield page
            assert page.told == []
    finally:
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
    assert "Traceback" not in said
