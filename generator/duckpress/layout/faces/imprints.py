"""Identifying marks on finished faces: the imprint (version and short code), the code for reports.

A code for reports says as a QR code which game, version and card this is, and where to report it. Both are put on after
a face is finished and hashed, and say the version in which the card last changed: a new version by itself changes none.
Problems: `bad-imprint`, `imprint-misfit`; `bad-qr`, `qr-misfit`, `qr-too-small`, `qr-faint`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from duckpress.art.qr_code import QUIET, TooLong, code_path, modules_of
from duckpress.art.values import rounded
from duckpress.core.frame import Frame, Group, Item, Outline, Paint, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rotation, translation
from duckpress.core.paths import rectangle
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.core.report_address import report_link, report_text
from duckpress.core.sizes import Format
from duckpress.layout.elements.images import LEAST_CONTRAST
from duckpress.layout.elements.layout_context import lies_inside
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.legibility import light_of
from duckpress.layout.theme import EVERY_DECK, NAME, NONE, Imprint, ReportRule, Theme, ThemeRule, look_of, rule_of
from duckpress.model import Game
from duckpress.text import TextStyle, Typesetter

_SLACK_MM = 0.06
_CAPITALS = 0.72  # height of capitals in type sizes, generously


class Overprinter(ABC):
    """Prints a kind of mark, its `name`, onto the finished faces of one piece, by its theme, in its ink."""

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str, rules: Mapping[str, ThemeRule]) -> None:
        self.problems: list[Problem] = []
        self._game, self._piece, self._theme = game, piece, theme
        self._look = look_of(theme, ink)
        self._words: dict[str, list[Rect]] = {}  # of frames, by their hashes
        self._told: set[tuple[str, str]] = set()
        for deck, rule in rules.items():
            if deck != EVERY_DECK and deck not in game.decks:
                what = f"{self.setting} names the deck {deck!r}, which the game does not have"
                self.problems.append(Problem(self.code, rule.source, what, did_you_mean(deck, game.decks)))

    name = setting = code = ""

    def faces(self) -> tuple[Face, ...]:
        """Return the faces with the mark; they keep their bare hashes."""
        return tuple(map(self._printed, self._piece.faces))

    @abstractmethod
    def _printed(self, face: Face) -> Face:
        """Return a face with the mark, made by `overprinted`."""

    def _say(
        self, face: Face, code: str, source: Source, what: str, fix: str, level: Level = Level.WARNING, kind: str = ""
    ) -> None:
        """Add a problem of a mark; once for each deck, and each kind of the code."""
        at = face.deck, kind or code
        if at not in self._told:
            self._told.add(at)
            what = f"{self.name} of card {face.card!r} of deck {face.deck!r}: {what}"
            self.problems.append(Problem(code, source, what, fix, level))

    def _lies_over_words(self, box: Rect, frame: Frame) -> bool:
        """Return whether a box covers words of a face; cached for equal faces."""
        if frame.hash not in self._words:
            self._words[frame.hash] = list(_words_in(frame.items, IDENTITY))
        return any(not box.is_apart(words) for words in self._words[frame.hash])


def overprinted(face: Face, side: str, items: tuple[Item, ...]) -> Face:
    """Return a face with items over its front or back, `side`; it keeps its bare hashes."""
    frame = face.front if side == "front" else face.back
    if frame is None or not items:
        return face
    face = face._replace(bare_front=face.bare, bare_behind=face.bare_back, is_named=True)
    printed = frame.overprinted(items)
    return face._replace(front=printed) if side == "front" else face._replace(back=printed)


def box_at(place: str, size: Size, trim: Size, inset_mm: float) -> Rect:
    """Return the box of a size at a place such as `bottom-left`, inset from the trim's edges, or centred."""
    left_mm, top_mm = (trim.width_mm - size.width_mm) / 2, (trim.height_mm - size.height_mm) / 2
    if "left" in place:
        left_mm = inset_mm
    elif "right" in place:
        left_mm = trim.width_mm - inset_mm - size.width_mm
    if "top" in place:
        top_mm = inset_mm
    elif "bottom" in place:
        top_mm = trim.height_mm - inset_mm - size.height_mm
    return Rect(left_mm, top_mm, *size)


