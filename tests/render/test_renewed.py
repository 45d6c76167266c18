"""A document that is written again, with what differs alone, has the bytes that it would have anew."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from duckpress.core.frame import Frame, Group, PlacedDrawing
from duckpress.core.geometry import Matrix
from duckpress.render import Booklet, DocumentInfo, Renderer, render_pdf
from duckpress.render.document import PdfDocument
from duckpress.render.drawn import DrawnPage
from handmade import FONTS, ICON, booklet, card, placed, sheet, words

INFO = DocumentInfo("Art", language="en")
PLACED = PlacedDrawing(ICON.key, Matrix(e=5, f=20))
FACES = [card(words(f"Wave {number}"), PLACED) for number in range(6)]
"""They use the same things."""

OTHER = card(words("Quay"), PLACED)
BARE = card(words("Quay"))
MIST = card(Group((words("mist"),), opacity=0.5))


def pages(faces: Sequence[Frame], footer: str = "sheet", title: str = "") -> Booklet:
    """Return a booklet with two faces on each page; copies of a face count as faces."""
    sheets = []
    for at in range(0, len(faces), 2):
        pair = [placed(at + number, face, 20 + 70 * number, 20) for number, face in enumerate(faces[at : at + 2])]
        sheets.append(sheet(pair, None, words(footer)))
    one = booklet(sheets, faces)
    return one._replace(title=title) if title else one


class Renewing:
    """What a program that goes on renders with, one document after the other."""

    def __init__(self) -> None:
        self._renderer = Renderer(FONTS, b"")
        self._renderer.keeps_documents = True

    def render(self, *booklets: Booklet, info: DocumentInfo = INFO) -> bytes:
        self._renderer.begin(FONTS)
        return self._renderer.render(booklets, info)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many pages each document has that is written whole."""
    noted: list[int] = []
    write = PdfDocument.write

    def noting(document: PdfDocument, drawn: Sequence[Sequence[DrawnPage]]) -> bytes:
        noted.append(sum(map(len, drawn)))
        return write(document, drawn)

    monkeypatch.setattr(PdfDocument, "write", noting)
    return noted


RENEWED = {
    "nothing": FACES,
    "a face": [*FACES[:2], OTHER, *FACES[3:]],
    "two faces that change places": [FACES[3], *FACES[1:3], FACES[0], *FACES[4:]],
    "a face with a letter less": [card(words("Wave"), PLACED), *FACES[1:]],
}


@pytest.mark.parametrize("name", RENEWED)
def test_what_uses_the_same_things_is_written_into_the_last_document(name: str, whole: list[int]) -> None:
    renewing = Renewing()
    renewing.render(pages(FACES))
    whole.clear()
    pdf = renewing.render(pages(RENEWED[name]))
    assert not whole
    assert pdf == render_pdf([pages(RENEWED[name])], FONTS, INFO)


WHOLE = {
    "a face that uses less": [pages([*FACES[:2], BARE, *FACES[3:]])],
    "a face with a form of its own": [pages([*FACES[:2], MIST, *FACES[3:]])],
    "a face more": [pages([*FACES, OTHER])],
    "a face less": [pages(FACES[:-1])],
    "a copy in place of a face": [pages([*FACES[:2], FACES[0], *FACES[3:]])],
    "another title": [pages(FACES, title="Other")],
    "two booklets": [pages(FACES[:4]), pages(FACES[4:])],
}


@pytest.mark.parametrize("name", WHOLE)
def test_any_other_document_is_written_whole(name: str, whole: list[int]) -> None:
    renewing = Renewing()
    renewing.render(pages(FACES))
    whole.clear()
    pdf = renewing.render(*WHOLE[name])
    assert len(whole) == 1
    assert pdf == render_pdf(WHOLE[name], FONTS, INFO)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_changes_the_bytes_are_those_of_a_new_document(seed: int) -> None:
    chance, renewing = random.Random(seed), Renewing()
    faces, footer = list(FACES), "sheet"
    for _ in range(12):
        at, way = chance.randrange(len(faces)), chance.randrange(8)
        if way < 4:
            faces[at] = card(words("".join(chance.sample("wave quay mist", 6))), *[PLACED][: chance.randrange(5)])
        elif way == 4:
            faces[at] = chance.choice([*FACES, MIST, OTHER])
        elif way == 5:
            footer = chance.choice(["sheet", "leaf", "page"])
        elif way == 6 and len(faces) > 4:
            faces.pop(at)
        else:
            faces.insert(at, chance.choice(faces))
        assert renewing.render(pages(faces, footer)) == render_pdf([pages(faces, footer)], FONTS, INFO)


def test_documents_take_no_more_room_than_they_may(monkeypatch: pytest.MonkeyPatch, whole: list[int]) -> None:
    monkeypatch.setattr("duckpress.render.renderer._MOST_BYTES", 1)
    renewing = Renewing()
    for _ in range(2):
        renewing.render(pages(FACES))
    assert len(whole) == 2
