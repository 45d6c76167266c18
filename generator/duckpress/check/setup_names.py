"""The names in a setup: every used one is declared, and every declared one is unique.

One misspelt name is one problem at its own column, whatever the number of player counts it would fail at.
"""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.expression_kinds import Cards
from duckpress.check.expression_names import ExpressionNames
from duckpress.check.expressions import PARAMETERS, unknown
from duckpress.check.setup.combinations import BASE, parts_named
from duckpress.check.setup.later_places import step_expressions
from duckpress.check.setup.moves import places_seen
from duckpress.check.setup.rule_book import RESERVED, RESERVED_OF_SEATS, Book
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import ALL, EVEN, Each, Expectation, Rounds, Step, Take, Variant, as_name

_OF_PLACES = ("count", "sum", "distinct", "most", "tally", "values", "left", "removed", "total")


_OWNERS = {
    Each.NOBODY: "of all",
    Each.PLAYER: "of each player's",
    Each.TEAM: "of each team's",
    Each.NUMBER: "of several, by their number",
}


def unknown_words(book: Book) -> Iterator[Problem]:
    """Yield a problem for each unknown name that a setup uses.

    Codes: `bad-expression`, `unknown-name`, `unknown-field`, `unknown-fact`, `unknown-function`, `unknown-deck`,
    `unknown-place`, `place-too-late`, `place-dropped`, `place-kind`, `name-taken`.
    """
    names = ExpressionNames(book)
    yield from _taken_names(book)
    for value in book.setup.values.values():
        yield from names.amount(value.amount)
    yield from _of_parts(book)
    checked: set[object] = set()
    dropped: set[tuple[Source, str]] = set()
    for way in book.combinations():
        yield from _of_steps(book, names, way, checked)
        for problem in _dropped_places(book, way):
            if (problem.source, problem.what) not in dropped:
                dropped.add((problem.source, problem.what))
                yield problem
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        each = _view_owner(book, expectation)
        yield from names.expression(expectation.that, each, is_condition=True)
        yield from names.amount(expectation.is_, each)
        yield from names.expression(expectation.when, each, is_condition=True)
        yield from names.text(expectation.say, each)
        yield from names.text(expectation.fix, each)
    for column in (column for part in book.parts for column in part.columns):
        yield from names.expression(column.shows)
    for note in book.setup.notes:
        yield from names.text(note)
    yield from _of_seats(book, names)
    for rounds in (part.rounds for part in book.parts if part.rounds is not None):
        yield from _of_rounds(names, rounds)
    for total in book.setup.totals:
        yield from names.expression(total.wanted)
        missing = [name for name in total.decks if name not in book.game.decks]
        for name in missing:
            yield unknown("unknown-deck", name, book.game.decks).problem(total.source)
        if not missing:
            yield from names.expression(total.where, cards=Cards(tuple(dict.fromkeys(total.decks))))


def _of_rounds(names: ExpressionNames, rounds: Rounds) -> Iterator[Problem]:
    """Yield comparisons of two kinds in the expressions of rounds; a playout checks their names."""
    for condition in filter(None, (rounds.until, *(event.that for event in rounds.events.values()))):
        yield from names.of_round(condition, is_condition=True)
    for step in rounds.steps:
        wheres = [take.where for take in step.takes]
        for one in step_expressions(step):
            is_where = any(one is where for where in wheres)
            yield from names.of_round(one, is_where=is_where, is_condition=is_where or one is step.when)


def _view_owner(book: Book, expectation: Expectation) -> Each:
    """Return the owner of an expectation's view: each player, or each owner of a place in it."""
    each_of = {step.place: step.each for part in book.parts for step in part.steps}
    amounts = expectation.is_.by_players.values() if expectation.is_ is not None else ()
    owners = {Each.PLAYER} if expectation.is_for_each_player else set[Each]()
    for text in filter(None, (expectation.that, expectation.when, *amounts)):
        owners |= {each_of[name] for name in places_seen(book, text.text) & each_of.keys()}
    return next((each for each in (Each.PLAYER, Each.TEAM, Each.NUMBER) if each in owners), Each.NOBODY)


