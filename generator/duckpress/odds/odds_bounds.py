"""The questions of setup.yaml held against the bounds that they give, at every player count in every way to play."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check import accept_findings
from duckpress.check.alike_ways import is_part_of, what_leads_to
from duckpress.check.occurrences import Occurrences, cause_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Spent
from duckpress.content.setup.odds_section import share_of
from duckpress.core.problems import Level, Problem
from duckpress.model import Game
from duckpress.model.setup import OddsRule
from duckpress.odds.answering import Odds, odds_of
from duckpress.odds.question_check import checked_question, knows_place

_BASE = "base"


def odds_problems(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return what is wrong with the questions of a game that was checked, and `odds` where they pass their bounds."""
    if game.setup is None or not game.setup.odds:
        return []
    book, problems, occurrences = Book(game, game.setup), list[Problem](), Occurrences()
    counts = game.players if players is None else (players,)
    try:
        for rule in game.setup.odds if book.is_whole else ():
            problems += _of_rule(book, rule, counts, variant, occurrences)
    except Spent as spent:
        problems.append(spent.problem)
    return occurrences.with_places(accept_findings(game, [problem._replace(game=game.id) for problem in problems]))


def variants_for(book: Book, rule: OddsRule) -> list[str | None]:
    """Return the ways to play in which a rule is asked; None is the game without variants and modules."""
    wanted = rule.belongs_to
    return [way for way in book.combinations() if wanted is None or {*(way or _BASE).split(",")} & {*wanted}]


def percent(share: float) -> str:
    """Return a probability as people read it: with one decimal, or two significant ones where it is small."""
    value = 100 * share
    return f"{value:.1f} %" if value >= 1 or not value else f"{value:.2g} %"


def in_words(odds: Odds) -> str:
    """Return how likely something is, and how that is known."""
    if odds.method == "exact":
        return f"{percent(float(odds.probability))} (exact)"
    span = f"{percent(float(odds.low))} to {percent(float(odds.high))}"
    return f"about {percent(float(odds.probability))} (simulated {odds.runs} times; 95 % interval {span})"


def _of_rule(
    book: Book, rule: OddsRule, counts: tuple[int, ...], only: str | None, occurrences: Occurrences
) -> Iterator[Problem]:
    variants = variants_for(book, rule)
    for name in rule.belongs_to or ():
        if name not in (_BASE, *book.setup.variants, *book.setup.modules):
            what = f"{rule.name!r} is for the variant {name!r}, which there is not"
            yield Problem("unknown-variant", rule.source, what, "correct the name under 'for'")
            return
    question = checked_question(book, rule.ask, variants)
    if isinstance(question, list):
        yield from question
        return
    answers: dict[object, Odds | Problem] = {}
    outside: list[tuple[str | None, int]] = []
    for variant in variants:
        if only not in (None, variant or _BASE) or not knows_place(book, question, variant):
            continue
        book.calculator.budget.begin()
        for players in book.counts_of(variant):
            if players not in counts or (rule.only is not None and players not in rule.only):
                continue
            # What other modules change elsewhere changes no answer, and is told of the fewest that bring it about.
            key = players, what_leads_to(book, variant, players, (question.place,), (question.text,))
            if key in answers or any(is_part_of(way, variant) and at == players for way, at in outside):
                continue
            odds = answers[key] = odds_of(book, question, players, variant)
            if isinstance(odds, Problem):
                yield odds
                return
            occurrences.looked_at[variant] = (*occurrences.looked_at.get(variant, ()), players)
            found = occurrences.noted(_out_of_bounds(rule, odds), players, variant)
            outside += [(variant, players)] if found else []
            yield from found


def _out_of_bounds(rule: OddsRule, odds: Odds) -> Iterator[Problem]:
    for amount, words in ((rule.at_least, "at least"), (rule.at_most, "at most")):
        written = amount.expression(odds.players) if amount is not None else None
        bound = share_of(written.text) if written is not None else None
        if bound is None or (odds.low >= bound if words == "at least" else odds.high <= bound):
            continue
        what = f"{rule.name!r} is {in_words(odds)}, and should be {words} {percent(float(bound))}"
        fix, level = "change the cards or the amounts of the setup, or the bound", rule.level
        if odds.low < bound < odds.high:
            what += ", which lies within the interval"
            fix, level = "ask with more --runs to know, or give a bound further away", Level.WARNING
        problem = Problem("odds", rule.source, what, fix, level, players=odds.players, variant=odds.variant)
        weight = abs(float(odds.probability - bound))
        yield problem._replace(cause=cause_of("odds", rule.source, words), weight=weight).headed
