"""A text as it was set, held against its words and its style: letters, fonts and sizes; its lines by `line_check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_PT
from duckpress.layout.elements.art_shelf import ArtShelf
from duckpress.text import TextStyle
from duckpress.text.fonts import FontLibrary, Typeface
from duckpress.text.letters import MAY_BE_EMOJI
from duckpress.text.markup import with_named_emoji
from oracle.frame_check.asked_values import (
    ICON,
    WrongFrame,
    asked_words,
    folded,
    letters_differ,
    shown_letters,
    without_marks,
)
from oracle.frame_check.line_check import (
    AskedText,
    Place,
    check_across,
    check_down,
    check_parted,
    lines_of_runs,
    parts_of_words,
    turned_lines,
)
from oracle.frame_check.measures import AskedFonts, Measures
from oracle.reading.pages import TURNED, first_way

_SMALL_CAPITALS = 0.8
_BESIDE_ICON_EM = 0.05


class TextCheck:
    """Holds texts of one piece against what they ask for."""

    def __init__(self, fonts: FontLibrary, art: ArtShelf, language: str, *, is_mirrored: bool = False) -> None:
        self._fonts, self._art, self._language = AskedFonts(fonts, language), art, language
        self._is_mirrored = is_mirrored
        self._icons: dict[tuple[str, str], str] = {}

    def check(self, source: str, values: Mapping[str, str], asked: AskedText, items: Sequence[Item]) -> None:
        """Raise `WrongFrame` where a text is not set as it was asked for."""
        style = asked.style
        if values or MAY_BE_EMOJI.search(source):
            has_icon = lambda name: bool(self._icon_key(name, style.colour))  # noqa: E731
            source, values = with_named_emoji(source, values, has_icon)
        words = asked_words(source, values, style.caps)
        shown = shown_letters(items, style.caps)
        if shown != words.letters and (shown.isascii() or without_marks(shown) != without_marks(words.letters)):
            raise WrongFrame(f"the words {letters_differ(words.letters, shown)}")
        own = self._fonts.typeface(style)
        if not items or own is None:
            return
        if words.icons:
            keys = [self._icon_key(name, style.colour) for name in words.icons]
            if keys != [item.key for item in items if isinstance(item, PlacedDrawing)]:
                raise WrongFrame(f"the icons of {source[:40]!r} are not {', '.join(words.icons)}")
        try:
            em = self._fonts.measures(own.key, style)
            only = own if words.emphasised == () else None
            if words.emphasised:
                texts = [item for item in items if isinstance(item, Text)]
                self._check_emphasis(words.emphasised, style, texts)
            has_turned = not words.letters.isascii() and TURNED.search(words.letters) is not None
            size_mm = self._size_mm(asked, items, em)
            # Words are shaped in parts at zero width spaces, and where letters with stars have no own font.
            is_parted = "\u200b" in source or any("\u200b" in value for value in values.values())
            is_parted = is_parted or (words.emphasised != () and self._is_in_one_font(style))
            places = self._places(items, style, size_mm, em, only, may_turn=has_turned, is_parted=is_parted)
            if self._is_mirrored or has_turned:
                is_mirrored = self._is_mirrored or first_way(words.letters) == "R"
                asked, lines = turned_lines(asked, places, size_mm, em, is_mirrored=is_mirrored)
            else:
                lines = lines_of_runs(places, style, size_mm, em)
            if words.letters == "".join(source.split()) and style.caps == "none" and self._language[:2] != "fr":
                check_parted(source, lines)
            if not has_turned or self._is_mirrored or not words.has_breaks:  # else each paragraph has its own way
                check_across(asked, lines, size_mm, has_breaks=words.has_breaks)
            check_down(asked, lines, size_mm, self._fonts, em, has_breaks=words.has_breaks)
        except WrongFrame as wrong:
            raise WrongFrame(f"in the text {source[:40]!r} {wrong}") from None

    def check_words(self) -> None:
        self._fonts.check_words()

    def _icon_key(self, name: str, colour: str) -> str:
        if (name, colour) not in self._icons:
            icon = self._art.icon(name.strip(), colour)
            self._icons[name, colour] = icon.key if icon is not None else ""
        return self._icons[name, colour]

    def _check_emphasis(self, emphasised: Sequence[str], style: TextStyle, texts: Sequence[Text]) -> None:
        """Hold the letters of each font against those with stars around them, where no other font lends any."""
        typefaces = [self._fonts.typeface(style, stars) for stars, letters in enumerate(emphasised, 1) if letters]
        keys = [font.key for font in (self._fonts.typeface(style), *typefaces) if font is not None]
        if len(set(keys)) <= len(typefaces) or not {text.font for text in texts}.issubset(keys):
            return
        for letters, key in zip(filter(None, emphasised), keys[1:], strict=True):
            shown = folded("".join([text.text for text in texts if text.font == key]), style.caps)
            if letters.replace(ICON, "") != shown:
                raise WrongFrame(f"other words are emphasised than {letters[:40]!r}")

    def _is_in_one_font(self, style: TextStyle) -> bool:
        """Return whether letters with some stars around them are of the same font as those without."""
        own, *others = (self._fonts.typeface(style, stars) for stars in range(4))
        return own in others

    def _size_mm(self, asked: AskedText, items: Sequence[Item], em: Measures) -> float:
        """Return the size that a text is set in, which has to be one that it may have."""
        style = asked.style
        sizes = {item.size_mm for item in items if isinstance(item, Text)}
        if not sizes:  # icons alone: they are as high as letters and as far below the baseline as those above capitals
            icon = next(item for item in items if isinstance(item, PlacedDrawing))
            height_mm = self._art.drawings[icon.key].box.height_mm * icon.matrix.d
            sizes = {height_mm / (2 * max(em.letter_top, em.cap_height) - em.cap_height)}
        full_pt, least_pt = style.size_pt, min(style.min_pt, style.size_pt)
        if asked.size_pt is not None:
            full_pt = least_pt = asked.size_pt
        shares = (1.0, _SMALL_CAPITALS) if style.caps == "small" else (1.0,)
        for share in shares:
            size_mm = max(sizes) / share
            is_allowed = least_pt - 0.002 <= size_mm / MM_PER_PT <= full_pt + 0.002
            if is_allowed and all(any(abs(one - size_mm * share) < 1e-4 for share in shares) for one in sizes):
                return size_mm
        raise WrongFrame(f"letters are {max(sizes) / MM_PER_PT:.2f} pt high")

    def _places(
        self, items: Sequence[Item], style: TextStyle, size_mm: float, em: Measures, own: Typeface | None, *,
        may_turn: bool, is_parted: bool,
    ) -> list[Place]:  # fmt: skip
        """Return the ends of the runs of a text, which have to be drawn as their fonts ask for; `is_parted`: in parts.

        With `own` all have to be of that font, but for what it lacks.
        """
        places: list[Place] = []
        tracking_mm = style.tracking * size_mm / 1000
        own_key = None if own is None else own.key
        font, measures = "", em
        parted = parts_of_words(items, size_mm) if may_turn else ()
        for at, item in enumerate(items):
            if isinstance(item, Text):
                if item.fill != style.colour or (style.caps == "upper" and item.text.upper() != item.text):
                    raise WrongFrame(f"{item.text!r} is {item.fill}, not {style.colour} in {style.caps} capitals")
                if item.font != font:
                    font = item.font
                    measures = self._fonts.measures(font, style)
                if own is not None and font != own_key and self._fonts.has_all(own, style, item.text):
                    raise WrongFrame(f"{item.text!r} is set in {font}")
                measures.check(item, size_mm, may_turn=may_turn, is_part=is_parted or at in parted)
                left, baseline = item.x_mm, item.y_mm
                right = left + item.width_mm + tracking_mm
            else:
                assert isinstance(item, PlacedDrawing)
                box = item.matrix.around(self._art.drawings[item.key].box)
                left, right = box.x_mm - _BESIDE_ICON_EM * size_mm, box.right_mm + _BESIDE_ICON_EM * size_mm
                baseline = box.y_mm + (box.height_mm + em.cap_height * size_mm) / 2
            places.append(Place(item, left, right, baseline))
        return places
