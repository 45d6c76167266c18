"""Cover sheets and rules of the game that has something of everything, item by item, as they were found to be right.

After a change of words or looks, `pytest tests/press/test_read_pages.py --update-golden` writes `read_pages/` anew.
Read the difference: a cover counts what lies on the pages behind it, rules say what their Markdown asks for, in order.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from duckpress.core.backs import Backs
from duckpress.core.frame import Drawing, Group, Item, Outline, PlacedDrawing, Text, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.layout import LaidOut
from duckpress.press.cover import CoverMaker
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

GAME = Path(__file__).resolve().parents[1] / "proof/mutants/game"
Made = dict[str, list[LaidOut]]


@pytest.fixture(params=[Backs.DUPLEX, Backs.GUTTERFOLD])
def made(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Return what is read of a build, by the name of its list."""
    shutil.copytree(GAME, tmp_path / "content/everything")
    workspace, covers, own = Workspace(tmp_path, bundled_root()), list[LaidOut](), CoverMaker.cover
    monkeypatch.setattr(CoverMaker, "cover", lambda *of, **how: covers.append(own(*of, **how)) or covers[-1])
    asked = Request(("a4",), backs=request.param)
    built = build(workspace, load(workspace, "everything"), asked, tmp_path / "output")
    assert built.files
    return {f"cover-{request.param}": covers, "rules": [one for one in built.checked.pieces if one.pages]}


def test_all_that_is_read_is_in_its_place(made: Made, golden: Callable[[Path, str], None]) -> None:
    for name, pieces in made.items():
        lines = [
            line
            for piece in pieces
            for page in piece.pages["a4"]
            for line in ("", f"{piece.piece.id}:", *listed(page.items, piece.drawings))
        ]
        golden(Path(__file__).parent / "read_pages" / f"{name}.txt", "\n".join(lines[1:]) + "\n")


def listed(items: Iterable[Item], drawings: Mapping[str, Drawing], matrix: Matrix = IDENTITY) -> Iterator[str]:
    """Yield a line for each item: the box that it takes on its page, in millimetres, and what it is."""
    for item in items:
        if isinstance(item, Group):
            inner = matrix.after(item.matrix)
            if (clip := path_bounds(item.clip)) is not None:
                yield f"{placed(clip, inner)} clip"
            yield from listed(item.items, drawings, inner)
        elif isinstance(item, Text):
            box = Rect(item.x_mm, item.y_mm - item.size_mm, item.width_mm, item.size_mm)
            yield f"{placed(box, matrix)} {item.fill} {item.text}"
        elif isinstance(item, PlacedDrawing):
            drawing = drawings[item.key]
            yield f"{placed(drawing.box, matrix.after(item.matrix))} {shown(drawing.items)}"
        elif isinstance(item, Outline):
            boxes = ((part.kinds, path_bounds(part)) for part in item.path.subpaths())
            yield from (f"{placed(box, matrix)} {kinds}" for kinds, box in boxes if box is not None)


def placed(box: Rect, matrix: Matrix) -> str:
    return " ".join(f"{round(number, 1) + 0.0:.1f}" for number in matrix.around(box))


def shown(items: Iterable[Item]) -> str:
    """Return what a drawing is made of: how many items, and the words among them."""
    inner = [one for item in items for one in (item.items if isinstance(item, Group) else (item,))]
    return f"{len(inner)} items: {' '.join(one.text for one in inner if isinstance(one, Text))}".rstrip(": ")
