"""What stands in the margins of sheets: words in a family that comes along, other letters from whoever has them."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from duckpress.core.frame import Item, Text
from duckpress.core.language import Speech
from duckpress.core.problems import Problem
from duckpress.layout.elements.layout_context import first_words
from duckpress.model import Game
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary
from duckpress.text.styles import in_words

_COLOUR = "#333333"
_STYLE = TextStyle("Alegreya Sans", colour=_COLOUR)  # bundled, so it is there whatever fonts a game brings
_ALONE = str.maketrans("", "", "·…")  # letters beyond ASCII that join no others


class MarginWords:
    """Sets the words of margins in one language."""

    def __init__(self, fonts: FontLibrary, speech: Speech, colour: str = _COLOUR) -> None:
        self._typesetter = Typesetter(
            fonts, lambda _name, _colour: None, speech.language, is_mirrored=speech.is_mirrored
        )
        self.drawn = cache(self._drawn)
        self._style = _STYLE._replace(colour=colour)
        self._plain = {"·"}  # letters that are drawn

    def set(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        """Return the items of a text on one line, and its width in mm; what cannot be set is left out."""
        style = self._style._replace(size_pt=size_pt, weight="bold" if is_bold else "regular")
        line = self._typesetter.line(text, style)
        if line.missing_glyphs:
            line = self._typesetter.line(self.drawn(text).strip(), style)
        level = [replace(item, y_mm=0.0) if isinstance(item, Text) and item.y_mm else item for item in line.items]
        return tuple(level), line.width_mm  # marks too: rows of margins are told by their baselines

    def _drawn(self, text: str) -> str:
        """Return what is drawn of a text: all that some font has a letter for."""
        if self._plain.issuperset(text):
            return text
        drawn = self._typesetter.without_missing(text, _STYLE)
        if drawn == text and text.translate(_ALONE).isascii():  # each is drawn by itself then
            self._plain.update(text)
        return drawn

    def missing(self, game: Game) -> list[Problem]:
        """Return a problem for each title, and the licence, that footers have to say, and that cannot be set."""
        problems = []
        said = [("title", game.title, game.at("title"))]
        said += [("title", piece.title, piece.source) for piece in game.pieces]
        if game.licence and any(piece.book for piece in game.pieces):
            said.append(("licence", game.licence, game.at("licence")))
        for kind, title, source in said:
            line, what = self._typesetter.line(title, _STYLE), f"the {kind} {first_words(title)!r}"
            if line.missing_glyphs:
                what += f" has characters that no font has: {in_words(line.missing_glyphs)}"
                fix = "write it otherwise, or add a font that has them"
                problems.append(Problem("missing-glyph", source, what, fix))
        return problems
