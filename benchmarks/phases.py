"""Shows where the time of a cold build goes: the share of each step, imports included, for a deck of 2,000 cards.

python benchmarks/phases.py [CARDS]
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from pathlib import Path

from synthetic import make_workspace


class Clock:
    """Notes how long each step took since the one before."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._last = time.perf_counter()

    def note(self, name: str) -> None:
        """End a step."""
        now = time.perf_counter()
        self.steps[name] = self.steps.get(name, 0.0) + now - self._last
        self._last = now


def main() -> None:
    """Run the steps of `duckpress build` one after the other, in one process, and print their shares."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        gc.disable()  # as the command does
        clock = Clock()

        import pikepdf  # noqa: F401

        import duckpress.cli.commands
        import duckpress.layout
        import duckpress.proof
        import duckpress.render  # noqa: F401
        from duckpress.check import check_game
        from duckpress.core.sizes import PAPERS
        from duckpress.files.workspace import Workspace, bundled_root
        from duckpress.pool import use_jobs
        from duckpress.press.print_job import PrintJob
        from duckpress.press.printing import RenderedFile, prove, render_file
        from duckpress.press.reading import load
        from duckpress.press.request import Request
        from duckpress.press.sheets.piece_sheets import Imposer
        from duckpress.press.typesetting import TypesetTask, typeset
        from duckpress.render import Renderer
        from duckpress.text.fonts import FontLibrary

        use_jobs(0)  # what workers do is done here
        clock.note("imports")
        workspace = Workspace(folder, bundled_root())
        loaded = load(workspace, "bench")
        assert loaded.game is not None
        clock.note("content: YAML to cards")
        assert not check_game(loaded.game)
        clock.note("rules: the setup at every player count")
        fonts = FontLibrary(workspace)
        pieces, problems = typeset(TypesetTask(workspace, loaded.game, fonts, loaded.game.pieces))
        assert not problems
        clock.note("layout and text: templates, line breaks, frames")
        job, paper = PrintJob(loaded.game, Request(papers=("a4",)), fonts), PAPERS["a4"]
        sheets = {"cards": Imposer(job).impose(pieces[0], paper)}
        file = job.file("cards", pieces[:1], sheets, paper)
        clock.note("impose, with the hashes of the frames")
        pdf = render_file(job, file, Renderer(fonts))
        clock.note("render: streams, deflate, fonts")
        assert not prove(job, [RenderedFile(file, pdf)]).problems
        clock.note("proof: read back and compare")
    total = sum(clock.steps.values())
    print(f"| step ({count} cards) | share |\n|---|---|")
    for name, seconds in clock.steps.items():
        print(f"| {name} | {100 * seconds / total:.0f} % |")


if __name__ == "__main__":
    main()
