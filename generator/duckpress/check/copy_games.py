"""A game, a copy and its random draws -> the game of that copy, which stages take like any other.

`edition_problems` tells what is wrong with `edition:` before there are any copies: unknown names, texts, pools.

Decks of copies are drawn from pools: which cards a copy has, from the seed of the edition and the copy's own id, and
nothing else. So a copy has the same cards wherever its row stands and whatever rows there are beside it. The stream of
chance is that of deals (`check.dealing.Chance`); its fields are `edition`, the seed, the game's id, the copy's id,
which draw it is (0, 1, ...: one that does not do is thrown away) and the deck. For each part in turn cards are taken as
Fisher and Yates shuffle: the k-th card is that at a random place from the k-th on, and the two change places.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check.dealing import Chance
from duckpress.content.game.families import FilledText, TextFiller
from duckpress.content.game.fields import default_of, reader_of
from duckpress.content.yaml.nodes import Cell
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Card, Deck, FieldKind, Game, Value
from duckpress.model.game import Copy, DrawnPart, EditionPlan, FilledField, Told, told
from duckpress.model.setup import as_name

Dealt = Mapping[str, Sequence[int]]
"""By deck the numbers of the cards drawn, in the order of drawing; one of several copies may be there several times."""

_SEED_LETTERS = 20


class PartPool(Struct, frozen=True):
    """The cards of a deck that a part may draw, by number and repeated for each copy."""

    part: DrawnPart
    cards: tuple[int, ...]


class Pools(Struct, frozen=True):
    """The cards to draw from, by deck."""

    decks: Mapping[str, tuple[PartPool, ...]]

    def draw(self, seed: str, game_id: str, copy_id: str, attempt: int) -> Dealt:
        """Return the drawn cards of a copy, fewer than wanted if there are not enough."""
        return {
            deck: _drawn(parts, Chance("edition", seed, game_id, copy_id, attempt, deck))
            for deck, parts in self.decks.items()
        }

    def is_complete(self, dealt: Dealt) -> bool:
        """Return whether all wanted cards were drawn: a part may draw the cards that a later one needs."""
        return all(len(dealt[deck]) == sum(one.part.count for one in parts) for deck, parts in self.decks.items())


def _drawn(parts: Sequence[PartPool], chance: Chance) -> list[int]:
    drawn: list[int] = []
    for part in parts:
        left = _without(part.cards, drawn) if drawn else list(part.cards)
        for at in range(min(part.part.count, len(left))):
            other = at + chance.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        drawn += left[: part.part.count]
    return drawn


def _without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    """Return cards without the given ones, one for one."""
    counts, left = Counter(gone), []
    for card in cards:
        if counts[card]:
            counts[card] -= 1
        else:
            left.append(card)
    return left


def pools_of(game: Game) -> Read[Pools]:
    """Return the pools of the decks of a game's copies.

    Problems: those of a condition (`bad-expression`, `unknown-name`); `pool-too-small` where a part asks for more cards
    than there are.
    """
    problems = ProblemList()
    plan = game.edition
    decks: dict[str, tuple[PartPool, ...]] = {}
    for id_, parts in plan.draws.items() if plan is not None else ():
        if id_ not in game.decks:
            continue  # the check of the plan tells
        deck, pools = game.decks[id_], []
        for part in parts:
            pool = PartPool(part, problems.take(_fitting(game, deck, part)))
            pools.append(pool)
            if len(pool.cards) < part.count and not problems:
                problems.append(_too_few(deck, pool))
        decks[id_] = tuple(pools)
        wanted, available = sum(part.count for part in parts), len(every_card(pools))
        if wanted > available and not problems:
            what = f"each copy has {wanted} cards of deck {id_!r}, and no more than {available} can be drawn"
            problems.add("pool-too-small", parts[0].source, what, "draw fewer, or add cards")
    return Read(Pools(decks), problems)


def every_card(pools: Sequence[PartPool]) -> list[int]:
    """Return all cards that any part may draw, repeated for each copy."""
    most = Counter[int]()
    for pool in pools:
        most |= Counter(pool.cards)
    return list(most.elements())


def _too_few(deck: Deck, pool: PartPool) -> Problem:
    part, there = pool.part, len(pool.cards)
    for_which = f" for which {part.where.text!r} is true" if part.where is not None else ""
    what = f"each copy has {part.count} cards of deck {deck.id!r}{for_which}, and there are {there}"
    lacking = part.count - there
    fix = f"draw at most {there}, or add {lacking} card{'s' * (lacking > 1)}" if there else "correct it, or add cards"
    return Problem("pool-too-small", part.source, what, fix)


def _fitting(game: Game, deck: Deck, part: DrawnPart) -> Read[tuple[int, ...]]:
    """Return the numbers of the cards that a part may draw, repeated for each copy."""
    every = [at for at, card in enumerate(deck.cards) for _ in range(card.copies)]
    if part.where is None:
        return Read(tuple(every))
    fits = set[int]()
    filler = TextFiller()
    condition = filler.compile_condition(part.where.text, part.where.source, part.where.inset)
    if isinstance(condition, Problem):
        return Read(tuple(every), [condition])
    for at, card in enumerate(deck.cards):
        holds = filler.holds(condition, {"facts": game.facts, "lists": game.lists, "card": card_record(card)})
        if isinstance(holds, Problem):
            return Read(tuple(every), [holds])
        if holds:
            fits.add(at)
    return Read(tuple(at for at in every if at in fits))


def card_record(card: Card) -> dict[str, Value]:
    return {**card.values, "id": card.id, "copies": card.copies}


def drawn_names(game: Game, seed: str, copy_id: str, attempt: int) -> dict[str, str]:
    """Return a copy's random names, by the name of their list: a word of each list, separated by spaces."""
    plan = game.edition
    names = {}
    for name, lists in plan.names.items() if plan is not None else ():
        chance = Chance("edition", seed, game.id, copy_id, attempt, f"name {name}")
        words = [_words(game, one) for one in lists]
        names[as_name(name)] = " ".join(one[chance.below(len(one))] for one in words if one)
    return names


