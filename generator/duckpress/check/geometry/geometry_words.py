"""What expressions can ask of boards and shapes: `spaces()`, `contents()` and `perimeter()`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duckpress.check.expression_errors import Stopped
from duckpress.check.geometry.polyomino import perimeter
from duckpress.check.geometry.survey import Survey
from duckpress.check.rule_book import Book
from duckpress.core.problems import did_you_mean
from duckpress.expressions.mistakes import ExpressionError

FUNCTIONS = ("spaces", "contents", "perimeter")


def functions(book: Book) -> Mapping[str, Callable[..., object]]:
    """Return the functions by name. They raise `ExpressionError` for an unknown name, `Stopped` where it is faulty."""
    return {
        "spaces": lambda of, holding=None: _spaces(book.survey(), str(of), holding),
        "contents": lambda of, holding=None: sum(_amounts(book.survey(), str(of), holding)),
        "perimeter": lambda of: perimeter(_shape(book.survey(), str(of))),
    }


def unknown_name(survey: Survey, function: str, name: str) -> ExpressionError | None:
    """Return what is wrong with the name that a function is given; None if it is known, or its mistake is reported."""
    shapes = {*survey.shapes, *survey.unread}
    survey.spend(1 + len(shapes) // 8)
    if not survey.has_all_shapes and function != "contents":
        return None
    if function == "perimeter" and name not in shapes:
        fix = did_you_mean(name, shapes, else_say="the shapes are")
        return ExpressionError("unknown-shape", f"there is no shape {name!r}", fix)
    if function == "contents" and name not in survey.board_names:
        fix = did_you_mean(name, survey.board_names, else_say="the boards are")
        return ExpressionError("unknown-board", f"there is no board {name!r}", fix)
    if name not in (*survey.board_names, *shapes):
        fix = did_you_mean(name, (*survey.board_names, *shapes), else_say="the boards and shapes are")
        return ExpressionError("unknown-board", f"there is no board or shape {name!r}", fix)
    return None


def _spaces(survey: Survey, name: str, holding: object) -> int:
    if holding is not None:
        return len(_amounts(survey, name, holding))
    if name in survey.plans:
        return survey.plans[name].columns * survey.plans[name].rows
    return len(_shape(survey, name, "spaces"))


def _amounts(survey: Survey, name: str, holding: object) -> list[int]:
    """Return how many each space of a board holds, of one kind or of all."""
    error = unknown_name(survey, "contents", name)
    if error is not None:
        raise error
    if name not in survey.plans:
        raise Stopped(None)
    plan = survey.plans[name]
    survey.spend(1 + len(plan.things) // 4)
    kinds = plan.kinds or tuple(sorted({thing.kind for thing in plan.things}))
    if holding is not None and holding not in kinds:
        fix = did_you_mean(str(holding), kinds, else_say="its spaces hold")
        raise ExpressionError("unknown-contents", f"no space of board {name!r} holds {holding!r}", fix)
    return [thing.amount for thing in plan.things if holding in (None, thing.kind)]


def _shape(survey: Survey, name: str, function: str = "perimeter") -> frozenset[tuple[int, int]]:
    error = unknown_name(survey, function, name)
    if error is not None:
        raise error
    if name not in survey.shapes:
        raise Stopped(None)
    return survey.shapes[name].shape
