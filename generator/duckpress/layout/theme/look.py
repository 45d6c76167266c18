"""One ink of a theme: every role as a colour, every text style complete."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from duckpress.art.colours import grey_of, hex_colour
from duckpress.core.problems import Source
from duckpress.layout.theme.theme import NONE, Theme, ThemeRule
from duckpress.text import TextStyle


class Look(Struct, frozen=True):
    """A theme in one ink: role -> `#rrggbb`, style name -> style, icon alias -> file.

    What is painted in a role of `unpainted`, or set in a style of that colour, is left out in this ink.
    """

    palette: dict[str, str]
    styles: dict[str, TextStyle]
    icons: dict[str, str]
    ink: str = "color"
    unpainted: frozenset[str] = frozenset()
    fonts_at: dict[str, Source] = {}  # by style: where its family is named

    @property
    def is_grey(self) -> bool:
        """Whether all colour is grey."""
        return self.ink == "grey"


def look_of(theme: Theme, ink: str) -> Look:
    """Return the look of a checked theme in `color`, `low` or `grey` ink.

    A role without a value for low ink keeps its colour; without one for grey it becomes the grey as light as it looks.
    """
    found = {role: _resolved(theme, role, ink) for role in theme.colours}
    palette = {role: colour for role, colour in found.items() if colour is not None}
    unpainted = frozenset((*(found.keys() - palette.keys()), NONE))
    styles = {name: _text_style(theme, name, palette, unpainted) for name in theme.styles}
    icons = {alias: written.text for alias, written in theme.icons.items()}
    return Look(palette, styles, icons, ink, unpainted, {name: _font_place(theme, name) for name in theme.styles})


def _font_place(theme: Theme, name: str) -> Source:
    rule = theme.styles[name]
    role = str(_values(theme, rule).get("font", next(iter(theme.families), "")))
    return theme.families[role].source if role in theme.families else rule.sources.get("font", rule.source)


def _resolved(theme: Theme, role: str, ink: str) -> str | None:
    seen = set()
    while role not in seen and role in theme.colours:
        seen.add(role)
        inks = theme.colours[role]
        written = inks.get(ink) or inks["color"]
        found = hex_colour(written.text)
        if found is not None:
            return grey_of(found) if ink == "grey" else found
        role = written.text
    return None if role == NONE else "#000000"


def _text_style(theme: Theme, name: str, palette: dict[str, str], unpainted: frozenset[str]) -> TextStyle:
    values = _values(theme, theme.styles[name])
    role = str(values.get("font", next(iter(theme.families), "")))
    family = theme.families[role].text if role in theme.families else role
    colour = str(values.get("colour", "ink"))
    size_pt = float(values.get("size", 9.0))
    return TextStyle(
        family=family,
        weight=str(values.get("weight", "regular")),
        is_italic=bool(values.get("italic", False)),
        size_pt=size_pt,
        min_pt=min(size_pt, float(values.get("min", size_pt))),
        leading=float(values.get("leading", 1.2)),
        align=str(values.get("align", "left")),
        colour=NONE if colour in unpainted else palette.get(colour) or hex_colour(colour) or "#000000",
        is_hyphenated=bool(values.get("hyphenate", False)),
        tracking=float(values.get("tracking", 0.0)),
        caps="upper" if values.get("caps") else "small" if values.get("small-caps") else "none",
    )


def _values(theme: Theme, rule: ThemeRule) -> dict[str, Any]:
    if rule.like is None:
        return dict(rule.values)
    inherited = _values(theme, theme.styles[rule.like.text])
    if "size" in rule.values and "min" not in rule.values:
        inherited.pop("min", None)  # a smallest size belongs to the size it was written with
    return inherited | dict(rule.values)
