"""Useless parts of a setup and its rounds: steps that never happen, empty takes, idle variants, and so on.

Nothing is said where a run breaks off: what could not be computed may still happen. Where something falls short in some
draws only, a part has to do nothing in the others, and with the cards that are lacking. Of `rounds` no game is played:
only what depends on nothing but the player count and the way to play is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from duckpress.check.expectations import everybody_asked, is_about
from duckpress.check.expression_names import is_strange, strange_names
from duckpress.check.expressions import Stopped
from duckpress.check.setup.combinations import parts_named
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs, SetupRun
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import Expectation, Expression, Step, Take, Variant

_STRING = re.compile(r"['\"]([^'\"]*)['\"]")
T = TypeVar("T")
_FIXED = {"players", "variant", "modules"}


def unused_parts(runs: Runs) -> Iterator[Problem]:
    """Yield a warning for each part of a setup that has no effect at any player count, in any variant.

    Codes: `unused-step`, `empty-take`, `unused-expectation`, `unused-variant`.
    """
    every = [] if runs.is_partial else [run for way in runs.book.combinations() for run in runs.of_variant(way)]
    if not every or not all(run.is_known and not run.steps.repairs.put for run in every):
        return  # of cards that are put somewhere, nobody knows what they would do
    yield from _idle_steps(runs.book, every)
    yield from _idle_expectations(runs.book, every)
    for part in runs.book.setup.all_variants.values():
        yield from _idle_part(runs, part)


def _idle_steps(book: Book, runs: list[SetupRun]) -> Iterator[Problem]:
    happening = {step for run in runs for step in run.steps.carried_out}
    giving = {take for run in runs for take in run.steps.giving}
    for step in {id(step): step for run in runs for step in book.steps(run.variant)}.values():
        if step.only is not None and not set(step.only) & set(book.game.players):
            continue  # an `extra-count`
        empty = [take for take in step.takes if id(take) not in giving]
        if id(step) not in happening:
            if not is_strange(book, step.when):
                yield _never_happens(step)
        elif empty and len(empty) == len(step.takes):
            what = f"this step of {step.place!r} takes no card, at any player count"
            yield unused("empty-take", step.source, what, "correct how many it takes, or delete the step")
        else:
            yield from (_is_empty(step, take) for take in empty)


def _never_happens(step: Step) -> Problem:
    what = f"this step of {step.place!r} never happens: {_why(step, 'no place of it is formed')}"
    return unused("unused-step", step.source, what, "correct the condition, or delete the step")


def _is_empty(step: Step, take: Take) -> Problem:
    what = f"{step.place!r} gets no card from {take.origin!r}, at any player count"
    return unused("empty-take", take.source, what, "correct how many are taken, or delete it")


def _idle_expectations(book: Book, runs: list[SetupRun]) -> Iterator[Problem]:
    for expectation in (expectation for part in book.parts for expectation in part.expectations):
        is_extra = expectation.only is not None and not set(expectation.only) & set(book.game.players)
        if is_extra or is_strange(book, expectation.when) or any(_is_looked_at(run, expectation) for run in runs):
            continue
        what = f"this expectation is never looked at: {_why(expectation, 'what it is for is never played')}"
        yield unused("unused-expectation", expectation.source, what, "correct the condition, or delete it")


def _is_looked_at(run: SetupRun, expectation: Expectation) -> bool:
    parts = run.steps.book.parts_of(run.variant)
    if not any(expectation is one for part in parts for one in part.expectations) or not is_about(run, expectation):
        return False
    when = expectation.when
    if when is None:
        return True
    try:
        return any(seen.value(when) for scene in run.steps.scenes for seen in everybody_asked(scene, expectation))
    except Stopped:
        return True  # what could not be computed may hold


def _why(part: Step | Expectation, else_say: str) -> str:
    return f"{part.when.text!r} holds at none of its player counts" if part.when is not None else else_say


def _idle_part(runs: Runs, part: Variant) -> Iterator[Problem]:
    """Yield an `unused-variant` for a variant or module that is never played, or that changes nothing."""
    book, kind = runs.book, "module" if part.is_module else "variant"
    ways = [way for way in book.combinations() if part.id in (way or "").split(",") and book.counts_of(way)]
    if not ways and part.only is not None and not set(part.only) & set(book.game.players):
        return  # an `extra-count`
    if not ways:
        what = f"the {kind} {part.id!r} is played at no player count, and with nothing"
        yield unused("unused-variant", part.source, what, "correct its 'only', 'needs' and 'excludes'")
        return
    says = (part.about, part.columns, part.rounds, *(step.note for step in part.steps))
    if any(says) or _is_mentioned(book, part):
        return
    for way in ways:
        without = ",".join(name for name in (way or "").split(",") if name != part.id) or None
        if without not in book.combinations() or any(
            _outcome(run) != _outcome(runs.run(run.players, without)) for run in runs.of_variant(way)
        ):
            return
    what = f"the {kind} {part.id!r} changes nothing: the setup with it is the one without it"
    yield unused("unused-variant", part.source, what, "say under 'setup' or 'about' what is different, or delete it")


def _outcome(run: SetupRun) -> object:
    known: dict[int, object] = {}
    return {state.top.key(known) for state in run.steps.states}


def _is_mentioned(book: Book, part: Variant) -> bool:
    """Return whether an expression, another part or a text of the rules mentions a variant or module."""
    owner = "modules" if part.is_module else "variant"
    others = [name for other in book.setup.all_variants.values() for name, _ in (*other.needs, *other.excludes)]
    if part.id in others or any(
        _names(sheet.text, part.id) for by in book.game.texts.values() for sheet in by.values()
    ):
        return True
    for expression in every(Expression, book.setup):
        # Compared with anything else than the name of a part, it may be any.
        strings = _STRING.findall(expression.text)
        if _names(expression.text, owner) and (part.id in strings or not set(strings) & {*book.setup.all_variants}):
            return True
    return False


def _names(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def every(kind: type[T], value: object) -> Iterator[T]:
    """Yield all values of a type in a record, also in the keys of mappings, but not inside a source."""
    parts: Iterable[object] = ()
    if isinstance(value, kind):
        yield value
    elif isinstance(value, Struct):
        parts = astuple(value)
    elif isinstance(value, Mapping):
        parts = (*value, *value.values())
    elif isinstance(value, Sequence | Set) and not isinstance(value, str | Source):
        parts = value
    for part in parts:
        yield from every(kind, part)


def unused(code: str, source: Source, what: str, fix: str) -> Problem:
    return Problem(code, source, what, fix, Level.WARNING)


def unused_rounds(runs: Runs) -> Iterator[Problem]:
    """Yield a warning for each part of `rounds` without an effect: `unknown-variant`, `unused-step`, `empty-take`."""
    book = runs.book
    for owner, rounds in ((None, book.setup.rounds), *((one, one.rounds) for one in book.setup.all_variants.values())):
        if rounds is None:
            continue
        for expression in every(Expression, rounds):
            yield from strange_names(book, expression)
        # Every player count in every way to play that has these rounds.
        ways = [way for way in book.combinations() if owner is None or owner in parts_named(book.setup, way)]
        places = [(players, way) for way in ways for players in book.counts_of(way)]
        scenes = [Scene(book, players, way, Tabletop(book, players, way)) for players, way in places]
        for step in rounds.steps:
            at = [scene for scene in scenes if step.only is None or scene.players in step.only]
            if at and step.when is not None and _is_always([(scene, step.when) for scene in at], False):
                yield from [] if is_strange(book, step.when) else [_never_happens(step)]
                continue
            for take in step.takes if at else ():
                if _is_always([(scene, take.amount.expression(scene.players)) for scene in at], 0):
                    yield _is_empty(step, take)


def _is_always(asked: Sequence[tuple[Scene, Expression | None]], value: object) -> bool:
    """Return whether all these expressions depend on nothing that is played, and have this value."""
    for scene, expression in asked:
        reading = scene.book.reading(expression.text) if expression is not None else None
        if expression is None or reading is None or reading.error is not None or reading.calls:
            return False
        if not {use.text for use in reading.names} <= _FIXED:
            return False
        try:
            if scene.value(expression) != value:
                return False
        except Stopped:
            return False
    return True
