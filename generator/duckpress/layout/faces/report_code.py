"""Codes for reports: which game, version and card this is, as a QR code on a finished face.

Like the imprint, a code is put on after a face is finished and hashed, and says the version in which the card last
changed: a new version by itself changes no card.
Problems: `bad-qr`, `qr-misfit`, `qr-too-small`, `qr-faint`.
"""

from __future__ import annotations

from duckpress.art.qr_code import QUIET, TooLong, code_path, modules_of
from duckpress.core.frame import Frame, Item, Outline, Paint
from duckpress.core.geometry import Rect, Size
from duckpress.core.paths import rectangle
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.report_address import report_text
from duckpress.core.sizes import Format
from duckpress.layout.elements.qr import LEAST_CONTRAST, light_of
from duckpress.layout.faces.overprints import Overprinter, box_at, fits_face, overprinted
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.theme.theme import NONE, ReportRule, Theme, rule_of
from duckpress.model import Game

# What a code on a card may be small: it is scanned from near, one at a time. Source: GS1 General Specifications, which
# allow 0.254 mm for small things; a third of a millimetre is 8 dots of a home printer's 600 to the inch.
LEAST_ON_CARD_MM = 0.33


class ReportCoder(Overprinter):
    """Puts codes onto the faces of one piece."""

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str) -> None:
        super().__init__(game, piece, theme, ink)
        self._refuse_unknown_decks(theme.qr, "bad-qr", "'qr'")

    def _printed(self, face: Face) -> Face:
        rule, source = rule_of(self._theme.qr, face.deck, ReportRule)
        frame = face.front if rule.side == "front" else face.back
        if not rule.show or not face.code or not face.changed:
            return face
        is_alone = len(self._game.decks[face.deck].cards) == 1
        if frame is None or (rule.side == "back" and not is_alone):
            what = f"codes on the backs of deck {face.deck!r} would tell its cards apart from behind"
            if frame is None:
                what = f"the cards of deck {face.deck!r} have no backs for a code to stand on"
            self._say("bad-qr", face, source, what, "write 'side: front' for this deck", Level.ERROR)
            return face
        parts = (face.deck,) if is_alone else (face.deck, face.card)
        text = report_text(self._game.id, face.changed, *parts)
        return overprinted(face, rule.side, self._items(face, frame, rule, source, text))

    def _items(self, face: Face, frame: Frame, rule: ReportRule, source: Source, text: str) -> tuple[Item, ...]:
        try:
            modules = modules_of(text, "l")
        except TooLong:
            self._say("bad-qr", face, source, f"{text[:40]!r} is too long for a code", "shorten its id", Level.ERROR)
            return ()
        count = modules.size + 2 * rule.quiet
        module_mm = rule.size_mm / count
        if module_mm + 1e-6 < LEAST_ON_CARD_MM:
            what = f"{text!r} has {count} modules across, of {module_mm:.2f} mm each: too small for phones"
            fix = f"write 'size: {count * LEAST_ON_CARD_MM:.1f}' or more"
            if rule.quiet > QUIET // 2:
                fix += f", or 'quiet: {QUIET // 2}' where the ground around it is light anyway"
            self._say("qr-too-small", face, source, what, fix)
        box = _placed(rule, face.format)
        if not fits_face(box, face.format, _inset_of(rule, face.format)):
            self._say("qr-misfit", face, source, "it does not fit there", "move it, or make it smaller")
        elif self._lies_over_words(box, frame):
            self._say("qr-misfit", face, source, "it lies over words", "move it, or the words")
        dark = self._look.palette.get(rule.fill, rule.fill)
        light = None if rule.ground == NONE else self._look.palette.get(rule.ground, rule.ground)
        if rule.ground in self._look.unpainted:
            light = None
        if rule.fill in self._look.unpainted or light_of(light or "#ffffff") - light_of(dark) < LEAST_CONTRAST:
            what = f"{dark} on {light or 'the ground'} cannot be read: it has to be dark on light"
            self._say("qr-faint", face, source, what, "take a darker 'fill' or a lighter 'ground'")
        rim_mm = rule.quiet * module_mm
        path = code_path(modules, box.x_mm + rim_mm, box.y_mm + rim_mm, module_mm)
        drawn = Outline(path, Paint(dark))
        return (drawn,) if light is None else (Outline(rectangle(*box), Paint(light)), drawn)

    def _say(self, code: str, face: Face, source: Source, what: str, fix: str, level: Level = Level.WARNING) -> None:
        self._tell(face, "the code", Problem(code, source, what, fix, level))


def _inset_of(rule: ReportRule, format_: Format) -> float:
    return rule.inset_mm if rule.inset_mm is not None else format_.safe_mm


def _placed(rule: ReportRule, format_: Format) -> Rect:
    """Return the box of a code on a face."""
    side_mm = rule.size_mm
    box = box_at(rule.place, Size(side_mm, side_mm), format_.trim, _inset_of(rule, format_))
    return Rect(round(box.x_mm + rule.x_mm, 4), round(box.y_mm + rule.y_mm, 4), side_mm, side_mm)
