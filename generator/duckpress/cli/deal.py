"""`duckpress deal`: deals a game's cards and tells who has what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, chosen_games, leave, machine_failures, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.check import CardRef, Deal, Holding, Seat
    from duckpress.press.packet_deal import Dealt
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Request

MAX_SEED_LENGTH = 40  # it has to fit on the host's pages


class Seed(click.ParamType[str]):
    """Any text or number that can be printed and typed again."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the seed as it was written."""
        text = str(value)
        if not text.strip() or len(text) > MAX_SEED_LENGTH or not text.isprintable():
            self.fail(f"a seed is a text or a number of 1 to {MAX_SEED_LENGTH} letters on one line", param, ctx)
        return text


@click.command("deal")
@click.argument("game")
@click.option("--players", type=click.IntRange(1, 100), help="How many play; may be left out where only one count is.")
@click.option("--seed", type=Seed(), required=True, help="Any text or number: the same seed gives the same deal.")
@click.option("--variant", help="The variant to deal; without it the game without any.")
@FORMAT
@click.pass_context
def deal_command(ctx: click.Context, game: str, players: int | None, seed: str, variant: str | None, form: str) -> None:
    """Deal a game's cards from a seed and show who has what."""
    from duckpress.press.packet_deal import deal

    workspace = workspace_of(ctx)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
        dealt = deal(loaded, the_players(loaded, players), seed, None if variant == "base" else variant)
    show_deal(dealt, form)
    leave([dealt])


def the_players(loaded: Loaded, players: int | None) -> int:
    """Return the player count asked for, or the only one there is; leaves with status 2 where it has to be said."""
    counts = loaded.game.players if loaded.game is not None else (1,)
    if players is None and len(counts) > 1:
        raise click.UsageError(f"{loaded.game_id}: say for how many players, with --players; {_spoken(counts)}")
    return players if players is not None else counts[0]


def the_packet(request: Request, chosen: list[Loaded]) -> tuple[Request, list[Loaded]]:
    """Return a request for a build with its player count, and the games that have a packet where a seed is given.

    Leaves with status 2 where the options cannot be meant: a seed without a packet, a packet without a seed.
    """
    from duckpress.press.packet_deal import has_packet

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


def show_deal(dealt: Dealt, form: str) -> None:
    """Print a deal, and the problems that stand against it."""
    if form == "json":
        data = _deal_data(dealt.deal) if dealt.deal is not None else {"game": dealt.game_id}
        report.print_json(data | {"problems": report.all_data([dealt])})
        return
    report.print_problems(dealt.problems)
    if dealt.deal is None:
        echo(f"{style(dealt.game_id, bold=True)}: nothing dealt: {report.tally(dealt.problems)}")
    else:
        _print_deal(dealt.deal)


def _deal_data(deal: Deal) -> dict[str, Any]:
    from duckpress.check import ALGORITHM

    return {
        "game": deal.game,
        "players": deal.players,
        "variant": deal.variant,
        "seed": deal.seed,
        "algorithm": ALGORITHM,
        "seats": [_seat_data(seat) for seat in deal.seats],
        "places": _holdings_data(deal.places),
        "removed": _holdings_data(deal.removed),
        "left": _holdings_data(deal.left),
    }


def _seat_data(seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat.number,
        "player": seat.player,
        "relations": dict(seat.relations),
        "knows": {place: list(seats) for place, seats in seat.knows.items()},
    }


def _holdings_data(holdings: Iterable[Holding]) -> list[dict[str, Any]]:
    return [
        {
            "place": held.place,
            "kind": held.kind,
            "seat": held.seat or None,
            "cards": [{"deck": card.deck, "card": card.card, "seat": card.set_of or None} for card in held.cards],
        }
        for held in holdings
    ]


def _print_deal(deal: Deal) -> None:
    """Print the seats, then every place with its cards in order, the top one first."""
    variant = f", variant {deal.variant}" if deal.variant else ""
    echo(f"{style(deal.game, bold=True)}: {deal.players} players{variant}, seed {deal.seed!r}")
    for seat in deal.seats if any(seat.relations or seat.player != seat.number for seat in deal.seats) else ():
        parts = [f"player {seat.player}", *(f"{name} {number}" for name, number in seat.relations.items())]
        for place, seats in seat.knows.items():
            parts.append(f"told {place} {_and(seats)}" if seats else f"told {place}")
        echo(f"    seat {seat.number}: {', '.join(parts)}")
    for title, holdings in (("", deal.places), ("removed from ", deal.removed), ("left of ", deal.left)):
        for held in holdings:
            seat_words = f", seat {held.seat}" if held.seat else ""
            count = f"{len(held.cards)} {report.plural(len(held.cards), 'card')}"
            cards = f": {_card_words(held.cards)}" if held.cards else ""
            echo(f"    {title}{held.place}{seat_words} ({held.kind}, {count}){cards}")


def _card_words(cards: Sequence[CardRef]) -> str:
    """Return the cards in order, those alike and next to each other together."""
    words: list[tuple[str, int]] = []
    for card in cards:
        if words and words[-1][0] == card.card:
            words[-1] = (card.card, words[-1][1] + 1)
        else:
            words.append((card.card, 1))
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in words)


def _and(seats: Sequence[int]) -> str:
    return "/".join(map(str, seats))


def _spoken(counts: Sequence[int]) -> str:
    return f"the game is for {', '.join(map(str, counts))}"
