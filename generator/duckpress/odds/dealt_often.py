"""Setups dealt for a question, whatever their steps say: places of teams and numbers, `per`, choices.

The tables are those of playouts, on which the steps of the setup are done; no round is played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from duckpress.check.setup.rule_book import Book
from duckpress.model.amounts import Amount
from duckpress.model.setup import Rounds
from duckpress.odds.question import LooksAt, Question
from duckpress.playtest.game_table import GameTable, in_box
from duckpress.playtest.playing import Player

CardData = tuple[Mapping[str, Any], tuple[bool, ...]]
"""A card's fields, and for each comparison of a question whether it is one that its `where` means."""


def dealt_hands(
    book: Book, question: Question, players: int, variant: str | None, chance: random.Random,
    sizes: Callable[[int, int], tuple[int, ...]],
) -> Iterator[list[list[CardData]]]:  # fmt: skip
    """Yield the hands that a question looks at, setup after setup without an end. Raises `Stopped`.

    `sizes` gives how many cards each hand has, of how many that are wanted and how many there are.
    """
    player = Player(book, Rounds((), None, {}, False, {}, {}, book.setup.source), players, variant)
    formulas, wheres = player.formulas, [one.where for one in question.comparisons()]
    fitting = [formulas.fitting(where) if where is not None else None for where in wheres]
    size = formulas.number(Amount({None: question.size}, question.size.source)) if question.size is not None else None
    is_for_some = any(step.place == question.place and step.when is not None for step in book.steps(variant))
    while True:
        book.calculator.budget.begin()
        table = player.set_up(str(chance.getrandbits(64)))
        keys = _keys(table, question, is_for_some=is_for_some)
        if size is not None:
            there = len(table.lists[keys[0]])
            hands = [table.draw(keys[0], number, None, None) for number in sizes(size(), there)]
        else:
            hands = [table.lists[key] for key in keys]
        means = [fits() if fits is not None else None for fits in fitting]
        yield [[(table.data[card], tuple(fits is not None and card in fits for fits in means)) for card in hand]
               for hand in hands]  # fmt: skip


def _keys(table: GameTable, question: Question, *, is_for_some: bool) -> list[tuple[str, int]]:
    """Return what the question looks at: of places that each has, those of all, or the first one's.

    Where not everybody has such a place (`is_for_some`), those with cards are meant.
    """
    name = in_box(question.place) if table.is_deck(question.place) else question.place
    keys = [(name, instance) for instance in table.instances(name)] or [(name, 0)]
    for key in keys:
        table.list_at(key)
    keys = [key for key in keys if table.lists[key]] or keys if is_for_some else keys
    return keys if question.of and question.draw is LooksAt.PLACE else keys[:1]
