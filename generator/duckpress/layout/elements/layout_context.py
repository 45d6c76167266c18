"""The context of all elements: palette and text styles of the theme, the art, and the reading of attributes.

It also knows the place in the template of the element at hand and the card that this is made for, so that every
problem names both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from duckpress.art.values import parse_number
from duckpress.core.frame import Item, item_bounds, items_bounds, lies_in_disc, lies_in_hexagon
from duckpress.core.geometry import IDENTITY, Rect, Size, parse_length
from duckpress.core.limits import how_to_raise
from duckpress.core.problems import Level, Problem, Source, did_you_mean, same_word
from duckpress.core.sizes import Format
from duckpress.layout.elements.art_shelf import ArtShelf
from duckpress.layout.laid_out import COLOUR, STYLE, WARNED, Shrunk, Use
from duckpress.layout.theme import NONE, Look
from duckpress.model import Deck
from duckpress.text import EMOJI, Fitted, TextStyle, Typesetter

Attributes = Mapping[str, str]
_SLACK_MM = 0.05  # of the safe zone


class LayoutContext:
    """The context of laying out faces: theme, fonts, art, the current card and element, and the problems so far."""

    def __init__(
        self, look: Look, typesetter: Typesetter, art: ArtShelf, places: Mapping[int, Source], language: str
    ) -> None:
        self.look = look
        self.language = language
        self.typesetter = typesetter
        self.art = art
        self.places = places
        self.decks: Mapping[str, Deck] = {}  # of the game, whose cards may be shown
        self.format = Format("", Size(0.0, 0.0))
        self.at: int | None = None
        self.problems: list[Problem] = []
        self.matrix = IDENTITY  # of the groups around the element at hand
        self.deck = self.card = self.subject = ""
        self.values: Mapping[str, Any] = {}
        self.shrunk: list[Shrunk] = []
        self.decorations: set[tuple[str, str]] = set()  # words that nobody has to read, with their colours
        self.forced_pt: dict[str, float] = {}  # `together` -> the size its texts have in common, once it is known
        self.common_pt: dict[str, float] = {}  # `together` -> the smallest size that any of its texts needed
        self.together: dict[str, float] = {}  # the same for the face at hand
        self.uses: list[Use] = []  # what the face at hand is made of, as it is asked for

    @property
    def place(self) -> Source:
        # A template can write the mark of a place itself, and any number.
        return self.places.get(-1 if self.at is None else self.at, Source(""))

    def go_to(self, at: int | None) -> None:
        """Set the template place for problems to an element's; an element without a place changes nothing."""
        if at is not None:
            self.at = at

    def say(self, code: str, what: str, fix: str = "", level: Level = Level.ERROR, weight: float = 0.0) -> None:
        """Report a problem of the current element and card; of several the one with most weight is the worst."""
        what = f"{self.subject}: {what}" if self.subject else what
        self.problems.append(Problem(code, self.place, what, fix, level, weight=weight))

    def say_unset(self, where: str, fitted: Fitted, other_words: str) -> None:
        """Report missing glyphs, and words without spaces; the fix begins with `other_words`."""
        if fitted.missing_glyphs:
            what = f"{where} has characters that no font has: {fitted.missing_words}"
            fix = f"{other_words}, or add a font that has them"
            if EMOJI.match(fitted.missing_glyphs[0]):
                fix = f'{other_words}, or draw it, and name the file in the theme: icons: {{"...": art/file.svg}}'
            self.say("missing-glyph", what, fix)
        if fitted.needs_dictionary and (fitted.over_mm or fitted.line_count > 1):
            what = f"{where} is in a script without spaces between words: its lines end only where there are some"
            fix = "put a zero width space (U+200B) between words where lines may end"
            self.say("needs-dictionary", what, fix, Level.WARNING)

    def tell_once(
        self, code: str, what: str, fix: str, level: Level = Level.WARNING, place: Source | None = None
    ) -> None:
        """Report a problem of the current element, or of a place in the theme, only for the first card that has it."""
        place = place or self.place
        self.uses.append((WARNED, code, place.file, str(place.line), str(place.column), what, fix, level.value))

    def length(self, attributes: Attributes, name: str, default: float) -> float:
        """Return a length in mm (`63`, `63mm`, `9pt`); problem `bad-length`."""
        text = attributes.get(name)
        if text is None or text == "auto":
            return default
        value = parse_length(text)
        value = parse_number(text) if value is None else value
        if value is None or abs(value) >= 10_000:
            self.say("bad-length", f"{name}={text[:40]!r} is not a length", "write millimetres, such as 12.5")
            return default
        return value

    def size(self, attributes: Attributes, name: str, default: float) -> float:
        """Return a length that is not negative; problem `bad-length`."""
        value = self.length(attributes, name, default)
        if value < 0 and name in attributes:
            self.say("bad-length", f"{name}={attributes[name][:40]!r} is negative", "write 0 or more")
        return max(0.0, value)

    def number(self, attributes: Attributes, name: str, default: float, low: float, high: float) -> float:
        """Return a plain number within limits; problem `bad-number`."""
        text = attributes.get(name)
        if text is None:
            return default
        value = parse_number(text)
        if value is None or not low <= value <= high:
            self.say("bad-number", f"{name}={text[:40]!r} is not a number from {low:g} to {high:g}", "correct it")
            return default
        return value

    def opacity(self, attributes: Attributes) -> float:
        return self.number(attributes, "opacity", 1.0, 0.0, 1.0)

    def whole(self, attributes: Attributes, name: str, low: int, high: int, limited_by: str = "") -> int | None:
        """Return a whole number within limits; None and problem `bad-number` if it is missing or invalid.

        `limited_by` names the limit that `high` is, where it is one.
        """
        text = attributes.get(name)
        number = None if text is None else whole_number(text)
        if number is not None and low <= number <= high:
            return number
        what = f"{name} is missing" if text is None else f"{name}={text[:40]!r} is not a whole number"
        fix = f"write a whole number from {low} to {high}"
        if limited_by and number is not None and number > high:
            what, fix = f"{name}={number} is more than {high}", f"{fix}; {how_to_raise(limited_by)}"
        self.say("bad-number", what, fix)
        return None

    def choice(self, attributes: Attributes, name: str, choices: Collection[str], default: str) -> str:
        """Return one of several words; problem `bad-choice` with the nearest word."""
        text = attributes.get(name)
        word = None if text is None else same_word(text, choices)
        if text is None or word is not None:
            return word or default
        self.say("bad-choice", f"{name}={text[:40]!r} is not one of its words", did_you_mean(text, choices))
        return default

    def yes_no(self, attributes: Attributes, name: str, default: bool) -> bool:
        """Return yes or no as a bool (also `true` and `false`); problem `bad-choice`."""
        text = self.choice(attributes, name, ("yes", "no", "true", "false"), "yes" if default else "no")
        return text in ("yes", "true")

    def colour(self, text: str) -> str | None:
        """Return a role or colour as `#rrggbb` in the current ink, None for `none`; problem `unknown-colour`."""
        self.uses.append((COLOUR, text))
        colour = self.look.colour(text)
        if colour is not None:
            return None if colour == NONE else colour
        cause = f"unknown-colour {text[:40]}"  # once for a face, however many elements take it
        if all(problem.cause != cause for problem in self.problems):
            fix = did_you_mean(text, self.look.palette) + " Or declare it under 'colours' of the theme"
            fix = fix if not text.startswith("#") else "write it as #rrggbb"
            self.say("unknown-colour", f"{text[:40]!r} is neither a colour role of the theme nor #rrggbb", fix)
            self.problems[-1] = self.problems[-1]._replace(cause=cause)
        return self.look.palette.get("ink", "#000000")

    def style(self, name: str) -> TextStyle:
        """Return a text style of the theme; for an unknown one another style, with problem `unknown-style`."""
        self.uses.append((STYLE, name))
        style = self.look.styles.get(name)
        if style is None:
            what = f"there is no text style {name[:40]!r} in the theme"
            self.say("unknown-style", what, did_you_mean(name, self.look.styles))
            style = next(iter(self.look.styles.values()), TextStyle(""))
        return style

    def box(self, attributes: Attributes, cell: Rect) -> Rect:
        """Return the rectangle of x, y, width and height; missing values are the cell's."""
        x_mm = self.length(attributes, "x", 0.0)
        y_mm = self.length(attributes, "y", 0.0)
        width_mm = self.size(attributes, "width", max(0.0, cell.width_mm - x_mm))
        height_mm = self.size(attributes, "height", max(0.0, cell.height_mm - y_mm))
        return Rect(cell.x_mm + x_mm, cell.y_mm + y_mm, width_mm, height_mm)

    def warn_outside_bleed(self, name: str, items: tuple[Item, ...]) -> None:
        """Warn, once for a place, of an element wholly outside the bleed: it is invisible."""
        box = items_bounds(items, self.art.drawings)
        if box is not None:
            self._warn_if_unseen(name, box)

    def warn_of_labels(self, tag: str, labels: tuple[Item, ...]) -> None:
        """Warn, once for all an element's labels, of a label outside the bleed and of one near the cut."""
        for label in labels:
            box = item_bounds(label, self.art.drawings)
            if box is not None and self._warn_if_unseen(f"a label of <{tag}>", box):
                break
        around = items_bounds(labels, self.art.drawings)
        if around is not None:
            self.warn_outside_safe_zone(labels, around)

    def _warn_if_unseen(self, name: str, box: Rect) -> bool:
        bounds = self.matrix.around(box) if self.matrix is not IDENTITY else box
        is_unseen = bounds.is_apart(Rect(0, 0, *self.format.trim).grown(self.format.bleed_mm))
        if is_unseen:
            what = f"{name} at {bounds.x_mm:.1f}, {bounds.y_mm:.1f} mm lies outside the bleed and is never seen"
            self.tell_once("outside-bleed", what, "move it onto the face, or take it away")
        return is_unseen

    def warn_outside_safe_zone(self, items: tuple[Item, ...], box: Rect) -> None:
        """Warn of words and icons (`items`, normally inside `box`) that an inexact cut may hit."""
        format_ = self.format
        safe = _safe_box(format_.trim, format_.safe_mm)
        if self.matrix is IDENTITY and not (format_.is_round or format_.is_hex) and safe.holds(box):
            return
        for item in items:
            bounds = item_bounds(item, self.art.drawings)
            if bounds is None:
                continue
            bounds = self.matrix.around(bounds) if self.matrix is not IDENTITY else bounds
            if not lies_inside(format_, bounds, format_.safe_mm - _SLACK_MM):
                over_mm = max(
                    safe.x_mm - bounds.x_mm, bounds.right_mm - safe.right_mm,
                    safe.y_mm - bounds.y_mm, bounds.bottom_mm - safe.bottom_mm,
                )  # fmt: skip
                near = f" by {over_mm:.1f} mm" if over_mm > 0 else ""
                what = f"words or icons reach{near} into the {format_.safe_mm:g} mm along the cut"
                self.tell_once("outside-safe-zone", what, "move them inwards, or make them smaller")
                return


@lru_cache(maxsize=64)
def _safe_box(trim: Size, safe_mm: float) -> Rect:
    return Rect(0, 0, *trim).grown(_SLACK_MM - safe_mm)


def lies_inside(format_: Format, box: Rect, inset_mm: float) -> bool:
    """Return whether a box is at least `inset_mm` inside the cut, for any shape."""
    if format_.is_round:
        radius_mm = format_.trim.width_mm / 2
        return lies_in_disc(box, radius_mm, radius_mm, radius_mm - inset_mm)
    if format_.is_hex:
        return lies_in_hexagon(box, format_.trim, inset_mm)
    return Rect(0, 0, *format_.trim).grown(-inset_mm).holds(box)


def whole_number(text: str) -> int | None:
    """Return the number in a text of digits, else None: for signs, superscripts, very many digits."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def first_words(value: Any, most: int = 40) -> str:
    """Return the beginning of a text for a message, without its line break marks."""
    text = " ".join(str(value).replace("\\\n", "\n").split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
