"""Files with `--gaps never` -> the faces that touch on their sheets, and differ where they touch."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.check import accept_findings
from duckpress.core.problems import Level, Problem
from duckpress.impose.rims import Rims, differing_neighbours
from duckpress.impose.sheets import Gaps
from duckpress.layout import Face
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.sheets.piece_sheets import frames_of

_MOST_FILES = 4


def touching_edges(job: PrintJob, files: Sequence[ImposedFile]) -> list[Problem]:
    """Return a `touching-edges` for each side of a deck whose cards touch others and differ there.

    Only whoever asks for `--gaps never` has such sheets: all others leave room between faces that differ.
    """
    if job.request.gaps != Gaps.NEVER:
        return []
    order, rims = [*job.game.decks], dict[tuple[str, ...], Rims]()
    found: dict[tuple[str, str], dict[str, tuple[Face, Face]]] = {}
    for file in files:
        for imposed in file.pieces:
            one = imposed.laid_out
            frames = {} if one.piece.book else frames_of(one)
            trims = {key: frame.trim for key, frame in frames.items()}
            rim = rims.setdefault(tuple(frames), Rims(frames, one.drawings))  # of all papers
            for touching in differing_neighbours(imposed.sheets if frames else (), trims, rim):
                faces = (one.faces[placed.face] for placed in (touching.one, touching.other))
                first, second = sorted(faces, key=lambda face: order.index(face.deck))
                side = "back" if touching.one.is_back else "front"
                found.setdefault((first.deck, side), {}).setdefault(file.name, (first, second))
    problems = [_problem(job, side, in_files) for (_, side), in_files in found.items()]
    return accept_findings(job.game, problems, job.request.ink)


def _problem(job: PrintJob, side: str, files: dict[str, tuple[Face, Face]]) -> Problem:
    one, other = next(iter(files.values()))
    cards = f"cards {one.card!r} and {other.card!r} of deck {one.deck!r}"
    if one.deck != other.deck:
        cards = f"card {one.card!r} of deck {one.deck!r} and card {other.card!r} of deck {other.deck!r}"
    elif one.card == other.card:
        cards = f"copies of card {one.card!r} of deck {one.deck!r}"
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    what = (
        f"the {side}s of {cards} touch in {', '.join([*files][:_MOST_FILES])}{more}, and their colours differ there: "
        "a cut half a millimetre off shows the neighbour"
    )
    fix = f"leave out '--gaps {Gaps.NEVER}', or give all that touch one colour along their edges"
    return Problem("touching-edges", job.game.decks[one.deck].at(side), what, fix, Level.WARNING, game=job.game.id)
