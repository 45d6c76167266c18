"""Sheets of pieces -> a file: rendered, proven, and named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.language import program
from duckpress.press.faces.rulebooks import page_faces
from duckpress.press.proving import Printout, prove, untold
from duckpress.press.request import Request, Step
from duckpress.press.sheets.backs import has_backs, layer_titles
from duckpress.press.sheets.imposing import Imposer, frames_of
from duckpress.store import ALL_PIECES, GANG

if TYPE_CHECKING:
    from duckpress.fonts import FontLibrary
    from duckpress.impose import Sheet
    from duckpress.layout import Face, LaidOut
    from duckpress.model import Game
    from duckpress.render import Renderer
    from duckpress.store import Output


class Press:
    """Prints files of one game, as one request asks for; its `imposer` gives the sheets that go into them."""

    def __init__(
        self,
        game: Game,
        request: Request,
        fonts: FontLibrary,
        *,
        is_draft: bool,
        step: Step,
        renderer: Renderer | None = None,
        jobs: int = 1,
    ) -> None:
        from duckpress.render import Renderer

        self.imposer = Imposer(game, request, fonts, is_draft=is_draft)
        self.language = request.language or game.languages[0].code
        self._game = game
        self._request = request
        self._step = step
        self._renderer = renderer or Renderer(fonts)
        self._jobs = jobs

    def add(
        self,
        outputs: list[Output],
        found: list[Problem],
        name: str,
        pieces: Sequence[LaidOut],
        sheets: Mapping[str, Sequence[Sheet]],
        paper: Paper,
    ) -> None:
        """Render and prove one file; what the proof finds goes to `found`, what holds to `outputs`."""
        from duckpress.store import FileFacts, Output

        request = self._request
        if request.backs == "only" and not any(map(has_backs, pieces)):
            return  # not one of its pages would have anything on it
        self._step(f"printing {name} on {paper.name}")
        imposed = [sheet for one in pieces for sheet in sheets[one.piece.id]]
        duplex = self.imposer.turn_of(pieces) if any(sheet.back is not None for sheet in imposed) else None
        pdf = self._render(name, pieces, sheets, duplex=duplex)
        file = self.file_name(name, paper)
        self._step(f"proving {file}")
        printout = Printout(file, self._title(name, pieces), self.language, paper, duplex)
        held = [(one, self._faces(one, paper)) for one in pieces]
        found += untold(prove(pdf, printout, held, request, self._game.speech, self._jobs), found)
        pages = len(imposed) * (1 if duplex is None else 2)
        facts = FileFacts(file, pages, len(imposed), paper.name, name, self.language, request.ink, request.backs)
        outputs.append(Output(facts, pdf))

    def unproven(self, one: LaidOut, paper: Paper) -> bytes:
        """Give a piece's file as it is rendered, for measuring: what is not proven is never written."""
        sheets = {one.piece.id: self.imposer.impose(one, paper)}
        is_backed = any(sheet.back is not None for sheet in sheets[one.piece.id])
        duplex = self.imposer.turn_of([one]) if is_backed else None
        return self._render(one.piece.id, [one], sheets, duplex=duplex)

    def file_name(self, name: str, paper: Paper) -> str:
        """Give the name of the file with a piece, or with a bundle of them."""
        from duckpress.store import file_name

        request, first = self._request, self._game.languages[0].code
        return file_name(
            self._game.id, name, paper.name, request.ink, self.language, first, run=request.run, backs=request.backs
        )

    def _render(
        self, name: str, pieces: Sequence[LaidOut], sheets: Mapping[str, Sequence[Sheet]], *, duplex: str | None
    ) -> bytes:
        from duckpress.render import Booklet, DocumentInfo

        booklets = [
            Booklet(
                self._spaced(one.piece.title), tuple(sheets[one.piece.id]), frames_of(one), one.drawings, one.pictures
            )
            for one in pieces
        ]
        return self._renderer.render(
            booklets,
            DocumentInfo(
                title=self._title(name, pieces),
                author=self._game.designer,
                subject=self._spaced(self._game.speech.program(program.SUBJECT, {"version": self._game.version})),
                language=self.language,
                duplex=duplex,
                layers=layer_titles(self._game.speech),
                prints_layers=self._request.prints_cuts,
            ),
            self._jobs,
        )

    def _faces(self, one: LaidOut, paper: Paper) -> Sequence[Face]:
        """Give what must lie on the sheets of a paper: the cards of a piece, or the pages of one that is read."""
        if not one.piece.book:
            return one.faces
        return page_faces(one, paper, is_double_sided=self.imposer.is_double_sided(one))

    def _title(self, name: str, pieces: Sequence[LaidOut]) -> str:

        title = self._game.title
        if name == GANG:
            title = self._game.speech.program(
                program.TITLES, {"game": title, "piece": self._game.speech.program(program.SHARED_SHEETS)}
            )
        elif name != ALL_PIECES:
            title = self._game.speech.program(program.TITLES, {"game": title, "piece": pieces[0].piece.title})
        return self._spaced(title)

    def _spaced(self, text: str) -> str:
        """Give a text of the file's properties with the spaces and quotes of the language."""
        from duckpress.text import spaced

        return spaced(text, self.language)
