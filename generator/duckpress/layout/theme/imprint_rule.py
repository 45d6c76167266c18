"""The key `imprint` of a theme: where the version and code of a card stand on its face, for all decks and for some.

Problems: `bad-imprint` for a text with an unknown name in it, `unknown-style`, `unknown-colour`, and those of strict
reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from duckpress.art.colours import hex_colour
from duckpress.content import Reader
from duckpress.core.problems import Problem, Source, did_you_mean

PLACES = (
    "top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right",
)  # fmt: skip
SIDES = ("front", "back")
TURNS = ("0", "90", "180", "270")
NAMES = ("game", "version", "code", "card", "deck")
KEYS = ("show", "place", "side", "style", "colour", "turn", "inset", "x", "y", "text", "decks")
TEXT = "{game} {version} · {code}"
EVERY_DECK = ""
_NAME = re.compile(r"\{([^{}]*)\}")


class ImprintRule(Struct, frozen=True):
    """What a theme says about the imprint of all decks or of one: only the keys that are written."""

    values: Mapping[str, object]
    source: Source
    sources: Mapping[str, Source]


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
    text: str = TEXT


def read_imprint(reader: Reader | None) -> dict[str, ImprintRule]:
    """Give the rules of a theme by deck id, the one of all decks under `EVERY_DECK`."""
    return read_by_deck(reader, _readers)


def read_by_deck(
    reader: Reader | None, readers: Callable[[Reader], Mapping[str, Callable[[str], object]]]
) -> dict[str, ImprintRule]:
    """Give rules by deck id, that of all decks under `EVERY_DECK`; `readers` gives what reads each of their keys."""
    if reader is None:
        return {}
    rules = {}
    decks = reader.reader("decks")
    for deck in decks.keys() if decks is not None else ():
        inner = decks.reader(deck) if decks is not None else None
        if inner is not None:
            rules[deck] = _rule(inner, readers(inner))
            inner.finish()
    rules[EVERY_DECK] = _rule(reader, readers(reader))
    reader.finish()
    return rules


def _readers(reader: Reader) -> dict[str, Callable[[str], object]]:
    return {
        "show": reader.yes_no,
        "place": lambda key: reader.choice(key, PLACES),
        "side": lambda key: reader.choice(key, SIDES),
        "style": reader.text,
        "colour": reader.text,
        "turn": lambda key: int(reader.choice(key, TURNS)),
        "inset": lambda key: reader.number(key, low=0, high=100),
        "x": lambda key: reader.number(key, low=-500, high=500),
        "y": lambda key: reader.number(key, low=-500, high=500),
        "text": reader.text,
    }


def _rule(reader: Reader, read: Mapping[str, Callable[[str], object]]) -> ImprintRule:
    written = reader.keys()
    values = {key: read_key(key) for key, read_key in read.items() if key in written}
    for key in read:
        reader.node(key)  # so that `finish` knows all the keys there could be
    return ImprintRule(values, reader.source, reader.sources())


def merged(old: Mapping[str, ImprintRule], new: Mapping[str, ImprintRule]) -> dict[str, ImprintRule]:
    """Give the rules of a theme over those of the theme it extends: key by key, deck by deck."""
    found = dict(old)
    for deck, rule in new.items():
        known = found.get(deck)
        found[deck] = rule if known is None else ImprintRule(
            {**known.values, **rule.values}, rule.source, {**known.sources, **rule.sources}
        )  # fmt: skip
    return found


def imprint_of(rules: Mapping[str, ImprintRule], deck: str) -> tuple[Imprint, Source]:
    """Give how the imprint of a deck is set, and the place that says most about it."""
    common, own = rules.get(EVERY_DECK), rules.get(deck)
    values: dict[str, Any] = {**(common.values if common else {}), **(own.values if own else {})}
    names = {"inset": "inset_mm", "x": "x_mm", "y": "y_mm"}
    source = own.source if own else common.source if common else Source("")
    return Imprint(**{names.get(key, key): value for key, value in values.items()}), source


def check_imprint(
    rules: Mapping[str, ImprintRule], styles: Iterable[str], colours: Iterable[str], problems: list[Problem]
) -> None:
    """Report every name in the rules that leads nowhere."""
    styles, colours = list(styles), list(colours)
    for rule in rules.values():
        style, colour, text = rule.values.get("style"), rule.values.get("colour"), rule.values.get("text")
        if isinstance(style, str) and style not in styles:
            what = f"the imprint is set in {style!r}, which is not a text style"
            problems.append(Problem("unknown-style", rule.sources["style"], what, did_you_mean(style, styles)))
        if isinstance(colour, str) and colour not in colours and hex_colour(colour) is None:
            what = f"the imprint has the colour {colour!r}, which is not a role"
            problems.append(Problem("unknown-colour", rule.sources["colour"], what, did_you_mean(colour, colours)))
        if isinstance(text, str):
            for name in _NAME.findall(text):
                if name not in NAMES:
                    what = f"the text of the imprint names {{{name[:40]}}}, which it does not know"
                    fix = did_you_mean(name, NAMES)
                    problems.append(Problem("bad-imprint", rule.sources["text"], what, fix))
    shown = [rule for rule in rules.values() if rule.values.get("show")]
    if shown and not any("style" in rule.values for rule in rules.values()) and "imprint" not in styles:
        what = "the imprint is set in the text style 'imprint', which the theme does not have"
        fix = "add it under 'text', or begin the theme with 'extends: base'"
        problems.append(Problem("unknown-style", shown[0].source, what, fix))


def filled(text: str, values: Mapping[str, str]) -> str:
    """Give the text of an imprint with its names replaced."""
    return _NAME.sub(lambda match: values.get(match[1], match[0]), text)
