"""What is put onto finished faces (imprints, codes for reports): where it may stand, and what it makes of a face."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.core.problems import Problem, did_you_mean
from duckpress.core.sizes import Format
from duckpress.layout.elements.layout_context import lies_inside
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.theme import EVERY_DECK, Theme, ThemeRule, look_of
from duckpress.model import Game

_SLACK_MM = 0.06
_CAPITALS = 0.72  # height of capitals in type sizes, generously


class Overprinter(ABC):
    """Puts one thing onto the finished faces of one piece, by the rules of its theme, in its ink.

    It is put on after a face is finished and hashed, so that what it says never decides whether a card has changed.
    """

    def __init__(self, game: Game, piece: LaidOut, theme: Theme, ink: str) -> None:
        self.problems: list[Problem] = []
        self._game, self._piece, self._theme = game, piece, theme
        self._look = look_of(theme, ink)
        self._words: dict[str, list[Rect]] = {}  # of frames, by their hashes
        self._told: set[tuple[str, str]] = set()

    def faces(self) -> tuple[Face, ...]:
        """Return the faces with it; they keep their bare hashes."""
        return tuple(map(self._printed, self._piece.faces))

    @abstractmethod
    def _printed(self, face: Face) -> Face:
        """Return a face with it, as `overprinted` makes it."""

    def _refuse_unknown_decks(self, rules: Mapping[str, ThemeRule], code: str, what: str) -> None:
        """Take in a problem for each deck that `what`, a setting of the theme, names and the game does not have."""
        for deck, rule in rules.items():
            if deck != EVERY_DECK and deck not in self._game.decks:
                words = f"{what} names the deck {deck!r}, which the game does not have"
                self.problems.append(Problem(code, rule.source, words, did_you_mean(deck, self._game.decks)))

    def _tell(self, face: Face, name: str, problem: Problem, kind: str = "") -> None:
        """Take in a problem of what is put onto a face, by its name; once for a deck, and a kind of its code."""
        at = face.deck, kind or problem.code
        if at not in self._told:
            self._told.add(at)
            what = f"{name} of card {face.card!r} of deck {face.deck!r}: {problem.what}"
            self.problems.append(problem._replace(what=what))

    def _lies_over_words(self, box: Rect, frame: Frame) -> bool:
        """Return whether a box lies over words of a face; what cards share is looked at once."""
        if frame.hash not in self._words:
            self._words[frame.hash] = list(_words_in(frame.items, IDENTITY))
        return any(not box.is_apart(words) for words in self._words[frame.hash])


def overprinted(face: Face, side: str, items: tuple[Item, ...]) -> Face:
    """Return a face with items over its front or back, as `side` says; it keeps its bare hashes."""
    frame = face.front if side == "front" else face.back
    if frame is None or not items:
        return face
    face = face._replace(bare_front=face.bare, bare_behind=face.bare_back, is_named=True)
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


def _words_in(items: Sequence[Item], matrix: Matrix) -> Iterable[Rect]:
    """Return boxes around the words of items."""
    for item in items:
        if isinstance(item, Group):
            yield from _words_in(item.items, matrix.after(item.matrix))
        elif isinstance(item, Text):
            # Capitals down to the baseline: a single descender does no harm, and titles have none.
            yield matrix.around(
                Rect(item.x_mm, item.y_mm - _CAPITALS * item.size_mm, item.width_mm, _CAPITALS * item.size_mm)
            )