def fits_face(box: Rect, format_: Format, inset_mm: float) -> bool:
    """Return whether a mark on a finished face keeps its distance from the cut."""
    inset_mm -= _SLACK_MM
    if format_.is_round or format_.is_hex or format_.safe_mm > 0:
        inset_mm = min(inset_mm, format_.safe_mm)
    return lies_inside(format_, box, inset_mm)


def _words_in(items: Sequence[Item], matrix: Matrix) -> Iterable[Rect]:
    """Return boxes around the words of items."""
    for item in items:
        if isinstance(item, Group):
            yield from _words_in(item.items, matrix.after(item.matrix))
        elif isinstance(item, Text):
            # Capitals down to the baseline: a single descender does no harm, and titles have none.
            yield matrix.around(
                Rect(item.x_mm, item.y_mm - _CAPITALS * item.size_mm, item.width_mm, _CAPITALS * item.size_mm)
            )


_SHORTER = ("{version} · {code}", "{code}")
_LEAST_INSET_MM = 1.0  # where a deck has no safe zone


_Setting = tuple[Imprint, TextStyle, Source]


class Imprinter(Overprinter):
    """Sets the imprints of the faces of one piece."""

    name = setting = "the imprint"
    code = "bad-imprint"

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str, typesetter: Typesetter) -> None:
        super().__init__(game, piece, theme, ink, theme.imprint)
        self._typesetter = typesetter
        self._settings: dict[str, _Setting | None] = {}

    def _printed(self, face: Face) -> Face:
        if face.deck not in self._settings:
            self._settings[face.deck] = self._setting(face)
        setting = self._settings[face.deck]
        if setting is None or not face.code:
            return face
        side = setting[0].side
        frame = face.front if side == "front" else face.back
        return face if frame is None else overprinted(face, side, self._items(face, frame, *setting))

    def _setting(self, face: Face) -> _Setting | None:
        """Return the settings of a deck's imprint; None if it has none, or an invalid one."""
        rule, source = rule_of(self._theme.imprint, face.deck, Imprint)
        if not rule.show:
            return None
        style = self._look.styles[rule.style]
        if rule.colour is not None:
            style = style._replace(colour=self._look.colour(rule.colour) or NONE)
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
        return rule, style, source

    def _items(self, face: Face, frame: Frame, rule: Imprint, style: TextStyle, source: Source) -> tuple[Item, ...]:
        format_ = face.format
        inset_mm = max(format_.safe_mm, _LEAST_INSET_MM) if rule.inset_mm is None else rule.inset_mm
        values = {
            "game": self._game.title, "version": face.changed, "code": face.code, "card": face.card, "deck": face.deck,
        }  # fmt: skip
        *longer, shortest = dict.fromkeys(
            NAME.sub(lambda match: values.get(match[1], match[0]), text) for text in (rule.text, *_SHORTER)
        )
        for text in (*longer, shortest):
            line = self._typesetter.line(text, style)
            width_mm, height_mm = line.width_mm, line.cap_height_mm
            size = Size(height_mm, width_mm) if rule.turn % 180 else Size(width_mm, height_mm)
            at = box_at(rule.place, size, format_.trim, inset_mm)
            middle = translation(at.x_mm + size.width_mm / 2 + rule.x_mm, at.y_mm + size.height_mm / 2 + rule.y_mm)
            upright = translation(-width_mm / 2, height_mm - height_mm / 2)  # its baseline begins at the origin
            matrix = rounded((middle.after(rotation(rule.turn)) if rule.turn else middle).after(upright))
            box = matrix.around(Rect(0.0, -height_mm, width_mm, height_mm))
            fits = fits_face(box, format_, inset_mm)
            if fits or text == shortest:
                break
        if not fits or self._lies_over_words(box, frame):
            what = "lies over other words" if fits else "does not fit on it even as its code alone"
            fix = f"give the deck a place of its own: 'imprint: {{decks: {{{face.deck}: {{place: ..., turn: 90}}}}}}'"
            self._say(face, "imprint-misfit", source, f"{text!r} {what}", fix, kind=what)
        return _moved(line.items, matrix)


