"""How a stream differs from the one that is wanted, in words: only looked at where their texts are not the same.

Statements, which end in their operators, are held against each other one by one; what differs by less than can be seen
on paper is the same. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from duckpress.core.geometry import Matrix, Point, Rect
from duckpress.proof.expected import TOLERANCE_MM

HALF_A_STEP = 0.5 / 255  # of a colour or an opacity
_tokens = re.compile(r"BI .*?EI|\[[^\]]*\]|\S+", re.DOTALL).findall
_digits = re.compile("[0-9A-Fa-f]{4}").findall
_THINGS = {"C": "a face", "D": "a drawing", "P": "a picture", "G": "a group"}
_KINDS = dict.fromkeys(["f", "f*", "S", "B", "B*"], "an outline") | {"TJ": "a text", "W": "a clip", "BDC": "a layer"}
_OTHER = {"TJ": "is of other glyphs", "Do": "is another one", "gs": "is of another opacity, or has another mask"}
_PLACES = frozenset("mlch") | {"re", "cm", "Tm"}

BoxOf = Callable[[str], Rect]
"""Returns the box of what goes by a name."""

Statement = tuple[str, ...]


def difference(wanted: str, found: str, to_mm: Matrix, box_of: BoxOf) -> str | None:
    """Return the first thing in which a stream differs from the one that is wanted; None where nothing can be seen."""
    ours, theirs = _statements(wanted), _statements(found)
    matrix, kept = to_mm, list[Matrix]()
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            what = _unlike(ours[at:], other, matrix, box_of)
            if what is not None:
                return _out_of_order(ours[at:], theirs[at:]) or f"{next(_kinds(ours[at:]), 'the rest')} {what}"
        if one[-1] == "q":
            kept.append(matrix)
        elif one[-1] == "Q":
            matrix = kept.pop()
        elif one[-1] == "cm":
            matrix = matrix.after(Matrix(*map(float, one[:6])))
    left, more = ours[len(theirs) :], theirs[len(ours) :]
    is_longer = f"{(left or more)[0][-1]} is missing or one too many" if left or more else None
    return _out_of_order(left, more) or is_longer


def _statements(text: str) -> list[Statement]:
    statements, statement = list[Statement](), list[str]()
    for token in _tokens(text):
        statement.append(token)
        if token[0] not in "/[<-.0123456789":
            statements.append(tuple(statement))
            statement = []
    return [*statements, tuple(statement)] if statement else statements


def _kinds(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        operator = statement[-1]
        if operator == "Do":
            yield _THINGS.get(statement[0][9:10], "something unknown")
        elif operator in _KINDS or operator.startswith("BI"):
            yield _KINDS.get(operator, "a code")


def _out_of_order(ours: Sequence[Statement], theirs: Sequence[Statement]) -> str | None:
    """Return what is missing, one too many, or painted at another time."""
    wanted, found = Counter(_kinds(ours)), Counter(_kinds(theirs))
    missing = [f"{kind} is missing" for kind in wanted - found]
    if missing or found - wanted:
        return "; ".join([*missing, *(f"{kind} is one too many" for kind in found - wanted)])
    is_moved = ours != theirs and sorted(ours) == sorted(theirs)
    return f"{next(_kinds(ours), 'something')} is painted in another order" if is_moved else None


def _unlike(ours: Sequence[Statement], other: Statement, matrix: Matrix, box_of: BoxOf) -> str | None:
    """Return in what a statement differs from the first one of ours."""
    one, scale = ours[0], math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    operator = one[-1]
    strange = f"is painted in another way ({_shown(other)}, not {_shown(one)})"
    if operator != other[-1] or len(one) != len(other):
        return strange
    if operator in _OTHER:
        return _OTHER[operator]
    try:
        if operator in _PLACES:
            return _moved(*(_points(statement, ours, matrix, box_of) for statement in (one, other)))
        (names, values), (names_found, found) = _operands(one), _operands(other)
    except ValueError:
        return strange
    if names != names_found or len(values) != len(found):
        return strange
    off = max((abs(a - b) for a, b in zip(values, found, strict=True)), default=0.0)
    if operator in ("rg", "RG"):
        colours = ["#" + "".join(f"{round(part * 255):02x}" for part in colour) for colour in (found, values)]
        return None if off <= HALF_A_STEP else f"is in the colour {colours[0]}, not {colours[1]}"
    if operator not in ("w", "d", "Tf"):
        return strange if off else None
    # Glyphs are about half an em wide: so far off is the end of the longest text.
    of_font = takewhile(lambda statement: statement[-1] != "Tf", ours[1:])
    texts = [len(_digits(statement[0])) / 2 for statement in of_font if statement[-1] == "TJ"]
    off *= scale * (max(texts, default=1.0) if operator == "Tf" else 1.0)
    return None if off <= TOLERANCE_MM else f"is larger, smaller or of other lines, by up to {off:.2f} mm"


def _operands(statement: Statement) -> tuple[list[str], list[float]]:
    """Return the names that a statement has, and its numbers."""
    numbers = [token for token in statement[:-1] if token[0] not in "/<"]
    names = [token for token in statement[:-1] if token[0] in "/<"]
    return names, [float(number) for token in numbers for number in token.strip("[]").split()]


def _points(statement: Statement, ours: Sequence[Statement], matrix: Matrix, box_of: BoxOf) -> list[Point]:
    """Return where a statement leads to, in mm; of a matrix, where it places what follows."""
    numbers = [float(number) for number in statement[:-1]]
    if statement[-1] in ("cm", "Tm"):
        inner = Matrix(*numbers)
        name = next((one[0][9:] for one in ours[:4] if one[-1] == "Do"), "")
        points = [inner.apply(*corner) for corner in box_of(name).corners]
    elif statement[-1] == "re":
        points = list(Rect(*numbers).corners)
    else:
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return [matrix.apply(*point) for point in points]


def _moved(wanted: Sequence[Point], found: Sequence[Point]) -> str | None:
    """Return how far points lie from where they should."""
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(wanted, found, strict=True)]
    x, y = max(moves, key=lambda move: math.hypot(*move), default=(0.0, 0.0))
    sides = (("left", -x), ("right", x), ("up", -y), ("down", y))
    far = [f"{by:.2f} mm too far {side}" for side, by in sides if by > TOLERANCE_MM]
    return f"lies {' and '.join(far)}" if far else None


def _shown(statement: Statement) -> str:
    text = " ".join(statement)
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
