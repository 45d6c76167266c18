"""What `rounds` say in vain, as far as no game has to be played to see it.

Steps whose condition or amounts hang on nothing but the player count and the way to play, and names of no variant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duckpress.check.expression_names import is_strange, strange_names
from duckpress.check.setup.combinations import parts_named
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.check.setup_expressions import Stopped
from duckpress.check.unused_parts import every_expression, unused
from duckpress.core.problems import Problem
from duckpress.model.amounts import Expression
from duckpress.model.setup import Step, Variant

_FIXED = {"players", "variant", "modules"}


def rounds_in_vain(runs: Runs) -> Iterator[Problem]:
    """Yield a warning for each part of `rounds` that does nothing: `unknown-variant`, `unused-step`, `empty-take`."""
    book = runs.book
    for owner, rounds in ((None, book.setup.rounds), *((one, one.rounds) for one in book.setup.all_variants.values())):
        if rounds is None:
            continue
        for expression in every_expression(rounds):
            yield from strange_names(book, expression)
        scenes = _scenes(book, owner)
        for step in rounds.steps:
            at = [scene for scene in scenes if step.only is None or scene.players in step.only]
            if at:
                yield from _idle(step, at)


def _scenes(book: Book, owner: Variant | None) -> list[Scene]:
    """Return every player count in every way to play that has the rounds of a part; None is the game itself."""
    ways = [way for way in book.combinations() if owner is None or owner in parts_named(book.setup, way)]
    return [Scene(book, players, way, Tabletop(book, players, way)) for way in ways for players in book.counts_of(way)]


def _idle(step: Step, scenes: Sequence[Scene]) -> Iterator[Problem]:
    when = step.when
    if when is not None and _is_always([(scene, when) for scene in scenes], False):
        if not is_strange(scenes[0].book, when):
            what = f"this step of {step.place!r} never happens: {when.text!r} holds at none of its player counts"
            yield unused("unused-step", step.source, what, "correct the condition, or delete the step")
        return
    for take in step.takes:
        if _is_always([(scene, take.amount.expression(scene.players)) for scene in scenes], 0):
            what = f"{step.place!r} gets no card from {take.origin!r}, at any player count"
            yield unused("empty-take", take.source, what, "correct how many are taken, or delete it")


def _is_always(asked: Sequence[tuple[Scene, Expression | None]], value: object) -> bool:
    """Return whether expressions that hang on nothing that is played come to the same everywhere."""
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
