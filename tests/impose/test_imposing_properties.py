"""What holds for any cards on any paper: nothing overlaps, all is printable, backs lie behind their faces."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st
from ink import circles_of, footer_of, marks_of, overlap, shown
from sheet_maps import impose

from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Source
from duckpress.core.sizes import PAPERS, Format
from duckpress.impose import Backs, Leaf, Sheet, SheetLabel, Side, Turn, check_fit, fit_grid
from profiles import examples

sizes = st.floats(18.0, 300.0).map(lambda size_mm: round(size_mm, 2))
formats = st.builds(
    lambda width, height, bleed, is_round: Format(
        "any", Size(width, width if is_round else height), bleed_mm=bleed, is_round=is_round
    ),
    sizes,
    sizes,
    st.sampled_from([0.0, 0.7, 1.5, 2.0, 3.175]),
    st.booleans(),
)
faces = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=12)
words = st.text("abcdefghij XYZ", min_size=1, max_size=60)


def frame_sides(sheet: Sheet) -> list[Side]:
    return [sheet.front] if sheet.back is None else [sheet.front, sheet.back]


@examples(30)
@given(formats, faces, st.sampled_from(list(PAPERS.values())), st.sampled_from(list(Turn)), words)
def test_any_piece(format_: Format, copies: list[tuple[int, bool]], paper: object, turn: Turn, title: str) -> None:
    assert isinstance(paper, type(PAPERS["a4"]))
    leaves = [Leaf(format_, count, f"f{i}", f"b{i}" if back else None) for i, (count, back) in enumerate(copies)]
    if fit_grid(format_, paper) is None:
        assert check_fit(format_, paper, "deck", Source("deck.yaml")) is not None
        return
    sheets = impose(leaves, paper, turn=turn, label=SheetLabel(title, title, "1.0"))
    for sheet in sheets:
        printable = Rect(0.0, 0.0, *sheet.paper).grown(-paper.margin_mm)
        for side in frame_sides(sheet):
            _side_is_clean(side, format_, printable)
        _backs_lie_behind(sheet, format_, leaves, turn)
    fronts = Counter(item.face for sheet in sheets for item in sheet.front.placements)
    assert fronts == Counter({index: leaf.copies for index, leaf in enumerate(leaves) if leaf.copies})
    order = [item.face for sheet in sheets for item in sheet.front.placements]
    assert order == sorted(order)
    assert [sheet.number for sheet in sheets] == list(range(1, len(sheets) + 1))
    assert {sheet.total for sheet in sheets} <= {len(sheets)}


def _side_is_clean(side: Side, format_: Format, printable: Rect) -> None:
    cards = [shown(item, format_) for item in side.placements]
    marks, footer = marks_of(side), footer_of(side)
    assert marks
    assert footer
    assert all(0.0 <= edge <= format_.bleed_mm for item in side.placements for edge in item.bleed)
    assert not any(overlap(one, other) for one, other in combinations(cards, 2))
    assert not any(overlap(mark, card) for mark, card in product(marks, cards))
    assert not any(overlap(text, other) for text, other in product(footer, [*marks, *cards]))
    assert all(printable.holds(box, 0.001) for box in (*cards, *footer))
    # `marks_of` widens a stroke all round, also beyond its ends: half a stroke there is not ink.
    assert all(printable.holds(box, 0.076) for box in marks)
    assert len(circles_of(side)) in (0, len(side.placements))


def _backs_lie_behind(sheet: Sheet, format_: Format, leaves: list[Leaf], turn: Turn) -> None:
    if sheet.back is None:
        return
    is_upright = sheet.paper.width_mm <= sheet.paper.height_mm
    columns_mirror = is_upright == (turn is Turn.LONG)
    width_mm, height_mm = sheet.paper
    expected = {
        (
            item.face,
            round(width_mm - item.x_mm - format_.trim.width_mm if columns_mirror else item.x_mm, 3),
            round(item.y_mm if columns_mirror else height_mm - item.y_mm - format_.trim.height_mm, 3),
            leaves[item.face].back,
            0 if columns_mirror else 180,
        )
        for item in sheet.front.placements
        if leaves[item.face].back is not None
    }
    found = {
        (item.face, round(item.x_mm, 3), round(item.y_mm, 3), item.frame, item.turn_degrees)
        for item in sheet.back.placements
    }
    assert found == expected


def test_the_work_grows_in_step_with_the_faces() -> None:
    """Counted in calls of functions, which no busy machine changes."""
    some, many = _calls(500), _calls(2000)
    assert some > 500
    assert many < 4.2 * some
    assert many < 60 * 2000


def _calls(count: int) -> int:
    from duckpress.core.sizes import FORMATS

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
