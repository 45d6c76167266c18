"""What an earlier build drew is not drawn again, and the bytes are those of a build that knows nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from duckpress.core.frame import Frame, Group, PlacedDrawing
from duckpress.core.geometry import Matrix
from duckpress.impose.sheets import Code
from duckpress.render import Booklet, DocumentInfo, Renderer, drawn, render_pdf
from handmade import FONTS, ICON, booklet, card, placed, sheet, words

INFO = DocumentInfo("Art", language="en")
FACES = [
    card(words(f"Wave {number}"), Group((words("mist"),), opacity=0.5), PlacedDrawing(ICON.key, Matrix(e=5, f=20)))
    for number in range(4)
]
CODE = Code((5, 2, 7), 150, 270, 2, "#333333")


def pages(faces: Sequence[Frame], footer: str = "sheet", code: Code | None = CODE, x_mm: float = 20.0) -> Booklet:
    """Return a booklet with each face on a page of its own."""
    sheets = [sheet([placed(number, face, x_mm, 20)], None, words(footer)) for number, face in enumerate(faces)]
    coded = [one._replace(front=one.front._replace(code=code)) for one in sheets]
    return booklet(coded, faces)


def news(*booklets: Booklet) -> bytes:
    renderer = Renderer(FONTS, b"")
    for one in booklets:
        renderer.render([one], INFO)
    return renderer.news()


KNOWN = news(pages(FACES))


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note what is drawn."""
    noted: list[str] = []
    ink_of, draw_page = drawn.ink_of, drawn.draw_page
    monkeypatch.setattr(drawn, "ink_of", lambda *what: noted.append("ink") or ink_of(*what))
    monkeypatch.setattr(drawn, "draw_page", lambda *what: noted.append("page") or draw_page(*what))
    return noted


NEW = card(words("Wave 9"))
CHANGES = {
    "nothing": (pages(FACES), ["ink"]),  # the drawing, which is made for each build
    "a face": (pages([*FACES[:2], NEW, *FACES[3:]]), ["ink", "page", "ink"]),
    "a face before others": (pages([NEW, *FACES]), ["ink", "page", "ink"]),
    "fewer faces": (pages(FACES[2:]), ["ink"]),
    "the footers": (pages(FACES, "leaf"), [*["page"] * 4, "ink"]),
    "no codes": (pages(FACES, code=None), [*["page"] * 4, "ink"]),
    "another code": (pages(FACES, code=Code((5, 3, 7), 150, 270, 2, "#333333")), [*["page"] * 4, "ink"]),
    "another place": (pages(FACES, x_mm=21.0), [*["page"] * 4, "ink"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_only_what_is_new_is_drawn(name: str, drawings: list[str]) -> None:
    changed, wanted = CHANGES[name]
    pdf = Renderer(FONTS, KNOWN).render([changed], INFO)
    assert sorted(drawings) == sorted(wanted)
    assert pdf == render_pdf([changed], FONTS, INFO)


def test_nothing_new_is_no_news() -> None:
    renderer = Renderer(FONTS, KNOWN)
    renderer.render([pages(FACES)], INFO)
    assert renderer.news() == b""


def test_a_renderer_that_lives_on_knows_what_it_drew(drawings: list[str]) -> None:
    renderer = Renderer(FONTS, b"")
    first = renderer.render([pages(FACES)], INFO)
    renderer.begin(FONTS)
    drawings.clear()
    assert renderer.render([pages(FACES)], INFO) == first
    assert drawings == []


@pytest.mark.parametrize("known", [b"", b"nonsense", KNOWN[:-1], bytes(99)])
def test_what_is_damaged_counts_for_nothing(known: bytes, drawings: list[str]) -> None:
    pdf = Renderer(FONTS, known).render([pages(FACES)], INFO)
    assert drawings.count("page") == 4
    assert pdf == render_pdf([pages(FACES)], FONTS, INFO)


def test_what_nobody_uses_any_more_goes_in_the_end() -> None:
    many = [pages([card(words(f"{number}"))]) for number in range(20)]
    renderer, sizes = Renderer(FONTS, b""), []
    for one in many:
        renderer.begin(FONTS)
        renderer.render([one], INFO)
        sizes.append(len(renderer.news()))
    assert max(sizes) < 8 * sizes[0]
