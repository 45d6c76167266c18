"""Inks: roles that paint nothing, what is left out of faces and drawings, drawings in lines, grey pictures."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from duckpress.art.picture_files import read_picture
from duckpress.core.frame import Outline, every_item
from workshop import MakeWorkspace, Trial, lay_out

THEME = """\
extends: base
colours: {glow: {color: "#ff0000", low: none}, rim: {color: none, low: "#00ff00", grey: none}, behind: glow}
text: {ghost: {like: body, colour: glow}}
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
<path class="sky" fill="#0000ff" d="M0 0H20V20Z"/><path class="head ink-color ink-grey" fill="#ff0000" d="M0 0H10V10Z"/>
<path class="wing" fill="none" stroke="#ff0000" stroke-width="3" d="M0 0H5"/>
<path class="ink-low" d="M0 0H1V1Z"/></svg>"""


def shown(make: MakeWorkspace, inside: str, ink: str) -> list[str]:
    trial = lay_out(make, inside, ink=ink, theme=THEME)
    assert trial.problems == []
    return trial.lines


@pytest.mark.parametrize(
    "element",
    [
        '<rect width="9" height="9" fill="glow"/>',
        '<rect width="9" height="9" fill="behind"/>',
        '<line x2="9" stroke="glow"/>',
        '<text x="5" y="5" width="30" height="9" style="ghost">word</text>',
        '<text x="5" y="5" width="30" height="9" colour="glow">word</text>',
        '<icon name="star" x="5" y="5" size="5" fill="glow"/>',
        '<rect width="9" height="9" fill="ink" ink="color grey"/>',
        '<g ink="grey color"><rect width="9" height="9" fill="ink"/><rect width="5" height="5" fill="ink"/></g>',
        '{% if ink != "low" %}<rect width="9" height="9" fill="ink"/>{% endif %}',
    ],
)
def test_what_is_left_out_with_little_ink(make_workspace: MakeWorkspace, element: str) -> None:
    assert shown(make_workspace, element, "low") == []
    assert shown(make_workspace, element, "color") != []
    assert shown(make_workspace, element, "grey") != []


def test_an_outline_with_little_ink_only(make_workspace: MakeWorkspace) -> None:
    element = '<rect width="9" height="9" fill="glow" stroke="rim" stroke-width="0.4"/>'
    assert shown(make_workspace, element, "color")[0].startswith("outline fill #ff0000:")
    assert shown(make_workspace, element, "low")[0].startswith("outline stroke #00ff00 0.4:")


def test_what_is_left_out_takes_no_cell(make_workspace: MakeWorkspace) -> None:
    row = '<row width="40" height="9"><rect fill="ink" ink="grey"/><rect fill="ink"/></row>'
    assert shown(make_workspace, row, "low") == shown(make_workspace, '<rect width="40" height="9" fill="ink"/>', "low")
    assert len(shown(make_workspace, row, "grey")) == 2


def test_the_other_way_through_the_reader(make_workspace: MakeWorkspace) -> None:
    """A face with a CDATA section is read by the XML parser as a whole."""
    odd = '<g ink="color"><rect width="9" height="9" fill="ink"/></g><text x="5" y="5"><![CDATA[word]]></text>'
    assert len(shown(make_workspace, odd, "color")) == 2
    assert len(shown(make_workspace, odd, "low")) == 1


def test_an_ink_that_is_none(make_workspace: MakeWorkspace) -> None:
    trial = lay_out(make_workspace, '<rect width="9" height="9" fill="ink" ink="colour"/>')
    assert trial.problem.code == "bad-choice"
    assert "color" in trial.problem.fix


def drawing(make: MakeWorkspace, attributes: str, ink: str) -> list[tuple[str | None, str | None, float]]:
    element = f'<image href="art/a.svg" width="40" height="40" {attributes}/>'
    trial: Trial = lay_out(make, element, ink=ink, theme=THEME, files={"content/trial/art/a.svg": SVG})
    assert trial.problems == []
    (one,) = trial.laid_out.drawings.values()
    paints = [item.paint for item in every_item(one.items) if isinstance(item, Outline)]
    return [(paint.fill, paint.stroke, paint.stroke_mm) for paint in paints]


def test_parts_of_a_drawing_for_some_inks(make_workspace: MakeWorkspace) -> None:
    assert [fill for fill, _, _ in drawing(make_workspace, "", "color")] == ["#0000ff", "#ff0000", None]
    assert [fill for fill, _, _ in drawing(make_workspace, "", "low")] == ["#0000ff", None, "#000000"]
    assert len(drawing(make_workspace, "", "grey")) == 3


def test_a_drawing_in_lines(make_workspace: MakeWorkspace) -> None:
    """It is shown twice as large: lines of 0.2 mm are 0.1 in its own units. What is repainted keeps its colour."""
    assert drawing(make_workspace, 'outline="rim"', "color")[0] == ("#0000ff", None, 0.0)
    area, line = ("#ffffff", "#00ff00", 0.1), (None, "#00ff00", 0.1)
    assert drawing(make_workspace, 'outline="rim"', "low") == [area, line, area]
    kept = drawing(make_workspace, 'outline="rim" outline-width="0.4" paint="sky: #123456"', "low")
    assert kept[0] == ("#123456", "#00ff00", 0.2)


def test_pictures_become_grey() -> None:
    for mode, kind in (("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("RGB", "JPEG"), ("L", "JPEG")):
        out = io.BytesIO()
        Image.new("RGB", (8, 4), "#cc3333").convert(mode).save(out, kind)
        colour, _ = read_picture("a", out.getvalue())
        grey, _ = read_picture("a", out.getvalue(), is_grey=True)
        assert (grey.kind, grey.width_px, grey.height_px) == (colour.kind, 8, 4)
        assert grey.key != colour.key
        image = Image.open(io.BytesIO(grey.data))
        assert image.mode in ("L", "LA")
        level = image.convert("L").getpixel((3, 2))
        assert isinstance(level, int)
        assert abs(level - round(0.299 * 0xCC + 0.587 * 0x33 + 0.114 * 0x33)) <= 2


def test_grey_is_grey_whatever_the_theme_says(make_workspace: MakeWorkspace) -> None:
    theme = 'extends: base\ncolours: {a: {color: "#00ff00", grey: "#ff0000"}, b: "#00ff00"}\n'
    rects = "".join(f'<rect width="{5 + at}" height="5" fill="{name}"/>' for at, name in enumerate(("a", "b", "#00f")))
    trial = lay_out(make_workspace, rects, ink="grey", theme=theme)
    assert [line.split()[2] for line in trial.lines] == ["#4c4c4c:", "#969696:", "#1d1d1d:"]


COLOURS = "extends: base\ncolours: {tan: '#000001', Gold: '#000002', gold: '#000003', red: Red, a: TAN, b: 00ff00}\n"


@pytest.mark.parametrize(
    ("fill", "colour"),
    [
        ("tan", "#000001"), ("Tan", "#000001"), ("gold", "#000003"), ("Gold", "#000002"), ("GOLD", "unknown-colour"),
        ("red", "#ff0000"), ("a", "#000001"), ("b", "#00ff00"), ("Tomato", "#ff6347"), ("c0FFee", "#c0ffee"),
        ("tomatoe", "unknown-colour"), ("c0ffe", "unknown-colour"),
    ],
)  # fmt: skip
def test_a_colour_is_a_role_first_and_else_what_people_write(
    make_workspace: MakeWorkspace, fill: str, colour: str
) -> None:
    trial = lay_out(make_workspace, f'<rect width="9" height="9" fill="{fill}"/>', theme=COLOURS)
    assert colour in [trial.lines[0].split()[2].rstrip(":"), *(one.code for one in trial.problems)]
    assert (not trial.problems) is colour.startswith("#")
