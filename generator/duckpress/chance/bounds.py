"""The bounds of setup.yaml, compared with odds and with a modest number of games: `odds`, `playout`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duckpress.chance.answering import Odds, odds_of
from duckpress.chance.playing import Playouts, no_event, playtest, rounds_of
from duckpress.chance.question import checked_question, knows_place
from duckpress.check import accept_findings
from duckpress.check.expressions import Spent
from duckpress.check.findings import Occurrences, cause_of
from duckpress.check.setup.later_places import step_expressions
from duckpress.check.setup.rule_book import Book
from duckpress.check.variant_findings import is_part_of, what_leads_to
from duckpress.content.setup.setup_file import share_of
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import Game
from duckpress.model.setup import Amount, OddsRule, PlayBound, Rounds

_BASE = "base"
CHECK_RUNS = 25
FIRST_RUNS = 13  # enough where they leave no doubt: 130 looks without an event, in 10 rounds, make it less than 5 %
FEWEST_RUNS = 5
MOST_GAMES = 2000  # where there are many ways to play, each is played less often
CHECK_SEED = "check"


def odds_problems(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return the problems of a checked game's questions, and `odds` for each answer beyond its bounds."""
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
    """Return the variants in which a rule is asked; None is the game without variants and modules."""
    wanted = rule.belongs_to
    return [way for way in book.combinations() if wanted is None or {*(way or _BASE).split(",")} & {*wanted}]


def percent(share: float) -> str:
    """Return a probability for readers: with one decimal, or with two significant digits if it is small."""
    value = 100 * share
    return f"{value:.1f} %" if value >= 1 or not value else f"{value:.2g} %"


def in_words(odds: Odds) -> str:
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
            findings = occurrences.grouped(_out_of_bounds(rule, odds), players, variant)
            outside += [(variant, players)] if findings else []
            yield from findings


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


