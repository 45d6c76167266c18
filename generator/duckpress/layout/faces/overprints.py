"""What is put onto finished faces (imprints, codes for reports): where it may stand, and what it makes of a face."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from duckpress.core.frame import Group, Item, Text
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem, did_you_mean
from duckpress.core.sizes import Format
from duckpress.layout.elements.edges import lies_inside
from duckpress.layout.laid_out import Face
from duckpress.layout.theme.theme import EVERY_DECK, ThemeRule
from duckpress.model import Game

_SLACK_MM = 0.06
_CAPITALS = 0.72  # height of capitals in type sizes, generously


def unknown_decks(rules: Mapping[str, ThemeRule], game: Game, code: str, what: str) -> list[Problem]:
    """Return the problems of decks that `what`, a setting of the theme, names and the game does not have."""
    return [
        Problem(
            code,
            rules[deck].source,
            f"{what} names the deck {deck!r}, which the game does not have",
            did_you_mean(deck, game.decks),
        )
        for deck in rules
        if deck != EVERY_DECK and deck not in game.decks
    ]


def overprinted(face: Face, side: str, items: tuple[Item, ...]) -> Face:
    """Return a face with items over its front or back, as `side` says; it keeps its bare hashes."""
    frame = face.front if side == "front" else face.back
    if frame is None or not items:
        return face
    face = face._replace(bare_front=face.bare, bare_behind=face.bare_back)
    printed = frame.overprinted(items)
    return face._replace(front=printed) if side == "front" else face._replace(back=printed)


def box_at(place: str, size: Size, trim: Size, inset_mm: float) -> Rect:
    """Return the box of a size at a place such as `bottom-left`, so far from the trim's edges, else in its middle."""
    left_mm, top_mm = (trim.width_mm - size.width_mm) / 2, (trim.height_mm - size.height_mm) / 2
    if "left" in place:
        left_mm = inset_mm
    elif "right" in place:
        left_mm = trim.width_mm - inset_mm - size.width_mm
    if "top" in place:
        top_mm = inset_mm
    elif "bottom" in place:
        top_mm = trim.height_mm - inset_mm - size.height_mm
    return Rect(left_mm, top_mm, *size)


def fits_face(box: Rect, format_: Format, inset_mm: float) -> bool:
    """Return whether what is put onto a finished face keeps as far from the cut as it should."""
    inset_mm -= _SLACK_MM
    if format_.is_round or format_.is_hex or format_.safe_mm > 0:
        inset_mm = min(inset_mm, format_.safe_mm)
    return lies_inside(format_, box, inset_mm)


def words_in(items: Sequence[Item], matrix: Matrix) -> Iterable[Rect]:
    """Return boxes around the words of items."""
    for item in items:
        if isinstance(item, Group):
            yield from words_in(item.items, matrix.after(item.matrix))
        elif isinstance(item, Text):
            # Capitals down to the baseline: a single descender does no harm, and titles have none.
            yield matrix.around(
                Rect(item.x_mm, item.y_mm - _CAPITALS * item.size_mm, item.width_mm, _CAPITALS * item.size_mm)
            )
