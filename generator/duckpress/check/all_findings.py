"""All the findings about a game: its setup at every player count and variant, and the checks of the whole game.

Games with one `rules_key` and the same `findings_of_game` have the same findings. Rules name the fields of cards that
they look at, and look at ids, copies and places of all cards. So the key leaves out the words of any other field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check.expectations import unbalanced_sets, wrong_totals_at
from duckpress.check.expressions import Spent
from duckpress.check.findings import accept_findings, unused_acceptances
from duckpress.check.game_checks import (
    decks_without_cards,
    extra_counts,
    looks_like_markup,
    unknown_fields_in_text,
    unused_cards,
    used_cards,
)
from duckpress.check.geometry.geometry_checks import geometry_problems
from duckpress.check.root_cause import only_root_causes
from duckpress.check.setup.combinations import NoSuchSetup, counts_for, way_to_play
from duckpress.check.setup.later_places import later_places
from duckpress.check.setup.rule_book import COST_OF_A_PROBLEM, Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.setup_table import SetupTable, setup_table, setup_table_in_full
from duckpress.check.setup_names import unknown_words
from duckpress.check.unused_parts import every, unused_parts, unused_rounds
from duckpress.check.variant_findings import check_variants
from duckpress.core.language import RecordingSpeech
from duckpress.core.problems import Level, Problem, has_errors, sorted_problems
from duckpress.files.memo import Memo, form_of, key_of
from duckpress.files.workspace import Workspace
from duckpress.model import Card, Game
from duckpress.model.setup import as_name


def _of_geometry(book: Book) -> list[Problem]:
    geometry = book.setup.geometry
    return geometry_problems(book.survey, geometry) if geometry is not None and book.is_whole else []


class Checks(NamedTuple):
    """All checks, grouped by their argument; `problems_of_run` checks a run of a setup."""

    of_game: tuple[Callable[[Game], Iterable[Problem]], ...]
    of_setup: tuple[Callable[[Book], Iterable[Problem]], ...]
    of_all_runs: tuple[Callable[[Runs], Iterable[Problem]], ...]


CHECKS = Checks(
    of_game=(unknown_fields_in_text, decks_without_cards, looks_like_markup),
    of_setup=(unknown_words, later_places, unbalanced_sets, extra_counts, _of_geometry),
    of_all_runs=(unused_cards, unused_parts, unused_rounds),
)


def findings_of_game(game: Game) -> list[Problem]:
    """Return what the checks find that may look at every word of a game, before its setup is looked at."""
    return [problem for check in CHECKS.of_game for problem in check(game)]


def check_game(
    game: Game, players: int | None = None, variant: str | None = None, of_game: Sequence[Problem] | None = None
) -> list[Problem]:  # fmt: skip
    """Return all findings about a game in reading order; by default at all player counts and in all variants.

    `of_game` are its `findings_of_game`, where they are known already.

    Where a part of the setup or cards of a deck could not be read, only the setup's words are checked: its numbers
    would say nothing.
    A finding of the basic game is not repeated for each variant, and one that is the same at every player count is
    given once, without a player count. Accepted findings are notes. Every code is explained in docs/checks.md.
    """
    findings, problems, runs = _every_finding(game, players, variant, of_game)
    book = runs.book if runs is not None else None
    if runs is not None and runs.book.is_whole:
        findings = only_root_causes(findings, runs)
    if players is None and variant is None and book is not None and book.is_whole:
        findings += unused_acceptances(game, problems, of_rules=True)
    return sorted_problems(runs.occurrences.with_places(findings) if runs is not None else findings)


def known_findings(
    game: Game, memo: Memo, workspace: Workspace, players: int | None = None, variant: str | None = None
) -> list[Problem]:  # fmt: skip
    """Return the same as `check_game`, from an earlier run where it would be the same."""
    of_game, rules = findings_of_game(game), rules_key(game)
    slot = "findings", game.id, game.language, repr((players, variant))

    def find(_: Workspace) -> list[Problem]:
        return check_game(game, players, variant, of_game)

    return memo.once(slot, rules and key_of(rules, of_game), workspace, find, _FINDINGS)


def every_finding(game: Game) -> list[Problem]:
    """Return all findings about a game, consequences of other findings included."""
    findings, _, runs = _every_finding(game, None, None, None)
    return sorted_problems(runs.occurrences.with_places(findings) if runs is not None else findings)


def _every_finding(
    game: Game, players: int | None, variant: str | None, of_game: Sequence[Problem] | None
) -> tuple[list[Problem], list[Problem], Runs | None]:  # fmt: skip
    """Return all findings about a game, the findings before acceptance, and the runs of its setup."""
    problems = findings_of_game(game) if of_game is None else [*of_game]
    runs = Runs(Book(game, game.setup), left={}) if game.setup is not None else None
    if runs is not None:
        try:
            for problem in setup_problems(runs, players, variant, is_reported=has_errors(problems)):
                problems.append(problem)
        except Spent as spent:
            problems.append(spent.problem)
    problems = _in_game(game, problems)
    return accept_findings(game, problems), problems, runs


def wrong_words(game: Game) -> list[Problem]:
    """Return a problem for each unknown name in the setup, without computing anything."""
    if game.setup is None:
        return []
    try:
        return _in_game(game, unknown_words(Book(game, game.setup)))
    except Spent as spent:
        return _in_game(game, [spent.problem])


def _in_game(game: Game, problems: Iterable[Problem]) -> list[Problem]:
    return [problem._replace(game=game.id) for problem in problems]


def setup_problems(
    runs: Runs, players: int | None = None, variant: str | None = None, *, is_reported: bool = False
) -> Iterator[Problem]:
    """Yield the problems of the setup; `is_reported`: there are errors already. Raises `Spent` after its budget."""
    book = runs.book
    for check in CHECKS.of_setup:
        for problem in check(book):
            is_reported |= problem.level is Level.ERROR
            yield problem
            book.spend(COST_OF_A_PROBLEM)
    if not book.is_whole:
        return
    counts = book.game.players if players is None else (players,)
    is_outside = players is not None and players not in book.game.players
    if is_outside:
        known = book.game.players
        said = f"{known[0]}-{known[-1]}" if len(known) > 1 else "".join(map(str, known))
        what = f"the game is for {said} players, and {players} are asked for"
        fix = "choose one of its player counts"
        yield Problem("player-count", book.game.at("players"), what, fix, players=players)
    try:
        way = way_to_play(book.setup, variant)
    except NoSuchSetup as wrong:
        yield Problem("unknown-variant", book.setup.source, wrong.what, wrong.fix)
        return
    yield from wrong_totals_at(book, counts)
    ways = book.combinations() if variant is None else (way,)
    fitting = {id_: counts_for(book.setup, id_, counts) for id_ in ways}
    if players is not None and variant is not None and not is_outside and not fitting[way]:
        counts_of = ", ".join(map(str, book.counts_of(way)))
        fix = f"choose one of its player counts: {counts_of}" if counts_of else "correct its 'only'"
        what = f"{way!r} is not played by {players}"
        yield Problem("player-count", book.setup.source, what, fix, players=players, variant=way)
    yield from check_variants(runs, fitting, is_all=variant is None, is_reported=is_reported)
    if players is None and variant is None:
        for look in CHECKS.of_all_runs:
            yield from () if is_reported and look is unused_parts else look(runs)
        for id_ in (None, *book.setup.all_variants):
            # Whoever prints a table reports nothing: what is too much for it is found here.
            setup_table_in_full(book.game, id_)


_NAMED = re.compile(r"""(?:^|[.'"\[]\s*|\b(?:of|distinct)\s+)(?:(?<=['"])(?=([^'"]*)))?(?=([\w-]+))(\w+)""")


def rules_key(game: Game) -> str:
    """Return the cache key of a game's rules, without the findings of the game; empty if there is none."""
    return game.once("rules key", lambda: _rules_key(game))


