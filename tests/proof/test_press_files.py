"""Files for vendors: right ones pass, whatever is on the cards; each fault is said in one sentence, with its place."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from PIL import Image, ImageChops

from duckpress.art.picture_files import png_bytes
from duckpress.core.frame import Frame, Picture
from duckpress.core.geometry import Size
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS
from duckpress.layout import Face, LaidOut, PictureData
from duckpress.model import Piece
from duckpress.proof.vendor_files import Order, prove_order
from duckpress.vendors import VENDORS, Canvas, OrderCard, order_files, orders
from duckpress.vendors.orders import to_cmyk
from duckpress.views.pictures import FacePainter
from handmade import BLEED_MM, FONTS, box, card, words
from pdf_reading import opened

TRIM = Size(20.0, 30.0)
TINY = Canvas("Tiny", 308, 426)
FLIP = Image.Transpose.FLIP_LEFT_RIGHT
Files = dict[str, bytes]
Change = Callable[[Files], Files]
Fault = Callable[[pytest.MonkeyPatch], object]


def a_png(picture: Image.Image) -> PictureData:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return PictureData(str(len(out.getvalue())) * 4, out.getvalue(), "png", picture.width, picture.height)


def noise(levels: Sequence[int], size: tuple[int, int]) -> Image.Image:
    """Return a picture whose pixels have nothing to do with each other, each channel one of some levels."""
    return Image.frombytes("RGB", size, bytes(random.Random(0).choices(levels, k=size[0] * size[1] * 3)))


STRIPES = Image.frombytes("RGB", (300, 1), bytes([255, 0, 0, 0, 255, 0, 0, 0, 255] * 100)).resize((300, 400))
PICTURES = [a_png(noise(range(256), (567, 803))), a_png(noise(range(118, 139), (283, 401))), a_png(STRIPES)]
WHOLE = LaidOut(Piece("piece", "Piece", ("deck",), "", Source("")), (), {}, {one.key: one for one in PICTURES}, ())


def paint(frames: Sequence[Frame], dpi: int) -> Iterator[Image.Image]:
    return FacePainter(FONTS).pictures(WHOLE, frames, dpi, has_bleed=True)


def letter(text: str, ground: str = "#f4ead2") -> Frame:
    """Return a face with a large letter, a grey box and a dark one that takes more ink than is allowed."""
    grey, dark = box(2, 20, 6, 6, "#707070"), box(12, 20, 6, 6, "#14143c")
    return card(words(text, 3, 12, 10), words("the small words", 2, 17, 2), grey, dark, ground=ground, trim=TRIM)


BACK = letter("z", ground="#224488")
FACES = [
    Face("deck", "ace", 2, letter("A"), BACK, FORMATS["micro"]),
    Face("deck", "bee", 1, letter("B"), BACK, FORMATS["micro"]),
    Face("deck", "odd", 1, letter("C"), letter("y", ground="#cc3322"), FORMATS["micro"]),
]


def made(vendor_id: str, faces: Sequence[Face], canvas: Canvas = TINY) -> Files:
    """Return the files of an order."""
    vendor = VENDORS[vendor_id]

    def painted(frame: Frame) -> Callable[[], Image.Image]:
        return lambda: next(paint([frame], vendor.drawn_dpi))

    cards = [
        OrderCard(one.card, one.copies, painted(one.front), one.back and painted(one.back), one.back and one.back.hash)
        for one in faces
    ]
    return order_files(vendor, canvas, "deck", "Deck", faces[0].front.trim, cards)


def proven(
    vendor_id: str, faces: Sequence[Face] = FACES, canvas: Canvas = TINY, change: Change = lambda files: files
) -> list[str]:
    """Return what the proof says of the files of an order, once they are changed."""
    files = change(made(vendor_id, faces, canvas))
    problems = prove_order(files, Order(VENDORS[vendor_id], canvas, "deck", "Deck", faces[0].front.trim, faces, paint))
    assert {problem.code for problem in problems} <= {"proof-order"}
    return [problem.what for problem in problems]


def test_what_lies_beyond_the_cut_is_painted_for_an_order() -> None:
    frame = card(box(0, 0, 20, 30, "#33aa33"), ground="#cc3333", trim=TRIM)
    (picture,) = paint([frame], 254)  # ten pixels to a millimetre
    assert picture.size == (240, 340)
    assert [picture.getpixel((x, 170)) for x in (5, 30, 235)] == [(204, 51, 51), (51, 170, 51), (204, 51, 51)]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("vendor_id", VENDORS)
def test_a_right_order(vendor_id: str) -> None:
    assert proven(vendor_id) == []


@pytest.mark.parametrize("vendor_id", VENDORS)
def test_a_right_order_of_cards_that_lie_on_their_side_and_have_no_backs(vendor_id: str) -> None:
    wide = card(words("wide", 3, 12, 8), trim=TRIM.turned())
    canvas = Canvas("Wide", TINY.height_px, TINY.width_px)
    assert proven(vendor_id, [Face("deck", "wide", 2, wide, None, FORMATS["micro"])], canvas) == []


@pytest.mark.sweep(3)
@pytest.mark.parametrize("picture", PICTURES, ids=["noise", "noise about grey", "stripes that mix to grey"])
@pytest.mark.parametrize("vendor_id", ["tgc", "drivethru"])
def test_a_right_order_of_what_is_as_fine_as_a_pixel(vendor_id: str, picture: PictureData) -> None:
    whole = Picture(picture.key, -BLEED_MM, -BLEED_MM, TRIM.width_mm + 2 * BLEED_MM, TRIM.height_mm + 2 * BLEED_MM)
    hairs = [box(1 + x / 10, 2, 0.02, 10, "#000000") for x in range(180)]
    faces = [Face("deck", "one", 1, card(whole, *hairs, trim=TRIM), None, FORMATS["micro"])]
    assert proven(vendor_id, faces) == []


def with_inks(change: Callable[..., Sequence[Image.Image]]) -> Fault:
    return lambda patch: patch.setattr(
        orders, "to_cmyk", lambda picture, most: Image.merge("CMYK", tuple(change(*to_cmyk(picture, most).split())))
    )


def with_pdf(
    change: Callable[[list[str]], list[str]], sizes: Callable[[Size, Size], tuple[Size, Size]] = lambda *of: of
) -> Fault:
    """Return a fault in the order of the pages, or in their boxes."""
    real = orders.press_pdf
    return lambda patch: patch.setattr(
        orders, "press_pdf", lambda title, pages, pictures, *of: real(title, change(list(pages)), pictures, *sizes(*of))
    )


def with_canvas(change: Callable[[Image.Image], Image.Image]) -> Fault:
    """Return a fault in the place of every face."""
    real = orders.on_canvas
    return lambda patch: patch.setattr(orders, "on_canvas", lambda *args: change(real(*args)))


def exchanged(pages: list[str]) -> list[str]:
    """Return pages of which two cards took each other's place."""
    other = {"front ace": "front bee", "front bee": "front ace"}
    return [other.get(page, page) for page in pages]


