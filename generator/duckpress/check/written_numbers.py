"""The whole numbers that are written in a setup and the copies of its cards: what each is, and the game with another.

Those are the numbers of steps and values, and the copies of cards of every deck that the setup names; cards that are
alike in everything it looks at are one kind. What is itself a check (totals, expectations, bounds, `slots`) is none of
them, nor are facts, texts, tables, seats, boards and rounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import fields, replace

from duckpress.check.setup.later_places import step_expressions, written
from duckpress.check.setup_expressions import without_strings
from duckpress.check.unused_parts import every_expression
from duckpress.core.problems import Source
from duckpress.model import Deck, Game
from duckpress.model.amounts import Expression, as_name
from duckpress.model.setup import Setup, Variant

MOST_KINDS = 40  # of a deck's cards; of more, so many are changed, spread over the deck
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")


class WrittenNumber(NamedTuple):
    """A number that is written somewhere, the game with another one, and expressions that are likely to tell that."""

    source: Source
    words: str
    about: str  # the place, value or deck that has it
    number: int
    changed: Callable[[int], Game]
    asks: list[str]
    part: str = ""  # the variant or module that it belongs to


def numbers_of(game: Game, setup: Setup, most_kinds: int | None = MOST_KINDS) -> list[WrittenNumber]:
    """Return the numbers of a game's setup, and of its cards' copies."""
    # Of '3-4: 5' both player counts have the number, which is written once.
    numbers = {number.source: number for number in _of_numbers(game, setup)}
    return [*numbers.values(), *_of_cards(game, setup, most_kinds)]


def _of_numbers(game: Game, setup: Setup) -> Iterator[WrittenNumber]:
    """Yield each number that is written in a value or a step."""
    names = [as_name(name) for name in setup.values]
    places = {step.place: step for part in _parts(setup) for step in part.steps}
    common = [*names, *(f"taken('{deck}')" for deck in game.decks), *map(as_name, places)]
    common += [f"{ask}('{place}')" for ask in ("total", "removed") for place in places]
    for value in setup.values.values():
        for expression in written(value.amount):
            asks = [as_name(value.name), *common]
            yield from _in_text(game, setup, expression, f"value {value.name!r}", value.name, asks)
    for part in _parts(setup):
        for step in part.steps:
            asks = [f"taken('{take.origin}')" for take in step.takes if take.origin in game.decks]
            asks += [as_name(step.place), f"removed('{step.place}')"]
            asks += [f"count('{step.place}', where=\"{take.where.text}\")" for take in step.takes if take.where]
            for expression in step_expressions(replace(step, slots=None)):  # the most that fits is a check itself
                name = part.id if isinstance(part, Variant) else ""
                yield from _in_text(
                    game, setup, expression, f"{step.kind.value} {step.place!r}", step.place, [*asks, *common], name
                )


def _in_text(
    game: Game, setup: Setup, expression: Expression, words: str, about: str, asks: list[str], part: str = ""
) -> Iterator[WrittenNumber]:
    for match in _NUMBER.finditer(without_strings(expression.text)):

        def changed(number: int, start: int = match.start(), end: int = match.end()) -> Game:
            text = f"{expression.text[:start]}{number}{expression.text[end:]}"
            return replace(game, setup=_replaced(setup, expression, replace(expression, text=text)))

        whole = f"{expression.text!r} of the {words}" if match[0] != expression.text else f"an amount of the {words}"
        yield WrittenNumber(expression.at(match.start()), whole, about, int(match[0]), changed, asks, part)


def _replaced(record: Any, old: Expression, new: Expression) -> Any:
    """Return a record of a setup with another expression wherever it has one, as it stands at one place of the file."""
    if isinstance(record, Expression) and record == old:
        return new
    if isinstance(record, Struct):
        values = {field.name: getattr(record, field.name) for field in fields(record)}
        others = {name: _replaced(value, old, new) for name, value in values.items()}
        changes = {name: value for name, value in others.items() if value is not values[name]}
        return replace(record, **changes) if changes else record
    if isinstance(record, Mapping):
        mapping = {key: _replaced(value, old, new) for key, value in record.items()}
        return mapping if any(mapping[key] is not value for key, value in record.items()) else record
    if isinstance(record, tuple):
        entries = tuple(_replaced(entry, old, new) for entry in record)
        return entries if any(one is not other for one, other in zip(entries, record, strict=True)) else record
    return record


def _of_cards(game: Game, setup: Setup, most_kinds: int | None) -> Iterator[WrittenNumber]:
    """Yield the copies of one card of each kind, of the decks that the setup names."""
    texts = " ".join(expression.text for expression in every_expression(setup))
    texts += " ".join(f" {balance.by} {balance.field}" for part in _parts(setup) for balance in part.balances)
    origins = {take.origin for part in _parts(setup) for step in part.steps for take in step.takes}
    for deck in game.decks.values():
        if not deck.is_component or (deck.id not in origins and f"'{deck.id}'" not in texts):
            continue
        names = [name for name in ("id", *deck.fields) if re.search(rf"\b{re.escape(name)}\b", texts)]
        kinds: dict[str, list[int]] = {}
        for at, card in enumerate(deck.cards):
            seen = [card.id if name == "id" else card.values.get(name) for name in names]
            kinds.setdefault(repr((card.copies, seen)), []).append(at)
        groups = list(kinds.values())
        for group in groups[:: -(-len(groups) // (most_kinds or len(groups)))] if groups else ():
            yield _of_card(game, deck, group)


def _of_card(game: Game, deck: Deck, group: list[int]) -> WrittenNumber:
    card = deck.cards[group[0]]

    def changed(number: int) -> Game:
        cards = tuple(replace(one, copies=number) if one is card else one for one in deck.cards)
        return replace(game, decks={**game.decks, deck.id: replace(deck, cards=cards)})

    alike = f", as of {len(group) - 1} alike" if len(group) > 1 else ""
    words = f"copies of {card.id!r} in deck {deck.id!r}{alike}"
    return WrittenNumber(card.at("copies"), words, deck.id, card.copies, changed, [f"count('{deck.id}')"])


def _parts(setup: Setup) -> tuple[Setup | Variant, ...]:
    return setup, *setup.all_variants.values()
