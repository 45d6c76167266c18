"""SVG, PNG and JPEG files: what is drawn of them, and what is refused rather than drawn wrongly."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from msgspec.structs import replace
from PIL import Image

from duckpress.art.picture_files import read_picture
from duckpress.core.frame import PlacedDrawing
from duckpress.core.problems import Level, Source
from duckpress.layout.elements import art_shelf
from duckpress.layout.elements.art_shelf import ArtShelf, KnownLooks
from duckpress.layout.theme import Theme, look_of
from duckpress.text.fonts import FontLibrary
from workshop import MakeWorkspace, Trial, as_lines, lay_out

ART = "content/trial/art/a.svg"
USED = '<image href="art/a.svg" x="10" y="10" width="20" height="20"/>'


def drawn(make: MakeWorkspace, svg: str, element: str = USED) -> Trial:
    return lay_out(make, element, files={ART: svg})


def art_lines(make: MakeWorkspace, svg: str, element: str = USED) -> list[str]:
    trial = drawn(make, svg, element)
    assert trial.problems == []
    (drawing,) = trial.laid_out.drawings.values()
    return list(as_lines(drawing.items))


R = '<rect x="2" y="2" width="5" height="5" {}/>'
CLIP = '<clipPath id="c"><rect width="1" height="1" {}/>{}</clipPath>' + R.format('clip-path="url(#c)"')
SYMBOL = '<symbol id="s" viewBox="0 0 2 2"><rect width="2" height="2"/></symbol>'


def box(inside: str, attributes: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" {attributes}>{inside}</svg>'


@pytest.mark.parametrize(
    ("inside", "lines"),
    [
        (R.format(""), ["outline fill #000000: 2 2 5 5 re"]),
        (R.format('fill="none"'), []),
        (R.format('fill="rebeccapurple"'), ["outline fill #663399: 2 2 5 5 re"]),
        (R.format('fill="rgb(255, 50%, 0)"'), ["outline fill #ff8000: 2 2 5 5 re"]),
        (
            R.format('style="fill:#123;stroke:red;stroke-width:2px"'),
            ["outline fill #112233, stroke #ff0000 2: 2 2 5 5 re"],
        ),
        (
            f'<g fill="red" stroke-width="3"><g stroke="blue">{R.format("")}</g></g>',
            ["outline fill #ff0000, stroke #0000ff 3: 2 2 5 5 re"],
        ),
        # Attribute < tag < class < id < style.
        (
            "<style>#c{fill:#030303} .a,.b{fill:#020202} rect{fill:#010101}</style>"
            + R.format('fill="#999"')
            + R.format('class="z b" fill="#999"')
            + R.format('id="c" class="a"')
            + R.format('id="c" style="fill:#040404"'),
            [f"outline fill #0{n}0{n}0{n}: 2 2 5 5 re" for n in (1, 2, 3, 4)],
        ),
        ('<g transform="translate(1 2)"><rect width="1" height="1" transform="scale(2)"/></g>',
         ["group by 1 0 0 1 1 2", "  group by 2 0 0 2 0 0", "    outline fill #000000: 0 0 1 1 re"]),
        (f'<g opacity=".5">{R.format("")}</g>', ["group opacity 0.5", "  outline fill #000000: 2 2 5 5 re"]),
        (f'<g style="display:none">{R.format("")}</g>' + R.format('visibility="hidden"'), []),
        (f'<defs>{R.format(chr(105) + "d=" + chr(34) + "r" + chr(34))}</defs><use href="#r" x="3" fill="red"/>',
         ["group by 1 0 0 1 3 0", "  outline fill #ff0000: 2 2 5 5 re"]),
        (SYMBOL + '<use href="#s" x="2" width="4" height="4"/>',
         ["group by 2 0 0 2 2 0, clip 0 0 2 2 re", "  outline fill #000000: 0 0 2 2 re"]),
        ('<use href="#missing"/>' + R.format('fill="url(#none)"'), []),
        (R.format('fill="url(#none) red"'), ["outline fill #ff0000: 2 2 5 5 re"]),
        (R.format('clip-path="url(#no)" mask="url(#no)" marker-end="url(#no)"'), ["outline fill #000000: 2 2 5 5 re"]),
        (CLIP.format("", '<rect x="3" width="1" height="1"/>'),
         ["group clip 0 0 1 1 re 3 0 1 1 re", "  outline fill #000000: 2 2 5 5 re"]),
        ('<clipPath id="c"><circle r="0"/><rect width="1" height="1" transform="translate(2)"/></clipPath>', []),
        (CLIP.format('transform="translate(2)"', ""),
         ["group clip 2 0 m 3 0 l 3 1 l 2 1 l h", "  outline fill #000000: 2 2 5 5 re"]),
        # What reaches outside the viewBox is cut off there.
        ('<rect x="5" width="20" height="5"/>', ["group clip 0 0 10 10 re", "  outline fill #000000: 5 0 20 5 re"]),
        ('<title>Heron</title><desc>x</desc><metadata/><foo:bar xmlns:foo="urn:x"/><linearGradient id="g"/>', []),
        ('<polygon points="0,0 1,0 1,1"/><line x2="3" stroke="red"/><ellipse rx="1" ry="2"/>', None),
    ],
)  # fmt: skip
def test_what_is_drawn(make_workspace: MakeWorkspace, inside: str, lines: list[str] | None) -> None:
    found = art_lines(make_workspace, box(inside))
    if lines is None:
        assert len(found) == 4  # the group that clips, and three shapes
    else:
        assert found == lines


def test_flowed_text_is_told_unless_it_is_empty(make_workspace: MakeWorkspace) -> None:
    flowed = "<flowRoot><flowRegion><rect width='5' height='5'/></flowRegion><flowPara>{}</flowPara></flowRoot>"
    trial = drawn(make_workspace, box(R.format("") + flowed.format("Mallards  <flowSpan>fly</flowSpan>")))
    assert set(trial.codes) == {"svg-left-out"}
    assert "'Mallards fly'" in trial.problems[0].what
    assert "Convert to Text" in trial.problems[0].fix
    assert art_lines(make_workspace, box(R.format("") + flowed.format(" "))) == ["outline fill #000000: 2 2 5 5 re"]


def test_classes_are_repainted(make_workspace: MakeWorkspace) -> None:
    svg = box(
        "<style>.head{fill:#111}</style>"
        + R.format('class="head"')
        + R.format('class="line" stroke="#222" fill="none"')
        + f'<g class="wing">{R.format("")}{R.format(chr(102) + "ill=" + chr(34) + "#333" + chr(34))}</g>'
    )  # fmt: skip
    element = USED.replace("/>", ' paint="head: #0a5; line.stroke: ink; wing: #fff"/>')
    assert art_lines(make_workspace, svg, element) == [
        "outline fill #00aa55: 2 2 5 5 re",
        "outline stroke #1d1b18 1: 2 2 5 5 re",
        "outline fill #ffffff: 2 2 5 5 re",
        "outline fill #333333: 2 2 5 5 re",
    ]
    problem = drawn(make_workspace, svg, USED.replace("/>", ' paint="haed: #0a5"/>')).problem
    assert (problem.code, problem.fix) == ("unknown-class", "did you mean 'head'?")
    assert drawn(make_workspace, svg, USED.replace("/>", ' paint="head"/>')).codes == ["bad-paint"]


def test_each_look_of_a_file_is_a_drawing_of_its_own(make_workspace: MakeWorkspace) -> None:
    colours = ("#00aa55", "#cc8800", "#00aa55")
    elements = "".join(USED.replace("/>", f' paint="head: {colour}"/>') for colour in colours)
    laid_out = drawn(make_workspace, box(R.format('class="head"')), elements).laid_out
    placed = [item for item in laid_out.faces[0].front.items if isinstance(item, PlacedDrawing)]
    lines = [list(as_lines(laid_out.drawings[one.key].items)) for one in placed]
    assert lines == [[f"outline fill {colour}: 2 2 5 5 re"] for colour in colours]


def test_icons_take_the_colour_of_the_text(make_workspace: MakeWorkspace) -> None:
    svg = box(
        '<rect width="10" height="1"/><g fill="currentColor"><rect width="10" height="2"/></g>'
        + R.format('fill="#fff"')
    )
    trial = lay_out(
        make_workspace,
        '<text x="5" y="5" colour="#a00">{dot}</text><icon name="dot" fill="#0a0" x="5" y="40" size="5"/>',
        files={"content/trial/art/icons/dot.svg": svg},
    )
    assert trial.problems == []
    fills = sorted(next(as_lines(drawing.items)).split()[2] for drawing in trial.laid_out.drawings.values())
    assert fills == ["#00aa00:", "#aa0000:"]


@pytest.mark.parametrize(
    ("attributes", "line"),
    [
        ("", "drawing by 1 0 0 1 20 10"),
        ('align="left"', "drawing by 1 0 0 1 10 10"),
        ('align="bottom right"', "drawing by 1 0 0 1 30 10"),
        ('fit="stretch"', "drawing by 3 0 0 1 10 10"),
        ('fit="cover"', "group clip 10 10 30 20 re|  drawing by 3 0 0 3 10 -10"),
        ('fit="cover" align="top"', "group clip 10 10 30 20 re|  drawing by 3 0 0 3 10 10"),
        ('opacity="0.5"', "group opacity 0.5|  drawing by 1 0 0 1 20 10"),
    ],
)
def test_fitting(make_workspace: MakeWorkspace, attributes: str, line: str) -> None:
    svg = '<svg viewBox="0 0 10 20"><rect width="10" height="20"/></svg>'
    trial = drawn(make_workspace, svg, f'<image href="art/a.svg" x="10" y="10" width="30" height="20" {attributes}/>')
    assert trial.problems == []
    assert "|".join(trial.lines) == line


def png(width: int, height: int, bits: int = 8) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(b"".join(b"\0" + b"\x80" * (width * bits // 8) for _ in range(height)))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (8, 4)).save(out, "JPEG")
    return out.getvalue()


def test_pictures_are_measured_without_decoding_and_kept_as_they_are() -> None:
    for data, kind in ((png(6, 3), "png"), (jpeg(), "jpeg")):
        picture, note = read_picture("a", data)
        assert (picture.data is data, picture.kind, note) == (True, kind, "")
        assert (picture.width_px, picture.height_px) == ((6, 3) if kind == "png" else (8, 4))


def test_pictures_a_pdf_cannot_take_are_converted() -> None:
    cmyk, note = read_picture("a.jpg", jpeg("CMYK"))
    assert Image.open(io.BytesIO(cmyk.data)).mode == "RGB"
    assert "CMYK" in note
    grey, _ = read_picture("a.png", png(4, 2, 16))
    opened = Image.open(io.BytesIO(grey.data))
    assert (opened.mode, opened.getpixel((0, 0))) == ("L", 0x80)


def test_pictures_in_a_face(make_workspace: MakeWorkspace) -> None:
    files = {
        "content/trial/art/a.png": png(600, 300),
        "content/trial/art/b.png": b"EPS",
        "layouts/art/c.png": png(300, 300),
    }
    element = '<image href="art/a.png" x="10" y="10" width="40" height="40"/>'
    elements = (element, element.replace("art/a", "art/c"), element.replace("/>", ' fit="cover"/>'))
    trial = lay_out(make_workspace, "".join(elements), files=files)
    assert trial.problems == []
    covering = ["group clip 10 10 40 40 re", "  picture at -10 10, 80 x 40"]
    assert trial.lines == ["picture at 10 20, 40 x 20", "picture at 10 10, 40 x 40", *covering]
    assert [(one.width_px, one.key) for one in trial.laid_out.pictures.values()] == [
        (picture.width_px, key) for key, picture in trial.laid_out.pictures.items()
    ]
    trial = lay_out(make_workspace, element.replace("art/a", "art/b"), files=files)
    assert (trial.problem.code, trial.problem.source) == ("bad-picture", Source("content/trial/art/b.png"))
    assert trial.lines == []


def test_a_coarse_picture_is_a_warning(make_workspace: MakeWorkspace) -> None:
    element = '<image href="art/a.png" x="10" y="10" width="40" height="40"/>'
    problem = lay_out(make_workspace, element, files={"content/trial/art/a.png": png(60, 30)}).problem
    assert (problem.code, problem.level) == ("low-resolution", Level.WARNING)


def test_a_picture_of_that_name_is_found_elsewhere_and_nothing_but_pictures_is_offered(
    make_workspace: MakeWorkspace,
) -> None:
    files = {ART: box(""), "content/trial/art/birds/teal.svg": box(""), "content/trial/read.txt": ""}
    for href, name in (("a.svg", "art/a.svg"), ("birds/teal.svg", "art/birds/teal.svg")):
        problem = lay_out(make_workspace, USED.replace("art/a.svg", href), files=files).problem
        assert (problem.code, problem.fix) == ("missing-file", f"did you mean {name!r}?")
    fix = lay_out(make_workspace, USED.replace("art/a.svg", "zzzzzzzzzzzzzz.png"), files=files).problem.fix
    assert fix == "use one of: art/a.svg, art/birds/teal.svg"


def test_a_look_is_drawn_once_for_all_workers_where_nothing_is_said_of_it(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">%s</svg>'
    parts = {
        "plain": "<rect width='9' height='9'/>",
        "words": "<text y='9' font-size='3' font-family='Alegreya Sans'>A</text>",
        "odd": "<foreignObject/><rect width='9' height='9'/>",
    }
    workspace = make_workspace({f"content/g/art/{name}.svg": svg % inside for name, inside in parts.items()})
    drawn: list[str] = []
    draw = art_shelf.draw_art
    monkeypatch.setattr(art_shelf, "draw_art", lambda art, *how: drawn.append(art.path) or draw(art, *how))
    looks: dict[bytes, bytes] = {}

    def looked_at(palette: dict[str, str]) -> list[str]:
        drawn.clear()
        look = replace(look_of(Theme("t", Source("t")), "color"), palette=palette)
        shelf = ArtShelf(workspace, "content/g", look, FontLibrary(workspace), KnownLooks(looks.get, looks))
        drawings = [shelf.drawing(shelf.find(f"art/{name}.svg")) for name in parts]
        assert [drawing.key for drawing in drawings] == [*shelf.drawings]
        told.append([problem.what for problem in shelf.problems])
        return [path.rpartition("/")[2] for path in drawn]

    told: list[list[str]] = []
    assert looked_at({}) == ["plain.svg", "words.svg", "odd.svg"]
    assert looked_at({}) == ["words.svg", "odd.svg"]
    assert looked_at({"ink": "#112233"}) == ["plain.svg", "words.svg", "odd.svg"]
    assert told[0] == told[1]
