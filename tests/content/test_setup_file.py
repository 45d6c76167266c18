"""Reading setup.yaml: what it gives, and the problems of its form, each at its place."""

from __future__ import annotations

import re

import pytest

from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Read, Source
from duckpress.model.setup import PlaceKind, Setup

PATH = "content/small/setup.yaml"


def read(text: str) -> Read[Setup | None]:
    node, problems = read_yaml(PATH, text.encode())
    assert node is not None
    setup, more = read_setup(node)
    return Read(setup, [*problems, *more])


SHORT = """\
setup:
  - {pile: play deck, take: {duck: {2: 28, 3-4: 42}, rest: all}}
  - {hand: hand, take: {play deck: 4}, only: [2, 4-5]}
table:
  play deck: {title: The play deck, short: Deck}
  dealt: {shows: taken('duck')}
variants: {draft: {drops: [hand]}}
"""


def test_what_is_said_in_short_is_read_in_full_with_its_places() -> None:
    setup, problems = read(SHORT)
    assert problems == []
    assert setup is not None
    pile, hand = setup.steps
    assert (pile.kind, pile.place, pile.source) == (PlaceKind.PILE, "play deck", Source(PATH, 2, 12))
    duck, rest = pile.takes
    assert {count: one.text for count, one in duck.amount.by_players.items()} == {2: "28", 3: "42", 4: "42"}
    assert duck.amount.by_players[3].source == Source(PATH, 2, 49)
    assert (rest.origin, rest.source, rest.amount.by_players[None].text) == ("rest", Source(PATH, 2, 54), "all")
    assert (hand.is_for_each_player, hand.only) == (True, (2, 4, 5))
    assert [(column.key, column.title, column.short, column.shows.text) for column in setup.columns] == [
        ("play deck", "The play deck", "Deck", "play_deck"),
        ("dealt", "dealt", "dealt", "taken('duck')"),
    ]
    assert setup.variants["draft"].drops == (("hand", Source(PATH, 7, 28)),)


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
