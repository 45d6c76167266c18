"""Expectations at each player count, declared totals, balanced sets; and the relations of seats.

A condition that does not hold is told with the values of its sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from duckpress.check.expressions import Stopped, as_words, exactly, unknown
from duckpress.check.findings import cause_of
from duckpress.check.setup.combinations import BASE
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import views_of
from duckpress.check.setup.rule_book import COST_OF_A_PROBLEM, Book
from duckpress.check.setup.runs import SetupRun
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.steps_run import State, as_certain, once_mended
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import Deck
from duckpress.model.setup import Balance, Expectation, Expression, Total, Variant, as_name

_PART = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[(\[{]|[)\]}]|[=!<>]=|[<>]|\b(?:and|or|not\s+in|in|not|is|if|else)\b""",
    re.S,
)
_COMPARING = ("==", "!=", "<=", ">=", "<", ">", "in", "not in")
_MOST_SIDES = 6
_LONGEST = 60
_MOST_SHOWN = 12


def sides_in_words(scene: Scene, condition: Expression) -> str:
    """Return `hand is 4, market is 6` for each side that is no literal; empty if there is none."""
    words: dict[str, str] = {}
    for side in _sides(scene, condition):
        value = _value(scene, condition, side)
        shown = exactly(value)[:_LONGEST] if value is not None and not isinstance(value, bool) else ""
        if shown and side not in words and shown not in (side, side[1:-1]):
            words[side] = f"{side} is {shown}"
    return ", ".join(list(words.values())[:_MOST_SIDES])


def _sides(scene: Scene, condition: Expression) -> Iterator[str]:
    """Yield the sides of each false comparison; comparisons are joined by `and` and `or`."""
    text = condition.text
    depth, cuts = 0, [(0, 0, "and")]
    for part in _PART.finditer(text):
        word = " ".join(part[0].split())
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and word in ("if", "else", "is", "not"):
            return
        if depth == 0 and word in (*_COMPARING, "and", "or"):
            cuts.append((*part.span(), word))
    ends = [cut[0] for cut in cuts[1:]] + [len(text)]
    clauses: list[tuple[int, int, list[str]]] = []
    for (_, start, word), end in zip(cuts, ends, strict=True):
        if word in ("and", "or"):
            clauses.append((start, end, [text[start:end].strip()]))
        else:
            first, _, sides = clauses.pop()
            clauses.append((first, end, [*sides, text[start:end].strip()]))
    for start, end, sides in clauses:
        if not _value(scene, condition, text[start:end].strip()):
            yield from sides


def _value(scene: Scene, condition: Expression, text: str) -> object:
    """Return the value of a part of a condition; None if it cannot be computed by itself."""
    try:
        return scene.part_of(condition, text, 0)
    except Stopped:
        return None


def failed_expectations(book: Book, run: SetupRun) -> Iterator[Problem]:
    """Yield a run's failed expectations (`expectation`), and those that cannot be computed.

    Where something falls short in some draws or choices only, the others are looked at.
    """
    for expectation in (expectation for part in book.parts_of(run.variant) for expectation in part.expectations):
        book.at = expectation.source
        book.spend(1)
        if not is_about(run, expectation):
            continue
        steps = run.steps
        if run.is_mended and (not run.is_known or _follows(run, expectation)):
            continue
        failing: dict[str, list[State]] = {}
        problems: dict[str, Problem] = {}  # by who shows it first in a state
        values: dict[object, None] = {}
        for state in steps.states:
            seen, problem = _first_failure(steps.scene(state).settled(), expectation)
            if problem is not None:
                failing.setdefault(problem.code, []).append(state)
                problems.setdefault(_whose(seen), problem)
                if problem.code == "expectation" and expectation.is_ is not None:
                    values[seen.value(expectation.that)] = None
        if problems:
            book.spend(COST_OF_A_PROBLEM)
            (whose, problem), *others = problems.items()
            if others:
                problem = problem._replace(what=problem.what.replace(f"for {whose}, ", f"for {whose} or another, ", 1))
            problem = _ranging(problem, list(values))
            worded = as_certain(problem, failing[problem.code], steps.states, steps.ended, tried=steps.tried)
            yield once_mended(worded, run.mended_lines if worded != problem else ())


