"""Orders for vendors: canvases to the pixel, ink under its limit, names and order as each vendor wants them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import chain, product
from xml.etree import ElementTree

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageCms

from duckpress.core.geometry import Size
from duckpress.core.sizes import FORMATS
from duckpress.vendors import VENDORS, Canvas, OrderCard, order_files
from duckpress.vendors.orders import on_canvas, profile_bytes, to_cmyk
from duckpress.vendors.products import OrderKind
from profiles import examples

POKER = Size(63.5, 88.9)


def painted(colour: str, size: tuple[int, int] = (797, 1097)) -> Callable[[], Image.Image]:
    return lambda: Image.new("RGB", size, colour)


def ink_percent(picture: Image.Image) -> float:
    """Return the most ink that lies on any one pixel of a CMYK picture, in percent."""
    colours = picture.getcolors(picture.width * picture.height)
    assert colours is not None
    return max(sum(inks) for _, inks in colours if isinstance(inks, tuple)) / 255 * 100


def deck() -> list[OrderCard]:
    return [
        OrderCard("ace", 2, painted("#cc3333"), painted("#224466"), "blue"),
        OrderCard("duck", 1, painted("#33aa33"), painted("#224466"), "blue"),
        OrderCard("odd", 3, painted("#dddd22"), painted("#000000"), "black"),
    ]


def order(vendor: str, cards: list[OrderCard], title: str = "Birds") -> dict[str, bytes]:
    return order_files(VENDORS[vendor], VENDORS[vendor].canvases["poker"], "birds", title, POKER, cards)


def press_file() -> bytes:
    """Return a file for a press, of an inch by an inch."""
    tiny, trim = Canvas("", 300, 300), Size(20.0, 20.0)
    return order_files(VENDORS["drivethru"], tiny, "birds", "Birds", trim, deck())["birds.pdf"]


@pytest.mark.parametrize("size", [(797, 1097), (850, 1160), (822, 1150)])
def test_a_canvas_has_exactly_the_pixels_asked_for(size: tuple[int, int]) -> None:
    canvas = on_canvas(Image.new("RGB", size, "#cc3333"), 825, 1125)
    assert canvas.size == (825, 1125)
    assert canvas.getextrema() == ((204, 204), (51, 51), (51, 51))  # every pixel painted, none invented


def test_the_face_keeps_its_place_and_its_edges_grow_outwards() -> None:
    face = Image.new("RGB", (10, 10), "#ffffff")
    face.paste("#ff0000", (0, 0, 1, 10))
    face.paste("#0000ff", (0, 9, 10, 10))
    canvas = on_canvas(face, 16, 14)
    assert canvas.getpixel((3, 5)) == (255, 0, 0)
    assert canvas.getpixel((0, 5)) == (255, 0, 0)
    assert canvas.getpixel((4, 5)) == canvas.getpixel((15, 0)) == (255, 255, 255)
    assert canvas.getpixel((9, 13)) == canvas.getpixel((9, 11)) == (0, 0, 255)


@examples(20)
@given(st.binary(min_size=48, max_size=48), st.sampled_from([200, 240, 300]))
def test_no_pixel_has_more_ink_than_allowed(data: bytes, most: int) -> None:
    inks = to_cmyk(Image.frombytes("RGB", (4, 4), data), most)
    assert inks.mode == "CMYK"
    assert ink_percent(inks) <= most


def test_white_is_paper_grey_is_black_ink_alone_and_colours_keep_their_hue() -> None:
    source = Image.new("RGB", (3, 1))
    for x, colour in enumerate([(255, 255, 255), (0, 0, 0), (20, 20, 60)]):
        source.putpixel((x, 0), colour)
    inks = to_cmyk(source, 240)
    assert inks.getpixel((0, 0)) == (0, 0, 0, 0)
    assert inks.getpixel((1, 0)) == (0, 0, 0, 255)
    cyan, magenta, yellow, black = inks.getpixel((2, 0))
    full = to_cmyk(source, 400).getpixel((2, 0))
    assert sum(full) > 240 * 2.55  # what the limit is for
    assert black == full[3]
    assert cyan / full[0] == pytest.approx(magenta / full[1], abs=0.02) == pytest.approx(yellow / full[2], abs=0.03)
    greys = Image.frombytes("L", (256, 1), bytes(range(256)))
    ramp = list(to_cmyk(Image.merge("RGB", [greys] * 3), 300).getchannel("K").tobytes())
    assert ramp == sorted(ramp, reverse=True)
    assert ramp[0] == 255
    assert ramp[255] == 0


def way(before: str, after: str) -> ImageCms.ImageCmsTransform:
    """Return the way from the colours of a screen to those of the press (CMYK), or back."""
    press, screen = ImageCms.ImageCmsProfile(io.BytesIO(profile_bytes())), ImageCms.createProfile("sRGB")
    pair = (screen, press) if after == "CMYK" else (press, screen)
    intent, flags = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
    return ImageCms.buildTransform(*pair, before, after, renderingIntent=intent, flags=flags)


@pytest.mark.parametrize(("most_percent", "levels"), [(300, 21), (240, 32)])
def test_every_colour_in_inks_looks_on_a_proofing_screen_as_its_profile_says(most_percent: int, levels: int) -> None:
    steps = range(0, 256, 15)
    every = Image.frombytes("RGB", (18 * 18, 18), bytes(chain.from_iterable(product(steps, repeat=3))))
    to_press, to_screen = way("RGB", "CMYK"), way("CMYK", "RGB")

    def furthest(inks: Image.Image) -> int:
        """Return by how many levels of 255 a colour is off at most."""
        both = [ImageCms.applyTransform(one, to_screen) for one in (inks, ImageCms.applyTransform(every, to_press))]
        return max(high for _, high in ImageChops.difference(*both).getextrema())

    inks = to_cmyk(every, most_percent)
    assert furthest(inks) <= levels
    cyan, magenta, yellow, black = inks.split()
    for wrong in ((magenta, cyan, yellow, black), (cyan, yellow, magenta, black), (cyan, magenta, black, yellow)):
        assert furthest(Image.merge("CMYK", wrong)) > 2 * levels


def test_the_game_crafter_gets_pictures_named_with_their_numbers() -> None:
    for data in order("tgc", deck()).values():
        one = Image.open(io.BytesIO(data))
        assert (one.size, one.mode, one.format) == ((825, 1125), "RGB", "PNG")
        assert one.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    # A back that all share is sent once.
    assert [name for name in order("tgc", deck()[:2]) if "back" in name] == ["birds/birds[back,3].png"]
    blank = [one._replace(back=None, back_key=None) for one in deck()]
    assert not [name for name in order("tgc", blank) if "back" in name]


def test_makeplayingcards_gets_every_slot_filled_once() -> None:
    files = order("mpc", deck(), "Birds & Co")
    root = ElementTree.fromstring(files["birds/cards.xml"])
    assert root.findtext("details/bracket") == "18"
    assert root.findtext("cardback") == "1_ace_back.png"
    assert [card.findtext("slots") for card in root.iterfind("backs/card")] == ["3,4,5"]
    named = {f"birds/{card.findtext('id')}" for card in root.iter("card")} | {"birds/1_ace_back.png"}
    assert named == set(files) - {"birds/cards.xml"}
    assert {Image.open(io.BytesIO(files[name])).size for name in named} == {(822, 1122)}


def test_the_same_order_is_the_same_bytes() -> None:
    assert press_file() == press_file()


def test_a_press_file_has_each_picture_once_and_its_intent_and_no_fonts() -> None:
    """Its pages are proven: tests/proof/test_press_files.py."""
    canvas = VENDORS["drivethru"].canvases["poker"]
    assert (canvas.width_px, canvas.height_px) == (825, 1125)
    press = pikepdf.open(io.BytesIO(press_file()))
    assert press.pdf_version == "1.4"
    assert len({image.objgen for page in press.pages for image in page.Resources.XObject.values()}) == 5
    (intent,) = press.Root.OutputIntents
    assert intent.S == "/GTS_PDFX"
    assert intent.OutputConditionIdentifier == "FOGRA39"
    assert intent.DestOutputProfile.N == 4
    assert press.docinfo["/Trapped"] == "/False"
    objects = (one for one in press.objects if isinstance(one, (pikepdf.Dictionary, pikepdf.Stream)))
    assert not {str(one.get("/Type", "")) for one in objects} & {"/Font", "/ExtGState", "/OCG"}


def test_every_vendor_says_where_its_figures_come_from() -> None:
    for vendor in VENDORS.values():
        assert vendor.source
        assert vendor.unverified
        assert vendor.canvases
        assert vendor.safe_px > vendor.cut_px
        assert (vendor.ink_percent is not None) is (vendor.kind is OrderKind.DOCUMENT)


def test_a_press_takes_every_size_of_card_and_neither_tokens_nor_pages() -> None:
    taken = set(VENDORS["generic-press"].canvases)
    assert {"poker", "standard-euro", "mint-tin", "square-2in"} < taken < set(FORMATS)
    assert not [name for name in taken if re.match("token|round|hex|.*page|.*landscape", name)]
