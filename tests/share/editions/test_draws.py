"""Planning: each copy passes the check, no two are too near, and what cannot be is told before anything is printed."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from bingo import FILES, SETUP, copier_of
from duckpress.check.copy_games import PartPool, Pools, edition_problems
from duckpress.core.problems import Source
from duckpress.model.game import Copy, DrawnPart
from duckpress.press.checking import check
from duckpress.press.reading import load
from duckpress.share.editions import draws
from duckpress.share.editions.draws import DecksApart, most_copies, planned
from running import MakeWorkspace as Make

GAME = "content/bingo/game.yaml"


def copies(*ids: str) -> list[Copy]:
    return [Copy(id_, at, len(ids), {"name": id_, "prize": ""}) for at, id_ in enumerate(ids, 1)]


def test_no_two_copies_are_too_near_and_no_name_is_there_twice(make_workspace: Make) -> None:
    copier = copier_of(make_workspace(FILES))
    everyone = copies(*"abcdefghi")  # as many as there are names
    draws, problems = planned(copier, everyone)
    assert not problems
    assert any(draw.decks for draw in draws)
    assert any(draw.names for draw in draws)
    games = [copier.game(copy, draw).value for copy, draw in zip(everyone, draws, strict=True)]
    sheets = [game.decks["sheet"].cards[0].values for game in games]
    assert len({str(sheet["owner"]).partition(" and ")[2] for sheet in sheets}) == 9
    decks = [{card.id for card in game.decks["number"].cards} for game in games]
    assert all(len(one - other) >= 2 for one, other in combinations(decks, 2))


def test_moving_rows_changes_no_copy_and_adding_one_hardly_any(make_workspace: Make) -> None:
    game = FILES[GAME].replace("  names: {team: [mood, bird]}\n", "").replace(" and the {{ names.team }}", "")
    copier = copier_of(make_workspace({**FILES, GAME: game.replace("apart: 2", "apart: 1")}))
    names = "abcdef"
    before = dict(zip(names, planned(copier, copies(*names)).value, strict=True))
    after = dict(zip(names[::-1], planned(copier, copies(*names[::-1])).value, strict=True))
    assert after == before
    more = dict(zip("xabcdef", planned(copier, copies(*"xabcdef")).value, strict=True))
    assert sum(more[name] != before[name] for name in names) <= 1


def test_every_card_that_copies_draw_is_there_once_for_each_number_of_it(make_workspace: Make) -> None:
    twice = {
        "content/bingo/decks/number.yaml": FILES["content/bingo/decks/number.yaml"].replace('}}"}', '}}", copies: 2}')
    }
    for more in ({}, twice):
        copier, everyone = copier_of(make_workspace({**FILES, **more})), copies(*"abcd")
        draws = planned(copier, everyone).value
        cards = [
            {(card.id, card.copies) for card in copier.sample(dealt).decks["number"].cards}
            for dealt in copier.every_card(everyone, draws)
        ]
        games = [copier.game(copy, draw).value for copy, draw in zip(everyone, draws, strict=True)]
        drawn = {(card.id, card.copies) for game in games for card in game.decks["number"].cards}
        assert set().union(*cards) == drawn
        assert [{copies for _, copies in one} for one in cards] == [{1}, {2}][: 2 if more else 1]
    without = copier_of(make_workspace({**FILES, GAME: FILES[GAME].partition("edition:")[0]}))
    assert without.every_card(everyone, draws) == []


def test_each_copy_passes_the_check(make_workspace: Make) -> None:
    setup = f"{SETUP}totals:\n  even numbers: {{of: number, where: card.n % 2 == 0, count: 3}}\n"
    copier = copier_of(make_workspace({**FILES, "content/bingo/setup.yaml": setup}))
    everyone = copies(*"abcd")
    draws, problems = planned(copier, everyone)
    assert not problems
    for copy, draw in zip(everyone, draws, strict=True):
        even = [card for card in copier.game(copy, draw).value.decks["number"].cards if card.values["n"] % 2 == 0]
        assert len(even) == 3


def test_what_no_draw_can_meet_is_told_with_what_fails(make_workspace: Make) -> None:
    setup = "setup:\n  - pile: bag\n    take: {number: 6}\n"
    problems = planned(copier_of(make_workspace({**FILES, "content/bingo/setup.yaml": setup})), copies("a")).problems
    assert [one.code for one in problems] == ["pool-too-small", "not-enough"]
    assert problems[0].what == (
        "copy 'a': none of 100 decks that were drawn passes the check; the first one fails as follows"
    )
    assert problems[0].source.line == 10


def test_parts_that_leave_too_few_for_others_are_told(make_workspace: Make) -> None:
    """The first part takes a card that the second cannot do without, however it is drawn."""
    parts = (
        '{number: [{where: card.n <= 6, count: 6}, {where: "5 < card.n < 8", count: 2}, {where: card.n > 7, count: 3}]}'
    )
    game = FILES[GAME].partition("edition:")[0] + f"edition:\n  deal: {parts}\n"
    problems = planned(copier_of(make_workspace({**FILES, GAME: game})), copies("a")).problems
    assert [one.what for one in problems] == [
        "copy 'a': none of 100 decks that were drawn passes the check: "
        "parts of 'deal' leave too few for those behind them"
    ]


@pytest.mark.parametrize(
    ("edition", "count", "words"),
    [
        ("deal: {number: 2}\n  apart: 1", 67, "67 copies are asked for, and at most 66 can differ in 1 card"),
        ("deal: {number: 3}\n  apart: 2", 23, "23 copies are asked for, and at most 22 can differ in 2 cards"),
        ("names: {team: [mood, bird]}", 10, "10 copies are asked for, and the lists make 9 different names for 'team'"),
    ],
)
def test_a_pool_that_is_too_small_is_told_with_the_number_of_copies(
    edition: str, count: int, words: str, make_workspace: Make
) -> None:
    game = FILES[GAME].partition("edition:")[0] + f"edition:\n  {edition}\n"
    copier = copier_of(make_workspace({**FILES, GAME: game}))
    problems = planned(copier, copies(*map(str, range(count)))).problems
    assert [(one.code, one.what) for one in problems] == [("pool-too-small", words)]
    assert problems[0].source.line == (10 if "deal" in edition else 9)
    assert problems[0].fix.startswith("print fewer, ")


def test_where_chance_finds_no_free_name_it_is_told(make_workspace: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    game = FILES[GAME].partition("edition:")[0] + "edition:\n  names: {team: [mood, bird]}\n"
    copier = copier_of(make_workspace({**FILES, GAME: game}))
    assert planned(copier, copies("a")).value == [(0, 0)]
    monkeypatch.setattr(draws, "TRIES", 1)
    problems = planned(copier, copies(*"abcdefghi")).problems
    assert [(one.code, one.source.line, one.fix) for one in problems] == [
        ("pool-too-small", 9, "print fewer, or add words to the lists")
    ]
    assert problems[0].what.endswith(" of 9: none of 1 names made for it is free")


def test_where_chance_finds_no_deck_far_enough_the_bound_is_told(make_workspace: Make) -> None:
    game = FILES[GAME].partition("edition:")[0] + "edition:\n  deal: {number: 6}\n  apart: 6\n"
    copier = copier_of(make_workspace({**FILES, GAME: game}))
    problems = planned(copier, copies("a", "b")).problems
    assert [one.code for one in problems] == ["pool-too-small"]
    assert "none of 100 draws is far enough from all other copies; there are at most 2" in problems[0].what


def test_a_value_that_a_field_does_not_take_is_told_of_its_copy(make_workspace: Make) -> None:
    board = "content/bingo/boards/sheet.yaml"
    files = {**FILES, board: FILES[board].replace("{kind: text, default: Nobody}", "{kind: whole, default: 1}")}
    problems = planned(copier_of(make_workspace(files)), copies("a", "b")).problems
    assert {one.code for one in problems} == {"wrong-type"}
    assert problems[0].what.startswith("'owner' of deck 'sheet' in copy 'a' is 'a and the ")


WRONG = """\
edition:
  columns: {name: text}
  deal: {numbers: 3, sheet: 1}
  names: {team: [moods]}
  fields:
    sheets: {owner: x}
    sheet: {owners: x, owner: "{{ row.nme }}"}
