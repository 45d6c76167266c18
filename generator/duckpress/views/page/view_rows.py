"""Printed sheets as plain data: the place of each face on each side, and the items around them.

A printer that does not print true is sent other pages, and what comes out of it is as it was meant: that is shown, with
the margins that it cannot reach.

What a game is set up with, as plain data, too: tables of setup, chances, and deals of cards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from typing import Any

from duckpress.check import deal_cards, setup_table
from duckpress.check.dealing import CardRef, Chance, Holding
from duckpress.check.setup.combinations import counts_for, parts_named, ways_to_play
from duckpress.core.frame import Frame, Outline, Text, placed_items
from duckpress.core.geometry import IDENTITY, Matrix, Size
from duckpress.core.paths import CLOSE, CURVE, LINE, MOVE, RECTANGLE, Path
from duckpress.core.printer_profile import Printer, stood_up
from duckpress.core.problems import Problem
from duckpress.impose import Sheet, Side
from duckpress.impose.sheets import Code, Edges, Placement, all_items
from duckpress.layout import LaidOut
from duckpress.model import Deck, Game
from duckpress.model.setup import Each
from duckpress.pool import jobs
from duckpress.press.print_job import PrintJob
from duckpress.press.reading import GameFindings, Loaded
from duckpress.press.sheets.imposition import impose
from duckpress.press.sheets.piece_sheets import frames_of, oversize_pieces
from duckpress.store import ALL_PIECES
from duckpress.views.chances import ask_odds, play_often, shares_of_rounds
from duckpress.views.page.card_rows import finding_row

_Picture = Callable[[LaidOut, Frame], str]
_RUN = re.compile("1+")


def sheets_data(job: PrintJob, pieces: Sequence[LaidOut], picture: _Picture) -> dict[str, Any]:
    """Return the sheets of every piece on the first requested paper, without pages made for other papers.

    `errors` say which pieces are left out because they do not fit the paper.
    """
    paper, printer = job.request.papers[0], job.request.printer
    large = {one.piece.id: oversize_pieces(job.game, [one], job.request) for one in pieces}
    whole = [one for one in pieces if (one.faces or one.pages.get(paper)) and not large[one.piece.id]]
    files = [file for file in impose(job, whole, None, is_draft=False).files if file.piece != ALL_PIECES]
    return {
        "paper": paper,
        "backs": job.request.backs,
        "ink": job.request.ink,
        "printer": "" if printer is None else printer.name,
        "errors": [finding_row(problem) for problem in dict.fromkeys(chain(*large.values()))],
        "files": [
            {
                "piece": file.piece,
                "title": file.title,
                "name": file.name,
                "sheets": [
                    _sheet(sheet, printer, one.laid_out, picture) for one in file.pieces for sheet in one.sheets
                ],
            }
            for file in files
        ],
    }


def _sheet(sheet: Sheet, printer: Printer | None, one: LaidOut, picture: _Picture) -> dict[str, Any]:
    frames = frames_of(one)
    sides = [side for side in (sheet.front, sheet.back) if side is not None]
    reach = None if printer is None or printer.margins is None else printer.printable(sheet.paper, 0.0)
    return {
        "width": round(sheet.paper.width_mm, 2),
        "height": round(sheet.paper.height_mm, 2),
        "reach": None if reach is None else [round(number, 2) for number in reach],
        "sides": [_side(side, sheet.paper, one, frames, picture) for side in sides],
    }


def _side(side: Side, paper: Size, one: LaidOut, frames: dict[str, Frame], picture: _Picture) -> dict[str, Any]:
    # A page that lay on its side was stood up for a printer that is measured upright.
    stand = stood_up(paper.turned()) if abs(side.map.b) > abs(side.map.a) else IDENTITY
    lines: list[str] = []
    words: list[list[Any]] = []
    for item, matrix in placed_items(all_items(side), stand):
        if isinstance(item, Outline):
            lines.append(_svg_path(item.path, matrix))
        elif isinstance(item, Text):
            x, y = matrix.apply(item.x_mm, item.y_mm)
            scale, turn = math.hypot(matrix.a, matrix.b), math.degrees(math.atan2(matrix.b, matrix.a))
            shape = (x, y, item.size_mm * scale, item.width_mm * scale, turn)
            words.append([*(round(number, 2) for number in shape), item.text])
    faces = []
    for placed in side.placements:
        frame = frames[placed.frame]
        x, y, turn, bleed = _upright_place(placed, frame.trim, stand)
        numbers = (x, y, *frame.trim, turn, frame.bleed_mm, *bleed)
        faces.append([picture(one, frame), *(round(number, 2) for number in numbers)])
    return {"faces": faces, "lines": " ".join(lines), "dark": modules_path(side.code, stand), "words": words}


def modules_path(code: Code | None, matrix: Matrix) -> str:
    """Return the dark modules of a sheet's code as an SVG path."""
    if code is None:
        return ""
    size, most = code.module_mm, len(code.rows)
    down = f"{matrix.c * size:.2f} {matrix.d * size:.2f}"
    bars: dict[int, str] = {}  # of so many modules side by side, from their top left
    runs = []
    for number, row in enumerate(code.rows):
        for run in _RUN.finditer(f"{row:0{most}b}"):
            long = run.end() - run.start()
            if long not in bars:
                x, y = matrix.a * size * long, matrix.b * size * long
                bars[long] = f"l{x:.2f} {y:.2f} {down} {-x:.2f} {-y:.2f}Z"
            start = _point(matrix, code.x_mm + run.start() * size, code.y_mm + number * size)
            runs.append(f"M{start}{bars[long]}")
    return "".join(runs)


