"""A deal -> its packet: what the host prints of it, and one file for each player with nothing else in it.

Every file of a packet is rendered and proven by itself, and each face is laid out from the view of the one it is for,
one after the other. Nothing is shared between two of them that could carry a trace: no sizes set alike, no font subset,
no list of files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.check import Deal
from duckpress.core.problems import Level, Problem, has_errors, is_fault, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.packets.packet_deal import HOST, dealt_game, lay_out_for, subjects
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.typeset_task import TypesetTask
from duckpress.store import Output, read_whole

FOLDER = "packet"
LIST = "manifest.json"
SHORTEST_SEED = 10
"""Letters of a seed that nobody finds by trying: a player who knows one hand could try all shorter ones at leisure."""


class Packet(Struct, frozen=True):
    """Finished files of a packet, by piece; what was found in laying them out, and what their proofs found."""

    outputs: Mapping[str, Sequence[Output]] = {}
    problems: tuple[Problem, ...] = ()
    unproven: tuple[Problem, ...] = ()
    pieces: tuple[LaidOut, ...] = ()
    faces: Mapping[str, int] = {}  # by piece: how many sheets and slips, all players' together

    def tally(self, piece: str) -> tuple[int, dict[str, int]]:
        """Return how many slips and sheets a piece holds, and how many sheets of each paper they take."""
        sheets = Counter[str]()
        for output in self.outputs[piece]:
            sheets[output.facts.paper] += output.facts.sheets
        return self.faces[piece], sheets


def print_packet(workspace: Workspace, job: PrintJob, deal: Deal | None, *, is_draft: bool = False) -> Packet:
    """Lay out, print and prove the packet of a deal, if there is one.

    `is_draft` says that something else of the build has errors.
    """
    if deal is None:
        return Packet()
    game, request = job.game, job.request
    task = TypesetTask(workspace, game, job.fonts, (), language=request.language, ink=request.ink)
    problems: list[Problem] = []
    unproven: list[Problem] = []
    pieces: list[LaidOut] = []
    outputs: dict[str, list[Output]] = {}
    faces: dict[str, int] = {}
    wanted = subjects(game, deal, request.pieces)
    for (piece, seat), (laid_out, found) in zip(wanted, lay_out_for(task, deal, wanted), strict=True):
        problems += found
        pieces += laid_out
        if has_errors(found) and not request.is_forced:
            continue
        outputs.setdefault(piece.id, [])
        dealt = replace(job, game=dealt_game(game, deal, piece, seat))
        for one in laid_out:
            press = Press(dealt, is_draft=is_draft or has_errors(found))
            faces[piece.id] = faces.get(piece.id, 0) + len(one.faces)
            for paper in map(request.paper, request.papers):
                proven = press.print_piece(one, paper, unproven, is_doubted=any(map(is_fault, found)))
                outputs[piece.id] += proven.outputs
                unproven += proven.problems
    is_secret = any(game.dealt_to(piece) != HOST for piece, _ in wanted)
    if is_secret and len(deal.seed) < SHORTEST_SEED:
        source = game.setup.source if game.setup is not None else game.source
        what = f"the seed is short ({len(deal.seed)} of {SHORTEST_SEED} letters): "
        what += "a player can find it by trying, and with it every hand"
        fix = f"choose one of {SHORTEST_SEED} letters or more that nobody guesses"
        problems.append(Problem("guessable-seed", source, what, fix, Level.WARNING, game=game.id))
    return Packet(outputs, tuple(sorted_problems(problems)), tuple(unproven), tuple(pieces), faces)


def packet_files(folder: Path, packet: Packet, game: Game) -> tuple[dict[str, bytes], list[str]]:
    """Return what a packet writes into a build's folder, by name, and the names of what it replaces there."""
    if not packet.outputs:
        return {}, []
    every = [output for outputs in packet.outputs.values() for output in outputs]
    files = {output.facts.name: output.data for output in every}
    data = {"game": game.id, "version": game.version, "program": f"duckpress {__version__}", "files": sorted(files)}
    unproven = sorted(output.facts.name for output in every if output.facts.unproven is True)
    data |= {"unproven": unproven} if unproven else {}
    # Names only: a hash would let a guess be tried against it.
    files[LIST] = (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
    stale = [name for name in _names_written(folder / FOLDER / LIST) if name not in files]
    return {f"{FOLDER}/{name}": data for name, data in files.items()}, [f"{FOLDER}/{name}" for name in stale]


def _names_written(path: Path) -> list[str]:
    """Return the files of the packet that was there, as its list names them; none where it cannot be read."""
    try:
        read = json.loads(read_whole(path))
        names = read["files"] if str(read["program"]).startswith("duckpress ") else []
        return [name for name in names if isinstance(name, str) and name.endswith(".pdf") and Path(name).name == name]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
