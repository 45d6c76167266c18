"""`duckpress deal`: deals a game's cards and tells who has what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import asking, report
from duckpress.cli.asking import FORMAT, GAME, chosen_games, leave, the_way, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.check import CardRef, Deal, Holding
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Request


_WORDS = {"player": "seat", "team": "team", "number": "nth"}  # how expressions know whose a place is


@click.command("deal")
@GAME
@click.option("--players", type=click.IntRange(1, 100), help="How many play; may be left out where only one count is.")
@click.option("--seed", type=asking.seed, required=True, help="Any text or number: the same seed gives the same deal.")
@click.option("--variant", help="The variant to deal; without it the game without any.")
@FORMAT
@click.pass_context
def deal_command(ctx: click.Context, game: str, players: int | None, seed: str, variant: str | None, form: str) -> None:
    """Deal a game's cards from a seed and show who has what."""
    from duckpress.press.packets.packet_deal import deal

    (loaded,) = chosen_games(workspace_of(ctx), (game,), players=players, variant=variant)
    dealt = deal(loaded, the_players(loaded, players), seed, the_way(loaded, variant))
    if form == "json":
        data = {"game": dealt.game_id} if dealt.deal is None else _deal_data(dealt.deal)
        report.print_json(data, dealt.problems)
    elif dealt.deal is None:
        report.print_tally(dealt, "nothing dealt")
    else:
        report.print_problems(dealt.problems)
        _print_deal(dealt.deal)
    leave(dealt.problems)


def the_players(loaded: Loaded, players: int | None) -> int:
    """Return the player count asked for, or the only one there is; leaves with status 2 where it has to be said."""
    counts = loaded.game.players if loaded.game is not None else (1,)
    if players is None and len(counts) > 1:
        known = f"the game is for {', '.join(map(str, counts))}"
        raise click.UsageError(f"{loaded.game_id}: say for how many players, with --players; {known}")
    return players if players is not None else counts[0]


def the_packet(request: Request, chosen: list[Loaded]) -> tuple[Request, list[Loaded]]:
    """Return a request for a build with its player count, and the games that have a packet where a seed is given.

    Leaves with status 2 where the options cannot be meant: a seed without a packet, a packet without a seed.
    """
    from duckpress.press.packets.packet_deal import has_packet

    if request.seed is None:
        if request.variant is not None:
            raise click.UsageError("--variant says what is dealt: give a --seed as well")
        for one in chosen:
            asked = [piece for piece in one.game.pieces if piece.id in request.pieces] if one.game is not None else []
            if asked and all(one.game and one.game.dealt_to(piece) for piece in asked):
                raise click.UsageError(f"{asked[0].id!r} of {one.game_id} is filled by a deal: give a --seed")
        return request, chosen
    having = [one for one in chosen if one.game is None or has_packet(one.game)]
    if not having:
        raise click.UsageError("a --seed is for games with decks that say 'from: deal'; none of these has one")
    if len(having) > 1:
        raise click.UsageError("a --seed deals one game: name it")
    return replace(request, players=the_players(having[0], request.players)), having


def _deal_data(deal: Deal) -> dict[str, Any]:
    from duckpress.check import ALGORITHM

    return {
        "game": deal.game,
        "players": deal.players,
        "variant": deal.variant,
        "seed": deal.seed,
        "algorithm": ALGORITHM,
        "seats": [
            {
                "seat": seat.number,
                "player": seat.player,
                "relations": dict(seat.relations),
                "knows": {place: list(seats) for place, seats in seat.knows.items()},
            }
            for seat in deal.seats
        ],
        "places": _holdings_data(deal.places),
        "removed": _holdings_data(deal.removed),
        "left": _holdings_data(deal.left),
    }


def _holdings_data(holdings: Iterable[Holding]) -> list[dict[str, Any]]:
    return [
        {
            "place": holding.place,
            "kind": holding.kind,
            **{word: holding.number if holding.each == each else None for each, word in _WORDS.items()},
            "cards": [{"deck": card.deck, "card": card.card, "seat": card.set_of or None} for card in holding.cards],
        }
        for holding in holdings
    ]


def _print_deal(deal: Deal) -> None:
    """Print the seats, then every place with its cards in order, the top one first."""
    variant = f", variant {deal.variant}" if deal.variant else ""
    echo(f"{style(deal.game, bold=True)}: {report.counted(deal.players, 'player')}{variant}, seed {deal.seed!r}")
    for seat in deal.seats if any(seat.relations or seat.player != seat.number for seat in deal.seats) else ():
        parts = [f"player {seat.player}", *(f"{name} {number}" for name, number in seat.relations.items())]
        for place, seats in seat.knows.items():
            parts.append(f"told {place} {'/'.join(map(str, seats))}" if seats else f"told {place}")
        echo(f"    seat {seat.number}: {', '.join(parts)}")
    for title, holdings in (("", deal.places), ("removed from ", deal.removed), ("left of ", deal.left)):
        for holding in holdings:
            whose = _whose(holding)
            count = report.counted(len(holding.cards), "card")
            cards = f": {_card_words(holding.cards)}" if holding.cards else ""
            echo(f"    {title}{holding.place}{whose} ({holding.kind}, {count}){cards}")


def _whose(holding: Holding) -> str:
    """Return whose a place is, as words behind its name; '' where it is common to all."""
    before = {"player": ", seat", "team": ", team", "number": ""}
    return f"{before[holding.each]} {holding.number}" if holding.each in before else ""


def _card_words(cards: Sequence[CardRef]) -> str:
    """Return the cards in order, those alike and next to each other together."""
    runs = [(name, len(list(run))) for name, run in groupby(card.card for card in cards)]
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in runs)