def _words(game: Game, name: str) -> list[str]:
    return [str(record.get("name", record["id"])) for record in game.lists.get(name, {}).values()]


def names_there_are(game: Game, name: str) -> int:
    """Return how many different random names are possible, if all combinations of words differ."""
    plan = game.edition
    count = 1
    for one in plan.names[name] if plan is not None else ():
        count *= len(set(_words(game, one)))
    return count


def copy_seed(seed: str, game_id: str, copy_id: str) -> str:
    """Return the seed of a copy's own deal, which reveals neither the edition's seed nor another copy's."""
    fields = "".join(f"{field}\0" for field in ("duckpress-edition-1", seed, game_id, copy_id))
    return hashlib.sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()[:_SEED_LETTERS]


class CopyGames(Struct, frozen=True):
    """Makes the games of copies; `texts` are the compiled texts of their fields."""

    game: Game
    texts: Mapping[FilledField, FilledText]
    name: FilledText  # that the sheets of a copy bear
    has_art: Callable[[str], bool]

    def game_of(self, copy: Copy, dealt: Dealt, names: Mapping[str, str]) -> Read[Game]:
        """Return the game of a copy. Problems: of expressions, and of values that do not fit their fields."""
        game, problems = self.game, ProblemList()
        decks = dict(game.decks)
        for id_, numbers in dealt.items():
            drawn = sorted(Counter(numbers).items())  # in the order of its file
            decks[id_] = replace(decks[id_], cards=tuple(replace(decks[id_].cards[at], copies=n) for at, n in drawn))
        if not self.texts:
            return Read(replace(game, decks=decks))
        known, filler = self._names_of(copy, dealt, names), TextFiller()
        filled: dict[str, dict[str, Value]] = {}
        for field, text in self.texts.items():
            value = problems.take(self._value(field, text, known, filler, copy))
            if value is not None:
                filled.setdefault(field.deck, {})[field.field] = value
        for id_, values in filled.items():
            deck = decks[id_]
            cards = tuple(replace(card, values={**card.values, **values}) for card in deck.cards)
            decks[id_] = replace(deck, cards=cards)
        return Read(replace(game, decks=decks), problems)

    def name_of(self, copy: Copy, dealt: Dealt, names: Mapping[str, str]) -> Read[str]:
        """Return the name of a copy for its sheets. Problems: those of its expressions."""
        written = TextFiller().fill(self.name, self._names_of(copy, dealt, names)) if self.name else ""
        if isinstance(written, Problem):
            return Read("", [written._replace(what=f"copy {copy.id!r}: {written.what}")])
        return Read(" ".join(written.replace("\\\n", " ").split()))  # in a cell of a table lines end with a backslash

    def _names_of(self, copy: Copy, dealt: Dealt, names: Mapping[str, str]) -> dict[str, Any]:
        """Return the names of a copy in expressions."""
        decks = self.game.decks
        cards = {id_: [card_record(decks[id_].cards[at]) for at in numbers] for id_, numbers in dealt.items()}
        return {
            "facts": self.game.facts,
            "lists": self.game.lists,
            "copy": {"id": copy.id, "number": copy.number, "count": copy.count},
            "row": copy.values,
            "names": names,
            "dealt": {as_name(id_): drawn for id_, drawn in cards.items()},
        }

    def _value(
        self, field: FilledField, text: FilledText, known: Mapping[str, Any], filler: TextFiller, copy: Copy
    ) -> Read[Value]:
        written = filler.fill(text, known)
        if isinstance(written, Problem):
            return Read(None, [written._replace(what=f"copy {copy.id!r}: {written.what}")])
        declared = self.game.decks[field.deck].fields[field.field]
        if not written and not declared.is_required:
            return Read(declared.default if declared.default is not None else "")
        label = f"{field.field!r} of deck {field.deck!r} in copy {copy.id!r}"
        return reader_of(declared, self.has_art)(Cell(written, True, field.text.source), label)


