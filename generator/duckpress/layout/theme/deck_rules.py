"""What a theme says of the marks on cards: where imprints and codes for reports stand, for all decks and for some."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from duckpress.core.problems import Source
from duckpress.layout.theme.theme_keys import CodeKeys, DeckMarkKeys, ImprintKeys

NAMES = ("game", "version", "code", "card", "deck")
"""Names that the text of an imprint may have in braces."""
EVERY_DECK = ""
NAME = re.compile(r"\{([^{}]*)\}")
_LENGTHS = {"inset": "inset_mm", "x": "x_mm", "y": "y_mm", "size": "size_mm"}
_Record = TypeVar("_Record", "Imprint", "ReportRule")


class DeckRule(Struct, frozen=True):
    """What a theme says about the imprint or the code of all decks or of one: only the keys that are written."""

    values: Mapping[str, object]
    source: Source
    sources: Mapping[str, Source]


Rules = Mapping[str, DeckRule]
"""Rules by deck id, the one of all decks under `EVERY_DECK`."""


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


def deck_rules(written: ImprintKeys | CodeKeys | None) -> dict[str, DeckRule]:
    """Return the rules that a theme has under one of its keys."""
    if written is None:
        return {}
    return {**{deck: _rule(own) for deck, _, own in written.decks}, EVERY_DECK: _rule(written)}


def _rule(written: DeckMarkKeys) -> DeckRule:
    values = {key: value for key, value in written.written.items() if key != "decks"}
    return DeckRule(values, written.source, written.sources)


def merged(old: Rules, new: Rules) -> dict[str, DeckRule]:
    """Return the rules of a theme over those of the theme it extends: key by key, deck by deck."""
    rules = dict(old)
    for deck, rule in new.items():
        known = rules.get(deck)
        rules[deck] = rule if known is None else DeckRule(
            {**known.values, **rule.values}, rule.source, {**known.sources, **rule.sources}
        )  # fmt: skip
    return rules


def rule_of(rules: Rules, deck: str, record: type[_Record]) -> tuple[_Record, Source]:
    """Return how the imprint or the code of a deck is set, and the place that says most about it."""
    common, own = rules.get(EVERY_DECK), rules.get(deck)
    values: dict[str, Any] = {**(common.values if common else {}), **(own.values if own else {})}
    source = own.source if own else common.source if common else Source("")
    return record(**{_LENGTHS.get(key, key): value for key, value in values.items()}), source


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text of an imprint with its names replaced."""
    return NAME.sub(lambda match: values.get(match[1], match[0]), text)
