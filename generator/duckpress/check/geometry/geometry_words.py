"""What expressions can ask of boards and shapes: `spaces()`, `contents()` and `perimeter()`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from duckpress.check.geometry.polyomino import Shape, perimeter
from duckpress.check.geometry.survey import Survey
from duckpress.check.setup_expressions import Stopped, unknown
from duckpress.expressions.mistakes import ExpressionError

FUNCTIONS = ("spaces", "contents", "perimeter")


def functions(survey: Survey) -> Mapping[str, Callable[..., object]]:
    """Return the functions by name. They raise `ExpressionError` for an unknown name, `Stopped` where it is faulty."""
    return {
        "spaces": lambda of, holding=None: _spaces(survey, str(of), holding),
        "contents": lambda of, holding=None: sum(_amounts(survey, str(of), holding)),
        "perimeter": lambda of: perimeter(_shape(survey, str(of), "perimeter")),
    }


def unknown_name(survey: Survey, function: str, name: str) -> ExpressionError | None:
    """Return what is wrong with the name that a function is given; None if it is known, or its mistake is reported."""
    shapes = {*survey.shapes, *survey.unread}
    survey.spend(1 + len(shapes) // 8)
    if not survey.has_all_shapes and function != "contents":
        return None
    if function == "perimeter" and name not in shapes:
        return unknown("unknown-shape", name, shapes)
    if function == "contents" and name not in survey.board_names:
        return unknown("unknown-board", name, survey.board_names)
    if name not in (*survey.board_names, *shapes):
        known, what = (*survey.board_names, *shapes), f"there is no board or shape {name!r}"
        return unknown("unknown-board", name, known, what, says="the boards and shapes are")
    return None


def _spaces(survey: Survey, name: str, holding: object) -> int:
    if holding is not None:
        return len(_amounts(survey, name, holding))
    if name in survey.plans:
        return math.prod(survey.plans[name].size)
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
        what = f"no space of board {name!r} holds {holding!r}"
        raise unknown("unknown-contents", str(holding), kinds, what, says="its spaces hold")
    return [thing.amount for thing in plan.things if holding in (None, thing.kind)]


def _shape(survey: Survey, name: str, function: str) -> Shape:
    error = unknown_name(survey, function, name)
    if error is not None:
        raise error
    if name not in survey.shapes:
        raise Stopped(None)
    return survey.shapes[name].shape
