"""Drawings that cannot be outlines are pictures with pixels for their size, drawn apart, and kept for later builds."""

from __future__ import annotations

import base64
import io
import sys
from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from duckpress.art.picture_files import PictureData, png_bytes
from duckpress.art.svg.bare_svg import BareLook, bare_svg
from duckpress.core.frame import Picture, every_item
from duckpress.core.geometry import Rect
from duckpress.core.limits import use
from duckpress.core.problems import Level, Problem
from duckpress.files.memo import Memo
from duckpress.press import drawn_pictures
from duckpress.press.build_cache import BuildCache
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.store.cache import Cache
from duckpress.text.fonts import FontLibrary
from workshop import MakeWorkspace, Trial, lay_out

ART = "content/trial/art/a.svg"
BLUR = '<filter id="f"><feGaussianBlur stdDeviation="0.1"/></filter>'
BLURRED = BLUR + '<rect class="a" width="5" height="10" filter="url(#f)"/>'
SHOWN = '<image href="art/a.svg" x="10" y="10" width="20" height="20"/>'


def box(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{inside}</svg>'


def drawn(
    make: MakeWorkspace, inside: str, element: str = SHOWN, ink: str = "color", frames: BuildCache | None = None
) -> tuple[Trial, list[Image.Image], list[Problem]]:
    """Return what was laid out, the pictures of it as pixels, and what was wrong with drawing them."""
    trial = lay_out(make, element, files={ART: box(inside)}, ink=ink)
    (one,), problems = with_drawn_pictures([trial.laid_out], FontLibrary(make({})), frames)
    return trial, [Image.open(io.BytesIO(picture.data)) for picture in one.pictures.values()], problems


def test_a_picture_has_the_pixels_of_its_size_and_what_is_clear_stays_so(make_workspace: MakeWorkspace) -> None:
    trial, (picture,), problems = drawn(make_workspace, BLURRED)
    assert [(one.code, one.level, one.source.line) for one in trial.problems] == [
        ("drawing-as-picture", Level.WARNING, 1)
    ]
    assert problems == []
    assert picture.size == (473, 473)  # 20 mm at 600 dpi
    assert picture.getpixel((100, 200)) == (0, 0, 0, 255)
    assert picture.getpixel((400, 200))[3] == 0
    items = every_item(trial.laid_out.faces[0].front.items, trial.laid_out.drawings)
    (item,) = [item for item in items if type(item) is Picture]
    assert (item.width_mm, item.height_mm) == (10, 10)  # in the drawing's own units
    large = SHOWN.replace('"20"', '"120"')  # large ones are drawn less fine
    assert drawn(make_workspace, BLURRED, large)[1][0].size == (1418, 1418)  # 300 dpi
    assert "resvg_py" not in sys.modules, "this process never loads the renderer"


@pytest.mark.soak
def test_paints_icons_and_inks_reach_it(make_workspace: MakeWorkspace) -> None:
    inked = BLURRED + '<rect class="ink-grey" x="6" width="4" height="10"/>'
    red = SHOWN.replace("/>", ' paint="a: #ff0000"/>')
    assert drawn(make_workspace, inked, red)[1][0].getpixel((100, 200)) == (255, 0, 0, 255)
    grey = drawn(make_workspace, inked, red, ink="grey")[1][0]
    assert grey.mode == "LA"
    assert grey.getpixel((100, 200)) == (75, 255)
    assert grey.getpixel((400, 200)) == (0, 255)
    trial = lay_out(
        make_workspace, '<icon name="b" x="1" y="1" size="9" fill="#00ff00"/>',
        files={"content/trial/art/icons/b.svg": box(BLURRED)},
    )  # fmt: skip
    (one,), _ = with_drawn_pictures([trial.laid_out], FontLibrary(make_workspace({})), None)
    (picture,) = one.pictures.values()
    assert Image.open(io.BytesIO(picture.data)).getpixel((100, 200)) == (0, 255, 0, 255)


def test_nothing_outside_of_the_file_is_read(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    """Both as a picture and as an SVG, by an absolute path: resvg itself would read them."""
    (tmp_path / "red.png").write_bytes(png_bytes(Image.new("RGB", (9, 9), "red")))
    inside = "data:image/png;base64," + base64.b64encode((tmp_path / "red.png").read_bytes()).decode()
    untyped = inside.replace("image/png", "")  # as Illustrator writes them
    wanted, is_drawn = [], {}
    for (href, is_inside), element in product(
        ((str(tmp_path / "red.png"), False), (inside, True), (untyped, True)),
        (
            '<image href="{}" width="10" height="10"/>',
            '<image x:href="{}" width="10" height="10" xmlns:x="http://www.w3.org/1999/xlink"/>',
            '<filter id="f"><feImage href="{}"/></filter><rect width="9" height="9" filter="url(#f)"/>',
        ),
    ):
        key, data = f"{href[:30]} in {element}", box(element.format(href)).encode()
        bare = bare_svg(ART, data, BareLook(Rect(0, 0, 10, 10), 10, 10, "#000000", "black", ""))
        wanted.append(PictureData(key, bare, "svg", 10, 10, ART))
        is_drawn[key] = is_inside
    for key, answer in drawn_pictures._drawn_pixels(wanted, FontLibrary(make_workspace({}))):
        pixel = Image.open(io.BytesIO(answer.png)).getpixel((5, 5))
        assert (pixel == (255, 0, 0, 255)) is is_drawn.pop(key), (key, pixel)
    assert not is_drawn


def test_words_are_set_in_the_fonts_there_are(make_workspace: MakeWorkspace) -> None:
    words = '<text y="9" font-size="9" font-family="Nowhere Sans" style="filter:blur(0px)">I</text>'
    assert drawn(make_workspace, words)[1][0].getchannel("A").getextrema() == (0, 255)


SLOW = (
    '<filter id="f"><feTurbulence baseFrequency="1" numOctaves="9"/>'
    + '<feMorphology operator="dilate" radius="5"/>' * 90
    + '</filter><rect width="10" height="10" filter="url(#f)"/>'
)  # fmt: skip


def test_one_that_takes_too_long_is_told_by_its_name(make_workspace: MakeWorkspace) -> None:
    use({"layout-seconds": 1})
    try:
        _, (picture,), problems = drawn(make_workspace, SLOW, SHOWN.replace('"20"', '"200"'))
    finally:
        use({})
    assert [(one.code, one.source.file) for one in problems] == [("bad-svg", ART)]
    assert "longer than 1 seconds" in problems[0].what
    assert picture.size == (1, 1)


def test_what_was_drawn_is_kept_and_looked_at_again(
    make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = BuildCache(Memo(Cache(tmp_path / "kept", b"k" * 32), "identity"))
    _, (first,), _ = drawn(make_workspace, BLURRED, frames=frames)
    monkeypatch.setattr(drawn_pictures, "_drawn_pixels", lambda pictures, _fonts: iter(() if not pictures else [1 / 0]))
    _, (second,), _ = drawn(make_workspace, BLURRED, frames=frames)
    assert first.tobytes() == second.tobytes()


def test_what_a_worker_answers_is_believed_only_where_it_is_the_picture_asked_for() -> None:
    wanted = PictureData("k", b"", "svg", 9, 9, ART)
    right, wrong = (png_bytes(Image.new("RGBA", (side, side))) for side in (9, 8))
    assert drawn_pictures._checked_picture(wanted, right) is not None
    for answer in (b"", b"<svg/>", wrong, right[:-20]):
        assert drawn_pictures._checked_picture(wanted, answer) is None


def test_a_picture_with_words_hangs_on_the_fonts_it_names(make_workspace: MakeWorkspace) -> None:
    words = '<text y="9" font-family="{}" filter="url(#f)">I</text>' + BLUR
    dejavu = Path(__file__).resolve().parents[2] / "fonts" / "dejavu-sans"
    own = {
        "fonts/own/family.yaml": "name: Own\nlicence: x\nlicence-file: L.txt\ncredit: x\nstyles: {regular: o.ttf}\n",
        "fonts/own/L.txt": "x",
    }
    keys = []
    for family, name in product(("Own", "Nowhere"), ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")):
        files = {**own, "fonts/own/o.ttf": (dejavu / name).read_bytes(), ART: box(words.format(family))}
        trial = lay_out(make_workspace, SHOWN, files=files)
        keys += list(trial.laid_out.pictures)
        assert "in fonts that are not in fonts/ are in 'DejaVu Sans'" in trial.problems[0].what
    assert keys[0] != keys[1]
    assert keys[2] == keys[3]
