"""Variants -> the problems of each at its player counts, without those that a variant of fewer parts has already.

A shortage is told with what is needed and what there is, how many cards to add, and what else would help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from duckpress.check.expectations import failed_expectations, seating_problems
from duckpress.check.expressions import Spent, names_in
from duckpress.check.findings import cause_of
from duckpress.check.setup.combinations import MOST_MODULES
from duckpress.check.setup.later_places import step_expressions, written
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.setup_table import table_problems
from duckpress.check.setup.shortages import Shortage
from duckpress.check.setup.steps_run import as_certain, once_mended
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import Each, Step, as_name

_WORDS = {Each.NOBODY: "", Each.PLAYER: " player", Each.TEAM: " team", Each.NUMBER: ""}
ONE_MISTAKE = ("bad-expression", "circular-value", "unclear-amount")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def shortage_problem(shortage: Shortage, players: int, fine: Sequence[int]) -> Problem:
    """Return a shortage as a `not-enough`, or worded by its draws and choices if it is not certain.

    `fine` are the player counts at which its origin has enough, upwards.
    """
    falling, run = shortage.falling, shortage.run
    _, need, supply = max(falling.states, key=lambda entry: entry[1] - entry[2])
    problem = Problem("not-enough", shortage.source, _what(shortage, need, supply), _fix(shortage, players, fine))
    drawn = f"drawn {run.book.card(falling.group[3]).id}" if falling.group[3] is not None else ""
    place = falling.take.source if falling.take is not None else falling.step.source
    about = " ".join(filter(None, (shortage.origin, drawn)))
    weight = float((need - supply) * max(1, len(shortage.owners)))
    problem = problem._replace(cause=cause_of("not-enough", place, about), weight=weight)
    failing = [state for state, _, _ in falling.states]
    worded = as_certain(problem, failing, falling.of, falling.ended, tried=run.tried)
    if shortage.is_certain:
        worded = worded._replace(code=problem.code, level=problem.level)
    elif shortage.is_dealable and worded.code == problem.code:
        worded = worded._replace(code="unlucky-draw", level=Level.WARNING)
    return once_mended(worded, shortage.after)


def _fix(shortage: Shortage, players: int, fine: Sequence[int]) -> str:
    falling, decks = shortage.falling, shortage.run.book.game.decks
    ways = []
    if shortage.to_add == 0:
        ways.append("add what the other findings about these cards ask for, which is enough for this one too")
    elif shortage.to_add is not None and shortage.card is not None:
        deck = decks[shortage.card.deck]
        whose = " (each player's)" if deck.is_per_player else ""
        if deck.id != shortage.origin and falling.take is not None and falling.take.where is None:
            kind = ""
        else:
            kind = _such(shortage)
        if shortage.is_one_kind:  # of other cards that the step may take, it takes more
            kind = f" like {shortage.run.book.card(shortage.card).id!r}"
        ways.append(f"add {_cards(shortage.to_add)}{kind} to {deck.id!r}{whose}{_for_each(shortage)}")
    elif shortage.is_only_counted:
        ways.append(f"add {_cards(shortage.to_add or 0)}{_such(shortage)} to {shortage.origin!r}{_for_each(shortage)}")
    elif shortage.to_add is not None:
        cards = f"{_cards(shortage.to_add)} more{_such(shortage)}"
        ways.append(f"put {cards} into {shortage.origin!r}{_for_each(shortage)}")
    elif falling.is_all:
        ways.append("say with 'count' how many are taken: several take all of the same cards")
    else:
        ways.append("take fewer: adding cards does not help")
    if shortage.is_earlier is not None:
        ways.append(f"or take them before the random draw in line {shortage.is_earlier.line}")
    smaller = [count for count in fine if count < players]
    if fine:
        count = smaller[-1] if smaller else fine[0]
        ways.append(f"or play with at {'most' if smaller else 'least'} {count} player{'s' * (count != 1)}")
    else:
        ways.append("for no player count works as it is")
    return ", ".join(ways)


def _what(shortage: Shortage, need: int, supply: int) -> str:
    falling, run = shortage.falling, shortage.run
    short, whose = f"{need - supply} too few", _whose(shortage)
    if falling.take is None:
        removed = f"{_cards(need)} {'is' if need == 1 else 'are'} to be removed"
        return f"{removed} from {whose}{shortage.origin!r}, which holds {supply}: {short}"
    each = f" ({falling.each} for each{_WORDS[falling.step.each]})" if falling.each is not None else ""
    is_deck = shortage.origin in run.book.game.decks
    has = f"which {'has' if is_deck else 'holds'} {supply}"
    whole = _total_number(shortage) if is_deck else supply
    if whole != supply:
        has = f"{has} left of {whole}"
    if falling.take.where is not None:
        has = f"{has} such {'card' if whole == 1 else 'cards'}"
    is_theirs = bool(falling.group[1])
    to = "" if is_theirs else whose
    need_words = f"{_cards(need)} of {whose if is_theirs else ''}{shortage.origin!r}{_such(shortage)}{each}"
    return f"{to}{falling.step.place!r} needs {need_words}, {has}: {short}"


def _whose(shortage: Shortage) -> str:
    owners, each = shortage.owners, shortage.owner[0]
    word = _WORDS[each].strip() or "number"
    if len(owners) > 1 and each is Each.PLAYER and len(owners) == shortage.run.players:
        return "each player's "
    if len(owners) > 1:
        return f"{word}s {', '.join(map(str, owners[:-1]))} and {owners[-1]}'s "
    return "".join(f"{word} {owner}'s " for owner in owners)


def _total_number(shortage: Shortage) -> int:
    """Return the number of such cards before any is taken."""
    falling, book = shortage.falling, shortage.run.book
    copies = book.deck_part(shortage.origin, falling.group[1]).copies
    added = shortage.run.repairs.extra if shortage.after else {}
    extra = {at: n for (deck, at), n in added.items() if deck == shortage.origin}
    keys = shortage.fitting if falling.take is not None and falling.take.where is not None else copies
    return sum(copies.get(key, 0) + extra.get(key.position, 0) for key in keys)


def _for_each(shortage: Shortage) -> str:
    return " for each of them" if len(shortage.owners) > 1 else ""


def _such(shortage: Shortage) -> str:
    where = shortage.falling.take.where if shortage.falling.take is not None else None
    drawn = shortage.falling.group[3]
    by = f" (drawn: {shortage.run.book.card(drawn).id!r})" if drawn is not None else ""
    return f" where {where.text}{by}" if where is not None else by


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def check_variants(
    runs: Runs, counts: Mapping[str | None, Sequence[int]], *, is_all: bool, is_reported: bool
) -> Iterator[Problem]:
    """Yield the problems of variants at their player counts: combinations last, with a budget of their own."""
    book, modules = runs.book, len(runs.book.setup.modules)
    if is_all and modules > MOST_MODULES:
        what = f"of {modules} modules those of up to three together are checked, and all together"
        yield Problem("some-combinations", book.setup.source, what, "name others with --variant a,b", Level.NOTE)
    together = [way for way in counts if is_all and "," in (way or "")]
    earlier: dict[str | None, set[tuple[object, ...]]] = {}
    for way in counts:
        if way not in together:
            yield from _problems_of_way(runs, way, counts[way], earlier, is_reported=is_reported)
    if not together:
        return
    budget = book.calculator.budget
    left, budget.steps_left, each, runs.left = budget.steps_left, limit("combination-steps"), runs.left, None
    try:
        for way in together:
            yield from _problems_of_way(runs, way, counts[way], earlier, is_reported=is_reported)
    except Spent:
        runs.is_partial = True
        what = f"of {len(counts)} ways to play {len(earlier)} are checked, those of few parts first"
        fix = f"name others with --variant a,b; {how_to_raise('combination-steps')}"
        yield Problem("some-combinations", book.setup.source, what, fix, Level.WARNING)
    budget.steps_left, runs.left = left, each


def _problems_of_way(
    runs: Runs, way: str | None, counts: Sequence[int], earlier: dict[str | None, set[tuple[object, ...]]], *,
    is_reported: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Yield the problems of a variant that no variant of fewer parts has; those are in `earlier`."""
    runs.occurrences.looked_at[way] = counts
    problems = []
    for count in counts:
        with runs.counting(count):
            problems += runs.occurrences.grouped(problems_of_run(runs, count, way, is_reported=is_reported), count, way)
    # What a part does alone, or the basic game without any, is not repeated for what it is played with.
    known = {essence for fewer, essences in earlier.items() if is_part_of(fewer, way) for essence in essences}
    earlier[way] = {_essence(problem) for problem in problems}
    is_outside = not set(counts) <= set(runs.book.game.players)
    problems = [problem for problem in problems if _essence(problem) not in known]
    yield from _merged([one for one in problems if not (is_outside and one.code == "missing-count")], len(counts))


