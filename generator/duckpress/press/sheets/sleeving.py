"""Cards fitted to a sleeve: trimmed within their safe zone, or scaled as a whole.

What lies on a face is laid out once, at the deck's own size; here it is only cut nearer or scaled, so that a sleeved
print says the same as any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from duckpress.core.frame import Drawing, Frame, Group, Item, PlacedDrawing, Text
from duckpress.core.geometry import PT_PER_MM, Size, scaling, translation
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import PLAY_MM, SLEEVES, Sleeve
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.print_job import PrintJob

SAFE_LEFT_MM = 1.0  # between a trimmed card's edge and its words: as far as a careful cut strays; our own choice
LEAST_PT = 4.5  # of a text on a scaled card; our own choice: below it small print fills in on home printers
# A card is meant for a sleeve that is nearly as large: other decks of the game go into other sleeves, or into none.
_NEAREST, _FARTHEST = 0.75, 1.1


class Fit(Struct, frozen=True):
    """The changes that make a format fit: trimmed by so much at each side, then scaled about its middle."""

    trim: Size
    cut_mm: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0


def fit_to_sleeve(job: PrintJob, pieces: Sequence[LaidOut]) -> tuple[Sequence[LaidOut], list[Problem]]:
    """Return pieces whose cards fit into the requested sleeve, if any.

    Problems: a note for each deck, `sleeve-fit`, or what stands against it. Decks that are no cards of about the
    sleeve's size stay as they are; where there is no other, `sleeve-unused`.
    """
    game, sleeve, is_scaled = job.game, job.request.sleeve, job.request.is_scaled_for_sleeve
    if sleeve is None:
        return pieces, []
    problems: list[Problem] = []
    fitted: list[LaidOut] = []
    is_used = False
    for one in pieces:
        fits: dict[str, Fit | None] = {}
        for deck in dict.fromkeys(face.deck for face in one.faces if _is_meant(game, face, sleeve)):
            faces = [face for face in one.faces if face.deck == deck]
            fits[deck], problem = _fit(game, faces, one.drawings, sleeve, is_scaled=is_scaled)
            problems += [problem] if problem not in problems else []
        is_used = is_used or bool(fits)
        fitted.append(one._replace(faces=_fitted(one.faces, fits)))
    if not is_used and any(one.faces for one in pieces):
        problems.append(_unused(game, pieces, sleeve))
    return fitted, problems


def _is_meant(game: Game, face: Face, sleeve: Sleeve) -> bool:
    format_, deck = face.format, game.decks[face.deck]
    if format_.is_round or format_.is_hex or face.overlap_mm is not None or deck.box_plan is not None:
        return False
    sides = zip(sorted(format_.trim), sleeve.inside, strict=True)
    return all(_NEAREST <= side_mm / room_mm <= _FARTHEST for side_mm, room_mm in sides)


def _fit(
    game: Game, faces: Sequence[Face], drawings: Mapping[str, Drawing], sleeve: Sleeve, *, is_scaled: bool
) -> tuple[Fit | None, Problem]:
    """Return how to fit the faces of a deck (None: unchanged), and the note or problem about it."""
    format_ = faces[0].format
    source = game.decks[faces[0].deck].at("size")
    most = sleeve.largest_card
    most = most if format_.trim.width_mm <= format_.trim.height_mm else most.turned()
    over_mm = [max(0.0, side_mm - most_mm) for side_mm, most_mm in zip(format_.trim, most, strict=True)]
    about = f"deck {faces[0].deck!r}, {_mm(format_.trim)}, for sleeve {sleeve.name!r}, {_mm(sleeve.inside)} inside"
    if not any(over_mm):
        return None, Problem("sleeve-fit", source, f"{about}: it slides in as it is", level=Level.NOTE)
    scale = min(most_mm / side_mm for side_mm, most_mm in zip(format_.trim, most, strict=True))
    least_pt = min(
        (_smallest_pt(frame.items, drawings) for face in faces for frame in (face.front, face.back) if frame),
        default=math.inf,
    )
    spare_mm = max(0.0, format_.safe_mm - SAFE_LEFT_MM)
    needs = f"with {PLAY_MM:g} mm of play a card may be {_mm(most)}"
    if is_scaled:
        # A tenth of a micrometre less, so that rounding never leaves a card too large.
        scale = math.floor(scale * 1e6) / 1e6
        trim = Size(*(round(side_mm * scale, 4) for side_mm in format_.trim))
        smallest = "" if math.isinf(least_pt) else f", its smallest text {least_pt * scale:.1f} pt"
        if least_pt * scale < LEAST_PT <= least_pt:
            what = f"{about}: {needs}, {scale * 100:.1f} % of its size{smallest}, less than {LEAST_PT:g} pt"
            fix = "take a larger sleeve"
            if max(over_mm) / 2 <= spare_mm + 1e-6:
                fix += f", or trim: '--sleeve-by trim' takes off {_cut(over_mm)} mm at each side"
            return None, Problem("sleeve-too-small", source, what, fix)
        what = f"{about}: printed at {scale * 100:.1f} %, {_mm(trim)}{smallest}"
        return Fit(trim, scale=scale), Problem("sleeve-fit", source, what, level=Level.NOTE)
    if max(over_mm) / 2 > spare_mm + 1e-6:
        what = (
            f"{about}: {needs}, so {_cut(over_mm)} mm have to come off at each side; "
            f"the safe zone of {format_.safe_mm:g} mm can spare {spare_mm:g} mm"
        )
        fix = "take a larger sleeve"
        if not least_pt * scale < LEAST_PT <= least_pt:
            fix += f", or '--sleeve-by scale' for cards of {scale * 100:.1f} % of their size"
        return None, Problem("sleeve-too-small", source, what, fix)
    trim = Size(*(round(side - over, 4) for side, over in zip(format_.trim, over_mm, strict=True)))
    what = f"{about}: trimmed to {_mm(trim)}, {_cut(over_mm)} mm at each side, inside the safe zone"
    cut_mm = (round(over_mm[0] / 2, 4), round(over_mm[1] / 2, 4))
    return Fit(trim, cut_mm), Problem("sleeve-fit", source, what, level=Level.NOTE)


def _fitted(faces: Sequence[Face], fits: Mapping[str, Fit | None]) -> tuple[Face, ...]:
    """Return faces fitted by deck; faces that share a frame still share it."""
    frames: dict[str, Frame] = {}

    def fitted(frame: Frame, fit: Fit) -> Frame:
        if frame.hash not in frames:
            matrix = scaling(fit.scale) if fit.scale != 1.0 else translation(-fit.cut_mm[0], -fit.cut_mm[1])
            bleed_mm = round(frame.bleed_mm * fit.scale, 4)
            frames[frame.hash] = Frame(fit.trim, bleed_mm, (Group(frame.items, matrix),))
        return frames[frame.hash]

    fitting = []
    for face in faces:
        if (fit := fits.get(face.deck)) is not None:
            scaled = face.format.scaled(fit.scale)
            face = face._replace(
                front=fitted(face.front, fit),
                back=None if face.back is None else fitted(face.back, fit),
                format=scaled._replace(trim=fit.trim, safe_mm=max(0.0, scaled.safe_mm - max(fit.cut_mm))),
            )
        fitting.append(face)
    return tuple(fitting)


def _smallest_pt(items: Iterable[Item], drawings: Mapping[str, Drawing], scale: float = 1.0) -> float:
    """Return the size of the smallest text; infinity without text."""
    least = math.inf
    for item in items:
        if isinstance(item, Text) and item.text.strip():
            least = min(least, item.size_mm * PT_PER_MM * scale)
        elif isinstance(item, Group | PlacedDrawing):
            a, b, c, d, _, _ = item.matrix
            inner = item.items if isinstance(item, Group) else drawings[item.key].items
            least = min(least, _smallest_pt(inner, drawings, scale * math.sqrt(abs(a * d - b * c))))
    return least


def _unused(game: Game, pieces: Sequence[LaidOut], sleeve: Sleeve) -> Problem:
    sizes = {face.deck: face.format.trim for one in pieces for face in one.faces}
    listed = ", ".join(f"{deck!r} {_mm(trim)}" for deck, trim in list(sizes.items())[:6])
    what = (
        f"no deck has cards for sleeve {sleeve.name!r}: it is {_mm(sleeve.inside)} inside and takes cards "
        f"of up to {_mm(sleeve.largest_card)}; the decks are {listed}"
    )
    faces = {face.deck: face for one in pieces for face in one.faces}.values()
    fitting = [one.name for one in SLEEVES.values() if any(_slides_in(game, face, one) for face in faces)]
    fix = f"write '--sleeve {fitting[0]}', which fits" if fitting else "name a sleeve of about the size of the cards"
    return Problem("sleeve-unused", game.source, what, fix, game=game.id)


def _slides_in(game: Game, face: Face, sleeve: Sleeve) -> bool:
    sides = zip(sorted(face.format.trim), sleeve.largest_card, strict=True)
    return _is_meant(game, face, sleeve) and all(side_mm <= most_mm for side_mm, most_mm in sides)


def _mm(size: Size) -> str:
    return f"{round(size.width_mm, 2):g} x {round(size.height_mm, 2):g} mm"


def _cut(over_mm: Sequence[float]) -> str:
    across_mm, down_mm = (round(over / 2, 2) for over in over_mm)
    return f"{across_mm:g}" if across_mm == down_mm else f"{across_mm:g} and {down_mm:g}"
