"""Decks as they go to another process: the same cards, whatever stands in them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.content import load_game
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.model import Card, Deck

AT = Source("content/pond/deck.yaml", 3, 5)


@pytest.fixture(scope="module")
def deck(project: Workspace) -> Deck:
    game, _ = load_game(project, "ducks-in-a-row")
    assert game is not None
    return next(iter(game.decks.values()))


def card(**values: Any) -> Card:
    return Card("duck", "ducks", values, 2, AT, {name: AT._replace(line=9) for name in values})


FLAT = card(a="word", b=7, c=7.0, d=True, e=None, f=("x", 1, 2.5, False, None), g=(), h=-(2**63))
ODD = {
    "nested": card(a=(("x",), 1)),
    "mapping": card(a={"b": 1}),
    "large": card(a=2**70),
    "half a letter": card(a="\ud800"),
}


def cards_on_the_way(deck: Deck) -> object:
    """Return what pickle is given for a deck's cards."""
    _, (fields,) = deck.__reduce__()
    assert isinstance(fields, dict)
    return fields["cards"]


def kinds(value: object) -> object:
    return [kinds(one) for one in value] if isinstance(value, tuple) else type(value)


def test_plain_values_go_as_bytes(deck: Deck) -> None:
    one = replace(deck, cards=(FLAT, replace(FLAT, id="drake")))
    assert isinstance(cards_on_the_way(one), bytes)
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert [kinds(tuple(found.values.values())) for found in again.cards] == [kinds(tuple(FLAT.values.values()))] * 2
    assert type(again.cards[0].source) is Source is type(again.cards[0].sources["a"])


@pytest.mark.parametrize("name", ODD)
def test_other_values_go_as_they_are(name: str, deck: Deck) -> None:
    one = replace(deck, cards=(FLAT, ODD[name]))
    assert cards_on_the_way(one) == one.cards
    assert pickle.loads(pickle.dumps(one)) == one


def test_whole_decks_are_the_same(deck: Deck) -> None:
    assert len(deck.cards) > 10
    assert pickle.loads(pickle.dumps(deck)) == deck
