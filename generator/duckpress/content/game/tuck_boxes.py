"""Tuck boxes, once all decks are read: how large each of them is for what it holds."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import did_you_mean
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import box_for
from duckpress.model import BoxPlan, Deck


def size_boxes(decks: Mapping[str, Deck], files: Mapping[str, str], players: int) -> Read[dict[str, Deck]]:
    """Return the decks, every box of the size of what it holds; a deck for each player counts for the most players.

    Problems: `unknown-deck` for a deck that is not there, `box-holds-box`, `mixed-sizes` where what it holds is of
    more than one size. A box that holds nothing known is left out.
    """
    problems = ProblemList()
    sized = dict(decks)
    for id_, deck in decks.items():
        if deck.box_plan is None:
            continue
        inside = problems.take(_decks_inside(deck, deck.box_plan, sized, files))
        if inside:
            sized[id_] = _sized(deck, deck.box_plan, inside, players)
        else:
            del sized[id_]
    return Read(sized, problems)


def _decks_inside(box: Deck, plan: BoxPlan, decks: Mapping[str, Deck], files: Mapping[str, str]) -> Read[list[Deck]]:
    problems = ProblemList()
    inside = []
    for name, source in plan.holds:
        if name not in files:
            what = f"box {box.id!r} holds deck {name!r}, and there is no such file"
            problems.add("unknown-deck", source, what, did_you_mean(name, files))
        elif name in decks and decks[name].box_plan is not None:
            what = f"box {box.id!r} holds {name!r}, which is a box"
            problems.add("box-holds-box", source, what, "name the decks of cards that lie in it")
        elif name in decks:
            inside.append(decks[name])
    if len({tuple(sorted(deck.size.trim)) for deck in inside}) > 1:
        sizes = ", ".join(f"{deck.id} is {deck.format}" for deck in inside)
        what = f"box {box.id!r} holds cards of several sizes: {sizes}"
        problems.add("mixed-sizes", plan.holds[0][1], what, "make a box for each size")
    return Read(inside, problems)


def _sized(box: Deck, plan: BoxPlan, inside: list[Deck], players: int) -> Deck:
    count = sum(deck.count * (players if deck.is_per_player else 1) for deck in inside)
    largest = max((deck.size.trim for deck in inside), key=lambda trim: trim.width_mm * trim.height_mm)
    net = box_for(largest, count, plan.stock_mm, plan.room_mm, is_sleeved=plan.is_sleeved)
    size = net.net_size
    format_ = Format(f"{size.width_mm:g}x{size.height_mm:g}mm", size, 0.0, 0.0, 0.0)
    return replace(box, own_format=format_, format=format_.name, box=net)
