"""What stands in the margins of sheets: words in a family that comes along, other letters from whoever has them."""

from __future__ import annotations

from functools import cache

from duckpress.core.frame import Item
from duckpress.core.problems import Problem
from duckpress.fonts import FontLibrary
from duckpress.layout.elements.layout_context import first_words
from duckpress.model import Game
from duckpress.text import TextStyle, Typesetter
from duckpress.text.letters import has_right_to_left
from duckpress.text.styles import in_words

_STYLE = TextStyle("Alegreya Sans", colour="#333333")  # bundled, so it is there whatever fonts a game brings


class MarginWords:
    """Sets the words of margins in one language."""

    def __init__(self, fonts: FontLibrary, language: str) -> None:
        self._typesetter = Typesetter(fonts, lambda _name, _colour: None, language)
        self.drawn = cache(self._drawn)
        self._plain = {"·"}  # letters that are drawn

    def set(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        """Return the items of a text on one line, and its width in mm; what cannot be set is left out."""
        style = _STYLE._replace(size_pt=size_pt, weight="bold" if is_bold else "regular")
        line = self._typesetter.line(text, style)
        if line.missing_glyphs or has_right_to_left(text):
            line = self._typesetter.line(self.drawn(text).strip(), style)
        return line.items, line.width_mm

    def _drawn(self, text: str) -> str:
        """Return what is drawn of a text: nothing from right to left, which cannot be set in the right order yet."""
        if self._plain.issuperset(text):
            return text
        drawn = "".join(letter for letter in text if not has_right_to_left(letter))
        drawn = self._typesetter.without_missing(drawn, _STYLE)
        if drawn == text and text.replace("·", "").isascii():  # each is drawn by itself then
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
            if has_right_to_left(title):
                what += " runs from right to left, which cannot be set in the right order yet"
                problems.append(Problem("right-to-left", source, what, "write it in letters that run to the right"))
        return problems