def scaled(canvas: Image.Image) -> Image.Image:
    """Return a canvas with everything on it two percent smaller."""
    smaller = canvas.resize((canvas.width - 12, canvas.height - 16))
    canvas.paste(smaller, (6, 8))
    return canvas


NOT_SHOWN = "does not show"
FIRST_BACK = "page 1 does not show the back of card 'ace' in its place and colours"
FIRST_BOX = "page 1, for the back of card 'ace', has the {} box ("
FAULTS: dict[str, tuple[Fault, str]] = {
    "cyan and magenta exchanged": (with_inks(lambda c, m, y, k: (m, c, y, k)), FIRST_BACK),
    "no black": (with_inks(lambda c, m, y, k: (c, m, y, k.point([0] * 256))), FIRST_BACK),
    "more ink than allowed": (
        lambda patch: patch.setattr(orders, "to_cmyk", lambda picture, _most: to_cmyk(picture, 400)),
        "% of ink at a pixel, and 240 % are allowed",
    ),
    "greys in four inks": (
        with_inks(lambda c, m, y, k: (*[ink.point([level // 2 for level in range(256)]) for ink in (k, k, k)], k)),
        "page 1",
    ),
    "two cards exchanged": (with_pdf(exchanged), "page 2 does not show the front of card 'ace'"),
    "a copy missing": (with_pdf(lambda pages: pages[:-2]), "the document has 6 pages, and its cards have 8 sides"),
    "a trim box that is off": (
        with_pdf(list, lambda size, trim: (size, Size(trim.width_mm + 0.1, trim.height_mm))), FIRST_BOX.format("trim"),
    ),
    "a page of another size": (
        with_pdf(list, lambda size, trim: (Size(size.width_mm, size.height_mm + 0.1), trim)), FIRST_BOX.format("media"),
    ),
    "mirrored": (with_canvas(lambda canvas: canvas.transpose(FLIP)), FIRST_BACK),
    "a quarter of a millimetre to the right": (with_canvas(lambda canvas: ImageChops.offset(canvas, 6, 0)), NOT_SHOWN),
    "smaller": (with_canvas(scaled), NOT_SHOWN),
    "half as many pixels": (with_canvas(lambda canvas: canvas.reduce(2)), "has an image of the kind ('308', '426',"),
}  # fmt: skip


@pytest.mark.sweep(12)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_document_is_said_in_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault, words_of_it = FAULTS[name]
    fault(monkeypatch)
    (what,) = proven("drivethru")
    assert words_of_it in what


def renamed(files: Files, old: str, new: str) -> Files:
    return {new if name == old else name: data for name, data in files.items()}


def listed(files: Files, old: str, new: str) -> Files:
    """Return files with another list of slots."""
    text = files["deck/cards.xml"].decode()
    assert old in text
    return {**files, "deck/cards.xml": text.replace(old, new).encode()}


def repainted(files: Files, change: Callable[[Image.Image], Image.Image]) -> Files:
    """Return files of which all pictures are changed."""
    pictures = {name: Image.open(io.BytesIO(data)) for name, data in files.items() if name.endswith(".png")}
    return {**files, **{name: png_bytes(change(picture), 300) for name, picture in pictures.items()}}


KIND = "deck/ace[face,2].png is a picture of the kind"
ACE = "deck/ace[face,2].png"
FILE_FAULTS: dict[str, tuple[str, Change, str]] = {
    "a pixel less": ("tgc", lambda files: repainted(files, lambda one: one.crop((1, 0, *one.size))), KIND),
    "mirrored": ("tgc", lambda files: repainted(files, lambda one: one.transpose(FLIP)), f"{ACE} does not show"),
    "red and blue exchanged": (
        "tgc", lambda files: repainted(files, lambda one: Image.merge("RGB", one.split()[::-1])), NOT_SHOWN,
    ),
    "damaged": ("tgc", lambda files: {**files, ACE: files[ACE][:2000]}, "cannot be read back"),
    "another number": ("tgc", lambda files: renamed(files, ACE, "deck/ace[face,3].png"), f"{ACE!r} is not there"),
    "a file too many": ("tgc", lambda files: {**files, "deck/x.png": files[ACE]}, "'deck/x.png' is of no card"),
    "a slot of another card": (
        "mpc", lambda files: listed(listed(files, ">2<", ">1<"), ">0,1<", ">0,2<"), "does not show the front of card",
    ),
    "a slot twice": ("mpc", lambda files: listed(files, ">0,1<", ">0,0<"), "cards.xml has slots for 4 cards"),
    "another quantity": ("mpc", lambda files: listed(files, "quantity>4", "quantity>5"), "slots for 4 cards"),
    "another card's back": (
        "mpc", lambda files: listed(files, "odd_back.png</id><slots>3<", "odd_back.png</id><slots>2<"),
        "3_odd_back.png does not show the back of card 'bee'",
    ),
    "no list": ("mpc", lambda files: {**files, "deck/cards.xml": b""}, "cannot be read back"),
}  # fmt: skip


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", FILE_FAULTS)
def test_a_fault_in_files_is_said_in_one_sentence(name: str) -> None:
    vendor_id, change, words_of_it = FILE_FAULTS[name]
    (what,) = proven(vendor_id, change=change)
    assert words_of_it in what


def with_streams(files: Files, old: bytes, new: bytes) -> Files:
    """Return a document with other operators on its pages."""
    out = io.BytesIO()
    with opened(files["deck.pdf"]) as pdf:
        for page in pdf.pages:
            assert old in page.Contents.read_bytes()
            page.Contents.write(page.Contents.read_bytes().replace(old, new))
        pdf.save(out)
    return {"deck.pdf": out.getvalue()}


@pytest.mark.soak
def test_a_page_shows_one_image_over_all_of_it() -> None:
    for old, new in (
        (b" Do", b" Do /FormXob.P-1 Do"),
        (b"q\n", b"q\n1 0 0 1 9 0 cm\n"),
        (b" 0 0 -", b" 9 0 -"),
        (b"/FormXob", b"/X"),
        (b"q\n", b"q 0 0 1 1 re f\n"),
    ):
        (what,) = proven("drivethru", FACES[:1], change=lambda files, old=old, new=new: with_streams(files, old, new))
        assert what == "page 1, for the back of card 'ace', is not one image over the whole page"
    for files in ({}, {"other.pdf": b""}):
        assert proven("drivethru", FACES[:1], change=lambda _, files=files: files)[0].startswith("the order is ")
    assert "cannot be read back" in proven("drivethru", FACES[:1], change=lambda _: {"deck.pdf": b"%PDF"})[0]


def test_a_blank_back_has_no_ink() -> None:
    blank = [FACES[0]._replace(back=None)]
    assert proven("drivethru", blank) == []
    (what,) = proven("drivethru", blank, change=lambda _: made("drivethru", FACES[:1]))
    assert "page 1 does not show the back of card 'ace'" in what
