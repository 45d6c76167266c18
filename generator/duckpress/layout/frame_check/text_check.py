"""A text as it was set, held against its words, its style and its box: letters, fonts, sizes, and where lines stand."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import Rect
from duckpress.core.units import MM_PER_PT
from duckpress.fonts import WEIGHTS, FontLibrary, Typeface
from duckpress.layout.elements.art_shelf import ArtShelf
from duckpress.layout.frame_check.asked_values import SLIP_MM, WrongFrame
from duckpress.layout.frame_check.asked_words import (
    ICON,
    asked_words,
    folded,
    letters_differ,
    shown_letters,
    without_marks,
    words_apart,
)
from duckpress.layout.frame_check.measures import Measures
from duckpress.layout.frame_check.turned_lines import (
    TURNED,
    Place,
    across,
    check_ways,
    first_way,
    lines_of,
    mirrored,
    parts_of_words,
)
from duckpress.text import MAY_BE_EMOJI, TextStyle, with_named_emoji

_BOLDER = {"light": "semibold", "regular": "bold", "medium": "bold", "semibold": "extrabold", "bold": "extrabold"}
_SMALL_CAPITALS = 0.8
_BESIDE_ICON_EM, _BEHIND_BULLET_EM = 0.05, 0.35
_STEP_PT = 0.25
_WIDEST_OPENING_EM = 1.0  # of a space in a justified line
_SPACE = re.compile(r"(?<=[^(\[{«‹„‚“‘¿¡]) (?=[^!?:;,.)\]}»›”’%…‼⁇⁈⁉])")  # the others do not open
_BULLET = "•"
_SEEN_FROM_RIGHT = {"at-left": "right", "at-right": "left"}


class AskedText(NamedTuple):
    """What a text asks for beside its words; `size_pt` where texts have it in common."""

    style: TextStyle
    box: Rect
    valign: str = "top"
    max_lines: int | None = None
    size_pt: float | None = None


class _Line:
    """A line as it was set: its items, its ends, its baseline, how far it hangs behind a bullet."""

    __slots__ = ("baseline", "hang", "items", "left", "right")

    def __init__(self, left: float, baseline: float) -> None:
        self.items: list[Item] = []
        self.left = self.right = left
        self.baseline = baseline
        self.hang = 0.0

    def __str__(self) -> str:
        return "".join([item.text for item in self.items if isinstance(item, Text)])


class TextCheck:
    """Holds texts of one piece against what they ask for."""

    def __init__(self, fonts: FontLibrary, art: ArtShelf, language: str, *, is_mirrored: bool = False) -> None:
        self._fonts, self._art, self._language, self._is_mirrored = fonts, art, language, is_mirrored
        self._typefaces: dict[tuple[str, str, bool, int], Typeface | None] = {}
        self._measures: dict[tuple[str, float, str, str], Measures] = {}
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
        own = self._typeface(style)
        if not items or own is None:
            return
        if words.icons:
            keys = [self._icon_key(name, style.colour) for name in words.icons]
            if keys != [item.key for item in items if isinstance(item, PlacedDrawing)]:
                raise WrongFrame(f"the icons of {source[:40]!r} are not {', '.join(words.icons)}")
        try:
            em = self.measures(own.key, style)
            only = own if words.emphasised == () else None
            if words.emphasised:
                texts = [item for item in items if isinstance(item, Text)]
                self._check_emphasis(words.emphasised, style, texts)
            has_turned = not words.letters.isascii() and TURNED.search(words.letters) is not None
            if self._is_mirrored or has_turned or not self._is_plainly_right(asked, items, em, only):
                size_mm = self._size_mm(asked, items, em)
                places = self._places(items, style, size_mm, em, only, may_turn=has_turned)
                if self._is_mirrored or has_turned:
                    is_mirrored = self._is_mirrored or first_way(words.letters) == "R"
                    asked, lines = _turned_lines(asked, places, size_mm, em, is_mirrored=is_mirrored)
                else:
                    lines = _lines(places, style, size_mm, em)
                if words.letters == "".join(source.split()) and style.caps == "none" and self._language[:2] != "fr":
                    _check_parted(source, lines)
                if not has_turned or self._is_mirrored or not words.has_breaks:  # else each paragraph has its own way
                    self._check_across(asked, lines, size_mm, has_breaks=words.has_breaks)
                self._check_down(asked, lines, size_mm, em, has_breaks=words.has_breaks)
        except WrongFrame as wrong:
            raise WrongFrame(f"in the text {source[:40]!r} {wrong}") from None

    def _icon_key(self, name: str, colour: str) -> str:
        if (name, colour) not in self._icons:
            icon = self._art.icon(name.strip(), colour)
            self._icons[name, colour] = icon.key if icon is not None else ""
        return self._icons[name, colour]

    def _is_plainly_right(self, asked: AskedText, items: Sequence[Item], em: Measures, own: Typeface | None) -> bool:
        """Return whether a text at full size is one run at its place, or lines from the top left, their distance apart.

        Such are most texts: they are looked at in a third of the time. Of others nothing is said. With `own` all runs
        have to be of that font.
        """
        style, box = asked.style, asked.box
        size_mm, colour, key = round(style.size_pt * MM_PER_PT, 5), style.colour, None if own is None else own.key
        if asked.size_pt is not None or style.caps != "none" or style.is_hyphenated or em.is_new:
            return False
        left_mm, right_mm, leading_mm = box.x_mm, box.right_mm + SLIP_MM, style.leading * size_mm
        side_mm, half_mm = _BESIDE_ICON_EM * size_mm, em.cap_height * size_mm / 2
        tracking_mm = style.tracking * size_mm / 1000
        wanted_mm = box.y_mm + em.letter_top * size_mm
        if len(items) == 1 and isinstance(items[0], Text):
            wanted_mm = _baseline_mm(asked, em, size_mm, em.letter_top * size_mm, em.letter_bottom * size_mm)
            if style.align in ("center", "right"):
                free_mm = box.width_mm - items[0].width_mm
                left_mm += free_mm / 2 if style.align == "center" else free_mm
        elif style.align != "left" or asked.valign != "top" or asked.max_lines is not None:
            return False
        baseline_mm, end_mm = 0.0, left_mm
        for item in items:
            if isinstance(item, Text):
                y_mm, x_mm = item.y_mm, item.x_mm
                after_mm = x_mm + item.width_mm + tracking_mm
                if item.size_mm != size_mm or item.fill != colour or (key is not None and item.font != key):
                    return False
            else:
                assert isinstance(item, PlacedDrawing)
                shown = self._art.drawings[item.key].box
                _, _, _, scale, x_mm, y_mm = item.matrix
                x_mm += shown.x_mm * scale - side_mm
                after_mm = x_mm + shown.width_mm * scale + 2 * side_mm
                y_mm += (shown.y_mm + shown.height_mm / 2) * scale + half_mm
            if not -SLIP_MM < y_mm - baseline_mm < SLIP_MM:
                if not -SLIP_MM < y_mm - wanted_mm < SLIP_MM:
                    return False
                baseline_mm, end_mm, wanted_mm = y_mm, left_mm, y_mm + leading_mm
            if not -SLIP_MM < x_mm - end_mm < SLIP_MM or after_mm - tracking_mm > right_mm:
                return False
            end_mm = after_mm
        return baseline_mm - em.letter_bottom * size_mm < box.bottom_mm + SLIP_MM

    def _typeface(self, style: TextStyle, stars: int = 0) -> Typeface | None:
        key = (style.family, style.weight, style.is_italic, stars)
        if key not in self._typefaces:
            weight = _BOLDER.get(style.weight, "black") if stars & 2 else style.weight
            self._typefaces[key] = self._nearest(style.family, WEIGHTS[weight], style.is_italic != bool(stars & 1))
        return self._typefaces[key]

    def _nearest(self, family: str, weight: int, is_italic: bool) -> Typeface | None:
        """Return the typeface of a weight of a family, or of the nearest: of two, the one farther from regular."""
        known = self._fonts.families.get(family)
        if known is None:
            return None
        styles = [style for style in known.styles if style.is_italic == is_italic] or known.styles
        away = min(abs(style.weight - weight) for style in styles)
        weights = [style.weight for style in styles if abs(style.weight - weight) == away]
        wanted = max(weights) if weight > WEIGHTS["medium"] else min(weights)
        return self._fonts.typeface_of(next(style for style in styles if style.weight == wanted))

    def measures(self, key: str, style: TextStyle) -> Measures:
        """Return the measures of a font in a style."""
        asked = (key, style.tracking, style.caps, style.figures)
        known = self._measures.get(asked)
        if known is None:
            known = self._measures[asked] = Measures(self._fonts.typefaces_by_key[key], style, self._language)
        return known

    def check_words(self) -> None:
        """Raise `WrongFrame` where a word that was shaped since this was asked last is not drawn as its font asks."""
        for measures in self._measures.values():
            measures.check_words()

    def _check_emphasis(self, emphasised: Sequence[str], style: TextStyle, texts: Sequence[Text]) -> None:
        """Hold the letters of each font against those with stars around them, where no other font lends any."""
        typefaces = [self._typeface(style, stars) for stars, letters in enumerate(emphasised, 1) if letters]
        keys = [font.key for font in (self._typeface(style), *typefaces) if font is not None]
        if len(set(keys)) <= len(typefaces) or not {text.font for text in texts}.issubset(keys):
            return
        for letters, key in zip(filter(None, emphasised), keys[1:], strict=True):
            shown = folded("".join([text.text for text in texts if text.font == key]), style.caps)
            if letters.replace(ICON, "") != shown:
                raise WrongFrame(f"other words are emphasised than {letters[:40]!r}")

    def _has_all(self, typeface: Typeface, style: TextStyle, text: str) -> bool:
        return self.measures(typeface.key, style).codes.issuperset(map(ord, text.replace("\u00ad", "-")))

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
        may_turn: bool,
    ) -> list[Place]:  # fmt: skip
        """Return the ends of the runs of a text, which have to be drawn as their fonts ask for.

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
                    measures = self.measures(font, style)
                if own is not None and font != own_key and self._has_all(own, style, item.text):
                    raise WrongFrame(f"{item.text!r} is set in {font}")
                measures.check(item, size_mm, may_turn=may_turn, is_part=at in parted)
                left, baseline = item.x_mm, item.y_mm
                right = left + item.width_mm + tracking_mm
            else:
                assert isinstance(item, PlacedDrawing)
                box = item.matrix.around(self._art.drawings[item.key].box)
                left, right = box.x_mm - _BESIDE_ICON_EM * size_mm, box.right_mm + _BESIDE_ICON_EM * size_mm
                baseline = box.y_mm + (box.height_mm + em.cap_height * size_mm) / 2
            places.append(Place(item, left, right, baseline))
        return places

    def _check_across(self, asked: AskedText, lines: Sequence[_Line], size_mm: float, *, has_breaks: bool) -> None:
        """Hold the ends of lines against the edges of the box."""
        align, (left, _, right, _) = asked.style.align, asked.box.edges
        hangs = {0.0, *[line.hang for line in lines]}
        for line in lines:
            if align in ("right", "at-right"):
                is_aligned = -SLIP_MM < line.right - right < SLIP_MM
            elif align == "center":
                is_aligned = any(abs(line.left + line.right - left - hang - right) < 2 * SLIP_MM for hang in hangs)
            else:
                is_aligned = any(-SLIP_MM < line.left - left - hang < SLIP_MM for hang in hangs)
            if not is_aligned or line.right > right + SLIP_MM or line.left < left - SLIP_MM:
                raise WrongFrame(f"the line {str(line)!r} does not stand {align} in its box")
            if align == "justify" and not has_breaks and line is not lines[-1] and right - line.right > SLIP_MM:
                spaces = sum([len(_SPACE.findall(item.text)) for item in line.items if isinstance(item, Text)])
                if spaces and (right - line.right) / spaces <= _WIDEST_OPENING_EM * size_mm:
                    raise WrongFrame(
                        f"the line {str(line)!r} ends {right - line.right:.2f} mm before the edge of its box"
                    )

    def _check_down(
        self, asked: AskedText, lines: Sequence[_Line], size_mm: float, em: Measures, *, has_breaks: bool
    ) -> None:
        """Hold baselines against the leading and the box; letters have to be as high as there is room for."""
        style, box = asked.style, asked.box
        for line, after in pairwise(lines):
            step = (after.baseline - line.baseline) / (style.leading * size_mm)
            if step < 0.99 or (step > 1.01 and not has_breaks):
                raise WrongFrame(f"lines are {step:.2f} of their distance apart")
        reaches = [self._reach(line, style, size_mm, em) for line in lines]
        top, bottom = reaches[0][0], reaches[-1][1]
        free_mm = box.height_mm - (lines[-1].baseline - lines[0].baseline + top - bottom)
        span_mm = lines[-1].baseline - lines[0].baseline if len(lines) > 1 else None
        low_mm, slip_mm = lines[0].baseline - _baseline_mm(asked, em, size_mm, top, bottom, span_mm), SLIP_MM
        if style.align == "center" and len(lines) > 1:  # evened out after its height was known, by which accents count
            slip_mm += max(high for high, _ in reaches) - top + bottom - min(low for _, low in reaches)
        if not -slip_mm < low_mm < slip_mm:
            raise WrongFrame(f"the first line stands {abs(low_mm):.2f} mm too {'low' if low_mm > 0 else 'high'}")
        if free_mm < -slip_mm or (asked.max_lines is not None and len(lines) > asked.max_lines):
            raise WrongFrame(f"there are {len(lines)} lines, more than it has room for")
        full_mm = style.size_pt * MM_PER_PT
        if len(lines) == 1 and size_mm < full_mm - SLIP_MM and asked.size_pt is None:
            steps = math.ceil((full_mm - size_mm) / MM_PER_PT / _STEP_PT - 0.01)
            larger = (full_mm - (steps - 1) * _STEP_PT * MM_PER_PT) / size_mm
            wide_mm, high_mm = lines[0].right - lines[0].left + lines[0].hang, top - bottom
            if wide_mm * larger < box.width_mm - SLIP_MM and high_mm * larger < box.height_mm - SLIP_MM:
                raise WrongFrame(f"letters are {size_mm / MM_PER_PT:.2f} pt high, though larger ones would fit")

    def _reach(self, line: _Line, style: TextStyle, size_mm: float, em: Measures) -> tuple[float, float]:
        """Return how far a line reaches above and below its baseline: at least as far as plain letters."""
        top, bottom = em.letter_top * size_mm, em.letter_bottom * size_mm
        for item in line.items[1:] if line.hang else line.items:
            if isinstance(item, Text):
                high, low = self.measures(item.font, style).ink(item)
                high, low = high + line.baseline - item.y_mm, low + line.baseline - item.y_mm
            else:
                high = max(em.letter_top, em.cap_height) * size_mm
                low = em.cap_height * size_mm - high
            top, bottom = max(top, high), min(bottom, low)
        return top, bottom