def _ranging(problem: Problem, values: Sequence[object]) -> Problem:
    """Return a failure with the range of values in other draws; without the range if a value is no number."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(values) < 2 or len(numbers) < len(values):
        return problem
    first, least, most = as_words(values[0]), as_words(min(numbers)), as_words(max(numbers))
    what = problem.what.replace(f" is {first}, and should be ", f" is {least} to {most}, and should be ", 1)
    return problem._replace(what=what, fix=problem.fix.removesuffix(f", or expect {first}"))


def _first_failure(scene: Scene, expectation: Expectation) -> tuple[Scene, Problem | None]:
    """Return the first view in which an expectation fails, and the failure; the scene and None if it is met."""
    try:
        for seen in everybody_asked(scene, expectation):
            problem = _failed(seen, expectation)
            if problem is not None:
                return seen, problem
    except Stopped as stopped:
        return scene, stopped.problem
    return scene, None


def _whose(scene: Scene) -> str:
    """Return the owner of a scene's view, in words; empty if it is the same for all."""
    seen = (("player", scene.seat), ("team", scene.team), ("number", scene.nth))
    return " and ".join(f"{word} {number}" for word, number in seen if number is not None)


def everybody_asked(scene: Scene, expectation: Expectation) -> list[Scene]:
    """Return a state from every view for which an expectation is meant. Raises `Stopped`."""
    wanted = expectation.is_.expression(scene.players) if expectation.is_ is not None else None
    texts = [text.text for text in (expectation.that, wanted, expectation.when) if text is not None]
    views = views_of(scene, texts)
    if expectation.is_for_each_player:
        views = [seen.at_seat(seat) for seen in views for seat in range(1, scene.players + 1)]
    return views


def is_about(run: SetupRun, expectation: Expectation) -> bool:
    """Return whether an expectation is for a run's player count and variant."""
    names = [part.id for part in run.steps.book.parts_of(run.variant) if isinstance(part, Variant)] or [BASE]
    is_for = expectation.belongs_to is None or bool(set(names) & set(expectation.belongs_to))
    return is_for and (expectation.only is None or run.players in expectation.only)


def _follows(run: SetupRun, expectation: Expectation) -> bool:
    """Return whether an expectation is about cards in shortage: its failure is then no mistake of its own."""
    short = {shortage.origin for shortage in run.shortages}
    short |= {shortage.falling.step.place for shortage in run.shortages if shortage.is_only_counted}
    unclear = set(short)  # as many cards as are needed, of which nobody knows which they are
    for shortage in run.shortages:
        unclear |= run.steps.book.reached_from(shortage.origin, run.variant) if shortage.card is None else set()
    wanted = expectation.is_.expression(run.players) if expectation.is_ is not None else None
    waiting = [text.text for text in (expectation.that, wanted) if text is not None] if short else []
    book, seen = run.steps.book, set(waiting)
    values = book.by_name[0]
    while waiting:
        reading = book.reading(waiting.pop())
        names = {use.text for use in reading.names}
        origins = {call.origin.text for call in reading.calls if call.origin}
        if {as_name(name) for name in short} & names or origins & unclear:
            return True
        amounts = [values[name].amount.expression(run.players) for name in names & values.keys()]
        waiting += [text.text for text in amounts if text is not None and text.text not in seen]
        seen.update(waiting)
    return False


