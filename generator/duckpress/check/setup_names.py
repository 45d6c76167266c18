"""The names that a setup gives and uses: every deck and place it takes from is there, and every name is given once."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.expression_names import ExpressionNames
from duckpress.check.setup.rule_book import RESERVED, RESERVED_OF_SEATS, Book
from duckpress.check.setup_expressions import PARAMETERS, unknown
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Step, Take, Variant, as_name


def unknown_words(book: Book) -> Iterator[Problem]:
    """Yield a problem for each name that a setup uses and nothing bears.

    Codes: `bad-expression`, `unknown-name`, `unknown-field`, `unknown-fact`, `unknown-function`, `unknown-deck`,
    `unknown-place`, `place-too-late`, `place-dropped`, `place-kind`, `name-taken`.
    """
    names = ExpressionNames(book)
    yield from _taken_names(book)
    for value in book.setup.values.values():
        yield from names.expression(value.expression)
    for variant_id in (None, *book.setup.variants):
        yield from _of_steps(book, names, variant_id)
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        seat = expectation.is_for_each_player
        yield from names.expression(expectation.that, seat=seat)
        yield from names.amount(expectation.is_, seat=seat)
        yield from names.expression(expectation.when)
        yield from names.text(expectation.say, seat=seat)
        yield from names.text(expectation.fix, seat=seat)
    for column in (column for part in book.parts for column in part.columns):
        yield from names.expression(column.shows)
    for note in book.setup.notes:
        yield from names.text(note)
    yield from _of_seats(book, names)
    for total in book.setup.totals:
        yield from names.expression(total.wanted)
        missing = [name for name in total.decks if name not in book.game.decks]
        for name in missing:
            yield unknown("unknown-deck", name, book.game.decks).problem(total.source)
        if not missing:
            yield from names.expression(total.where, decks=tuple(dict.fromkeys(total.decks)))


def _taken_names(book: Book) -> Iterator[Problem]:
    """Yield a problem for each value or place whose name in expressions is somebody else's."""
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


def _of_steps(book: Book, names: ExpressionNames, variant_id: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the words of the basic game's steps, or of a variant's own."""
    variant = book.variant(variant_id)
    own = book.parts_of(variant_id)[-1].steps
    if variant is not None:
        basic = book.places(None)
        for name, source in [*variant.drops, *((step.replaces, step.replaces_source) for step in own)]:
            if name is not None and source is not None and name not in basic:
                what = f"the basic game has no place {name!r}"
                yield unknown("unknown-place", name, basic, what, says="the basic game has").problem(source)
        yield from _dropped_places(book, variant)
    first_of: dict[str, Step] = {}
    formed: set[str] = set()
    mine = {id(step) for step in own}  # which of them, not which are alike
    for step in book.steps(variant_id):
        first = first_of.setdefault(step.place, step)
        if id(step) in mine:
            if (first.kind, first.is_for_each_player) != (step.kind, step.is_for_each_player):
                what = f"{step.place!r} is a {_spoken(step)} here and a {_spoken(first)} in line {first.source.line}"
                yield Problem("place-kind", step.source, what, "make them the same, or give one another name")
            for take in step.takes:
                yield from _of_take(book, names, take, formed, variant_id, seat=step.is_for_each_player)
            yield from names.amount(step.remove, seat=step.is_for_each_player, all_is_allowed=True)
            yield from names.amount(step.slots, seat=step.is_for_each_player)
            yield from names.expression(step.when)
            yield from names.text(step.note)
        formed.add(step.place)


def _of_take(
    book: Book, names: ExpressionNames, take: Take, formed: set[str], variant_id: str | None, *, seat: bool
) -> Iterator[Problem]:
    yield from names.amount(take.amount, seat=seat, all_is_allowed=True)
    origin, decks = take.origin, book.game.decks
    if origin in decks or origin in formed:
        if take.where is not None:
            of_cards = (origin,) if origin in decks else book.decks_in(origin, variant_id)
            yield from names.expression(take.where, seat=seat, decks=of_cards)
        return
    book.faulty.add(take.source)
    if origin in book.places(variant_id):
        what = f"{origin!r} is formed only by a later step"
        yield Problem("place-too-late", take.source, what, "move that step up, before this one")
    else:
        what = f"there is no deck {origin!r}, and no earlier step forms it"
        yield unknown("unknown-deck", origin, (*decks, *formed), what, says="there are").problem(take.source)


def _dropped_places(book: Book, variant: Variant) -> Iterator[Problem]:
    """Yield a `place-dropped` for each place that a variant drops or replaces and that a step it keeps takes from.

    Nothing is said of a place that the variant forms anew before that step, and of steps that are faulty already.
    """
    gone = {name: ("drops", source) for name, source in variant.drops}
    for step in variant.steps:
        if step.replaces is not None:
            gone.setdefault(step.replaces, ("replaces", step.replaces_source or step.source))
    kept = {id(step) for step in book.setup.steps}
    formed: set[str] = set(book.game.decks)
    lines: dict[str, dict[str, int]] = {}
    for step in book.steps(variant.id):
        for take in step.takes if id(step) in kept else ():
            if take.origin in gone and take.origin not in formed and take.source not in book.faulty:
                lines.setdefault(take.origin, {}).setdefault(step.place, take.source.line)
        formed.add(step.place)
    for place, line_of in lines.items():
        verb, source = gone[place]
        takes = "takes" if len(line_of) == 1 else "take"
        takers = " and ".join(f"{name!r} in line {line}" for name, line in line_of.items())
        what = f"variant {variant.id!r} {verb} {place!r}, and {takers} still {takes} from it"
        too = " and ".join(map(repr, line_of))
        fix = f"drop or replace {too} too, or form {place!r} anew in a step with 'replaces: {place}'"
        yield Problem("place-dropped", source, what, fix, variant=variant.id)


def _of_seats(book: Book, names: ExpressionNames) -> Iterator[Problem]:
    """Yield what is wrong with the words of the relations, and with the places that players are told of."""
    seats = book.setup.seats
    if seats is None:
        return
    for relation in seats.relations.values():
        yield from names.expression(relation.expression, seat=True)
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
            yield from names.expression(expression, seat=True)


def _spoken(step: Step) -> str:
    return f"{step.kind.value} of each player's" if step.is_for_each_player else f"{step.kind.value} of all"