def _rules_key(game: Game) -> str:
    records = [[*record.values()] for by_id in game.lists.values() for record in by_id.values()]
    texts = every(str, (game.setup, [*game.facts.values()], records))
    words = {word for text in texts for named in _NAMED.findall(text) for word in named}

    def seen(name: str, value: object) -> object:
        """Return the part of a field's value that matters to rules: of words they never name, only the type."""
        is_die = isinstance(value, tuple)  # no question names the field of its sides
        return value if is_die or not value or {name, as_name(name), value} & words else type(value).__name__

    def seen_card(card: Card) -> Card:
        return replace(card, values={name: seen(name, value) for name, value in card.values.items()})

    decks = [replace(deck, cards=(*map(seen_card, deck.cards),)) for deck in game.decks.values()]
    return key_of(replace(game, decks={}, speech=game.speech.plain), decks)


class _Settled(Struct, frozen=True, array_like=True):
    """What rules say of cards and tables: the player counts that use a card, the setup tables, and their words."""

    used: list[tuple[str, int, list[int]]]
    tables: list[SetupTable]
    asked: list[str]
    missing: list[str]


_SETTLED, _FINDINGS = form_of(_Settled), form_of(list[Problem])


def settle(game: Game, memo: Memo, workspace: Workspace) -> None:
    """Take the copies and setup tables of a game from an earlier run with the same rules, or work them out for it."""

    is_noting = isinstance(game.speech, RecordingSpeech)
    variants = (None, *(game.setup.all_variants if game.setup is not None else ()))

    def make(_: Workspace) -> _Settled:
        speech = RecordingSpeech.of(game.speech)
        tables = [setup_table(replace(game, speech=speech) if is_noting else game, one) for one in variants]
        used = [(*card, sorted(counts)) for card, counts in used_cards(game).items()]
        return _Settled(used, tables, sorted(speech.asked), [*speech.missing])

    slot = "settled", game.id, game.language, "noting" if is_noting else ""
    settled = memo.once(slot, rules_key(game), workspace, make, _SETTLED)
    game.once("used cards", lambda: {(deck, at): {*counts} for deck, at, counts in settled.used})
    for variant, table in zip(variants, settled.tables, strict=True):
        game.once((SetupTable, variant), partial(replace, table))
    if isinstance(game.speech, RecordingSpeech):  # it counts which words the tables ask for
        game.speech.asked.update(settled.asked)
        game.speech.missing.update(dict.fromkeys(settled.missing))