def _upright_place(placed: Placement, trim: Size, stand: Matrix) -> tuple[float, float, int, Edges]:
    """Return a face's place, rotation and visible bleed on a page that was turned upright."""
    if stand == IDENTITY:
        return placed.x_mm, placed.y_mm, placed.turn_degrees, placed.bleed
    x, y = stand.apply(placed.x_mm + trim.width_mm / 2, placed.y_mm + trim.height_mm / 2)
    left, top, right, bottom = placed.bleed
    turn = (placed.turn_degrees + 90) % 360
    return x - trim.width_mm / 2, y - trim.height_mm / 2, turn, Edges(bottom, left, top, right)


def _svg_path(path: Path, matrix: Matrix) -> str:
    """Return a path as an SVG path, in millimetres of the page."""
    words: list[str] = []
    for kind, numbers in path.segments():
        if kind == CLOSE:
            words.append("Z")
        elif kind == RECTANGLE:
            x, y, width, height = numbers
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            words.append("M" + "L".join(_point(matrix, *corner) for corner in corners) + "Z")
        else:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            words.append({MOVE: "M", LINE: "L", CURVE: "C"}[kind] + " ".join(_point(matrix, *pair) for pair in pairs))
    return "".join(words)


def _point(matrix: Matrix, x: float, y: float) -> str:
    left, top = matrix.apply(x, y)
    return f"{left:.2f} {top:.2f}"


_MOST_WAYS = 16
_MOST_SEEDS = 5
_MOST_DEALT = 40_000  # cards, of all deals that are written to the disk
_RUNS = 100
_SEED = "1"


def _ways(game: Game) -> list[str | None]:
    return list(islice(ways_to_play(game.setup, None), _MOST_WAYS)) if game.setup is not None else [None]


def setup_data(game: Game) -> dict[str, Any]:
    """Return the tables of all variants, and the variants and modules that they combine."""
    parts = game.setup.all_variants.values() if game.setup is not None else ()
    return {
        "parts": [
            {"id": one.id, "title": one.title, "about": one.about, "module": one.is_module, "at": str(one.source)}
            for one in parts
        ],
        "at": str(game.setup.source) if game.setup is not None else "",
        "ways": {way or "": setup_table(game, way).as_data() for way in _ways(game)},
    }


def chances_data(found: GameFindings) -> dict[str, Any]:
    """Return the odds in a setup, by variant, question and player count; none with an error."""
    game = found.game
    if game is None or game.setup is None:
        return {"odds": {}}
    loaded = _loaded(found)
    odds = {way: ask_odds(loaded, None, None, way, runs=_RUNS, seed=_SEED).odds for way in _ways(game)}
    return {
        "odds": {
            way or "": {
                name: {str(one.players): float(one.probability) for one in some} for name, some in answered.items()
            }
            for way, answered in odds.items()
        }
    }


