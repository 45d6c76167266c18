"""`text` in a layout -> lines that fit their box, and every promise about fitting that could not be kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.yaml.characters import too_many_marks
from duckpress.core.frame import Item, Outline, Paint, Text, every_item
from duckpress.core.geometry import Rect
from duckpress.core.inks import PLAIN
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import rectangle
from duckpress.core.problems import did_you_mean, fault
from duckpress.expressions.budget import as_written
from duckpress.layout.dependencies import ORNAMENT, Use
from duckpress.layout.elements.images import say_unknown_icon
from duckpress.layout.elements.layout_context import Attributes, Desk, Shrunk, first_words
from duckpress.layout.templates.face_xml import FaceNode
from duckpress.layout.theme.theme import NONE
from duckpress.layout.theme.theme_keys import ALIGNS
from duckpress.text import Fitted, TextStyle

_MARK, _DARK_MARK, _MARK_MM = "#e4002b", "#000000", 0.4  # around a text that does not fit
_VALIGNS = ("top", "middle", "bottom")
_FIELD = re.compile(r"\{=([^{}\n\\*]{1,80})\}")
_SHORT = 60  # letters: a field that is no longer makes no text endless
_LEAST_NAMED = 3  # letters: a field that has no more may stand in a text by chance
_MOST_NAMED = 20  # unknown icons or fields of one text


class TextBox(Struct, frozen=True):
    """What a `text` element asks for, apart from its words."""

    style_name: str
    style: TextStyle
    box: Rect
    valign: str
    max_lines: int | None
    together: str | None
    is_decoration: bool


_Known = dict[str, tuple[tuple[Item, ...], tuple[Use, ...]]]
"""Texts of one box that were set before, with what they use."""


class TextSetter:
    """Sets the texts of faces; those that are the same on several are set once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._boxes: dict[tuple[object, ...], tuple[TextBox, tuple[Use, ...], _Known]] = {}  # with what they use

    def text(self, element: FaceNode, cell: Rect) -> tuple[Item, ...]:
        """Return the lines of a text.

        Problems: `unknown-style`, `text-too-long`, `too-many-marks`, `text-overflow`, `missing-glyph`, `unknown-icon`,
        `unknown-field`.
        """
        desk, source = self._desk, words_of(element)
        text_box, texts = self._box(element, cell)
        if not source or text_box.style.colour == NONE:
            return ()
        known = texts.get(source)
        if known is not None:
            desk.uses += known[1]
            return known[0]
        if self._is_too_long(source):
            most = limit("text-letters")
            what = f"the text {first_words(source)!r} has more than {most} letters, its fields filled in"
            desk.say("text-too-long", what, f"write less; {how_to_raise('text-letters')}")
            return ()
        if (marked := too_many_marks(source, desk.place)) is not None:
            desk.say(marked.code, f"the text {first_words(source)!r}: {marked.what}", marked.fix)
            return ()
        before, began = len(desk.problems), len(desk.uses)
        fitted = self._fit(text_box, source)
        # Fields differ from card to card, and a shrunk text is told of for every card.
        is_same_everywhere = "{=" not in source and fitted.size_pt >= text_box.style.size_pt
        if is_same_everywhere and text_box.together is None and len(desk.problems) == before:
            texts[source] = fitted.items, tuple(desk.uses[began:])
        return fitted.items

    def _box(self, element: FaceNode, cell: Rect) -> tuple[TextBox, _Known]:
        """Return what an element asks for, and its texts; faces of one template ask for the same again and again."""
        desk, key = self._desk, (cell, *element.attrib.items())
        known = self._boxes.get(key)
        if known is None:
            before, began = len(desk.problems), len(desk.uses)
            known = _read_box(desk, element.attrib, cell), tuple(desk.uses[began:]), {}
            if len(desk.problems) == before:
                self._boxes[key] = known
        else:
            desk.uses += known[1]
        return known[0], known[2]

    def height(self, element: FaceNode, cell: Rect) -> float:
        """Return the height in mm that a text takes at its full size in a cell's width."""
        text_box = _read_box(self._desk, element.attrib, cell)
        source = words_of(element)
        if self._is_too_long(source) or too_many_marks(source, self._desk.place) is not None:
            return 0.0  # which is said when the text is set
        values = _values(self._desk, source)
        return self._desk.typesetter.height(source, text_box.style, text_box.box.width_mm, values)

    def _is_too_long(self, source: str) -> bool:
        letters, most = len(source), limit("text-letters")
        if letters <= most and "{=" in source:
            fields = {name: len(value) for name, value in _values(self._desk, source).items() if len(value) > _SHORT}
            for match in _FIELD.finditer(source) if fields else ():
                letters += fields.get(match[1].strip(), 0)
        return letters > most

    def _fit(self, text_box: TextBox, source: str) -> Fitted:
        desk, style, box = self._desk, text_box.style, text_box.box
        together = text_box.together
        forced_pt = desk.forced_pt.get(together) if together is not None else None
        fitted = desk.typesetter.fit(
            source, style, box, valign=text_box.valign, values=_values(desk, source),
            max_lines=text_box.max_lines, size_pt=forced_pt,
        )  # fmt: skip
        if together is not None:
            desk.together[together] = min(fitted.size_pt, desk.together.get(together, fitted.size_pt))
        if fitted.size_pt < style.size_pt - 1e-6:
            sizes = style.size_pt, fitted.size_pt
            desk.shrunk.append(Shrunk(desk.deck, desk.card, text_box.style_name, *sizes, desk.language))
        self._say_what_is_wrong(text_box, source, fitted)
        if fitted.over_mm:
            fitted = replace(fitted, items=(*fitted.items, _overfull(box, desk.look.ink)))
        self._say_what_is_borrowed(text_box, fitted)
        if text_box.is_decoration:
            words = (item for item in every_item(fitted.items) if isinstance(item, Text))
            ornaments = {(item.text, item.fill) for item in words}
            desk.decorations.update(ornaments)
            desk.uses += [(ORNAMENT, text, fill) for text, fill in ornaments]
        elif not fitted.over_mm:  # what does not fit is no nearer to the cut for another reason
            desk.warn_outside_safe_zone(fitted.items, box)
        if desk.format.trim.width_mm < box.x_mm or desk.format.trim.height_mm < box.y_mm or box.right_mm < 0:
            desk.warn_outside_bleed("<text>", fitted.items)
        return fitted

    def _say_what_is_borrowed(self, text_box: TextBox, fitted: Fitted) -> None:
        """Warn once of a style most of whose letters its family does not have."""
        desk, style = self._desk, text_box.style
        borrowed = desk.typesetter.borrowed(style, fitted.items)
        if borrowed is None:
            return
        what = f"the family {style.family!r} of style {text_box.style_name!r} has no {borrowed.script} letters"
        what += f" (language {desk.language!r}): another family draws them"
        desk.tell_once("borrowed-letters", what, borrowed.fix, place=desk.look.fonts_at.get(text_box.style_name))

    def _say_what_is_wrong(self, text_box: TextBox, source: str, fitted: Fitted) -> None:
        is_sound = not (fitted.missing_glyphs or fitted.unknown_icons or fitted.unknown_fields or fitted.lost)
        if is_sound and not (fitted.over_mm or fitted.needs_dictionary):
            return
        desk, box = self._desk, text_box.box
        words = f"the text {first_words(source)!r}"
        where = f"{words}{_field_of(desk.values, source)}"
        if fitted.over_mm:
            size = f"{box.width_mm:.4g} x {box.height_mm:.4g} mm"
            what = (
                f"{where} in style {text_box.style_name!r} is {fitted.over_mm:.1f} mm over its box of {size}"
                f" at {fitted.size_pt:g} pt (language {desk.language})"
            )
            if fitted.over_words:
                what += f"; too wide: {', '.join(first_words(word, 24) for word in fitted.over_words[:3])}"
            what += f"; it fits at {fitted.fits_pt:g} pt" if fitted.fits_pt else "; it fits at no size"
            if text_box.max_lines is not None:
                what += f"; it may take {text_box.max_lines} line{'s' if text_box.max_lines > 1 else ''}"
            fix = "shorten the text, enlarge the box, or allow a smaller size ('min')"
            desk.say("text-overflow", what, fix, weight=fitted.over_mm)
        missing = [glyph[0] for glyph in fitted.missing_glyphs]
        where = f"{words}{_field_of(desk.values, source, missing)}"
        desk.say_unset(where, fitted, "write them otherwise, use an {icon}")
        for name in fitted.unknown_icons[:_MOST_NAMED]:
            say_unknown_icon(desk, name)
        for name in fitted.unknown_fields[:_MOST_NAMED]:
            what = f"{where} names the field {first_words(name)!r}, which the card does not have"
            desk.say("unknown-field", what, did_you_mean(name, desk.values))
        if fitted.lost:
            desk.problems.append(fault("proof-frame", f"{desk.subject}: {where} {fitted.lost}", desk.place))


