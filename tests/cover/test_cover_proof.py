"""A cover sheet is held against the pages behind it: whatever it says or shows otherwise is `proof-cover`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from duckpress.core.backs import Backs
from duckpress.core.frame import Frame, Group, Item, Outline, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.paths import Path as Line
from duckpress.core.printer_profile import Margins, Printer
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from oracle.covers.counted_parts import cuts_of_page
from oracle.covers.cover_proof import check_cover
from oracle.covers.expected_cover import ExpectedCover
from oracle.covers.measuring_bars import bar_faults
from oracle.reading.placing import FaceSeat, Lying, PageLayout
from oracle.watched_files import Printed, watch_files

GAME = Path(__file__).parents[1] / "proof" / "mutants" / "game"
_PRINTED: dict[tuple[object, ...], Printed] = {}


def printed(root: Path, **options: object) -> Printed:
    """Return the pages of the whole game as they were read from its file, and what was expected there."""
    key = tuple(options.items())
    if key not in _PRINTED:
        shutil.copytree(GAME, root / "content" / "everything")
        workspace, seen = Workspace(root, bundled_root()), list[Printed]()
        with pytest.MonkeyPatch.context() as patch:
            watch_files(patch.setattr, seen.append)
            request = Request(papers=("a4",), **options)  # type: ignore[arg-type]
            built = build(workspace, load(workspace, "everything"), request, root / "output")
        assert built.files
        (_PRINTED[key],) = seen
    return _PRINTED[key]


@pytest.fixture
def whole(tmp_path: Path) -> Printed:
    return printed(tmp_path, backs=Backs.DUPLEX)


def findings(whole: Printed, cover: ExpectedCover | None = None) -> list[str]:
    problems = [*check_cover(whole[0], whole[1], cover or whole[2])]
    assert {problem.code for problem in problems} <= {"proof-cover", "proof-page-count"}
    return [problem.what for problem in problems]


def changed(whole: Printed, change: Callable[[Item], Item | None]) -> list[str]:
    """Return what is found where every item of the cover is changed, or left out."""

    def items(some: Sequence[Item]) -> tuple[Item, ...]:
        made = [replace(one, items=items(one.items)) if isinstance(one, Group) else change(one) for one in some]
        return tuple(one for one in made if one is not None)

    cover = whole[2]
    pages = tuple(Frame(page.trim, page.bleed_mm, items(page.items)) for page in cover.pages)
    return findings(whole, replace(cover, pages=pages))


def told(whole: Printed, **values: object) -> list[str]:
    """Return what is found where something else is expected of the cover."""
    cover = whole[2]
    return findings(whole, replace(cover, **values))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.GUTTERFOLD, Backs.NONE])
def test_a_right_cover_has_no_findings(tmp_path: Path, backs: Backs) -> None:
    assert findings(printed(tmp_path, backs=backs)) == []


@pytest.mark.soak
def test_pictures_show_sheets_as_they_lie_whatever_a_printer_is_given(tmp_path: Path) -> None:
    """Pages on their side are stood up for a printer that was measured: pictures showed cards beside the paper."""
    printer = Printer("home", 1.0, -0.6, 0.994, 0.994, Margins(6.0, 6.0, 6.0, 6.0))
    whole = printed(tmp_path, backs=Backs.DUPLEX, printer=printer)
    assert all(page.size == Size(210, 297) for page in whole[0])
    assert findings(whole) == []


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("8", "9"),  # sheets in all
        ("58", "57"),  # cuts
        ("5 · 50 × 70 mm", "6 · 50 × 70 mm"),
        ("5 · 50 × 70 mm", "5 · 70 × 50 mm"),
        ("3–4", "4–4"),
        ("2, both sides", "2, one side"),
        ("sheet 1 of 2", "sheet 1 of 3"),
        ("1.", "2."),
        ("The board", "A die and a box"),
        ("a pencil", "a pen"),
        ("12", "11"),  # birds
    ],
)
def test_one_other_word(whole: Printed, said: str, instead: str) -> None:
    cover = whole[2]
    texts = [item for page in cover.pages for item in flat(page.items) if isinstance(item, Text) and item.text == said]
    assert texts, said
    (what,) = changed(whole, lambda item: replace(item, text=instead) if item is texts[0] else item)
    assert what.startswith("the cover sheet: it says ")
    assert instead in what


def flat(items: Sequence[Item]) -> list[Item]:
    return [inner for item in items for inner in (flat(item.items) if isinstance(item, Group) else [item])]


def test_a_text_too_many_and_one_missing(whole: Printed) -> None:
    assert "it says" in changed(whole, lambda item: None if isinstance(item, Text) and item.text == "8" else item)[0]
    doubled = [item for item in flat(whole[2].pages[0].items) if isinstance(item, Text) and item.text == "8"]
    twice = changed(whole, lambda item: Group((item, item)) if item is doubled[0] else item)
    assert twice[0] == "the cover sheet: '8' stands below its title"


def test_a_title_that_says_something_else(whole: Printed) -> None:
    def rename(item: Item) -> Item:
        return (
            replace(item, text="Read this") if isinstance(item, Text) and item.text.startswith("Start here") else item
        )

    assert changed(whole, rename) == ["the cover sheet: its title does not say 'Start here: print and cut'"]


def test_texts_that_lie_over_each_other(whole: Printed) -> None:
    def move(item: Item) -> Item:
        return replace(item, x_mm=item.x_mm - 20) if isinstance(item, Text) and item.text.startswith("5 ·") else item

    name = "the cover sheet: '5 · 50 × 70 mm' lies on"
    assert changed(whole, move) == [f"{name} {what}" for what in ("a picture", "'Pieces'")]


def test_lines_that_stand_too_near_to_each_other(whole: Printed) -> None:
    lines = [
        item for item in flat(whole[2].pages[0].items) if isinstance(item, Text) and item.text in ("Sheets", "Pieces")
    ]
    up_mm = 0.85 * lines[0].size_mm - (lines[1].y_mm - lines[0].y_mm)
    whats = changed(whole, lambda item: replace(item, y_mm=item.y_mm + up_mm) if item is lines[1] else item)
    assert whats == ["the cover sheet: 'Sheets' lies on 'Pieces'"]


def test_pages_that_are_fewer_than_the_cover_speaks_of(whole: Printed) -> None:
    assert findings((whole[0][:-2], *whole[1:])) == ["the file has 16 pages, not 18"]


def test_what_the_file_and_the_game_are_called(whole: Printed) -> None:
    assert "everything-all-a4.pdf" in told(whole, file="another.pdf")[0]
    assert "flip on the long edge" in told(whole, turn="short")[0]


def test_a_face_in_a_picture_that_is_another_one_or_lies_elsewhere(whole: Printed) -> None:
    placed = [item for item in flat(whole[2].pages[0].items) if isinstance(item, PlacedDrawing)]
    first, other = placed[0], next(item for item in placed if item.key != placed[0].key)
    name = "the cover sheet: the picture of 'The cards + Tokens'"
    whats = changed(whole, lambda item: replace(item, key=other.key) if item is first else item)
    assert whats == [f"{name} shows another face than the sheet"]
    moved = replace(placed[1], matrix=Matrix(e=0.2).after(placed[1].matrix))
    assert changed(whole, lambda item: moved if item is placed[1] else item) == [
        f"{name} shows a face beside its place"
    ]
    assert f"{name} lacks faces" not in findings(whole)


def test_cuts_and_arrows_of_pictures(whole: Printed) -> None:
    name = "the cover sheet: the picture of 'The cards'"
    without = changed(whole, lambda item: None if isinstance(item, Outline) and item.paint.dash_mm else item)
    assert f"{name} shows other cuts and folds than the sheet takes" in without
    unturned = changed(whole, lambda item: None if isinstance(item, Outline) and item.paint.cap else item)
    assert f"{name} has its arrow over another edge than the one that the sheet is turned about" in unturned


def test_a_bar_that_is_too_short(whole: Printed) -> None:
    def shorter(item: Item) -> Item:
        if isinstance(item, Outline) and item.path.kinds == "mlmlml":
            numbers = tuple(x if at % 2 else x * 0.98 for at, x in enumerate(item.path.numbers))
            return replace(item, path=Line(item.path.kinds, numbers, True))
        return item

    whats = changed(whole, shorter)
    assert "the cover sheet: beside '50 mm' is a bar of 49.00 mm" in whats


def test_a_bar_needs_its_ticks() -> None:
    words, bar = [("2 in", (52.0, 0.8))], ((0.0, 0.0), (50.8, 0.0))
    ticks = [((x, -1.0), (x, 1.0)) for x in (0.0, 50.8)]
    assert [*bar_faults(words, [bar, *ticks])] == []
    assert [*bar_faults(words, [bar, ticks[0]])] == ["the bar beside '2 in' lacks a tick at its end"]
    assert [*bar_faults(words, ticks)] == ["beside '2 in' is a bar of nothing"]


@pytest.mark.parametrize(
    ("boxes", "upright", "level"),
    [
        ([(10, 10), (40, 10), (10, 50), (40, 50)], 3, 3),  # butted: neighbours share a cut
        ([(10, 10), (45, 10), (10, 55), (45, 55)], 4, 4),  # apart: a cut at each edge
        ([(10, 10), (25, 50), (10, 90)], 5, 4),  # a card in the way: the knife is set down again
    ],
)
def test_cuts_are_counted_from_where_cards_lie(boxes: list[tuple[int, int]], upright: int, level: int) -> None:
    seats = [FaceSeat(Matrix(e=x, f=y), Size(30, 40), Rect(x - 2, y - 2, 34, 44)) for x, y in boxes]
    page = PageLayout(Size(210, 297), tuple(Lying("face", seat) for seat in seats), (), Rect(0, 0, 210, 297))
    lines = cuts_of_page(page)
    assert [sum(line.is_upright is way for line in lines) for way in (True, False)] == [upright, level]


def test_a_tile_is_cut_at_the_left_and_above_and_at_the_edges_of_its_board() -> None:
    shown = Rect(10, 10, 100, 120)
    tile = FaceSeat(Matrix(e=-50, f=10), Size(300, 120), shown)
    page = PageLayout(Size(210, 297), (Lying("board", tile),), (), Rect(0, 0, 210, 297))
    lines = sorted((line.is_upright, line.at_mm, line.start_mm, line.end_mm) for line in cuts_of_page(page))
    assert lines == [(False, 10, 10, 110), (False, 130, 10, 110), (True, 10, 10, 130)]