def _check_parted(source: str, lines: Sequence[_Line]) -> None:
    """Hold the spaces between words against those of a text without markup."""
    said = words_apart(" ".join(map(str, lines)))
    if said != words_apart(source) and not any(map(unicodedata.combining, source)):
        raise WrongFrame(f"words are parted as {said[:80]!r}")


def _lines(places: Sequence[Place], style: TextStyle, size_mm: float, em: Measures) -> list[_Line]:
    """Return the lines of a text, whose runs have to join."""
    lines: list[_Line] = []
    line, tracking_mm, is_behind_bullet = _Line(0.0, -1e9), style.tracking * size_mm / 1000, False
    for item, left, right, baseline in places:
        if not -SLIP_MM < baseline - line.baseline < SLIP_MM:
            line = _Line(left, baseline)
            lines.append(line)
        gap_mm = left - line.right
        if is_behind_bullet:
            gap_mm -= _BEHIND_BULLET_EM * size_mm
            line.hang, line.left = left - line.left, left
        if not -SLIP_MM < gap_mm < SLIP_MM and (gap_mm < 0 or em.has_space):
            raise WrongFrame(f"{gap_mm:.2f} mm are free before {getattr(item, 'text', 'an icon')!r}")
        is_behind_bullet = not line.items and isinstance(item, Text) and item.text == _BULLET
        line.items.append(item)
        line.right = right
    for line in lines:
        line.right -= tracking_mm
    return lines


