"""How far what a setup expects, and its totals, are from what comes out, by the cause of what is wrong with them."""

from __future__ import annotations

from duckpress.check.findings.expectations import cards_of_total, everybody_asked, is_about
from duckpress.check.occurrences import cause_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import SetupRun
from duckpress.check.setup.scene import Scene
from duckpress.check.setup_expressions import Stopped
from duckpress.model.setup import Expectation, Total


def totals_by_cause(book: Book) -> dict[str, Total]:
    """Return the totals by the cause of what is wrong with them."""
    return {cause_of("wrong-total", total.wanted.source): total for total in book.setup.totals}


def gaps_of(run: SetupRun, expectations: dict[str, Expectation]) -> dict[str, float | None]:
    """Return how far what is expected of a run is from what it should be, by cause; None where it is no number."""
    gaps: dict[str, float | None] = {}
    if run.is_complete:
        for cause, expectation in expectations.items():
            owner = run.steps.book.parts_of(run.variant)
            if is_about(run, expectation) and any(expectation in part.expectations for part in owner):
                gaps[cause] = _gap(run.scene, expectation)
        gaps |= {cause: _gap_of_total(run.scene, total) for cause, total in totals_by_cause(run.steps.book).items()}
    lacking = sum(shortage.falling.deficit for shortage in run.shortages)
    return {**gaps, "": lacking}


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
