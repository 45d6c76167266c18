"""`box:` of a deck's file -> the tuck box it stands for, and, once all decks are read, how large that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from duckpress.content.yaml.mapping_reader import Reader
from duckpress.core.geometry import Size
from duckpress.core.problems import Problem, did_you_mean
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import DEFAULT_ROOM_MM, DEFAULT_STOCK_MM, box_for
from duckpress.model import BoxPlan, Card, Deck

LAYOUT = "tuckbox"
"""The bundled layout of boxes, for a box that names no `front`."""

Length = Callable[[Reader, str, float, float, float | None], float | None]


def read_box(reader: Reader, length: Length) -> BoxPlan | None:
    """Give the box that a deck's file describes, or None where it describes none."""
    inner = reader.reader("box")
    if inner is None:
        return None
    nodes = inner.items("holds", is_required=True)
    holds = inner.texts("holds", ())
    stock_mm = length(inner, "stock", 0.05, 5.0, DEFAULT_STOCK_MM)
    room_mm = length(inner, "room", 0.0, 20.0, DEFAULT_ROOM_MM)
    is_sleeved = inner.yes_no("sleeved", False)
    inner.finish()
    sources = tuple(node.source for node in nodes)
    stock_mm = DEFAULT_STOCK_MM if stock_mm is None else stock_mm
    room_mm = DEFAULT_ROOM_MM if room_mm is None else room_mm
    return BoxPlan(tuple(holds), sources, stock_mm, room_mm, is_sleeved)


def box_deck(id_: str, title: str, front: str, plan: BoxPlan, reader: Reader) -> Deck:
    """Give the deck of a box: one sheet to cut and fold, without a size of its own until `size_boxes` knows it."""
    card = Card(id_, id_, {}, 1, reader.source, {})
    unknown = Format("box", Size(1.0, 1.0), 0.0, 0.0, 0.0)
    return Deck(
        id_, title, {}, (card,), unknown.name, front, None, False, False, reader.source, reader.sources(), unknown,
        box_plan=plan,
    )  # fmt: skip


def size_boxes(decks: dict[str, Deck], files: Mapping[str, str], players: int, problems: list[Problem]) -> None:
    """Give every box the size of what it holds; a deck with a set for each player counts for the most players.

    Problems: `unknown-deck` for a deck that is not there, `box-holds-box`, `mixed-sizes` where what it holds is of
    more than one size. A box that holds nothing known is dropped.
    """
    for id_, box in list(decks.items()):
        if box.box_plan is not None:
            held = _held(box, box.box_plan, decks, files, problems)
            if held:
                decks[id_] = _sized(box, box.box_plan, held, players)
            else:
                del decks[id_]


def _held(
    box: Deck, plan: BoxPlan, decks: Mapping[str, Deck], files: Mapping[str, str], problems: list[Problem]
) -> list[Deck]:
    held = []
    for name, source in zip(plan.holds, plan.sources, strict=False):
        if name not in files:
            what = f"box {box.id!r} holds deck {name!r}, and there is no such file"
            problems.append(Problem("unknown-deck", source, what, did_you_mean(name, files)))
        elif name in decks and decks[name].box_plan is not None:
            what = f"box {box.id!r} holds {name!r}, which is a box"
            problems.append(Problem("box-holds-box", source, what, "name the decks of cards that lie in it"))
        elif name in decks:
            held.append(decks[name])
    if len({tuple(sorted(deck.size.trim)) for deck in held}) > 1:
        sizes = ", ".join(f"{deck.id} is {deck.format}" for deck in held)
        what = f"box {box.id!r} holds cards of several sizes: {sizes}"
        problems.append(Problem("mixed-sizes", plan.sources[0], what, "make a box for each size"))
    return held


def _sized(box: Deck, plan: BoxPlan, held: list[Deck], players: int) -> Deck:
    count = sum(deck.count * (players if deck.is_per_player else 1) for deck in held)
    largest = max((deck.size.trim for deck in held), key=lambda trim: trim.width_mm * trim.height_mm)
    made = box_for(largest, count, plan.stock_mm, plan.room_mm, is_sleeved=plan.is_sleeved)
    size = made.net_size
    format_ = Format(f"{size.width_mm:g}x{size.height_mm:g}mm", size, 0.0, 0.0, 0.0)
    return replace(box, own_format=format_, format=format_.name, box=made)
