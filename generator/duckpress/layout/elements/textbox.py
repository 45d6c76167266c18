"""`text` in a layout -> lines that fit their box, and problems of fit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.yaml.syntax_errors import too_many_marks
from duckpress.core.backs import PLAIN
from duckpress.core.frame import Item, Outline, Paint, Text, every_item
from duckpress.core.geometry import Rect
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import rectangle
from duckpress.core.problems import did_you_mean, fault
from duckpress.expressions.budget import as_written
from duckpress.layout.elements.images import say_unknown_icon
from duckpress.layout.elements.layout_context import Attributes, LayoutContext, first_words
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.laid_out import ORNAMENT, Shrunk, Use
from duckpress.layout.theme import NONE
from duckpress.layout.theme_keys import ALIGNS
from duckpress.text import Fitted, TextStyle

_MARK, _DARK_MARK, _MARK_MM = "#e4002b", "#000000", 0.4  # around a text that does not fit
_VALIGNS = ("top", "middle", "bottom")
_FIELD = re.compile(r"\{=([^{}\n\\*]{1,80})\}")
_SHORT = 60  # letters: a field that is no longer makes no text endless
_LEAST_NAMED = 3  # letters: a field that has no more may stand in a text by chance
_MOST_NAMED = 20  # unknown icons or fields of one text


class TextBox(Struct, frozen=True):
    """The attributes of a `text` element, apart from its words."""

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
    """Sets the texts of faces; equal texts are set once."""

    def __init__(self, context: LayoutContext) -> None:
        self._context = context
        self._boxes: dict[tuple[object, ...], tuple[TextBox, tuple[Use, ...], _Known]] = {}  # with what they use

    def text(self, element: FaceNode, cell: Rect) -> tuple[Item, ...]:
        """Return the lines of a text.

        Problems: `unknown-style`, `text-too-long`, `too-many-marks`, `text-overflow`, `missing-glyph`, `unknown-icon`,
        `unknown-field`.
        """
        context, source = self._context, words_of(element)
        text_box, texts = self._box(element, cell)
        if not source or text_box.style.colour == NONE:
            return ()
        known = texts.get(source)
        if known is not None:
            context.uses += known[1]
            return known[0]
        if self._is_too_long(source):
            most = limit("text-letters")
            what = f"the text {first_words(source)!r} has more than {most} letters, its fields filled in"
            context.say("text-too-long", what, f"write less; {how_to_raise('text-letters')}")
            return ()
        if (marked := too_many_marks(source, context.place)) is not None:
            context.say(marked.code, f"the text {first_words(source)!r}: {marked.what}", marked.fix)
            return ()
        before, began = len(context.problems), len(context.uses)
        fitted = self._fit(text_box, source)
        # Fields differ from card to card, and a shrunk text is told of for every card.
        is_same_everywhere = "{=" not in source and fitted.size_pt >= text_box.style.size_pt
        if is_same_everywhere and text_box.together is None and len(context.problems) == before:
            texts[source] = fitted.items, tuple(context.uses[began:])
        return fitted.items

    def _box(self, element: FaceNode, cell: Rect) -> tuple[TextBox, _Known]:
        """Return an element's attributes, and its texts; cached, as faces of one template repeat them."""
        context, key = self._context, (cell, *element.attrib.items())
        known = self._boxes.get(key)
        if known is None:
            before, began = len(context.problems), len(context.uses)
            known = _read_box(context, element.attrib, cell), tuple(context.uses[began:]), {}
            if len(context.problems) == before:
                self._boxes[key] = known
        else:
            context.uses += known[1]
        return known[0], known[2]

    def height(self, element: FaceNode, cell: Rect) -> float:
        """Return the height in mm of a text at its full size in a cell's width."""
        text_box = _read_box(self._context, element.attrib, cell)
        source = words_of(element)
        if self._is_too_long(source) or too_many_marks(source, self._context.place) is not None:
            return 0.0  # which is said when the text is set
        values = _values(self._context, source)
        return self._context.typesetter.height(source, text_box.style, text_box.box.width_mm, values)

    def _is_too_long(self, source: str) -> bool:
        letters, most = len(source), limit("text-letters")
        if letters <= most and "{=" in source:
            fields = {name: len(value) for name, value in _values(self._context, source).items() if len(value) > _SHORT}
            for match in _FIELD.finditer(source) if fields else ():
                letters += fields.get(match[1].strip(), 0)
        return letters > most

    def _fit(self, text_box: TextBox, source: str) -> Fitted:
        context, style, box = self._context, text_box.style, text_box.box
        together = text_box.together
        forced_pt = context.forced_pt.get(together) if together is not None else None
        fitted = context.typesetter.fit(
            source, style, box, valign=text_box.valign, values=_values(context, source),
            max_lines=text_box.max_lines, size_pt=forced_pt,
        )  # fmt: skip
        if together is not None:
            context.together[together] = min(fitted.size_pt, context.together.get(together, fitted.size_pt))
        if fitted.size_pt < style.size_pt - 1e-6:
            sizes = style.size_pt, fitted.size_pt
            context.shrunk.append(Shrunk(context.deck, context.card, text_box.style_name, *sizes, context.language))
        self._say_what_is_wrong(text_box, source, fitted)
        if fitted.over_mm:
            # The outline of the box shows on drafts, which are all that is drawn of it.
            mark = Paint(None, _MARK if context.look.ink == PLAIN else _DARK_MARK, _MARK_MM)
            fitted = replace(fitted, items=(*fitted.items, Outline(rectangle(*box), mark)))
        borrowed = context.typesetter.borrowed(style, fitted.items)
        if borrowed is not None:
            what = f"the family {style.family!r} of style {text_box.style_name!r} has no {borrowed.script} letters"
            what += f" (language {context.language!r}): another family draws them"
            place = context.look.fonts_at.get(text_box.style_name)
            context.tell_once("borrowed-letters", what, borrowed.fix, place=place)
        if text_box.is_decoration:
            words = (item for item in every_item(fitted.items) if isinstance(item, Text))
            ornaments = {(item.text, item.fill) for item in words}
            context.decorations.update(ornaments)
            context.uses += [(ORNAMENT, text, fill) for text, fill in ornaments]
        elif not fitted.over_mm:  # what does not fit is no nearer to the cut for another reason
            context.warn_outside_safe_zone(fitted.items, box)
        if context.format.trim.width_mm < box.x_mm or context.format.trim.height_mm < box.y_mm or box.right_mm < 0:
            context.warn_outside_bleed("<text>", fitted.items)
        return fitted

    def _say_what_is_wrong(self, text_box: TextBox, source: str, fitted: Fitted) -> None:
        is_sound = not (fitted.missing_glyphs or fitted.unknown_icons or fitted.unknown_fields or fitted.lost)
        if is_sound and not (fitted.over_mm or fitted.needs_dictionary):
            return
        context, box = self._context, text_box.box
        words = f"the text {first_words(source)!r}"
        where = f"{words}{_field_of(context.values, source)}"
        if fitted.over_mm:
            size = f"{box.width_mm:.4g} x {box.height_mm:.4g} mm"
            what = (
                f"{where} in style {text_box.style_name!r} is {fitted.over_mm:.1f} mm over its box of {size}"
                f" at {fitted.size_pt:g} pt (language {context.language})"
            )
            if fitted.over_words:
                what += f"; too wide: {', '.join(first_words(word, 24) for word in fitted.over_words[:3])}"
            what += f"; it fits at {fitted.fits_pt:g} pt" if fitted.fits_pt else "; it fits at no size"
            if text_box.max_lines is not None:
                what += f"; it may take {text_box.max_lines} line{'s' if text_box.max_lines > 1 else ''}"
            fix = "shorten the text, enlarge the box, or allow a smaller size ('min')"
            context.say("text-overflow", what, fix, weight=fitted.over_mm)
        missing = [glyph[0] for glyph in fitted.missing_glyphs]
        where = f"{words}{_field_of(context.values, source, missing)}"
        context.say_unset(where, fitted, "write them otherwise, use an {icon}")
        for name in fitted.unknown_icons[:_MOST_NAMED]:
            say_unknown_icon(context, name)
        for name in fitted.unknown_fields[:_MOST_NAMED]:
            what = f"{where} names the field {first_words(name)!r}, which the card does not have"
            context.say("unknown-field", what, did_you_mean(name, context.values))
        if fitted.lost:
            context.problems.append(fault("proof-frame", f"{context.subject}: {where} {fitted.lost}", context.place))