def _failed(scene: Scene, expectation: Expectation) -> Problem | None:
    if expectation.when is not None and not scene.value(expectation.when):
        return None
    value = scene.value(expectation.that)
    text = expectation.that.text
    if expectation.is_ is None:
        if value:
            return None
        sides = sides_in_words(scene, expectation.that)
        what, source = f"{text} does not hold{sides and ': '}{sides}", expectation.that.source
        fix = "change the amounts it is computed from, or the expectation"
    else:
        wanted_by = scene.expression(expectation.is_, "expectation")
        wanted = scene.value(wanted_by)
        if value == wanted:
            return None
        has, should = as_words(value)[:200], as_words(wanted)[:200]
        if has == should:
            has, should = exactly(value), exactly(wanted)
        what, source = f"{text} is {has}, and should be {should}", wanted_by.source
        is_sense = has != "" and scene.players in scene.book.game.players
        is_sense &= not isinstance(value, int | float) or (value > 0 and has == as_words(value))
        fix = f"change the amounts it is computed from, or {f'expect {has}' if is_sense else 'the expectation'}"
    if _whose(scene):
        what = f"for {_whose(scene)}, {what}"
    if _may_be_for_base(scene, expectation):
        fix = "change the amounts it is computed from, or say with 'for' what it is for, such as 'for: base'"
    if expectation.level is not Level.ERROR:
        fix = "change the amounts it is computed from, or accept it in game.yaml with the reason"
    what, fix = _own_words(scene, expectation.say, what), _own_words(scene, expectation.fix, fix)
    cause = cause_of("expectation", expectation.source)
    return scene.problem(Problem("expectation", source, what, fix, expectation.level, cause=cause))


def _may_be_for_base(scene: Scene, expectation: Expectation) -> bool:
    """Return whether an expectation that fails in a variant may be meant for the base game only."""
    texts = [expectation.that, expectation.when, *(expectation.is_.by_players.values() if expectation.is_ else ())]
    readings = [scene.book.reading(text.text) for text in texts if text is not None]
    speaks = any(use.text in ("variant", "modules") for reading in readings for use in reading.names)
    is_of_all = scene.variant is not None and expectation.belongs_to is None and not speaks
    return is_of_all and any(expectation is one for one in scene.book.setup.expectations)


def _own_words(scene: Scene, text: Expression | None, else_say: str) -> str:
    """Return the game's own words for a failure; ours if there are none, or if theirs are faulty."""
    if text is None:
        return else_say
    try:
        return scene.spoken(text)
    except Stopped as stopped:
        if stopped.problem is not None:
            raise
        return else_say


def wrong_totals(book: Book, scene: Scene) -> Iterator[Problem]:
    """Yield a `wrong-total` for each declared total that differs from the number of cards."""
    for total in book.setup.totals:
        if not all(name in book.game.decks for name in total.decks):
            continue
        book.at = total.source
        try:
            wanted, counted = scene.value(total.wanted), cards_of_total(scene, total)
        except Stopped as stopped:
            if stopped.problem is not None:
                yield stopped.problem._replace(players=None, variant=None)
            continue
        if counted != wanted:
            decks = " and ".join(repr(name) for name in total.decks)
            such = f" where {total.where.text}" if total.where is not None else ""
            cards = "card" if wanted == 1 else "cards"
            what = f"{decks} should have {as_words(wanted)} {cards}{such}, and the cards come to {counted}"
            source, fix = total.wanted.source, f"correct the copies of the cards, or the total {total.name!r}"
            yield Problem("wrong-total", source, what, fix)


def wrong_totals_at(book: Book, counts: Sequence[int]) -> Iterator[Problem]:
    """Yield the wrong totals at the first player count with any."""
    for count in counts:
        problems = list(wrong_totals(book, Scene(book, count, None, Tabletop(book, count, None)).settled()))
        if problems and count != counts[0]:
            # A total is the same however many play: this one says the number of players in error, but harms no one.
            problems = [problem._replace(level=Level.WARNING, players=count) for problem in problems]
        if problems:
            yield from problems
            return


def cards_of_total(scene: Scene, total: Total) -> int:
    """Return the number of cards that a total counts, in one player's set for a deck per player.

    Raises `Stopped`.
    """
    book, cards = scene.book, dict[CardKey, int]()
    for name in total.decks:
        cards |= book.deck_part(name, 1 if book.game.decks[name].is_per_player else 0).copies
    if total.where is not None:
        cards = {key: cards[key] for key in scene.chosen(cards, total.where)}
    return sum(cards.values())


