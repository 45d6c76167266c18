"""The least number of cards with which a setup has enough, found by trying each number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from enumerator.enumerating import REMOVAL, Group, Short, run
from enumerator.evaluating import named_places
from enumerator.laying import OwnDeck
from enumerator.looking import Look, Play

MOST_ADDED = 10


def least_cards(
    play: Play, put: Mapping[Group, int], group: Group, short: Short
) -> tuple[Play, dict[Group, int]] | None:
    """Return the game with the fewest cards more, with which a group has enough; None where no number does."""
    options = []
    for deck, card in cards_to_add(play, group, short):
        for number in range(1, MOST_ADDED):
            more = with_cards(play, deck, card, number)
            if group not in run(more, put, group.step).shorts:
                options.append((number, more))
                break
    if options:
        return min(options, key=lambda option: option[0])[1], dict(put)
    rule = play.steps[group.step]
    origin = rule.takes[group.part].origin if group.part != REMOVAL else rule.place
    for number in range(1, MOST_ADDED) if origin not in play.decks else ():
        more_put = {**put, group: put.get(group, 0) + number}
        if group not in run(play, more_put, group.step).shorts:
            return play, more_put
    return None


def cards_to_add(play: Play, group: Group, short: Short) -> list[tuple[str, int]]:
    """Return cards of which more may help: those that a step may take, of the decks whose cards come there."""
    rule = play.steps[group.step]
    origin = rule.takes[group.part].origin if group.part != REMOVAL else rule.place
    names, waiting = [], [origin]
    while waiting:
        name = waiting.pop(0)
        if name in names:
            continue
        names.append(name)
        if name not in play.decks:
            waiting += [part.origin for step in play.steps if step.place == name for part in step.takes]
    cards = [(name, at) for name in names if name in play.decks for at in range(len(play.decks[name].cards))]
    expression = rule.takes[group.part].where if group.part != REMOVAL else None
    if expression is None:
        return cards
    where = expression.text
    if origin in play.decks:
        return [one for one in cards if short.keys is None or one in {(key[0], key[2]) for key in short.keys}]
    if named_places(where) - {"card", "players", "seat", "nth"}:
        return []  # which cards are meant, may change with each one more
    look = Look(play, frozenset()).at(rule.each, group.goal)
    return [(name, at) for name, at in cards if look.holds(where, (name, 0, at))]


def with_cards(play: Play, deck: str, at: int, number: int) -> Play:
    cards = list(play.decks[deck].cards)
    cards[at] = {**cards[at], "copies": int(cards[at]["copies"]) + number}
    return replace(play, decks={**play.decks, deck: OwnDeck(deck, tuple(cards), play.decks[deck].is_per_player)})
