"""Painting attributes -> `Paint`."""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.art.attribute_values import CAPS, JOINS, dash_lengths
from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.paths import Path
from duckpress.layout.elements.layout_context import Attributes, Desk

DEFAULT_STROKE_MM = 0.25


def read_paint(desk: Desk, attributes: Attributes, fill: str = "none", stroke: str = "none") -> Paint:
    """Return how a shape is painted; `fill` and `stroke` are the colours where the attribute is missing.

    Problems: `unknown-colour`, `bad-length`, `bad-number`, `bad-choice`.
    """
    line = desk.colour(attributes.get("stroke", stroke))
    width_mm = desk.size(attributes, "stroke-width", DEFAULT_STROKE_MM) if line is not None else 0.0
    if width_mm <= 0:
        line, width_mm = None, 0.0
    return Paint(
        fill=desk.colour(attributes.get("fill", fill)),
        stroke=line,
        stroke_mm=width_mm,
        fill_opacity=desk.number(attributes, "fill-opacity", 1.0, 0.0, 1.0),
        stroke_opacity=desk.number(attributes, "stroke-opacity", 1.0, 0.0, 1.0),
        dash_mm=_dashes(desk, attributes),
        cap=CAPS[desk.choice(attributes, "stroke-linecap", CAPS, "butt")],
        join=JOINS[desk.choice(attributes, "stroke-linejoin", JOINS, "miter")],
        even_odd=desk.choice(attributes, "fill-rule", ("nonzero", "evenodd"), "nonzero") == "evenodd",
    )


def painted(path: Path, paint: Paint, opacity: float = 1.0) -> tuple[Item, ...]:
    """Return a path as an item; nothing where nothing of it would show."""
    if not path or (paint.fill is None and paint.stroke is None) or opacity == 0:
        return ()
    if opacity == 1:
        return (Outline(path, paint),)
    if paint.fill is None or paint.stroke is None:
        faint = replace(
            paint,
            fill_opacity=round(paint.fill_opacity * opacity, 4),
            stroke_opacity=round(paint.stroke_opacity * opacity, 4),
        )
        return (Outline(path, faint),)
    # The inner half of the line lies over the fill: only together may they become transparent.
    return (Group((Outline(path, paint),), opacity=opacity),)


def _dashes(desk: Desk, attributes: Attributes) -> tuple[float, ...]:
    text = attributes.get("stroke-dasharray")
    if text is None:
        return ()
    dashes = dash_lengths(text)
    if dashes is None:
        desk.say("bad-length", f"stroke-dasharray={text[:40]!r} is not a list of lengths", "write dash and gap: 1.5 1")
        return ()
    return dashes
