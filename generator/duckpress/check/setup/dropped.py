"""What a variant breaks by giving up places of the basic game: the steps it keeps that take from them."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.rule_book import Book
from duckpress.core.problems import Problem
from duckpress.model.setup import Variant


def dropped_places(book: Book, variant: Variant) -> Iterator[Problem]:
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
        yield Problem("place-dropped", source, what, fix, game=book.game.id, variant=variant.id)
