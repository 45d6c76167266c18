"""docs/checks.md, the language of setup.yaml: what it shows is a setup without a finding, with a game put around it."""

from __future__ import annotations

import re
from textwrap import dedent, indent

from pages import Page

from duckpress.check import check_game
from duckpress.model import Deck
from small_games import small_deck, small_game

LANGUAGE = Page("checks").sections["The language of setup.yaml"]
SETUP, MODULES, TAKE = (dedent(block) for block in re.findall(r"(?m)(?:^    .*\n)+", LANGUAGE))


def found(setup: str, *decks: Deck, **cards: int) -> str:
    return "\n".join(map(str, check_game(small_game(setup, *decks, **cards))))


def kinds_of(name: str, copies: int) -> Deck:
    return small_deck(name, [{"id": f"{name}-{kind}", "copies": copies, "kind": kind} for kind in "abc"])


def test_the_setup_is_one() -> None:
    species = {"mallard": 10, "teal": 10, "wigeon": 10, "pintail": 10, "gadwall": 10, "smew": 12}
    ducks = [
        {"id": f"{name}-{sex}", "copies": count // 2, "species": name, "sex": sex, "rare": name == "smew"}
        for name, count in species.items()
        for sex in ("drake", "hen")
    ]
    blinds = [{"id": f"blind-{seat}", "copies": 10, "owner": seat} for seat in (1, 2, 3, 4)]
    decks = small_deck("duck", ducks), small_deck("blind", blinds)
    assert found(SETUP, *decks, warden=4, bonus=3, goose=18, action=20) == ""


def test_the_modules_are_some() -> None:
    around = "setup: [{hand: hand, take: {duck: 5}}]\nvariants: {draft: {setup: [{hand: hand, take: {duck: 1}}]}}\n"
    assert found(around + MODULES, duck=24, weather=4) == ""


def test_what_is_taken_can_be() -> None:
    around = (
        "setup:\n  - {row: kingdom, take: {kingdom card: 2}}\n  - {pile: draw pile, take: {duck: 11}}\n"
        "  - aside: mat\n    each: player\n"
    )
    coins = small_deck("coin", [{"id": str(value), "copies": 20, "value": value} for value in (1, 5)])
    decks = coins, kinds_of("kingdom card", 1), kinds_of("supply", 48)
    assert found(around + indent(TAKE, "    "), *decks, faction=4, duck=11) == ""


def test_the_steps_in_its_sentences_are_steps() -> None:
    steps = re.findall(r"`(\{(?:box|pile): [^`]+\})`", LANGUAGE)
    assert len(steps) == 4
    around = ["{row: market, take: {duck: 5}}", "{pile: draw, take: {duck: 43}}"]
    assert found("setup:\n" + "".join(f"  - {step}\n" for step in (*around, *steps)), duck=48, epidemic=4) == ""