def problems_of_run(runs: Runs, players: int, variant: str | None, *, is_reported: bool) -> Iterator[Problem]:
    """Yield the problems of one run; `is_reported`: failed computations are reported already."""
    run = runs.run(players, variant)
    for trouble in run.steps.troubles.values():
        problem = trouble.problem
        if problem is None and trouble.place is not None and not is_reported:
            what = "this step cannot be computed, and no other problem says why"
            fix = "look at the names and places it uses; duckpress should have told, so a report is welcome"
            problem = Problem("setup-stopped", trouble.place, what, fix, players=players, variant=variant)
        if problem is not None:
            worded = as_certain(problem, trouble.states, trouble.of, trouble.ended, tried=run.steps.tried)
            yield once_mended(worded, run.mended_lines if worded != problem else ())
    for shortage in run.shortages:
        others = [other for other in runs.of_variant(variant) if other.steps.is_complete]
        fine = [one.players for one in others if all(short.origin != shortage.origin for short in one.shortages)]
        yield shortage_problem(shortage, players, sorted(fine))._replace(players=players, variant=variant)
    if run.steps.is_complete:
        yield from failed_expectations(runs.book, run)
    if run.is_known:
        yield from seating_problems(run.steps.first_scene)
        yield from table_problems(run)


def _essence(problem: Problem) -> tuple[object, ...]:
    advice = problem.fix.partition(", ")[0]  # other ways out hang on what else a variant changes
    return (problem.code, problem.source, problem.what, advice, problem.players)