def rounds_data(found: GameFindings, way: str | None) -> dict[str, Any]:
    """Return the distribution of rounds in a hundred games at each player count, in per cent."""
    played = play_often(_loaded(found), None, way, _RUNS, _SEED, jobs()).playouts
    if not played:
        return {"names": [], "shares": {}}
    names, shares = shares_of_rounds(played)
    return {"names": names, "shares": {str(one.players): share for one, share in zip(played, shares, strict=True)}}


def _loaded(found: GameFindings) -> Loaded:
    """Return a game as if just loaded, without the problems of single player counts, to check its setup again."""
    return Loaded(found.game_id, found.game, tuple(one for one in found.problems if one.players is None))


def deals_data(game: Game) -> dict[str, Any]:
    """Return deals of a few seeds for every player count and variant."""
    ways = _ways(game)
    copies = sum(deck.count for deck in game.decks.values()) or 1
    tables = [(count, way) for way in ways for count in counts_for(game.setup, way, game.players)]
    seeds = [str(seed) for seed in range(1, 1 + max(1, min(_MOST_SEEDS, _MOST_DEALT // (copies * len(tables) or 1))))]
    kept = list(islice(product(tables, seeds), max(1, _MOST_DEALT // copies)))
    deals = ((count, way, seed, dealt(game, count, way, seed)) for (count, way), seed in kept)
    return {
        "players": list(game.players),
        "ways": [
            {
                "id": way or "",
                "title": ", ".join(part.title for part in parts_named(game.setup, way))
                if game.setup is not None
                else "",
                "players": list(counts_for(game.setup, way, game.players)),
            }
            for way in ways
        ],
        "seeds": seeds,
        "deals": {f"{count}/{way or ''}/{seed}": deal for count, way, seed, deal in deals if deal is not None},
    }


def dealt(game: Game, players: int, way: str | None, seed: str) -> dict[str, Any] | None:
    """Return a deal: the cards at each place, the top one first; None if it is impossible.

    Decks that no step of the setup takes from lie beside it, shuffled; without a setup all do, as piles on the table.
    """
    deal = deal_cards(game, players, seed, way)
    if isinstance(deal, Problem):
        return None
    titles = {name: deck.title for name, deck in game.decks.items()}
    heads = {} if game.setup is None else {column.key: column.title for column in game.setup.columns}
    for part in game.setup.all_variants.values() if game.setup is not None else ():
        heads |= {column.key: column.title for column in part.columns}
    decks = [deck for deck in game.decks.values() if is_on_the_table(game, deck)]
    taken = {card.deck for holding in (*deal.places, *deal.removed, *deal.left) for card in holding.cards}
    others = [_pile(game, deck, players, seed) for deck in decks if deck.id not in taken]
    rest = [*(one for one in deal.left if is_on_the_table(game, game.decks[one.place])), *others]
    keys: dict[str, int] = {}
    places = [
        *_places(deal.places, keys, "", heads),
        *_places(deal.removed, keys, "removed", heads),
        *_places(rest, keys, "left" if game.setup is not None else "", titles),
    ]
    return {"places": places, "cards": list(keys)}


def is_on_the_table(game: Game, deck: Deck) -> bool:
    """Return whether a deck is used in play: no sheet, no box, and not filled by a deal."""
    return bool(deck.cards) and deck.is_component and not deck.is_dealt and deck.id not in game.packaging


def _pile(game: Game, deck: Deck, players: int, seed: str) -> Holding:
    times = players if deck.is_per_player else 1
    cards = [CardRef(deck.id, card.id) for card in deck.cards for _ in range(card.copies * times)]
    Chance(seed, game.id, players, "", f"deck {deck.id} 0").shuffle(cards)
    return Holding(deck.id, "pile", Each.NOBODY, 0, tuple(cards))


def _places(
    holdings: Iterable[Holding], keys: dict[str, int], what: str, titles: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for holding in holdings:
        if holding.cards:
            yield {
                "name": titles.get(holding.place, holding.place),
                "kind": str(holding.kind),
                "seat": holding.seat,
                "number": holding.number,
                "what": what,
                "cards": [keys.setdefault(f"{one.deck}/{one.card}", len(keys)) for one in holding.cards],
            }
