"""A deal -> its packet: the host's prints, and one file for each player with only that player's secrets.

Every file of a packet is rendered and proven by itself, and each face is laid out from the view of the one it is for,
one after the other. Nothing is shared between two of them that could carry a trace: no sizes set alike, no font subset,
no list of files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.check import CardRef, Deal, Seat, check_game, deal_cards, way_to_play
from duckpress.check.all_findings import known_findings
from duckpress.core.problems import Level, Problem, has_errors, is_fault, sorted_problems
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.layout.templates import card_values
from duckpress.model import Card, Game, Piece
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import GameFindings, Loaded, named
from duckpress.press.request import Request
from duckpress.press.typesetting import TypesetPieces, TypesetTask, typeset_each
from duckpress.store import Output, read_whole

HOST = "host"
SAMPLE_SEED = "a sample deal"


class Dealt(GameFindings, frozen=True):
    """A game and the deal of its cards; None if there are errors."""

    deal: Deal | None = None


def deal(loaded: Loaded, players: int, seed: str, variant: str | None = None) -> Dealt:
    """Deal a game's cards at a player count, unless its setup has an error there."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return Dealt(loaded.game_id, game, loaded.problems)
    problems = [*loaded.problems, *check_game(game, players, variant)]
    dealt = None if has_errors(problems) else deal_cards(game, players, seed, variant)
    if isinstance(dealt, Problem):
        return Dealt(game.id, game, named(game.id, [*problems, dealt]))
    return Dealt(game.id, game, named(game.id, problems), dealt)


def has_packet(game: Game) -> bool:
    return any(game.dealt_to(piece) for piece in game.pieces)


def deal_packet(original: Game, request: Request) -> Deal | Problem | None:
    """Return the deal of a build; None if it needs none, or if the setup has an error.

    What such a setup would deal means nothing, forced or not; its errors are listed.
    """
    players = request.players or max(original.players)
    way = way_to_play(original.setup, request.variant, players) if request.seed is not None else None
    if request.seed is None or has_errors(check_game(original, players, way)):
        return None
    return deal_cards(original, players, request.seed, way)


def subjects(game: Game, dealt: Deal, wanted: Sequence[str]) -> list[tuple[Piece, Seat | None]]:
    """Return the dealt pieces, each with its recipient: the host (None), or each player in turn."""
    wanted_by: list[tuple[Piece, Seat | None]] = []
    for piece in game.chosen_pieces(wanted):
        kind = game.dealt_to(piece)
        if kind is not None:
            wanted_by += [(piece, None)] if kind == HOST else [(piece, seat) for seat in dealt.seats]
    return wanted_by


def player_view(game: Game, deal: Deal, seat: Seat) -> dict[str, Any]:
    """Return a player's knowledge: the seats, the known hands, and the cards open to everybody."""
    common = {place: _place(game, deal, place, 0) for place, seats in seat.knows.items() if not seats}
    you = _seat(seat) | {"told": _known_places(game, deal, seat)}
    seats = [_seat(other) for other in deal.seats]
    return {"players": deal.players, "variant": deal.variant, "seats": seats, "you": you, "places": common}


def host_view(game: Game, deal: Deal) -> dict[str, Any]:
    """Return the whole deal: the seed, every place, each player's knowledge and who knows each place."""
    seats = []
    for seat in deal.seats:
        own = {holding.place: _cards(game, holding.cards) for holding in deal.places if holding.seat == seat.number}
        knowers = {
            place: [other.number for other in deal.seats if seat.number in other.knows[place]]
            for place, told in seat.knows.items()
            if told
        }
        seats.append(_seat(seat) | {"places": own, "told": _known_places(game, deal, seat), "knowers": knowers})
    common = (holding for holding in deal.places if not holding.seat)
    joined: list[dict[str, list[dict[str, Any]]]] = []
    for holdings in (common, deal.removed, deal.left):
        joined.append({})
        for holding in holdings:
            joined[-1].setdefault(holding.place, []).extend(_cards(game, holding.cards))
    places, removed, left = joined
    how = {"players": deal.players, "variant": deal.variant, "seed": deal.seed}
    return {**how, "seats": seats, "places": places, "removed": removed, "left": left}


def _seat(seat: Seat) -> dict[str, Any]:
    return {**seat.relations, "seat": seat.number, "player": seat.player}