def _merged(problems: list[Problem], counts: int) -> list[Problem]:
    """Return the problems, with those equal at every player count merged, and others marked with their count.

    What cannot be computed is one mistake however many player counts show it: the first one is given.
    """
    alike: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        is_one = problem.code in ONE_MISTAKE
        alike.setdefault((problem.code, problem.source, "" if is_one else problem.what), []).append(problem)
    merged = []
    for group in alike.values():
        is_everywhere = counts > 1 and len({problem.players for problem in group}) == counts
        # The same words with other numbers of cards to add are not the same finding.
        if is_everywhere and len({(problem.what, problem.fix) for problem in group}) == 1:
            group = [group[0]._replace(players=None)]
        if group[0].code in ONE_MISTAKE:
            group = group[:1]
        merged += [problem.headed for problem in group]
    return merged


def what_leads_to(book: Book, way: str | None, players: int, names: Iterable[str], texts: Iterable[str]) -> object:
    """Return a key that is equal for variants in which these places, decks and expressions behave alike.

    Two ways for which this is equal answer the same. It goes by the steps that move cards of anything that is named,
    and of what those steps name; where an expression asks which way it is, every way is another.
    """
    places = {as_name(name): name for name in (*book.all_places, *book.game.decks)}
    values, _, relations = book.by_name
    known, waiting, used = set(names), list(texts), set[str]()
    steps = [step for step in book.steps(way) if step.only is None or players in step.only]
    if book.setup.seats is not None and book.setup.seats.teams is not None:
        waiting.append(book.setup.seats.teams.text)
    chosen: list[Step] = []
    while True:
        while waiting:
            text = waiting.pop()
            quoted = [one for found in _QUOTED.findall(text) for one in found if one]
            words = {*names_in(text), *quoted} - used
            used |= words
            known |= {places.get(word, word) for word in words}
            waiting += [one for one in quoted if one in words]  # the condition of a function is an expression, too
            waiting += [part.text for word in words if word in values for part in written(values[word].amount)]
            waiting += [relations[word].expression.text for word in words if word in relations]
        more = [step for step in steps if step not in chosen and _names_of(step) & known]
        if not more:
            break
        chosen += more
        known.update(*map(_names_of, more))
        waiting += [expression.text for step in more for expression in step_expressions(step)]
    asks_which = bool(used & {"variant", "modules"})
    ids = set(map(id, chosen))
    return tuple(at for at in map(id, steps) if at in ids), way if asks_which else None


def is_part_of(way: str | None, other: str | None) -> bool:
    return set((way or "").split(",")) - {""} <= set((other or "").split(","))


def _names_of(step: Step) -> set[str]:
    return {step.place, *(take.origin for take in step.takes), *(take.per for take in step.takes if take.per)}
