"""Reading setup.yaml: what it gives, and the problems of its form, each at its place."""

from __future__ import annotations

import re

import pytest

from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Level, Read, Source
from duckpress.model.setup import PlaceKind, Setup

PATH = "content/small/setup.yaml"


def read(text: str) -> Read[Setup | None]:
    node, problems = read_yaml(PATH, text.encode())
    assert node is not None
    setup, more = read_setup(node)
    return Read(setup, [*problems, *more])


FULL = """\
title: Setting up
values: {flight: players + 1}
setup:
  - pile: play deck
    take:
      duck: {2: 28, 3-4: 42}
      blind: {where: card.owner == seat, count: 2}
      rest: all
    remove: 5
  - hand: hand
    take: {play deck: 4}
    only: [2, 4-5]
  - row: market
    each: player
    slots: flight
    take: {duck: 1}
totals:
  duck: 62
  both: {of: [duck, blind], where: card.rare, count: 3}
expect:
  - that: play_deck % 2 == 0
    level: warning
    say: "{{ play_deck }} is odd"
balanced:
  - {deck: duck, by: species, field: sex}
table:
  play deck: {title: The play deck, short: Deck}
  dealt: {shows: taken('duck')}
variants:
  draft:
    drops: [market]
    setup:
      - {hand: hand, replaces: hand, take: {duck: 5}}
notes: [Shuffle.]
"""


def test_everything_that_can_be_said() -> None:
    setup, problems = read(FULL)
    assert problems == []
    assert setup is not None
    pile, hand, market = setup.steps
    assert (pile.kind, pile.place, pile.source) == (PlaceKind.PILE, "play deck", Source(PATH, 4, 11))
    duck, blind, rest = pile.takes
    assert {count: one.text for count, one in duck.amount.by_players.items()} == {2: "28", 3: "42", 4: "42"}
    assert duck.amount.by_players[3].source == Source(PATH, 6, 26)
    assert blind.where is not None
    assert (blind.where.text, blind.amount.by_players[None].text) == ("card.owner == seat", "2")
    assert (rest.origin, rest.source, rest.amount.by_players[None].text) == ("rest", Source(PATH, 8, 7), "all")
    assert (hand.is_for_each_player, hand.only) == (True, (2, 4, 5))
    assert (market.is_for_each_player, market.slots is not None) == (True, True)
    assert [(total.name, total.decks, total.wanted.text) for total in setup.totals] == [
        ("duck", ("duck",), "62"),
        ("both", ("duck", "blind"), "3"),
    ]
    assert setup.expectations[0].level is Level.WARNING
    assert [(column.key, column.title, column.short, column.shows.text) for column in setup.columns] == [
        ("play deck", "The play deck", "Deck", "play_deck"),
        ("dealt", "dealt", "dealt", "taken('duck')"),
    ]
    draft = setup.variants["draft"]
    assert (draft.drops, draft.steps[0].replaces) == ((("market", Source(PATH, 31, 13)),), "hand")


@pytest.mark.parametrize(
    "text",
    [
        "[]  # expect: wrong-type at 1",
        "setup: [{take: {a: 1}}]  # expect: no-place at 9",
        "setup: [{pile: a, hand: b}]  # expect: several-places at 9",
        "setup: [{pile: a, take: {b: []}}]  # expect: empty-value at 29",
        "setup: [{pile: a, take: {b: {choose: 1, count: 2}}}]  # expect: not-together at 41",
        "setup: [{pile: a, take: {b: {choose: 1, per: c}}}]  # expect: not-together at 41",
        "setup: [{pile: a, each: 2, take: {b: {choose: even}}}]  # expect: not-together at 47",
        "setup: [{pile: a, each: 2, take: {b: {per: c, choose: even}}}]  # expect: not-together at 39,"
        " # expect: not-together at 55",
        "setup: [{pile: a, take: {b: even}}]  # expect: not-together at 29",
        "setup: [{box: a, each: player}]  # expect: not-together at 18",
        "setup: [{box: a, slots: 1, remove: 1}]  # expect: not-together at 28, # expect: not-together at 18",
        "setup: [{row: a, shuffled: no}]  # expect: not-together at 18",
        "setup: [{pile: a, take: {b: {2: 1, 2-3: 4}}}]  # expect: repeated-count at 36",
        "setup: [{pile: a, take: {b: {two: 1}}}]  # expect: bad-player-count at 30",
        "setup: [{pile: a, only: many}]  # expect: bad-player-count at 25",
        "setup: [{pile: a, each: {two: 1}}]  # expect: bad-player-count at 26",
        "totals: {a: {of: b}}  # expect: missing-key at 13",
        "expect: [{say: a}]  # expect: missing-key at 10",
        "variants: {a: {only: few}}  # expect: bad-player-count at 22",
        "modules: {base: {}}  # expect: bad-name at 11",
        "variants: {'a,b': {}}  # expect: bad-name at 12",
        "{variants: {a: {}}, modules: {a: {}}}  # expect: duplicate-id at 31",
    ],
)
def test_mistakes_of_form(text: str) -> None:
    _, problems = read(text)
    expected = re.findall(r"# expect: (\S+) at (\d+)", text)
    assert [(one.code, str(one.source.column)) for one in problems] == expected


def test_numbers_by_player_count_are_not_taken_for_a_text_without_quotes() -> None:
    _, problems = read("totals: {a: {count: {2: 3, 3-4: 5}}}")
    assert "give them a name under 'values'" in problems[0].fix