def playout_problems(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return the problems of a game's rounds: unplayable steps, and figures beyond their bounds.

    Every way to play is played, but for those whose cards flow as in another; a fault is told of the fewest variants
    and modules that bring it about. Code: `playout`, and those of expressions.
    """
    setup = game.setup
    if setup is None:
        return []
    book = Book(game, setup)
    problems: list[Problem] = []
    try:
        ways = book.combinations() if variant is None else (None if variant == "base" else variant,)
        waiting = [way for way in flows(book, ways) if players in (None, way[1])]
    except Spent as spent:
        return accept_findings(game, [spent.problem._replace(game=game.id)])
    runs = max(FEWEST_RUNS, min(CHECK_RUNS, MOST_GAMES // max(len(waiting), 1)))
    unplayable: list[str | None] = []
    idle: dict[Source, Problem | None] = {}
    occurrences = Occurrences()
    for name, count, _ in waiting:
        occurrences.looked_at[name] = (*occurrences.looked_at.get(name, ()), count)
    for name, count, rounds in waiting:
        if any(is_part_of(way, name) for way in unplayable):
            continue
        problems += [] if problems else no_event(rounds)
        for number in (min(runs, FIRST_RUNS), runs) if rounds.bounds else (1,):
            played = playtest(game, count, name, number, CHECK_SEED, 1, is_check=True)
            if isinstance(played, Problem):
                unplayable.append(name)
                found = [played._replace(players=played.players or count, variant=name)]
            else:
                found = [*_endless(played, rounds)]
                found += [problem for bound in rounds.bounds.values() for problem in _beyond_bound(played, bound)]
                idle |= {take: idle.get(take, one) and one for take, one in played.idle_takes.items()}
            if not found or number == runs or isinstance(played, Problem):
                break
        problems += occurrences.grouped([one for one in found if not _is_known(one, problems)], count, name)
    problems += filter(None, idle.values())  # where a take is idle at every player count
    return occurrences.with_places(accept_findings(game, [problem._replace(game=game.id) for problem in problems]))


def flows(book: Book, ways: Iterable[str | None]) -> Iterator[tuple[str | None, int, Rounds]]:
    """Yield each variant and player count that has rounds, but not those that play like an earlier one."""
    seen: set[object] = set()
    for way in ways:
        rounds = rounds_of(book, way)
        if rounds is None:
            continue
        book.calculator.budget.begin()
        events = [rounds.until, *(event.that for event in rounds.events.values())]
        expressions = (*events, *(one for step in rounds.steps for one in step_expressions(step)))
        texts = [one.text for one in expressions if one is not None]
        places = {name for step in rounds.steps for name in (step.place, *(take.origin for take in step.takes))}
        for players in book.counts_of(way):
            leads = what_leads_to(book, way, players, {*places, *rounds.reshuffles.values()}, texts)
            # The steps of rounds are other records where they are other steps.
            records = (rounds.until, *rounds.steps, *rounds.events.values(), *rounds.bounds.values())
            key = players, leads, rounds.ends_short, *rounds.reshuffles.items(), *map(id, records)
            if key not in seen:
                seen.add(key)
                yield way, players, rounds


def _is_known(problem: Problem, problems: Iterable[Problem]) -> bool:
    """Return whether a problem was already reported for a part of its variant, at the same player count."""
    return any(
        (one.code, one.source, one.level, one.players) == (problem.code, problem.source, problem.level, problem.players)
        and is_part_of(one.variant, problem.variant)
        for one in problems
    )


def _endless(played: Playouts, rounds: Rounds) -> Iterator[Problem]:
    """Yield a warning if games are not over after the highest number of rounds."""
    if played.unfinished:
        most, until = limit("playout-rounds"), rounds.until
        what = f"a game may not be over after {most} rounds, and is broken off"
        fix = f"say with 'until' when it ends; {how_to_raise('playout-rounds')}"
        if until is not None:
            games = f"{played.unfinished} of {played.runs} game{'s' * (played.runs != 1)}"
            what = f"{until.text!r} is not true after any of {most} rounds in {games}, which are broken off"
            fix = f"let the steps bring it about, or end it otherwise; {how_to_raise('playout-rounds')}"
        source = until.source if until is not None else rounds.source
        about = Problem("playout", source, what, fix, Level.WARNING)
        yield about._replace(players=played.players, variant=played.variant)


def _beyond_bound(played: Playouts, bound: PlayBound) -> Iterator[Problem]:
    """Yield a problem for a figure beyond its bound, and a note if the games are too few to tell."""
    is_rounds = bound.name == "rounds"
    event = played.events.get(bound.name)
    if event is None and not is_rounds:
        return
    if event is not None and not event.looks:
        what, fix = f"{bound.name!r} is never looked at in {played.runs} games", "correct 'after', or delete the bound"
        never = Problem("playout", bound.source, what, fix, Level.WARNING)
        yield never._replace(players=played.players, variant=played.variant).headed
        return
    figure = played.rounds if event is None else event
    mean = played.rounds.mean if event is None else event.share
    for amount, sign, words in ((bound.at_least, 1, "at least"), (bound.at_most, -1, "at most")):
        wanted = _number(amount, played.players)
        if amount is None or wanted is None:
            continue
        worst, best = (figure.low, figure.high) if sign > 0 else (figure.high, figure.low)
        if sign * (worst - wanted) >= -1e-9:
            continue
        is_sure = sign * (best - wanted) < -1e-9
        has = f"{mean:.1f} rounds are played" if is_rounds else f"{bound.name!r} happens {mean:.1%} of the times"
        should = f"{wanted:g}" if is_rounds else f"{wanted:.1%}"
        span = f"{figure.low:.1f} to {figure.high:.1f}" if is_rounds else f"{figure.low:.1%} to {figure.high:.1%}"
        what = f"{has}, and it should be {words} {should}"
        if not is_sure:
            what = f"{has}, which may be {words} {should} or not"
        what = f"{what} ({span} in {played.runs} games)"
        fix = "change the amounts or the rounds, or the bound"
        level = bound.level if is_sure else Level.NOTE
        problem = Problem("playout", amount.source, what, "" if level is Level.NOTE else fix, level)
        problem = problem._replace(weight=abs(mean - wanted))
        cause = cause_of("playout", bound.source, words)
        yield problem._replace(players=played.players, variant=played.variant, cause=cause).headed


def _number(amount: Amount | None, players: int) -> float | None:
    expression = amount.expression(players) if amount is not None else None
    if expression is None:
        return None
    number = float(expression.text.rstrip("% "))
    return number / 100 if expression.text.endswith("%") else number