def _taken_names(book: Book) -> Iterator[Problem]:
    """Yield a problem for each value, place or relation whose name in expressions is taken."""
    named = [("value", value.name, value.source) for value in book.setup.values.values()]
    named += [("place", step.place, step.source) for part in book.parts for step in part.steps]
    relations = book.setup.seats.relations.values() if book.setup.seats else ()
    named += [("relation", relation.name, relation.source) for relation in relations]
    owners: dict[str, tuple[str, str, Source]] = {}
    for kind, name, source in named:
        short = as_name(name)
        owner = owners.setdefault(short, (kind, name, source))
        # A relation may be called as a function is (`left`): no expression can mean both.
        if short in RESERVED or short in (RESERVED_OF_SEATS if kind == "relation" else PARAMETERS):
            what = f"{name!r} cannot be the name of a {kind}: in expressions {short!r} has a meaning of its own"
            yield Problem("name-taken", source, what, "choose another name")
        elif owner[:2] != (kind, name):
            what = f"the {kind} {name!r} and the {owner[0]} {owner[1]!r} in line {owner[2].line} are both {short!r}"
            yield Problem("name-taken", source, f"{what} in expressions", "choose another name")


def _of_parts(book: Book) -> Iterator[Problem]:
    """Yield the problems of names by which variants, modules and expectations refer to one another."""
    known = book.setup.all_variants
    for part in known.values():
        for name, source in (*part.needs, *part.excludes):
            if name not in known:
                what = f"there is no variant or module {name!r}"
                yield unknown("unknown-variant", name, known, what, says="there are").problem(source)
        others = [step.place for other in book.parts if other is not part for step in other.steps]
        for place, at in (*part.drops, *((step.replaces, step.replaces_source) for step in part.steps)):
            if place is not None and at is not None and place not in others:
                what = f"the basic game has no place {place!r}"
                yield unknown("unknown-place", place, others, what, says="the basic game has").problem(at)
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        for name in expectation.belongs_to or ():
            if name not in (BASE, *known):
                what = f"there is no variant or module {name!r}"
                where = expectation.belongs_source or expectation.source
                yield unknown("unknown-variant", name, (BASE, *known), what, says="there are").problem(where)


def _of_steps(book: Book, names: ExpressionNames, way: str | None, checked: set[object]) -> Iterator[Problem]:
    """Yield the problems of the names in a variant's steps, if an earlier variant did not have the step.

    Whether two steps mean one place is looked at wherever they come together.
    """
    first_of: dict[str, Step] = {}
    formed: set[str] = set()
    for step in book.steps(way):
        first = first_of.setdefault(step.place, step)
        if (first.kind, first.each) != (step.kind, step.each) and step.source not in checked:
            checked.add(step.source)
            what = f"{step.place!r} is a {_spoken(step)} here and a {_spoken(first)} in line {first.source.line}"
            yield Problem("place-kind", step.source, what, "make them the same, or give one another name")
        if id(step) not in checked:  # which of them, not which are alike
            checked.add(id(step))
            if step.each is Each.TEAM and (book.setup.seats is None or book.setup.seats.teams is None):
                fix = "say which team a seat is of, under 'seats': 'teams: seat % 2 + 1'"
                yield Problem("place-kind", step.source, f"{step.place!r} is each team's, and there are no teams", fix)
            for take in step.takes:
                yield from _of_take(book, names, step, take, formed, way)
            yield from names.amount(step.instances)
            yield from names.amount(step.remove, step.each, words=(ALL,))
            yield from names.amount(step.slots, step.each)
            yield from names.expression(step.when, step.each, is_condition=True)
            yield from names.text(step.note)
        formed.add(step.place)


