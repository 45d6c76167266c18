"""Single pieces printed outside of a build: sheets of changes, forms, and what is for one player of a deal only."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.layout import LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.proving import Proven, prove
from duckpress.press.rendering import render, render_file
from duckpress.press.sheets.backs import has_backs
from duckpress.press.sheets.imposed_file import ImposedFile, imposed_file
from duckpress.press.sheets.imposing import Imposer
from duckpress.render import Renderer


class Press:
    """Prints pieces of one game one by one; what they have in common is drawn once."""

    def __init__(self, job: PrintJob, *, is_draft: bool = False) -> None:
        self.job = job
        self._imposer = Imposer(job.game, job.request, job.fonts, is_draft=is_draft)
        self._renderer = Renderer(job.fonts)

    def impose(self, one: LaidOut, paper: Paper) -> ImposedFile:
        """Return the file with a piece."""
        sheets = {one.piece.id: self._imposer.impose(one, paper)}
        return imposed_file(self.job, self._imposer, one.piece.id, [one], sheets, paper)

    def unproven(self, one: LaidOut, paper: Paper) -> bytes:
        """Return a piece's file as it is rendered, for measuring: what is not proven is never written."""
        return render_file(self.job, self.impose(one, paper), self._renderer)

    def print(self, file: ImposedFile, told: Sequence[Problem] = ()) -> Proven:
        """Return a file rendered and proven; nothing where only backs are printed, and it has none."""
        is_blank = self.job.request.backs == "only" and not any(has_backs(one.laid_out) for one in file.pieces)
        return prove(self.job, render(self.job, [] if is_blank else [file], self._renderer), told)
