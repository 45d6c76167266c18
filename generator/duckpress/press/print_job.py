"""What is printed of one game: asked for once, and read by every stage that makes files."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.sizes import Paper
from duckpress.fonts import FontLibrary
from duckpress.language import program
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.request import Request, Step, silent
from duckpress.store import ALL_PIECES, GANG, file_name
from duckpress.text import spaced


class PrintJob(Struct, frozen=True):
    """A game in the language that it is printed in, what is asked for, its fonts, and whom to tell of each step."""

    game: Game
    request: Request
    fonts: FontLibrary
    step: Step = silent

    @property
    def language(self) -> str:
        """The language that is printed."""
        return self.request.language or self.game.languages[0].code

    def file_name(self, name: str, paper: Paper) -> str:
        """Return the name of the file with a piece, or with a bundle of them."""
        request = self.request
        return file_name(self.game, name, paper.name, request.ink, self.language, run=request.run, backs=request.backs)

    def title(self, name: str, pieces: Sequence[LaidOut]) -> str:
        """Return the title of the file with a piece, or with a bundle of them."""
        title = self.game.title
        if name == GANG:
            words = {"game": title, "piece": self.game.speech.program(program.SHARED_SHEETS)}
            title = self.game.speech.program(program.TITLES, words)
        elif name != ALL_PIECES:
            title = self.game.speech.program(program.TITLES, {"game": title, "piece": pieces[0].piece.title})
        return self.spaced(title)

    def spaced(self, text: str) -> str:
        """Return a text of a file's properties with the spaces and quotes of the language."""
        return spaced(text, self.language)