def _known_places(game: Game, deal: Deal, seat: Seat) -> list[dict[str, Any]]:
    """Return the places that the player at a seat knows, in the order of the setup, each with its cards."""
    return [
        {
            "place": place,
            "seat": number,
            "player": deal.seats[number - 1].player,
            "cards": _place(game, deal, place, number),
        }
        for place, seats in seat.knows.items()
        for number in seats
    ]


def _place(game: Game, deal: Deal, place: str, seat: int) -> list[dict[str, Any]]:
    hands = (holding.cards for holding in deal.places if (holding.place, holding.seat) == (place, seat))
    return _cards(game, chain.from_iterable(hands))  # of teams and numbers, all together


def _cards(game: Game, refs: Iterable[CardRef]) -> list[dict[str, Any]]:
    cards = []
    for ref in refs:
        deck = game.decks[ref.deck]
        card = next(card for card in deck.cards if card.id == ref.card)
        cards.append(card_values(card, deck) | {"deck": ref.deck})
    return cards


def packet_layout_problems(task: TypesetTask, players: int | None) -> list[Problem]:
    """Return the problems of a packet's layouts, for a sample deal; none if it cannot be dealt.

    Of `task`, the game and how it is typeset count, not its pieces.
    """
    game = task.game
    count = players or max(game.players)
    memo = Memo() if task.frames is None else task.frames.memo
    if not has_packet(game) or has_errors(known_findings(game, memo, task.workspace, count)):
        return []
    sample = deal_cards(game, count, SAMPLE_SEED)
    if isinstance(sample, Problem):
        return []
    # The sample is the same each time; what is dealt in earnest is kept nowhere.
    kept = replace(task, frames=None if task.frames is None else task.frames.apart("sample"))
    laid_out = _lay_out_for(kept, sample, subjects(game, sample, ()))
    return sorted_problems(problem for one in laid_out for problem in one.problems)


def _lay_out_for(task: TypesetTask, deal: Deal, wanted: Sequence[tuple[Piece, Seat | None]]) -> Iterator[TypesetPieces]:
    """Yield the laid-out pieces, their dealt decks filled for the host (None) or for the player at a seat."""
    tasks = []
    for piece, seat in wanted:
        own, game = piece, dealt_game(task.game, deal, piece, seat)
        if seat is not None:
            own = piece._replace(id=f"{piece.id}-{_card_id(deal, seat)}", title=f"{piece.title} {seat.number}")
        tasks.append(replace(task, game=game, pieces=[own], players=deal.players))
    return typeset_each(tasks) if tasks else iter(())


def dealt_game(game: Game, deal: Deal, piece: Piece, seat: Seat | None) -> Game:
    """Return a game with the dealt decks of a piece filled for the host (None), or for the player at a seat.

    The dealt decks of other pieces and of other players stay empty: no layout can look into them.
    """
    view = host_view(game, deal) if seat is None else player_view(game, deal, seat)
    decks = dict(game.decks)
    for name in piece.decks:
        card = Card(_card_id(deal, seat), name, {"deal": view}, 1, decks[name].source, {})
        decks[name] = replace(decks[name], cards=(card,))
    return game.with_dealt(decks)


def _card_id(deal: Deal, seat: Seat | None) -> str:
    # Numbers of one length, so that files stand in order.
    return HOST if seat is None else f"seat-{seat.number:0{max(2, len(str(deal.players)))}}"


FOLDER = "packet"
LIST = "manifest.json"
SHORTEST_SEED = 10
"""Letters of a seed that nobody finds by trying: a player who knows one hand could try all shorter ones at leisure."""


class Packet(Struct, frozen=True):
    """Finished files of a packet, by piece; the findings of their layout and of their proofs."""

    outputs: Mapping[str, Sequence[Output]] = {}
    problems: tuple[Problem, ...] = ()
    unproven: tuple[Problem, ...] = ()
    pieces: tuple[LaidOut, ...] = ()
    faces: Mapping[str, int] = {}  # by piece: how many sheets and slips, all players' together


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
    for (piece, seat), (laid_out, found) in zip(wanted, _lay_out_for(task, deal, wanted), strict=True):
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
                proven = press.print_piece(one, paper, is_doubted=any(map(is_fault, found)))
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
    """Return a packet's files for a build's folder, by name, and the names of the files that they replace."""
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
    """Return the files of the previous packet, from its list; none if the list is unreadable."""
    try:
        read = json.loads(read_whole(path))
        names = read["files"] if str(read["program"]).startswith("duckpress ") else []
        return [name for name in names if isinstance(name, str) and name.endswith(".pdf") and Path(name).name == name]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
