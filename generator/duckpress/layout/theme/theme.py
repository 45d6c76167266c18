"""A theme as data: the look of a game for every ink."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.content.yaml.kinds import Placed
from duckpress.core.problems import Source
from duckpress.layout.theme.deck_rules import DeckRule

NONE = "none"  # the colour of what is not painted


class StyleRule(NamedTuple):
    """What a theme says about a text style: only the keys that are written, and the style it is `like`."""

    values: Mapping[str, object]
    like: Placed | None
    source: Source
    sources: Mapping[str, Source]


class Theme(Struct, frozen=True):
    """The look of a game, for every ink, with the themes it extends worked in."""

    name: str
    source: Source
    families: dict[str, Placed] = field(default_factory=dict)
    colours: dict[str, dict[str, Placed]] = field(default_factory=dict)
    styles: dict[str, StyleRule] = field(default_factory=dict)
    icons: dict[str, Placed] = field(default_factory=dict)
    imprint: dict[str, DeckRule] = field(default_factory=dict)
    qr: dict[str, DeckRule] = field(default_factory=dict)