def words_of(element: FaceNode) -> str:
    """Return the words in a `text` element, without outer blanks, and with each `<br/>` as it is."""
    return "".join(part if isinstance(part, str) else "<br/>" for part in element.content).strip()


def _read_box(context: LayoutContext, attributes: Attributes, cell: Rect) -> TextBox:
    style_name = attributes.get("style", "body")
    style = context.style(style_name)
    changes: dict[str, object] = {}
    if "align" in attributes:
        changes["align"] = context.choice(attributes, "align", ALIGNS, style.align)
    if "size" in attributes:
        changes["size_pt"] = context.number(attributes, "size", style.size_pt, 2.0, 400.0)
        changes["min_pt"] = changes["size_pt"] if "min" not in attributes else style.min_pt
    if "min" in attributes:
        changes["min_pt"] = context.number(attributes, "min", style.min_pt, 2.0, 400.0)
    colour = attributes.get("colour", attributes.get("fill"))
    if colour is not None:
        changes["colour"] = context.colour(colour) or NONE
    if "hyphenate" in attributes:
        changes["is_hyphenated"] = context.yes_no(attributes, "hyphenate", style.is_hyphenated)
    valign = context.choice(attributes, "valign", _VALIGNS, "top")
    max_lines = context.whole(attributes, "lines", 1, 1000) if "lines" in attributes else None
    return TextBox(
        style_name, style._replace(**changes), context.box(attributes, cell), valign, max_lines,  # type: ignore[arg-type]
        attributes.get("together"), context.yes_no(attributes, "decoration", False),
    )  # fmt: skip


def _values(context: LayoutContext, source: str) -> Mapping[str, str]:
    if "{=" not in source:
        return {}
    return {
        name: str(as_written(value)) for name, value in context.values.items() if not isinstance(value, dict | list)
    }


def _field_of(values: Mapping[str, object], source: str, letters: Sequence[str] = ()) -> str:
    """Return words for the fields in a text, only those with these letters; empty if there are none."""
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