"""


def test_names_that_nothing_bears_are_told_by_check(make_workspace: Make) -> None:
    game = FILES[GAME].partition("edition:")[0]
    workspace = make_workspace({**FILES, GAME: game + WRONG})
    told = [(one.code, one.source.line) for one in check(workspace, load(workspace, "bingo")).problems]
    assert told == [("unknown-deck", 10), ("unknown-list", 11), ("unknown-deck", 13), ("unknown-field", 14)]
    said = {one.what: one.fix for one in check(workspace, load(workspace, "bingo")).problems}
    assert said == {
        "the edition names deck 'numbers', and there is none": "did you mean 'number'?",
        "the names 'team' are made of the list 'moods', which game.yaml does not have": "did you mean 'mood'?",
        "the edition names deck 'sheets', and there is none": "did you mean 'sheet'?",
        "deck 'sheet' has no field 'owners' that a copy could fill": "did you mean 'owner'?",
    }
    mended = WRONG.replace("numbers: 3, sheet: 1", "number: 3").replace("[moods]", "[mood]")
    mended = mended.replace("    sheets: {owner: x}\n", "").replace("owners: x, ", "")
    workspace = make_workspace({**FILES, GAME: game + mended})
    told = [(one.code, one.source.line) for one in check(workspace, load(workspace, "bingo")).problems]
    assert told == [("unknown-name", 13)]


def test_a_deck_without_cards_of_its_own_is_not_drawn(make_workspace: Make) -> None:
    workspace = make_workspace({**FILES, GAME: FILES[GAME].replace("deal: {number:", "deal: {sheet: 1, number:")})
    loaded = load(workspace, "bingo")
    assert loaded.game is not None
    game = loaded.game
    assert edition_problems(workspace, game) == []
    sheet = replace(game.decks["sheet"], dealt_to="host", cards=())
    problems = edition_problems(workspace, replace(game, decks={**game.decks, "sheet": sheet}))
    told = {one.code: one.what for one in problems}
    assert told["deck-not-drawn"] == "deck 'sheet' has no cards of its own that copies could have some of"


def test_apart_without_a_deal_is_told(make_workspace: Make) -> None:
    workspace = make_workspace({**FILES, GAME: FILES[GAME].partition("edition:")[0] + "edition: {apart: 2}\n"})
    assert [one.code for one in load(workspace, "bingo").problems] == ["apart-unused"]


def pools(cards: str, count: int) -> Pools:
    """Return a pool with a card for each letter; equal letters are copies of one card."""
    letters = sorted(set(cards))
    numbers = tuple(letters.index(letter) for letter in sorted(cards))
    return Pools({"deck": (PartPool(DrawnPart(count, None, Source("game.yaml")), numbers),)})


@pytest.mark.parametrize(("cards", "count"), [("abcde", 2), ("aabbc", 3), ("aaab", 2), ("abc", 3), ("aabbccdd", 4)])
def test_different_decks_are_counted(cards: str, count: int) -> None:
    every = {tuple(sorted(hand)) for hand in combinations(sorted(cards), count)}
    assert most_copies(pools(cards, count), 1) == len(every)


@pytest.mark.parametrize("apart", [1, 2, 3, 4])
def test_decks_that_are_too_near_are_found_as_by_comparing_all(apart: int) -> None:
    pool = pools("aabbccddee", 4)
    decks = DecksApart(pool, apart)
    taken: list[list[int]] = []
    for number in range(300):
        hand = pool.draw("seed", "game", str(number), 0)["deck"]
        is_near = any(
            sum(max(0, hand.count(card) - other.count(card)) for card in set(hand)) < apart for other in taken
        )
        assert decks.add({"deck": hand}) is not is_near
        if not is_near:
            taken.append(list(hand))
    assert 1 <= len(taken) < 300
