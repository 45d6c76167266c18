"""Pieces on common sheets: nothing lost, never more sheets, each sheet cut apart by straight cuts and named for what it
holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from ink import footer_of, overlap, shown
from sheet_maps import LABEL, impose, typeset

from duckpress.core.frame import Group, Text, every_item
from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Gang, Leaf, Placement, Share, Side, Turn, all_items, impose_gang
from profiles import examples

NAMES = ("poker", "mini-euro", "tarot", "token-1in", "round-1in", "hex-2in", "poker-landscape")
sizes = st.sampled_from([*(FORMATS[name] for name in NAMES), Format("own", Size(33.0, 71.0), bleed_mm=0.0)])
decks = st.lists(st.tuples(sizes, st.integers(1, 20), st.booleans()), min_size=1, max_size=3)
pieces = st.lists(decks, min_size=2, max_size=4)


def gang(found: Sequence[Share], paper: Paper, turn: Turn = Turn.LONG, backs: Backs = Backs.DUPLEX) -> Gang:
    return impose_gang(found, paper, backs, turn, LABEL, typeset)


def shares(found: Sequence[Sequence[tuple[Format, int, bool]]]) -> list[Share]:
    return [
        Share(
            f"Piece{number}",
            [
                Leaf(size, count, f"f{number}.{at}", f"b{number}.{at}" if has_back else None)
                for at, (size, count, has_back) in enumerate(piece)
            ],
        )
        for number, piece in enumerate(found)
    ]


@examples(6)
@given(pieces, st.sampled_from([PAPERS["a4"], PAPERS["letter"], PAPERS["a3"]]), st.sampled_from(list(Turn)))
def test_any_pieces(found: list[list[tuple[Format, int, bool]]], paper: Paper, turn: Turn) -> None:
    given_pieces = shares(found)
    leaves = {leaf.front: leaf for one in given_pieces for leaf in one.leaves}
    result = gang(given_pieces, paper, turn)
    placed: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    for bundle in result.bundles:
        for sheet in bundle.sheets:
            placed.update(item.frame for item in sheet.front.placements)
            behind.update(item.frame for item in (sheet.back.placements if sheet.back else ()))
            printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
            boxes = [shown(item, leaves[item.frame].format) for item in sheet.front.placements]
            assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
            assert all(printable.holds(box, 0.001) for box in boxes)
            trims = [_trim(item, leaves[item.frame].format) for item in sheet.front.placements]
            assert _falls_apart(trims), "no straight cuts part these pieces"
            names = {f"Piece{item.frame[1:].partition('.')[0]}" for item in sheet.front.placements}
            assert names == set(bundle.title.split(" + "))
            assert bundle.title in _words(sheet.front) or len(bundle.title) > 40
    assert placed == Counter({leaf.front: leaf.copies for leaf in leaves.values()})
    assert behind == Counter({leaf.back: leaf.copies for leaf in leaves.values() if leaf.back is not None})
    alone = sum(len(impose(one.leaves, paper, turn=turn)) for one in given_pieces)
    assert result.sheets_alone == alone
    assert result.sheets <= alone
    assert result == gang(given_pieces, paper, turn)


def _trim(item: Placement, format_: Format) -> Rect:
    assert item.turn_degrees == 0
    return Rect(item.x_mm, item.y_mm, *format_.trim)


def _falls_apart(boxes: list[Rect]) -> bool:
    """Return whether straight cuts from edge to edge, one after another, part all boxes."""
    if len(boxes) < 2:
        return True
    for spans in ([(box.x_mm, box.right_mm) for box in boxes], [(box.y_mm, box.bottom_mm) for box in boxes]):
        for at in sorted({low for low, _ in spans}):
            first = [box for box, (_, high) in zip(boxes, spans, strict=True) if high <= at + 1e-4]
            rest = [box for box, (low, _) in zip(boxes, spans, strict=True) if low >= at - 1e-4]
            if first and rest and len(first) + len(rest) == len(boxes):
                return _falls_apart(first) and _falls_apart(rest)
    return False


def _words(side: Side) -> str:
    texts = (item.text for item in every_item(all_items(side)) if isinstance(item, Text))
    return " ".join(texts)


def test_what_is_left_over_of_two_pieces_is_one_sheet() -> None:
    cards = Share("Cards", [Leaf(FORMATS["poker"], 12, "c", "d")])
    aids = Share("Aids", [Leaf(FORMATS["poker"], 4, "e", "f")])
    tokens = Share("Tokens", [Leaf(FORMATS["token-1in"], 6, "t", "u")])
    result = gang([cards, aids, tokens], PAPERS["a4"])
    assert (result.sheets, result.sheets_alone) == (2, 4)
    assert [bundle.title for bundle in result.bundles] == ["Cards", "Cards + Aids + Tokens"]
    footer = _words(result.bundles[1].sheets[0].front)
    assert "Cards + Aids + Tokens" in footer
    assert "sheet 2 of 2" in footer
    assert footer_of(result.bundles[0].sheets[0].front)


def test_pieces_without_backs_do_not_go_through_twice() -> None:
    cards = Share("Cards", [Leaf(FORMATS["poker"], 4, "c", "d")])
    sheets = Share("Sheets", [Leaf(FORMATS["half-page"], 1, "s")])
    more = Share("More", [Leaf(FORMATS["poker"], 2, "m")])
    result = gang([cards, sheets, more], PAPERS["a4"])
    sides = {bundle.title: [sheet.back is not None for sheet in bundle.sheets] for bundle in result.bundles}
    assert sides["Cards"] == [True]
    assert not any(any(found) for title, found in sides.items() if title != "Cards")
    assert {name for title in sides for name in title.split(" + ")} == {"Cards", "Sheets", "More"}


def test_nothing_is_shared_where_that_saves_nothing() -> None:
    full = [Share(name, [Leaf(FORMATS["poker"], 9, name, f"{name}-back")]) for name in ("One", "Two")]
    result = gang(full, PAPERS["a4"])
    assert [(bundle.title, len(bundle.sheets)) for bundle in result.bundles] == [("One", 1), ("Two", 1)]


def test_fronts_alone_lie_as_they_do_with_their_backs() -> None:
    counts = (("poker", 5, True), ("mini-euro", 7, True), ("token-1in", 9, False))
    found = shares([[(FORMATS[name], count, has_backs)] for name, count, has_backs in counts])
    both, fronts = (gang(found, PAPERS["a4"], backs=backs) for backs in (Backs.DUPLEX, Backs.NONE))

    def fronts_of(result: Gang) -> list[tuple[Placement, ...]]:
        return [sheet.front.placements for bundle in result.bundles for sheet in bundle.sheets]

    assert fronts_of(both) == fronts_of(fronts)
    assert isinstance(both.bundles[0].sheets[0].front.items[-1], Group)
