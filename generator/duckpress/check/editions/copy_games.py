"""A game, a copy and what was drawn for it -> the game of that copy, which stages take like any other.

`edition_problems` tells what is wrong with `edition:` before there are any copies: unknown names, texts, pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check.editions.card_pools import Dealt, card_record, drawn_names, pools_of
from duckpress.content.game.families import FilledText, TextFiller
from duckpress.content.game.fields import default_of, reader_of
from duckpress.content.yaml.nodes import Cell
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Deck, FieldKind, Game, Value
from duckpress.model.game import Copy, EditionPlan, FilledField, Told, told
from duckpress.model.setup import as_name


class CopyGames(Struct, frozen=True):
    """Makes the games of copies; `texts` are what their fields are filled with, ready to be filled in."""

    game: Game
    texts: Mapping[FilledField, FilledText]
    name: FilledText  # that the sheets of a copy bear
    has_art: Callable[[str], bool]

    def game_of(self, copy: Copy, dealt: Dealt, names: Mapping[str, str]) -> Read[Game]:
        """Return the game of a copy. Problems: of expressions, and of what they come to, which a field has to take."""
        game, problems = self.game, ProblemList()
        decks = dict(game.decks)
        for id_, numbers in dealt.items():
            decks[id_] = _drawn_deck(decks[id_], numbers)
        if not self.texts:
            return Read(replace(game, decks=decks))
        known, filler = self._known(copy, dealt, names), TextFiller()
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
        """Return the name that the sheets of a copy bear. Problems: those of its expressions."""
        written = TextFiller().fill(self.name, self._known(copy, dealt, names)) if self.name else ""
        if isinstance(written, Problem):
            return Read("", [written._replace(what=f"copy {copy.id!r}: {written.what}")])
        return Read(" ".join(written.replace("\\\n", " ").split()))  # in a cell of a table lines end with a backslash

    def _known(self, copy: Copy, dealt: Dealt, names: Mapping[str, str]) -> dict[str, Any]:
        """Return what expressions know of a copy."""
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
    """Return what makes the games of copies. Problems: `bad-expression`."""
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


def _drawn_deck(deck: Deck, numbers: Sequence[int]) -> Deck:
    """Return a deck with the cards drawn, in the order of its file."""
    counts = Counter(numbers)
    cards = tuple(replace(deck.cards[at], copies=count) for at, count in sorted(counts.items()))
    return replace(deck, cards=cards)


_SAMPLE = "a sample copy"
_WORDS: Mapping[FieldKind, Value] = {FieldKind.WHOLE: 1, FieldKind.NUMBER: 1.0, FieldKind.COLOUR: "#000000"}


def edition_problems(workspace: Workspace, game: Game) -> list[Problem]:
    """Return what is wrong with the edition of a game; its texts are tried with a sample copy.

    Problems: `unknown-deck`, `unknown-field`, `unknown-list`, `deck-not-drawn`, `pool-too-small`, and those of
    expressions.
    """
    plan = game.edition
    if plan is None:
        return []
    problems = list(_unknown_names(game, plan))
    pools, found = pools_of(game)
    problems += found
    games, found = copy_games(workspace, game)
    problems += found
    if not has_errors(problems):
        sample = Copy("sample", 1, 1, {name: _sample(game, name) for name in plan.columns})
        dealt = pools.draw(_SAMPLE, game.id, sample.id, 0)
        names = drawn_names(game, _SAMPLE, sample.id, 0)
        found = [*games.game_of(sample, dealt, names).problems, *games.name_of(sample, dealt, names).problems]
        # What a column holds is anybody's guess, so a field may refuse it: only what no row could mend is told.
        problems += [one for one in found if one.code in ("unknown-name", "bad-expression")]
    return [problem._replace(game=game.id) for problem in sorted_problems(problems)]


def _sample(game: Game, column: str) -> Told | tuple[Told, ...]:
    plan = game.edition
    assert plan is not None
    declared = plan.columns[column]
    if declared.choices:
        return declared.choices[0]
    return told(_WORDS.get(declared.kind) or default_of(declared) or column)


def _unknown_names(game: Game, plan: EditionPlan) -> Iterator[Problem]:
    decks = [(id_, parts[0].source if parts else plan.at("deal")) for id_, parts in plan.draws.items()]
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