def _overfull(box: Rect, ink: str) -> Item:
    """Return the outline of a box that its text does not fit: it shows on drafts, which are all that is drawn of it."""
    paint = Paint(None, _MARK if ink == PLAIN else _DARK_MARK, _MARK_MM)
    return Outline(rectangle(box.x_mm, box.y_mm, box.width_mm, box.height_mm), paint)


def words_of(element: FaceNode) -> str:
    """Return the words in a `text` element, blanks of the template's indentation stripped and `<br/>` as it stands."""
    return "".join(part if isinstance(part, str) else "<br/>" for part in element.content).strip()


def _read_box(desk: Desk, attributes: Attributes, cell: Rect) -> TextBox:
    style_name = attributes.get("style", "body")
    style = desk.style(style_name)
    changes: dict[str, object] = {}
    if "align" in attributes:
        changes["align"] = desk.choice(attributes, "align", ALIGNS, style.align)
    if "size" in attributes:
        changes["size_pt"] = desk.number(attributes, "size", style.size_pt, 2.0, 400.0)
        changes["min_pt"] = changes["size_pt"] if "min" not in attributes else style.min_pt
    if "min" in attributes:
        changes["min_pt"] = desk.number(attributes, "min", style.min_pt, 2.0, 400.0)
    colour = attributes.get("colour", attributes.get("fill"))
    if colour is not None:
        changes["colour"] = desk.colour(colour) or NONE
    if "hyphenate" in attributes:
        changes["is_hyphenated"] = desk.yes_no(attributes, "hyphenate", style.is_hyphenated)
    valign = desk.choice(attributes, "valign", _VALIGNS, "top")
    max_lines = desk.whole(attributes, "lines", 1, 1000) if "lines" in attributes else None
    return TextBox(
        style_name, style._replace(**changes), desk.box(attributes, cell), valign, max_lines,  # type: ignore[arg-type]
        attributes.get("together"), desk.yes_no(attributes, "decoration", False),
    )  # fmt: skip


def _values(desk: Desk, source: str) -> Mapping[str, str]:
    if "{=" not in source:
        return {}
    return {name: str(as_written(value)) for name, value in desk.values.items() if not isinstance(value, dict | list)}


def _field_of(values: Mapping[str, object], source: str, letters: Sequence[str] = ()) -> str:
    """Return the words that name the fields a text is or holds, of these letters; nothing where it has none."""
    texts = [(name, value.strip()) for name, value in values.items() if isinstance(value, str) and value.strip()]
    named = {match[1].strip() for match in _FIELD.finditer(source)}
    names = [name for name, value in texts if value == source] or [
        name for name, value in texts if name in named or (value in source and (letters or len(value) > _LEAST_NAMED))
    ]
    if letters:
        holding = [name for name in names if any(letter in str(values[name]) for letter in letters)]
        names = holding or names[:0]
    if not names:
        return ""
    return f" (field{'s' if len(names) > 1 else ''} {' and '.join(map(repr, names))})"
