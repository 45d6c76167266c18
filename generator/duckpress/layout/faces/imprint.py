"""The imprint: a card's version and short code, set small onto its finished face.

Problems: `bad-imprint`, `imprint-misfit`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.attribute_values import rounded
from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.geometry import Matrix, Rect, Size, rotation, translation
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import Format
from duckpress.layout.faces.overprints import Overprinter, box_at, fits_face, overprinted
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.theme.theme import NONE, Imprint, Theme, filled, rule_of
from duckpress.model import Game
from duckpress.text import TextStyle, Typesetter

_SHORTER = ("{version} · {code}", "{code}")
_LEAST_INSET_MM = 1.0  # where a deck has no safe zone


class _Setting(Struct, frozen=True):
    """The imprint of one deck, ready to be set."""

    rule: Imprint
    style: TextStyle
    source: Source


class Imprinter(Overprinter):
    """Sets the imprints of the faces of one piece."""

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str, typesetter: Typesetter) -> None:
        super().__init__(game, piece, theme, ink)
        self._refuse_unknown_decks(theme.imprint, "bad-imprint", "the imprint")
        self._typesetter = typesetter
        self._settings: dict[str, _Setting | None] = {}

    def _printed(self, face: Face) -> Face:
        if face.deck not in self._settings:
            self._settings[face.deck] = self._setting(face)
        setting = self._settings[face.deck]
        if setting is None or not face.code:
            return face
        frame = face.front if setting.rule.side == "front" else face.back
        return face if frame is None else overprinted(face, setting.rule.side, self._items(face, frame, setting))

    def _setting(self, face: Face) -> _Setting | None:
        """Return how a deck's imprint is set; None where it has none, or one that cannot be."""
        rule, source = rule_of(self._theme.imprint, face.deck, Imprint)
        if not rule.show:
            return None
        style = self._look.styles[rule.style]
        if rule.colour is not None:
            is_unpainted = rule.colour in self._look.unpainted
            style = style._replace(colour=NONE if is_unpainted else self._look.palette.get(rule.colour, rule.colour))
        if style.colour == NONE:
            return None
        if rule.side == "back":
            of_deck = [other for other in self._piece.faces if other.deck == face.deck]
            backs = {other.bare_back for other in of_deck}
            if None in backs or len(backs) < len({other.card for other in of_deck}):
                what = f"the imprint on the backs of deck {face.deck!r} would tell its cards apart from behind"
                if None in backs:
                    what = f"the cards of deck {face.deck!r} have no backs for an imprint to stand on"
                self.problems.append(Problem("bad-imprint", source, what, "write 'side: front' for this deck"))
                return None
        return _Setting(rule, style, source)

    def _items(self, face: Face, frame: Frame, setting: _Setting) -> tuple[Item, ...]:
        rule, format_ = setting.rule, face.format
        values = {
            "game": self._game.title, "version": face.changed, "code": face.code, "card": face.card, "deck": face.deck,
        }  # fmt: skip
        texts = dict.fromkeys(filled(text, values) for text in (rule.text, *_SHORTER))
        for number, text in enumerate(texts):
            line = self._typesetter.line(text, setting.style)
            top_mm, height_mm = -line.cap_height_mm, line.cap_height_mm
            matrix = _placed(rule, format_, line.width_mm, top_mm, height_mm)
            box = matrix.around(Rect(0.0, top_mm, line.width_mm, height_mm))
            is_last = number == len(texts) - 1
            fits = fits_face(box, format_, _inset_of(rule, format_))
            if fits or is_last:
                if not fits:
                    self._warn(face, setting, text, "does not fit on it even as its code alone")
                elif self._lies_over_words(box, frame):
                    self._warn(face, setting, text, "lies over other words")
                return _moved(line.items, matrix)
        return ()

    def _warn(self, face: Face, setting: _Setting, text: str, what: str) -> None:
        fix = f"give the deck a place of its own: 'imprint: {{decks: {{{face.deck}: {{place: ..., turn: 90}}}}}}'"
        problem = Problem("imprint-misfit", setting.source, f"{text!r} {what}", fix, Level.WARNING)
        self._tell(face, "the imprint", problem, what)


def _inset_of(rule: Imprint, format_: Format) -> float:
    return rule.inset_mm if rule.inset_mm is not None else max(format_.safe_mm, _LEAST_INSET_MM)


def _placed(rule: Imprint, format_: Format, width_mm: float, top_mm: float, height_mm: float) -> Matrix:
    """Return the map that puts a line, whose baseline begins at the origin, at its place on a face."""
    size = Size(height_mm, width_mm) if rule.turn % 180 else Size(width_mm, height_mm)
    box = box_at(rule.place, size, format_.trim, _inset_of(rule, format_))
    middle = translation(box.x_mm + size.width_mm / 2 + rule.x_mm, box.y_mm + size.height_mm / 2 + rule.y_mm)
    upright = translation(-width_mm / 2, -top_mm - height_mm / 2)
    return rounded((middle.after(rotation(rule.turn)) if rule.turn else middle).after(upright))


def _moved(items: tuple[Item, ...], matrix: Matrix) -> tuple[Item, ...]:
    if (matrix.a, matrix.b, matrix.c, matrix.d) != (1.0, 0.0, 0.0, 1.0):
        return (Group(items, matrix),)
    return tuple(
        replace(item, x_mm=round(item.x_mm + matrix.e, 4), y_mm=round(item.y_mm + matrix.f, 4))
        if isinstance(item, Text)
        else Group((item,), matrix)
        for item in items
    )
