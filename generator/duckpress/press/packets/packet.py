"""A deal -> its packet: what the host prints of it, and one file for each player with nothing else in it.

Every file of a packet is laid out, rendered and proven by itself, from the view of the one it is for. Nothing is
shared between two of them that could carry a trace: no sizes set alike, no font subset, no list of files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from duckpress import __version__
from duckpress.check import Deal, Seat, check_game, deal_cards
from duckpress.core.problems import Level, Problem, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Game, Piece
from duckpress.press.faces.typesetting import typeset
from duckpress.press.reading import Loaded, named

if TYPE_CHECKING:
    from duckpress.fonts import FontLibrary
    from duckpress.layout import LaidOut
    from duckpress.press.document_maker import Press
    from duckpress.press.request import Request
    from duckpress.store import Output

HOST = "host"
FOLDER = "packet"
LIST = "manifest.json"
SAMPLE_SEED = "a sample deal"
SHORTEST_SEED = 10
"""Letters of a seed that nobody finds by trying: a player who knows one hand could try all shorter ones at leisure."""


class Dealt(Struct, frozen=True):
    """A deal of a game, or the problems that stand against it."""

    game_id: str
    game: Game | None
    deal: Deal | None
    problems: tuple[Problem, ...]

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


class Packet(Struct):
    """Finished files of a packet, by piece; what was found in laying them out, and what their proofs found."""

    outputs: dict[str, list[Output]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unproven: list[Problem] = field(default_factory=list)
    pieces: list[LaidOut] = field(default_factory=list)
    faces: dict[str, int] = field(default_factory=dict)  # by piece: how many sheets and slips, all players' together

    def tally(self, piece: str) -> tuple[int, dict[str, int]]:
        """Give how many slips and sheets a piece holds, and how many sheets of each paper they take."""
        sheets: dict[str, int] = {}
        for output in self.outputs[piece]:
            sheets[output.facts.paper] = sheets.get(output.facts.paper, 0) + output.facts.sheets
        return self.faces[piece], sheets

    def files(self, game: Game) -> dict[str, bytes]:
        """Give the files by name, with their list: names only, for a hash would let a guess be tried against it."""
        files = {output.facts.name: output.data for outputs in self.outputs.values() for output in outputs}
        data = {"game": game.id, "version": game.version, "program": f"duckpress {__version__}", "files": sorted(files)}
        return files | {LIST: (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()}


def deal(loaded: Loaded, players: int, seed: str, variant: str | None = None) -> Dealt:
    """Deal a game's cards at a player count, unless the check of its setup finds an error there."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return Dealt(loaded.game_id, game, None, loaded.problems)
    problems = named(game.id, [*loaded.problems, *check_game(game, players, variant)])
    if has_errors(problems):
        return Dealt(game.id, game, None, problems)
    dealt = deal_cards(game, players, seed, variant)
    if isinstance(dealt, Problem):
        return Dealt(game.id, game, None, named(game.id, [*problems, dealt]))
    return Dealt(game.id, game, dealt, problems)


def has_packet(game: Game) -> bool:
    """Tell whether a game has pieces that a deal fills."""
    return any(game.dealt_to(piece) for piece in game.pieces)


def packet_layout_problems(
    workspace: Workspace, game: Game, fonts: FontLibrary, players: int | None, ink: str = "color"
) -> list[Problem]:
    """Lay out a packet of a sample deal and give what is wrong with its layouts; nothing where it cannot be dealt."""
    count = players or max(game.players)
    if not has_packet(game) or has_errors(check_game(game, count)):
        return []
    sample = deal_cards(game, count, SAMPLE_SEED)
    if isinstance(sample, Problem):
        return []
    problems: list[Problem] = []
    for piece, seat in _subjects(game, sample, ()):
        problems += _lay_out(workspace, game, sample, piece, seat, fonts, ink=ink)[1]
    return sorted_problems(problems)


def print_packet(
    workspace: Workspace, game: Game, dealt: Deal, request: Request, fonts: FontLibrary, press: Callable[[bool], Press]
) -> Packet:
    """Lay out, print and prove the packet of a deal; `press` gives a new press for every file,
    told whether its layout has errors."""
    packet = Packet()
    for piece, seat in _subjects(game, dealt, request.pieces):
        pieces, problems = _lay_out(workspace, game, dealt, piece, seat, fonts, request.language, request.ink)
        packet.problems += problems
        packet.pieces += pieces
        if has_errors(problems) and not request.is_forced:
            continue
        outputs = packet.outputs.setdefault(piece.id, [])
        for one in pieces:
            own = press(has_errors(problems))
            packet.faces[piece.id] = packet.faces.get(piece.id, 0) + len(one.faces)
            for name in request.papers:
                paper = request.paper(name)
                sheets = {one.piece.id: own.imposer.impose(one, paper)}
                own.add(outputs, packet.unproven, one.piece.id, [one], sheets, paper)
    if any(game.dealt_to(piece) != HOST for piece, _ in _subjects(game, dealt, request.pieces)):
        packet.problems += _guessable(game, dealt.seed)
    packet.problems = sorted_problems(packet.problems)
    return packet


def packet_files(folder: Path, packet: Packet, game: Game) -> tuple[dict[str, bytes], list[str]]:
    """Give what a packet writes into a build's folder, by name, and the names of what it replaces there."""
    files = packet.files(game) if packet.outputs else {}
    stale = [name for name in _names_written(folder / FOLDER / LIST) if name not in files] if files else []
    return {f"{FOLDER}/{name}": data for name, data in files.items()}, [f"{FOLDER}/{name}" for name in stale]


def _subjects(game: Game, dealt: Deal, wanted: Sequence[str]) -> list[tuple[Piece, Seat | None]]:
    """Give the pieces that the deal fills, each for whom: for the host (None), or for each player in turn."""
    found: list[tuple[Piece, Seat | None]] = []
    for piece in game.chosen_pieces(wanted):
        kind = game.dealt_to(piece)
        if kind is None:
            continue
        found += [(piece, None)] if kind == HOST else [(piece, seat) for seat in dealt.seats]
    return found


def _lay_out(
    workspace: Workspace,
    game: Game,
    dealt: Deal,
    piece: Piece,
    seat: Seat | None,
    fonts: FontLibrary,
    language: str | None = None,
    ink: str = "color",
) -> tuple[list[LaidOut], list[Problem]]:
    from duckpress.press.packets.packet_views import filled, seat_id

    own = piece
    if seat is not None:
        id_ = seat_id(dealt, seat.number)
        own = piece._replace(id=f"{piece.id}-{id_}", title=f"{piece.title} {seat.number}")
    whole = filled(game, piece, dealt, seat)
    return typeset(workspace, whole, fonts, [own], players=dealt.players, language=language, ink=ink)


def _guessable(game: Game, seed: str) -> list[Problem]:
    if len(seed) >= SHORTEST_SEED:
        return []
    source = game.setup.source if game.setup is not None else game.source
    what = f"the seed has {len(seed)} letters: a player can find it by trying, and with it every hand"
    fix = f"choose one of {SHORTEST_SEED} letters or more that nobody guesses"
    return [Problem("guessable-seed", source, what, fix, Level.WARNING, game=game.id)]


def _names_written(path: Path) -> list[str]:
    """Give the files of the packet that was there, as its list names them; none where it cannot be read."""
    from duckpress.store import read_whole

    try:
        read = json.loads(read_whole(path))
        names = read["files"] if str(read["program"]).startswith("duckpress ") else []
        return [name for name in names if isinstance(name, str) and name.endswith(".pdf") and Path(name).name == name]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