def _moved(items: tuple[Item, ...], matrix: Matrix) -> tuple[Item, ...]:
    if (matrix.a, matrix.b, matrix.c, matrix.d) != (1.0, 0.0, 0.0, 1.0):
        return (Group(items, matrix),)
    return tuple(
        replace(item, x_mm=round(item.x_mm + matrix.e, 4), y_mm=round(item.y_mm + matrix.f, 4))
        if isinstance(item, Text)
        else Group((item,), matrix)
        for item in items
    )


# What a code on a card may be small: it is scanned from near, one at a time. Source: GS1 General Specifications, which
# allow 0.254 mm for small things; a third of a millimetre is 8 dots of a home printer's 600 to the inch.
LEAST_ON_CARD_MM = 0.33


class ReportCoder(Overprinter):
    """Prints codes for reports onto the faces of one piece."""

    name, setting, code = "the code", "'qr'", "bad-qr"

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str) -> None:
        super().__init__(game, piece, theme, ink, theme.qr)

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
            self._say(face, "bad-qr", source, what, "write 'side: front' for this deck", Level.ERROR)
            return face
        parts = (face.deck,) if is_alone else (face.deck, face.card)
        text = report_link(self._game.report, report_text(self._game.id, face.changed, *parts))
        return overprinted(face, rule.side, self._items(face, frame, rule, source, text))

    def _items(self, face: Face, frame: Frame, rule: ReportRule, source: Source, text: str) -> tuple[Item, ...]:
        try:
            modules = modules_of(text, "l")
        except TooLong:
            self._say(face, "bad-qr", source, f"{text[:40]!r} is too long for a code", "shorten its id", Level.ERROR)
            return ()
        count = len(modules) + 2 * rule.quiet
        module_mm = rule.size_mm / count
        if module_mm + 1e-6 < LEAST_ON_CARD_MM:
            what = f"{text!r} has {count} modules across, of {module_mm:.2f} mm each: too small for phones"
            fix = f"write 'size: {count * LEAST_ON_CARD_MM:.1f}' or more"
            if rule.quiet > QUIET // 2:
                fix += f", or 'quiet: {QUIET // 2}' where the ground around it is light anyway"
            self._say(face, "qr-too-small", source, what, fix)
        inset_mm = face.format.safe_mm if rule.inset_mm is None else rule.inset_mm
        box = box_at(rule.place, Size(rule.size_mm, rule.size_mm), face.format.trim, inset_mm)
        box = box._replace(x_mm=round(box.x_mm + rule.x_mm, 4), y_mm=round(box.y_mm + rule.y_mm, 4))
        if not fits_face(box, face.format, inset_mm):
            self._say(face, "qr-misfit", source, "it does not fit there", "move it, or make it smaller")
        elif self._lies_over_words(box, frame):
            self._say(face, "qr-misfit", source, "it lies over words", "move it, or the words")
        dark, ground = self._look.colour(rule.fill) or NONE, self._look.colour(rule.ground) or NONE
        light = None if ground == NONE else ground
        if dark == NONE or light_of(light or "#ffffff") - light_of(dark) < LEAST_CONTRAST:
            what = f"{dark} on {light or 'the ground'} cannot be read: it has to be dark on light"
            self._say(face, "qr-faint", source, what, "take a darker 'fill' or a lighter 'ground'")
        rim_mm = rule.quiet * module_mm
        path = code_path(modules, box.x_mm + rim_mm, box.y_mm + rim_mm, module_mm)
        drawn = Outline(path, Paint(dark))
        return (drawn,) if light is None else (Outline(rectangle(*box), Paint(light)), drawn)