def _turned_lines(
    asked: AskedText, places: Sequence[Place], size_mm: float, em: Measures, *, is_mirrored: bool
) -> tuple[AskedText, list[_Line]]:
    """Return the lines of a text with letters that run to the left, each with its items in the order of reading.

    Of mirrored text they are seen from the right edge of the box, and so is what is asked for.
    """
    style = asked.style
    rows = lines_of(places, size_mm)
    for row in rows:
        check_ways(row)
    if is_mirrored:
        asked = asked._replace(style=style._replace(align=_SEEN_FROM_RIGHT.get(style.align, style.align)))
        edges_mm = asked.box.x_mm + asked.box.right_mm + style.tracking * size_mm / 1000
        rows = [mirrored(row, edges_mm) for row in rows]
    lines = _lines([place for row in rows for place in across(row)], style, size_mm, em)
    for line, row in zip(lines, rows, strict=True):
        line.items = [place.item for place in row]
    return asked, lines


def _baseline_mm(
    asked: AskedText, em: Measures, size_mm: float, top: float, bottom: float, span_mm: float | None = None
) -> float:
    """Return where the first baseline has to lie; the last one lies `span_mm` below it, None for one line alone.

    Ink reaches as far as `top` above the first and `bottom` below the last.
    """
    box = asked.box
    highest_mm, free_mm = box.y_mm + top, box.height_mm - (span_mm or 0.0) - top + bottom
    if asked.valign == "middle" and span_mm is None:
        centred_mm = box.y_mm + (box.height_mm + em.cap_height * size_mm) / 2
        return max(highest_mm, min(centred_mm, highest_mm + free_mm))
    share = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[asked.valign]
    return highest_mm + max(free_mm, 0.0) * share
