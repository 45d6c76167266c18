"""A cover sheet is held against the pages behind it: whatever it says or shows otherwise is `proof-cover`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from test_cover import FILES

from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from oracle.covers.counted_parts import ExpectedCover, cuts_of_page
from oracle.covers.cover_proof import check_cover
from oracle.reading.placing import FaceSeat, Lying, PageLayout
from oracle.watching import Printed, watch_files
from running import write_files


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """The pages of a game as they were read from its file, and what was expected there."""
    root, seen = write_files(tmp_path_factory.mktemp("whole"), FILES), list[Printed]()
    workspace, request = Workspace(root, bundled_root()), Request(papers=("a4",), has_cover=True)
    with pytest.MonkeyPatch.context() as patch:
        watch_files(patch.setattr, seen.append)
        assert build(workspace, load(workspace, "pond"), request, root / "output").files
    (printed,) = seen
    assert findings(printed) == []
    return printed


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


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("5", "6"),  # sheets in all
        ("47", "46"),  # cuts
        ("20 · 63.5 × 88.9 mm", "21 · 63.5 × 88.9 mm"),
        ("20 · 63.5 × 88.9 mm", "20 · 88.9 × 63.5 mm"),
        ("3, both sides", "3, one side"),
        ("sheet 1 of 3", "sheet 1 of 4"),
        ("Egg tokens", "A die and a box"),
        ("a pencil for each player", "a pen for each player"),
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


def test_a_tile_is_cut_at_the_left_and_above_and_at_the_edges_of_its_board() -> None:
    shown = Rect(10, 10, 100, 120)
    tile = FaceSeat(Matrix(e=-50, f=10), Size(300, 120), shown)
    page = PageLayout(Size(210, 297), (Lying("board", tile),))
    lines = sorted((line.is_upright, line.at_mm, line.start_mm, line.end_mm) for line in cuts_of_page(page))
    assert lines == [(False, 10, 10, 110), (False, 130, 10, 110), (True, 10, 10, 130)]
