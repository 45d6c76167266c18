"""A game laid out -> the faces that touch on its sheets, in a plain build, and differ where they touch."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.check import accept_findings
from duckpress.core.inks import PLAIN
from duckpress.core.problems import Level, Problem
from duckpress.impose import Gaps
from duckpress.impose.rims import Rims
from duckpress.impose.touching import differing_neighbours
from duckpress.layout import Face, LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.request import Request
from duckpress.press.sheets.imposition import impose
from duckpress.press.sheets.piece_sheets import frames_of, misfits
from duckpress.press.typeset_task import TypesetTask, in_ink


def touching_edges(task: TypesetTask, pieces: Sequence[LaidOut]) -> list[Problem]:
    """Return a `touching-edges` for each side of a deck whose cards touch others in a plain build and differ there.

    Where a size does not fit the usual papers nothing is said: nobody can print it plainly.
    """
    game, request = task.game, Request(ink=task.ink, language=task.language)
    if misfits(game, pieces, request):
        return []
    imposition = impose(PrintJob(game, request, task.fonts), pieces, None, is_draft=False)
    order, rims = [*game.decks], dict[tuple[str, ...], Rims]()
    found: dict[tuple[str, str], dict[str, tuple[Face, Face]]] = {}
    for file in imposition.files:
        for imposed in file.pieces:
            one = imposed.laid_out
            frames = {} if one.piece.book else frames_of(one)
            trims = {key: frame.trim for key, frame in frames.items()}
            rim = rims.setdefault(tuple(frames), Rims(frames, one.drawings))  # of all papers
            sheets = imposed.sheets if frames else ()
            for touching in differing_neighbours(sheets, trims, rim):
                faces = (one.faces[placed.face] for placed in (touching.one, touching.other))
                first, second = sorted(faces, key=lambda face: order.index(face.deck))
                side = "back" if touching.one.is_back else "front"
                found.setdefault((first.deck, side), {}).setdefault(file.paper.name, (first, second))
    problems = [_problem(task, side, papers) for (_, side), papers in found.items()]
    return accept_findings(game, problems, task.ink)


def _problem(task: TypesetTask, side: str, papers: dict[str, tuple[Face, Face]]) -> Problem:
    one, other = next(iter(papers.values()))
    cards = f"cards {one.card!r} and {other.card!r} of deck {one.deck!r}"
    if one.deck != other.deck:
        cards = f"card {one.card!r} of deck {one.deck!r} and card {other.card!r} of deck {other.deck!r}"
    elif one.card == other.card:
        cards = f"copies of card {one.card!r} of deck {one.deck!r}"
    what = (
        f"the {side}s of {cards} touch on a sheet of {' and '.join(papers)}, and their colours differ there: "
        "a cut half a millimetre off shows the neighbour"
    )
    what = what if task.ink == PLAIN else f"{in_ink(task.ink)}{what}"
    fix = "give all that touch one colour along their edges, as a ground or a border"
    if min(one.format.bleed_mm, other.format.bleed_mm) == 0:
        fix += ", or give the size a bleed, so that there can be room between them"
    else:
        fix += f"; else '--gaps {Gaps.ALWAYS}' leaves room between cards, and takes more sheets"
    return Problem("touching-edges", task.game.decks[one.deck].at(side), what, fix, Level.WARNING)
