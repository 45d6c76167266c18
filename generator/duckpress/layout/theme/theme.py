"""A theme as data: the look of a game for every ink, and where imprints and codes stand; `Look` is one ink of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.art.values import grey_of, hex_colour
from duckpress.content.yaml.kinds import Placed
from duckpress.core.inks import CLEAN
from duckpress.core.problems import Source
from duckpress.text import TextStyle, emoji_name

NONE = "none"  # the colour of what is not painted
NAMES = ("game", "version", "code", "card", "deck")
"""Names that the text of an imprint may have in braces."""
EVERY_DECK = ""
NAME = re.compile(r"\{([^{}]*)\}")
_LENGTHS = {"inset": "inset_mm", "x": "x_mm", "y": "y_mm", "size": "size_mm"}
_Record = TypeVar("_Record", "Imprint", "ReportRule")


class ThemeRule(NamedTuple):
    """What a theme says about a text style, or about a mark on the cards of one deck or of all.

    It has only the keys that are written, each with its place, and the text style that it is `like`.
    """

    values: Mapping[str, object]
    source: Source
    sources: Mapping[str, Source]
    like: Placed | None = None


class Theme(Struct, frozen=True):
    """The look of a game, for every ink, with the themes it extends worked in.

    `imprint` and `qr` are by deck id, the rule of all decks under `EVERY_DECK`.
    """

    name: str
    source: Source
    families: dict[str, Placed] = field(default_factory=dict)
    colours: dict[str, dict[str, Placed]] = field(default_factory=dict)
    styles: dict[str, ThemeRule] = field(default_factory=dict)
    icons: dict[str, Placed] = field(default_factory=dict)
    imprint: dict[str, ThemeRule] = field(default_factory=dict)
    qr: dict[str, ThemeRule] = field(default_factory=dict)
    is_vector_required: bool = False


class Imprint(Struct, frozen=True):
    """How the imprint of a deck is set. `inset_mm` is from the cut; None: as far as the safe zone."""

    show: bool = False
    place: str = "bottom-left"
    side: str = "front"
    style: str = "imprint"
    colour: str | None = None
    turn: int = 0
    inset_mm: float | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0
    text: str = "{game} {version} · {code}"


class ReportRule(Struct, frozen=True):
    """How the code of a deck is set. `size_mm` is its side, `quiet` modules of light rim on all sides included.

    `inset_mm` is from the cut; None: as far as the safe zone.
    """

    show: bool = False
    place: str = "bottom-right"
    side: str = "front"
    size_mm: float = 12.0
    quiet: int = 4  # source: ISO/IEC 18004, 6.3.8
    inset_mm: float | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0
    fill: str = "ink"
    ground: str = "#ffffff"


def rule_of(rules: Mapping[str, ThemeRule], deck: str, record: type[_Record]) -> tuple[_Record, Source]:
    """Return how the imprint or the code of a deck is set, and the place that says most about it."""
    common, own = rules.get(EVERY_DECK), rules.get(deck)
    values: dict[str, Any] = {**(common.values if common else {}), **(own.values if own else {})}
    source = own.source if own else common.source if common else Source("")
    return record(**{_LENGTHS.get(key, key): value for key, value in values.items()}), source


def in_finish(theme: Theme, finish: str, *, has_address: bool) -> Theme:
    """Return a theme whose imprints and codes stand on the faces that a finish has them on; without one, as it says.

    Clean faces have none. Those of a prototype have imprints, but for decks that say otherwise, and the theme's codes
    where these lead to an address.
    """
    if not finish:
        return theme
    if finish == CLEAN:
        return replace(theme, imprint={}, qr={})
    common = theme.imprint.get(EVERY_DECK, ThemeRule({}, theme.source, {}))
    imprint = theme.imprint
    if common.values.get("style", Imprint().style) in theme.styles:
        imprint = {**imprint, EVERY_DECK: common._replace(values={**common.values, "show": True})}
    return replace(theme, imprint=imprint, qr=theme.qr if has_address else {})


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text of an imprint with its names replaced."""
    return NAME.sub(lambda match: values.get(match[1], match[0]), text)


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
    is_vector_required: bool = False

    @property
    def is_grey(self) -> bool:
        """Whether all colour is grey."""
        return self.ink == "grey"


def look_of(theme: Theme, ink: str) -> Look:
    """Return the look of a checked theme in `color`, `low` or `grey` ink.

    A role without a value for low ink keeps its colour; without one for grey it becomes the grey as light as it looks.
    """
    colours = {role: _resolved(theme, role, ink) for role in theme.colours}
    palette = {role: colour for role, colour in colours.items() if colour is not None}
    unpainted = frozenset((*(colours.keys() - palette.keys()), NONE))
    icons = {emoji_name(alias): written.text for alias, written in theme.icons.items()}
    styles, fonts_at = {}, {}
    for name, rule in theme.styles.items():
        values = _values(theme, rule)
        role = str(values.get("font", next(iter(theme.families), "")))
        family = theme.families.get(role) or Placed(role, rule.sources.get("font", rule.source))
        styles[name] = _text_style(values, family.text, palette, unpainted)
        fonts_at[name] = family.source
    return Look(palette, styles, icons, ink, unpainted, fonts_at, theme.is_vector_required)


def _resolved(theme: Theme, role: str, ink: str) -> str | None:
    seen = set()
    while role not in seen and role in theme.colours:
        seen.add(role)
        inks = theme.colours[role]
        written = inks.get(ink) or inks["color"]
        colour = hex_colour(written.text)
        if colour is not None:
            return grey_of(colour) if ink == "grey" else colour
        role = written.text
    return None if role == NONE else "#000000"


def _text_style(
    values: Mapping[str, Any], family: str, palette: Mapping[str, str], unpainted: frozenset[str]
) -> TextStyle:
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
        figures=str(values.get("figures", "own")),
    )


def _values(theme: Theme, rule: ThemeRule) -> dict[str, Any]:
    if rule.like is None:
        return dict(rule.values)
    inherited = _values(theme, theme.styles[rule.like.text])
    if "size" in rule.values and "min" not in rule.values:
        inherited.pop("min", None)  # a smallest size belongs to the size it was written with
    return inherited | dict(rule.values)