def unbalanced_sets(book: Book) -> Iterator[Problem]:
    """Yield an `unbalanced` for each group of a balanced set that has more cards of one value than of another."""
    for balance in (balance for part in book.parts for balance in part.balances):
        deck = book.game.decks.get(balance.deck)
        if deck is None:
            yield unknown("unknown-deck", balance.deck, book.game.decks).problem(balance.sources["deck"])
            continue
        names = (("by", balance.by), ("field", balance.field))
        unknown_fields = [(key, name) for key, name in names if name not in deck.fields]
        for key, name in unknown_fields:
            what = f"no card of {deck.id!r} has a field {name!r}"
            yield unknown("unknown-field", name, deck.fields, what, says="its fields are").problem(balance.sources[key])
        if not unknown_fields and deck.is_whole:
            yield from _unbalanced(book, balance, deck)


def _unbalanced(book: Book, balance: Balance, deck: Deck) -> Iterator[Problem]:
    written = (as_words(card.values.get(balance.field)) for card in deck.cards)
    values = dict.fromkeys((*deck.fields[balance.field].choices, *written))
    values.pop("", None)
    groups: dict[str, dict[str, int]] = {}
    places: dict[str, Source] = {}
    for card in deck.cards:
        group, value = as_words(card.values.get(balance.by)), as_words(card.values.get(balance.field))
        if group and value:
            if group not in groups:
                book.at = balance.source
                book.spend(len(values))
            counts = groups.setdefault(group, dict.fromkeys(values, 0))
            counts[value] += card.copies
            places.setdefault(group, card.at(balance.by))
    for group, counts in groups.items():
        if len(set(counts.values())) > 1:
            cards = [f"{count} of {value!r}" for value, count in counts.items()]
            shown = ", ".join(cards[:_MOST_SHOWN]) + (", ..." if len(cards) > _MOST_SHOWN else "")
            what = f"{balance.by} {group!r} of deck {deck.id!r} is not balanced by {balance.field}: {shown}"
            yield Problem("unbalanced", places[group], what, "give each as many copies", balance.level)


def seating_problems(scene: Scene) -> Iterator[Problem]:
    """Yield the relations and the knowledge of players that cannot be computed, each once."""
    seats = scene.book.setup.seats
    if seats is None:
        return
    expressions = [(relation.expression, relation.name) for relation in seats.relations.values()]
    expressions += [(expression, "") for knowledge in seats.knows for expression in knowledge.whose]
    for expression, name in expressions:
        try:
            for seat in range(1, scene.players + 1):
                scene.at_seat(seat).seat_of(expression, name)
        except Stopped as stopped:
            if stopped.problem is not None:
                yield stopped.problem


def totals_by_cause(book: Book) -> dict[str, Total]:
    return {cause_of("wrong-total", total.wanted.source): total for total in book.setup.totals}


def gaps_of(run: SetupRun, expectations: Mapping[str, Expectation]) -> dict[str, float | None]:
    """Return how far each expectation of a run is from its wanted value, by cause; None for no number."""
    gaps: dict[str, float | None] = {}
    if run.steps.is_complete:
        book, scene = run.steps.book, run.steps.first_scene
        for cause, expectation in expectations.items():
            is_played = any(expectation in part.expectations for part in book.parts_of(run.variant))
            if is_about(run, expectation) and is_played:
                gaps[cause] = _gap(scene, expectation)
        gaps |= {cause: _gap_of_total(scene, total) for cause, total in totals_by_cause(book).items()}
    return {**gaps, "": sum(shortage.falling.deficit for shortage in run.shortages)}


def _gap_of_total(scene: Scene, total: Total) -> float | None:
    try:
        wanted = scene.value(total.wanted)
        return cards_of_total(scene, total) - wanted if isinstance(wanted, int | float) else None
    except (Stopped, KeyError):  # of no such deck
        return 0


def _gap(scene: Scene, expectation: Expectation) -> float | None:
    try:
        for seen in everybody_asked(scene, expectation):
            if expectation.when is not None and not seen.value(expectation.when):
                continue
            value = seen.value(expectation.that)
            if expectation.is_ is None:
                if not value:
                    return None
                continue
            wanted = seen.value(seen.expression(expectation.is_, "expectation"))
            if isinstance(value, int | float) and isinstance(wanted, int | float):
                if value != wanted:
                    return value - wanted
            elif value != wanted:
                return None
    except Stopped:
        return None
    return 0