def copy_games(workspace: Workspace, game: Game) -> Read[CopyGames]:
    """Return the maker of a game's copies. Problems: `bad-expression`."""
    problems, filler = ProblemList(), TextFiller()

    def has_art(name: str) -> bool:
        return any(workspace.has(f"{place}/{name}") for place in (game.folder, "layouts"))

    texts: dict[FilledField, FilledText] = {}
    plan = game.edition
    for field in plan.fields if plan is not None else ():
        if field.deck not in game.decks or field.field not in game.decks[field.deck].fields:
            continue  # the check of the plan tells
        text = filler.compile(field.text.text, field.text.source, field.text.inset)
        if isinstance(text, Problem):
            problems.append(text)
        else:
            texts[field] = text
    name: FilledText | Problem = ()
    if plan is not None and plan.marks is not None and (written := plan.marks.name) is not None:
        name = filler.compile(written.text, written.source, written.inset)
    if isinstance(name, Problem):
        problems.append(name)
        name = ()
    return Read(CopyGames(game, texts, name, has_art), problems)


_SAMPLE = "a sample copy"
_WORDS: Mapping[FieldKind, Value] = {FieldKind.WHOLE: 1, FieldKind.NUMBER: 1.0, FieldKind.COLOUR: "#000000"}


def edition_problems(workspace: Workspace, game: Game) -> list[Problem]:
    """Return the problems of a game's edition; its texts are tested with a sample copy.

    Problems: `unknown-deck`, `unknown-field`, `unknown-list`, `deck-not-drawn`, `pool-too-small`, and those of
    expressions.
    """
    plan = game.edition
    if plan is None:
        return []
    problems = list(_unknown_names(game, plan))
    pools, pool_problems = pools_of(game)
    problems += pool_problems
    games, pool_problems = copy_games(workspace, game)
    problems += pool_problems
    if not has_errors(problems):
        sample = Copy("sample", 1, 1, {name: _sample(game, name) for name in plan.columns})
        dealt = pools.draw(_SAMPLE, game.id, sample.id, 0)
        names = drawn_names(game, _SAMPLE, sample.id, 0)
        pool_problems = [*games.game_of(sample, dealt, names).problems, *games.name_of(sample, dealt, names).problems]
        # What a column holds is anybody's guess, so a field may refuse it: only what no row could mend is told.
        problems += [one for one in pool_problems if one.code in ("unknown-name", "bad-expression")]
    return [problem._replace(game=game.id) for problem in sorted_problems(problems)]


def _sample(game: Game, column: str) -> Told | tuple[Told, ...]:
    plan = game.edition
    assert plan is not None
    declared = plan.columns[column]
    if declared.choices:
        return declared.choices[0]
    return told(_WORDS.get(declared.kind) or default_of(declared) or column)


def _unknown_names(game: Game, plan: EditionPlan) -> Iterator[Problem]:
    decks = [(id_, parts[0].source if parts else plan.at("draws")) for id_, parts in plan.draws.items()]
    for id_, source in decks:
        if id_ not in game.decks:
            yield _unknown_deck(game, id_, source)
        elif game.decks[id_].is_dealt or game.decks[id_].box_plan is not None:
            what = f"deck {id_!r} has no cards of its own that copies could have some of"
            yield Problem("deck-not-drawn", source, what, "name a deck with cards")
    for field in plan.fields:
        source = field.text.source
        if field.deck not in game.decks:
            yield _unknown_deck(game, field.deck, source)
        elif field.field not in game.decks[field.deck].fields:
            what = f"deck {field.deck!r} has no field {field.field!r} that a copy could fill"
            yield Problem("unknown-field", source, what, did_you_mean(field.field, game.decks[field.deck].fields))
    for name, lists in plan.names.items():
        for one in lists:
            if not game.lists.get(one):
                what = f"the names {name!r} are made of the list {one!r}, which game.yaml does not have"
                yield Problem("unknown-list", plan.at("names"), what, did_you_mean(one, game.lists) or "add 'lists:'")


def _unknown_deck(game: Game, id_: str, source: Source) -> Problem:
    what = f"the edition names deck {id_!r}, and there is none"
    return Problem("unknown-deck", source, what, did_you_mean(id_, game.decks))
