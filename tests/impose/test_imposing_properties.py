"""What holds for any cards on any paper: nothing lost or overlapping, all printable, backs behind their faces."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st
from ink import falls_apart, is_apart, overlap, shown, words_of
from sheet_maps import LABEL, impose, typeset

from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Leaf, Share, SheetLabel, Turn, check_fit, fit_grid, impose_gang
from profiles import examples


def formats(sides: st.SearchStrategy[float], *bleeds: float) -> st.SearchStrategy[Format]:
    return st.builds(
        lambda width, height, bleed, is_round: Format(
            "any", Size(width, width if is_round else height), bleed_mm=bleed, is_round=is_round
        ),
        sides, sides, st.sampled_from(bleeds), st.booleans(),
    )  # fmt: skip


def leaves_of(faces: Sequence[tuple[Format, int, bool]], name: str = "") -> list[Leaf]:
    return [
        Leaf(format_, count, f"f{name}{at}", f"b{name}{at}" if has_back else None)
        for at, (format_, count, has_back) in enumerate(faces)
    ]


any_format = formats(st.floats(18.0, 300.0).map(lambda size_mm: round(size_mm, 2)), 0.0, 0.7, 1.5, 2.0, 3.175)
turns, home_papers = st.sampled_from(list(Turn)), st.sampled_from([PAPERS["a4"], PAPERS["letter"]])


@examples(30)
@given(
    any_format, st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=12),
    st.sampled_from(list(PAPERS.values())), turns, st.text("abcdefghij XYZ", min_size=1, max_size=60),
)  # fmt: skip
def test_any_piece(format_: Format, copies: list[tuple[int, bool]], paper: Paper, turn: Turn, title: str) -> None:
    leaves = leaves_of([(format_, *one) for one in copies])
    if fit_grid(format_, paper) is None:
        assert check_fit(format_, paper, "deck", Source("deck.yaml")) is not None
        return
    sheets = impose(leaves, paper, turn=turn, label=SheetLabel(title, title, "1.0"))
    for sheet in sheets:
        assert is_apart(sheet, leaves)
    order = [item.face for sheet in sheets for item in sheet.front.placements]
    assert order == [index for index, leaf in enumerate(leaves) for _ in range(leaf.copies)]
    assert [sheet.number for sheet in sheets] == list(range(1, len(sheets) + 1))
    assert {sheet.total for sheet in sheets} <= {len(sheets)}


lots = st.tuples(formats(st.integers(12, 120), 0.0, 1.5, 2.0), st.integers(0, 16), st.booleans())


@examples(12)
@given(st.lists(lots, min_size=2, max_size=4), home_papers, turns)
@example([(FORMATS["round-1.5in"], 10, True), (FORMATS["round-1in"], 40, True)], PAPERS["a4"], Turn.LONG)
def test_any_lots(found: list[tuple[Format, int, bool]], paper: Paper, turn: Turn) -> None:
    """Marks of the markers and tokens of the example once shared a strip, some 0.3 mm apart."""
    faces = leaves_of(found)
    sheets = impose(faces, paper, turn=turn)
    placed = Counter(item.face for sheet in sheets for item in sheet.front.placements)
    assert placed == Counter({at: face.copies for at, face in enumerate(faces) if face.copies})
    for sheet in sheets:
        assert is_apart(sheet, faces)
        assert falls_apart([item.trim_box(faces[item.face].format.trim) for item in sheet.front.placements])
    assert [(sheet.number, sheet.total) for sheet in sheets] == [(at + 1, len(sheets)) for at in range(len(sheets))]
    by_size = Counter[tuple[Size, float, bool]]()
    for face in faces:
        by_size[face.format.trim, face.format.bleed_mm, face.format.is_round] += face.copies
    alone = [
        impose([Leaf(Format("", trim, bleed_mm=bleed, is_round=is_round), count, "f", "b")], paper, turn=turn)
        for (trim, bleed, is_round), count in by_size.items()
    ]
    assert len(sheets) <= sum(map(len, alone))
    assert sheets == impose(faces, paper, turn=turn)


NAMES = ("poker", "mini-euro", "tarot", "token-1in", "round-1in", "hex-2in", "poker-landscape")
sizes = st.sampled_from([*(FORMATS[name] for name in NAMES), Format("own", Size(33.0, 71.0), bleed_mm=0.0)])
decks = st.lists(st.tuples(sizes, st.integers(1, 20), st.booleans()), min_size=1, max_size=3)


@examples(6)
@given(st.lists(decks, min_size=2, max_size=4), st.sampled_from([*map(PAPERS.get, ("a4", "letter", "a3"))]), turns)
def test_any_pieces_on_common_sheets(found: list[list[tuple[Format, int, bool]]], paper: Paper, turn: Turn) -> None:
    """Each sheet is cut apart by straight cuts and named for what it holds."""
    pieces = [Share(f"Piece{number}", leaves_of(one, f"{number}.")) for number, one in enumerate(found)]
    leaves = {leaf.front: leaf for one in pieces for leaf in one.leaves}
    result = impose_gang(pieces, paper, Backs.DUPLEX, turn, LABEL, typeset)
    placed, behind = Counter[str](), Counter[str]()
    for title, sheet in ((bundle.title, sheet) for bundle in result.bundles for sheet in bundle.sheets):
        placed.update(item.frame for item in sheet.front.placements)
        behind.update(item.frame for item in (sheet.back.placements if sheet.back else ()))
        printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
        boxes = [shown(item, leaves[item.frame].format) for item in sheet.front.placements]
        assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
        assert all(printable.holds(box, 0.001) for box in boxes)
        trims = [Rect(item.x_mm, item.y_mm, *leaves[item.frame].format.trim) for item in sheet.front.placements]
        assert falls_apart(trims), "no straight cuts part these pieces"
        assert {item.turn_degrees for item in sheet.front.placements} <= {0}
        names = {f"Piece{item.frame[1:].partition('.')[0]}" for item in sheet.front.placements}
        assert names == set(title.split(" + "))
        assert title in words_of(sheet.front) or len(title) > 40
    assert placed == Counter({leaf.front: leaf.copies for leaf in leaves.values()})
    assert behind == Counter({leaf.back: leaf.copies for leaf in leaves.values() if leaf.back is not None})
    alone = sum(len(impose(one.leaves, paper, turn=turn)) for one in pieces)
    assert result.sheets <= result.sheets_alone == alone
    assert result == impose_gang(pieces, paper, Backs.DUPLEX, turn, LABEL, typeset)


def test_the_work_grows_in_step_with_the_faces() -> None:
    """Counted in calls of functions, which no busy machine changes."""
    some, many = _calls(500), _calls(2000)
    assert some > 500
    assert many < 4.2 * some
    assert many < 60 * 2000


def _calls(count: int) -> int:
    leaves = [Leaf(FORMATS["poker"], 1, f"f{i}", f"b{i}") for i in range(count)]
    calls = 0

    def count_one(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count_one)
    try:
        sheets = impose(leaves, backs=Backs.DUPLEX)
    finally:
        sys.setprofile(None)
    assert len(sheets) == -(-count // 9)
    return calls
