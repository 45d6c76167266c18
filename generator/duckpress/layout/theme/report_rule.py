"""The key `qr` of a theme: where a code for reports stands on the faces of all decks and of some.

Problems: `unknown-colour`, and those of strict reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from duckpress.art.colours import hex_colour
from duckpress.content import Reader
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.layout.theme.imprint_rule import EVERY_DECK, PLACES, SIDES, ImprintRule, read_by_deck

KEYS = ("show", "place", "side", "size", "quiet", "inset", "x", "y", "fill", "ground", "decks")
NO_GROUND = "none"


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


def read_report_rules(reader: Reader | None) -> dict[str, ImprintRule]:
    """Give the rules of a theme by deck id, the one of all decks under `EVERY_DECK`."""
    return read_by_deck(reader, _readers)


def _readers(reader: Reader) -> dict[str, Callable[[str], object]]:
    return {
        "show": reader.yes_no,
        "place": lambda key: reader.choice(key, PLACES),
        "side": lambda key: reader.choice(key, SIDES),
        "size": lambda key: reader.number(key, low=4, high=100),
        "quiet": lambda key: int(reader.number(key, low=0, high=20)),
        "inset": lambda key: reader.number(key, low=0, high=100),
        "x": lambda key: reader.number(key, low=-500, high=500),
        "y": lambda key: reader.number(key, low=-500, high=500),
        "fill": reader.text,
        "ground": reader.text,
    }


def report_rule_of(rules: Mapping[str, ImprintRule], deck: str) -> tuple[ReportRule, Source]:
    """Give how the code of a deck is set, and the place that says most about it."""
    common, own = rules.get(EVERY_DECK), rules.get(deck)
    values: dict[str, Any] = {**(common.values if common else {}), **(own.values if own else {})}
    names = {"inset": "inset_mm", "x": "x_mm", "y": "y_mm", "size": "size_mm"}
    source = own.source if own else common.source if common else Source("")
    return ReportRule(**{names.get(key, key): value for key, value in values.items()}), source


def check_report_rules(rules: Mapping[str, ImprintRule], colours: Iterable[str], problems: list[Problem]) -> None:
    """Report every colour in the rules that leads nowhere."""
    known = list(colours)
    for rule in rules.values():
        for key in ("fill", "ground"):
            colour = rule.values.get(key)
            if not isinstance(colour, str) or colour in known or hex_colour(colour) is not None:
                continue
            if key == "ground" and colour == NO_GROUND:
                continue
            what = f"the code of a report has the {key} {colour!r}, which is not a role"
            problems.append(Problem("unknown-colour", rule.sources[key], what, did_you_mean(colour, known)))
