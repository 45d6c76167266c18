"""What is wrong with `edition:` of a game, before there are any copies: names that nothing bears, texts, pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duckpress.check.editions.card_pools import drawn_names, pools_of
from duckpress.check.editions.copy_games import copy_games
from duckpress.content.game.fields import default_of
from duckpress.core.problems import Problem, Source, did_you_mean, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import FieldKind, Game, Value
from duckpress.model.game import Copy, EditionPlan, Told, told

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
