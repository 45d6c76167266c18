"""A theme as data: the look of a game for every ink, and where imprints and codes for reports stand on its cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from duckpress.content.yaml.kinds import Placed
from duckpress.core.problems import Source

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


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text of an imprint with its names replaced."""
    return NAME.sub(lambda match: values.get(match[1], match[0]), text)