def _of_take(
    book: Book, names: ExpressionNames, step: Step, take: Take, formed: set[str], way: str | None
) -> Iterator[Problem]:
    origin, decks, drawn = take.origin, book.game.decks, take.per is not None
    if take.per is not None and take.per not in formed:
        book.faulty.add(take.source)
        what = f"no earlier step forms {take.per!r}"
        yield unknown("unknown-place", take.per, formed, what, says="there are").problem(take.source)
    yield from names.amount(take.amount, step.each, words=(ALL, EVEN), drawn=drawn)
    if origin in decks or origin in formed:
        if origin in decks and origin in formed and origin != step.place:
            what = f"{step.place!r} takes from the deck {origin!r}, and not from the place that is called so, too"
            yield Problem("name-taken", take.source, what, "give the place another name", Level.NOTE)
        if take.where is not None:
            cards = Cards((origin,)) if origin in decks else Cards(book.decks_in(origin, way), origin)
            yield from names.expression(take.where, step.each, cards=cards, drawn=drawn)
        each = Each.NOBODY if origin in decks else book.each_of_places(way)[origin]
        if {each, step.each} not in ({each}, {Each.PLAYER, Each.TEAM}) and each and step.each:
            book.faulty.add(take.source)
            what = f"{step.place!r} is a {_spoken(step)} and cannot take from {origin!r}, a place {_OWNERS[each]}"
            yield Problem("place-kind", take.source, what, "make them the same, or take from a place of all")
        return
    book.faulty.add(take.source)
    if origin in book.places(way):
        what = f"{origin!r} is formed only by a later step"
        yield Problem("place-too-late", take.source, what, "move that step up, before this one")
    else:
        what = f"there is no deck {origin!r}, and no earlier step forms it"
        yield unknown("unknown-deck", origin, (*decks, *formed), what, says="there are").problem(take.source)


def _dropped_places(book: Book, way: str | None) -> Iterator[Problem]:
    """Yield a `place-dropped` for each place that one part drops or replaces and another part's step takes from.

    Nothing is said of a place that is formed anew before that step, and of steps that are faulty already.
    """
    gone: dict[str, tuple[str, Source, Variant]] = {}
    for part in parts_named(book.setup, way):
        gone.update({name: ("drops", source, part) for name, source in part.drops})
        for step in part.steps:
            if step.replaces is not None:
                gone.setdefault(step.replaces, ("replaces", step.replaces_source or step.source, part))
    formed: set[str] = set(book.game.decks)
    lines: dict[str, dict[str, int]] = {}
    for step in book.steps(way):
        for take in step.takes if gone else ():
            is_missing = take.origin in gone and take.origin not in formed and take.source not in book.faulty
            if is_missing and all(step is not own for own in gone[take.origin][2].steps):
                lines.setdefault(take.origin, {}).setdefault(step.place, take.source.line)
        formed.add(step.place)
    for place, line_of in lines.items():
        verb, source, part = gone[place]
        takes = "takes" if len(line_of) == 1 else "take"
        takers = " and ".join(f"{name!r} in line {line}" for name, line in line_of.items())
        kind = "module" if part.is_module else "variant"
        what = f"{kind} {part.id!r} {verb} {place!r}, and {takers} still {takes} from it"
        too = " and ".join(map(repr, line_of))
        fix = f"drop or replace {too} too, or form {place!r} anew in a step with 'replaces: {place}'"
        yield Problem("place-dropped", source, what, fix, variant=way)


def _of_seats(book: Book, names: ExpressionNames) -> Iterator[Problem]:
    """Yield the problems of the names in relations, and of the places that players know."""
    seats = book.setup.seats
    if seats is None:
        return
    yield from names.expression(seats.teams, Each.PLAYER)
    for relation in seats.relations.values():
        yield from names.expression(relation.expression, Each.PLAYER)
    personal = {step.place: step.is_for_each_player for part in book.parts for step in part.steps}
    for knowledge in seats.knows:
        place = knowledge.place
        if place not in personal:
            yield unknown("unknown-place", place, personal, f"no step forms {place!r}").problem(knowledge.source)
        elif personal[place] is not bool(knowledge.whose):
            whose = "each player has one" if personal[place] else "it is common to all"
            fix = f"say whose: '{place}: [seat]'" if personal[place] else f"say '{place}: yes'"
            what = f"who is told {place!r} does not fit: {whose}"
            yield Problem("place-kind", knowledge.source, what, fix)
        for expression in knowledge.whose:
            yield from names.expression(expression, Each.PLAYER)


def _spoken(step: Step) -> str:
    return f"{step.kind.value} {_OWNERS[step.each]}"
