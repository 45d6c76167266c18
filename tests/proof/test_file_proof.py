"""A finished file is what was planned: each kind of fault in it is found, with its place, in plain words."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest
from msgspec.structs import replace
from planned_ducks import BACK, BACK_SIDE, EXPECTED, FRONT, FRONT_SIDE, ITEMS, PDF, edited, found, told

from duckpress.core.frame import Drawing, Frame, Item, Outline, Paint
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.files.memo import Pack
from duckpress.impose.sheets import Code
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from handmade import A4, FONTS, FULL, ICON, SERIF, SYMBOLS, box, words
from path_texts import path_of
from pdf_reading import opened

MALLARD = "page 1: the front of card 'mallard' of deck 'ducks': "


def front_with(**changes: Item | None) -> Expected:
    """Return what is expected, with other items on the front under the hash that it has."""
    items = {**ITEMS, **changes}
    ground = FRONT.items[0]
    front = Frame(FRONT.trim, FRONT.bleed_mm, (ground, *(item for item in items.values() if item is not None)))
    front.__dict__["hash"] = FRONT.hash
    return EXPECTED._replace(faces=(ExpectedFace("ducks", "mallard", 2, front, BACK),))


def form(pdf: pikepdf.Pdf, kind: str, page: int = 0) -> pikepdf.Object:
    """Return the first form of a kind that a page or its face shows."""
    objects = pdf.pages[page].Resources.XObject
    face = objects["/FormXob.C-" + (FRONT, BACK)[page].hash]
    known = {**dict(face.Resources.XObject), **dict(objects)} if page == 0 else dict(objects)
    return next(thing for name, thing in known.items() if name.startswith(f"/FormXob.{kind}-"))


def replaced(owner: Callable[[pikepdf.Pdf], pikepdf.Object], old: bytes, new: bytes) -> bytes:
    """Return the file with other operators in a stream."""

    def edit(pdf: pikepdf.Pdf) -> None:
        stream = owner(pdf)
        content = stream.read_bytes()
        assert old in content
        stream.write(content.replace(old, new, 1))

    return edited(edit)


def moved(name: str, x_mm: float = 0.0, y_mm: float = 0.0) -> dict[str, Item]:
    """Return an item at another place."""
    item = ITEMS[name]
    return {name: replace(item, x_mm=item.x_mm + x_mm, y_mm=item.y_mm + y_mm)}


def painted(name: str, **paint: object) -> dict[str, Item]:
    return {name: replace(ITEMS[name], paint=replace(ITEMS[name].paint, **paint))}


CHANGES: list[tuple[dict[str, Item | None], str]] = [
    (moved("title", -3.0), "a text lies 3.00 mm too far right"),
    ({"title": words("Mallad", 3.0, 8.0)}, "a text is of other glyphs"),
    ({"red": words("and more", 3.0, 12.0, 3.0, fill="#aa0100")}, "a text is in the colour #aa0000, not #aa0100"),
    ({"red": words("and more", 3.0, 12.0, 3.1, fill="#aa0000")}, "a text is larger, smaller or of other lines, by up"),
    ({"symbol": None}, "a text is one too many"),
    ({"extra": words("more")}, "a text is missing"),
    (painted("curve", fill="#336799"), "an outline is in the colour #336699, not #336799"),
    (painted("curve", even_odd=False), "an outline is painted in another way"),
    (painted("dashed", dash_mm=(1.0, 0.5)), "an outline is larger, smaller or of other lines, by up to 0.25 mm"),
    (painted("dashed", stroke_opacity=0.6), "an outline is of another opacity"),
    ({"curve": replace(ITEMS["curve"], path=path_of("2 2 m 10 2 12 9 20 8 c 20 20 l h"))}, "an outline lies 1.00 mm"),
    ({"photo": replace(ITEMS["photo"], width_mm=7.0)}, "a picture lies 1.00 mm too far left"),
    ({"photo": replace(ITEMS["photo"], key="c" * 32)}, "a picture is another one"),
    ({"icon": replace(ITEMS["icon"], matrix=Matrix(0.6, 0.0, 0.0, 0.5, 30.0, 40.0))}, "a drawing lies 1.00 mm too far"),
    ({"turned": replace(ITEMS["turned"], clip=path_of("0 0 2 2 re"))}, "a clip lies 1.00 mm too far down"),
    ({"faint": replace(ITEMS["faint"], opacity=0.6)}, "a group is of another opacity"),
    ({"faint": replace(ITEMS["faint"], items=(box(0, 0, 4, 2, "#780000"), words("faint", 0, 2)))}, "an outline is in"),
    ({"masked": replace(ITEMS["masked"], mask=())}, "a group is one too many"),
    ({"masked": replace(ITEMS["masked"], mask=(box(0, 0, 9, 4, "#828080"),))}, "an outline is in the colour #808080"),
]


@pytest.mark.parametrize(("change", "what"), CHANGES)
def test_a_face_drawn_otherwise(change: dict[str, Item | None], what: str) -> None:
    problems = found(expected=front_with(**change))
    assert {code for code, _ in problems} == {"proof-art"}
    assert all(words_.startswith(MALLARD) for _, words_ in problems)
    assert what in problems[0][1]


def test_what_cannot_be_seen_is_no_fault() -> None:
    slight = {**moved("title", 0.04), **moved("photo", 0.0, -0.04), **painted("curve", stroke_mm=0.54)}
    assert found(expected=front_with(**slight)) == []
    assert found(expected=front_with(**moved("title", 0.06))) != []
    assert found(expected=front_with(**painted("curve", stroke_mm=0.56))) != []
    colour = replaced(lambda pdf: form(pdf, "C"), b".2 .4 .6 rg", b".2019 .4 .6 rg")
    assert found(colour) == []
    assert found(replaced(lambda pdf: form(pdf, "C"), b".2 .4 .6 rg", b".2021 .4 .6 rg")) != []


def with_icon(points: str, size: float = 10.0) -> Expected:
    """Return what is expected, with another drawing under the key of the icon, which is printed half as large."""
    drawing = Drawing(Rect(0.0, 0.0, size, size), (Outline(path_of(points), Paint(fill="#aa3311")),))
    drawing.key = ICON.key
    return EXPECTED._replace(drawings={ICON.key: drawing})


def test_a_drawing_is_measured_as_it_is_printed() -> None:
    assert found(expected=with_icon("0.09 0 m 10 0 l 5 10 l h")) == []
    in_icon = f"{MALLARD[:-2]}: drawing {ICON.key[:8]}: "
    assert found(expected=with_icon("0.11 0 m 10 0 l 5 10 l h")) == [
        ("proof-art", f"{in_icon}an outline lies 0.06 mm too far left")
    ]
    assert found(expected=with_icon("0 0 m 10 0 l 5 10 l h", 10.08)) == []
    assert found(expected=with_icon("0 0 m 10 0 l 5 10 l h", 11.0)) == [
        ("proof-art", f"{in_icon}it is cut off at 0.00 0.00 10.00 10.00, not at 0.00 0.00 11.00 11.00")
    ]


def on_page(paper: Size = A4, **changes: object) -> Expected:
    """Return what is expected, with another first side."""
    side = FRONT_SIDE._replace(**changes)  # type: ignore[arg-type]
    return EXPECTED._replace(pages=(ExpectedPage(side, paper), ExpectedPage(BACK_SIDE, A4)))


FIRST, SECOND = FRONT_SIDE.placements
SIDES: list[tuple[Expected, set[str], str]] = [
    (
        on_page(A4.turned()),
        {"proof-page", "proof-boxes"},
        "the media box of page 1 is 0.00 0.00 210.00 297.00, not 0.00 0.00 297.00",
    ),
    (on_page(placements=(FIRST,)), {"proof-page", "proof-boxes"}, "a face is one too many"),
    (on_page(placements=(SECOND, FIRST)), {"proof-page"}, "page 1: a clip is painted in another order"),
    (on_page(placements=(FIRST._replace(x_mm=21), SECOND)), {"proof-page", "proof-boxes"}, "a face lies 1.00 mm too"),
    (on_page(placements=(FIRST, SECOND._replace(bleed=FULL))), {"proof-page", "proof-boxes"}, "a clip is one too many"),
    (on_page(placements=(FIRST._replace(frame=BACK.hash), SECOND)), {"proof-page"}, "page 1: a face is another one"),
    (on_page(code=None), {"proof-page"}, "page 1: a code is one too many"),
    (on_page(code=Code((0b101, 0b010, 0b110), 150.0, 20.0, 2.0, "#000000")), {"proof-page"}, "page 1: a code is"),
    (on_page(items=FRONT_SIDE.items[:1]), {"proof-page"}, "a layer is one too many; an outline is one too many"),
    (on_page(own=(words("Copy 7", 120, 284, 3.0),)), {"proof-page"}, "page 1: a text lies 1.00 mm too far down"),
    (EXPECTED._replace(pages=EXPECTED.pages[:1]), {"proof-page-count"}, "the file has 2 pages, and 1 were planned"),
    (EXPECTED._replace(title="Geese"), {"proof-document"}, "the title is 'Ducks' in the file, not 'Geese'"),
    (EXPECTED._replace(language="de"), {"proof-document"}, "the language is 'en' in the file, not 'de'"),
    (EXPECTED._replace(duplex="short"), {"proof-document"}, "duplex printing is '/DuplexFlipLongEdge' in the file"),
    (EXPECTED._replace(layers={"L-cut": "Folds"}), {"proof-layer"}, "the layer L-cut is called 'Cuts' in the file"),
    (EXPECTED._replace(prints_layers=False), {"proof-layer"}, "the layer L-cut should show on a screen and be left"),
    (EXPECTED._replace(pictures={}), {"proof-picture"}, "picture aaaaaaaa does not show in the file what its own"),
    (EXPECTED._replace(drawings={}), {"proof-art"}, f"something is shown that is on no card (FormXob.D-{ICON.key})"),
    (EXPECTED._replace(font_file=lambda key: FONTS[SERIF.key].file), {"proof-font"}, "is none that texts ask for"),
]


@pytest.mark.parametrize(("expected", "codes", "what"), SIDES)
def test_a_page_made_otherwise(expected: Expected, codes: set[str], what: str) -> None:
    problems = found(expected=expected)
    assert {code for code, _ in problems} == codes
    assert any(what in words_ for _, words_ in problems)


def test_only_greys() -> None:
    problems = found(expected=EXPECTED._replace(is_grey=True))
    assert {code for code, _ in problems} == {"proof-ink"}
    assert sum("is to be in greys, and sets the colour" in what for _, what in problems) == 6
    assert sum("is to be in greys, and has colours" in what for _, what in problems) == 3


Edit = Callable[[pikepdf.Pdf], object]


def state(pdf: pikepdf.Pdf, name: str) -> pikepdf.Object:
    """Return the first graphics state of the front whose name begins so."""
    states = form(pdf, "C").Resources.ExtGState
    return next(thing for key, thing in states.items() if key.startswith(f"/{name}"))


def group(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return form(pdf, "G")


def font(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return next(thing for name, thing in form(pdf, "C").Resources.Font.items() if SERIF.key in name)


def font_file(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return font(pdf).DescendantFonts[0].FontDescriptor


def other_outlines(pdf: pikepdf.Pdf) -> None:
    """Let the glyphs of the font be those of another one."""
    font_file(pdf).FontFile2 = pdf.make_stream(FONTS[SYMBOLS.key].file.data)


def image(pdf: pikepdf.Pdf, key: str) -> pikepdf.Object:
    return form(pdf, "C").Resources.XObject[f"/FormXob.P-{key * 32}"]


def other_pixels(owner: Callable[[pikepdf.Pdf], pikepdf.Object]) -> Edit:
    """Return the edit that changes the last byte of an image's pixels."""

    def edit(pdf: pikepdf.Pdf) -> None:
        data = owner(pdf).read_bytes()
        owner(pdf).write(data[:-1] + bytes([data[-1] ^ 1]))

    return edit


def with_entry(owner: Callable[[pikepdf.Pdf], pikepdf.Object], key: str, value: object) -> Edit:
    """Return the edit that enters something in a dictionary."""
    return lambda pdf: owner(pdf).__setitem__(f"/{key}", value)


def without(owner: Callable[[pikepdf.Pdf], pikepdf.Object], key: str) -> Edit:
    return lambda pdf: owner(pdf).__delitem__(f"/{key}")


def swapped_faces(pdf: pikepdf.Pdf) -> None:
    """Let the fronts be backs, and the backs fronts."""
    fronts, backs = (pdf.pages[at].Resources.XObject for at in (0, 1))
    one, other = (f"/FormXob.C-{frame.hash}" for frame in (FRONT, BACK))
    fronts[one], backs[other] = backs[other], fronts[one]


def another_of_its_name(pdf: pikepdf.Pdf) -> None:
    """Let the back's resources have another form by the name of the front."""
    resources, name = pdf.pages[1].Resources, "/FormXob.C-" + FRONT.hash
    resources.XObject = pikepdf.Dictionary({**dict(resources.XObject), name: form(pdf, "C", 1)})


PAGE = lambda pdf: pdf.pages[0].obj  # noqa: E731
FACE = lambda pdf: form(pdf, "C")  # noqa: E731
EMPTY = pikepdf.Dictionary()
A_MATRIX = pikepdf.Array([1, 0, 0, 1, 3, 0])
EDITS: list[tuple[Edit, str, str]] = [
    (with_entry(PAGE, "Rotate", 90), "proof-unreadable", "in a way of its own: << /BleedBox [ "),
    (with_entry(FACE, "Matrix", A_MATRIX), "proof-unreadable", "/Matrix [ 1 0 0 1 3 0 ]"),
    (with_entry(FACE, "BBox", pikepdf.Array([0, 0, 40, 60])), "proof-art", "it is cut off at 0.00 0.00 40.00 60.00"),
    (lambda pdf: with_entry(FACE, "Group", group(pdf).Group)(pdf), "proof-art", "it is painted as a group"),
    (swapped_faces, "proof-art", "page 1: the front of card 'mallard' of deck 'ducks': "),
    (with_entry(lambda pdf: state(pdf, "O1000-500"), "BM", pikepdf.Name.Multiply), "proof-unreadable", "/BM /Multiply"),
    (without(group, "Group"), "proof-art", "a group is not painted as one"),
    (with_entry(group, "BBox", pikepdf.Array([0, 0, 1, 1])), "proof-art", "or cut off at 0.00 0.00 1.00 1.00"),
    (with_entry(lambda pdf: state(pdf, "O1000-500"), "CA", 0.6), "proof-art", "as opaque as O1000-500 says"),
    (
        lambda pdf: with_entry(lambda _: state(pdf, "O1000-500"), "SMask", state(pdf, "O1000-1000-G").SMask)(pdf),
        "proof-art",
        "another mask",
    ),
    (without(lambda pdf: state(pdf, "O1000-1000-G"), "SMask"), "proof-art", "another opacity or another mask"),
    (with_entry(lambda pdf: state(pdf, "O1000-1000-G").SMask, "S", pikepdf.Name.Alpha), "proof-unreadable", "/Alpha"),
    (with_entry(lambda pdf: FACE(pdf).Resources, "ColorSpace", EMPTY), "proof-unreadable", "/ColorSpace << >>"),
    (with_entry(lambda pdf: FACE(pdf).Resources.XObject, "F-oreign", EMPTY), "proof-unreadable", "<< /F-oreign << >>"),
    (with_entry(PAGE, "TrimBox", pikepdf.Array([0, 0, 9, 9])), "proof-boxes", "the trim box of page 1 is 0.00 "),
    (lambda pdf: pdf.pages.append(pdf.pages[0]), "proof-page-count", "the file has 3 pages, and 2 were planned"),
    (other_outlines, "proof-font", "has other glyphs under its numbers, or of another size"),
    (without(font, "ToUnicode"), "proof-font", "does not say what its glyphs mean"),
    (without(font_file, "FontFile2"), "proof-font", "is not embedded"),
    (with_entry(font, "Encoding", pikepdf.Name("/Identity-V")), "proof-font", "draws other glyphs than texts ask for"),
    (other_pixels(lambda pdf: image(pdf, "a")), "proof-picture", "page 1: the front of card 'mallard'"),
    (other_pixels(lambda pdf: image(pdf, "a").SMask), "proof-picture", "picture aaaaaaaa does not show in the file"),
    (without(lambda pdf: image(pdf, "a"), "SMask"), "proof-picture", "picture aaaaaaaa does not show in the file"),
    (with_entry(lambda pdf: image(pdf, "c"), "Height", 20), "proof-picture", "picture cccccccc does not show"),
    (another_of_its_name, "proof-face-mixed", f"page 2: two different things go by the name FormXob.C-{FRONT.hash}"),
    (without(lambda pdf: pdf.Root, "OCProperties"), "proof-layer", "not in the list of layers"),
    (
        lambda pdf: with_entry(lambda _: pdf.Root.OCProperties.D, "OFF", pdf.Root.OCProperties.OCGs)(pdf),
        "proof-layer",
        "the layer L-cut is hidden",
    ),
]


@pytest.mark.parametrize(("edit", "code", "what"), EDITS)
def test_a_fault_in_the_file(edit: Edit, code: str, what: str) -> None:
    proven = Pack()
    assert told(PDF, proven) == []
    pdf = edited(edit)
    problems = told(pdf)
    assert {code for code, _ in problems} == {code}
    assert any(what in words_ for _, words_ in problems)
    for _ in range(2):
        assert {code for code, _ in told(pdf, proven)} == {code}, "what was right in another file"
    assert told(PDF, proven) == []


def test_a_stream_that_is_packed_otherwise() -> None:
    """A predictor, or a second filter, would let the same bytes be something else."""

    def saved(edit: Edit) -> bytes:
        out = io.BytesIO()
        with opened(PDF) as pdf:
            edit(pdf)
            pdf.save(out, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
        return out.getvalue()

    def coded(pdf: pikepdf.Pdf) -> None:
        face = FACE(pdf)
        face.write(face.read_bytes().hex().encode() + b">", filter=pikepdf.Name.ASCIIHexDecode)

    parameters = pikepdf.Dictionary(Predictor=1)
    assert told(saved(lambda _: None)) == []
    assert "/Filter /ASCIIHexDecode" in told(saved(coded))[0][1]
    for owner in (FACE, lambda pdf: pdf.pages[0].Contents):
        assert "/DecodeParms" in told(saved(with_entry(owner, "DecodeParms", parameters)))[0][1]


STREAMS: list[tuple[Callable[[pikepdf.Pdf], pikepdf.Object], bytes, bytes, str]] = [
    (FACE, b" Tm", b" Tm 3 Tr", "in another way"),
    (lambda pdf: state(pdf, "O1000-1000-G").SMask.G, b".502 .502 .502 rg", b".6 .502 .502 rg", "in the colour #998080"),
    (lambda pdf: pdf.pages[0].Contents, b"/FormXob.C-", b"/FormXob.C-0", "is not in the file"),
]


@pytest.mark.parametrize(("owner", "old", "new", "what"), STREAMS)
def test_a_fault_in_a_stream(owner: Callable[[pikepdf.Pdf], pikepdf.Object], old: bytes, new: bytes, what: str) -> None:
    proven = Pack()
    assert found(proven=proven) == []
    pdf = replaced(owner, old, new)
    problems = found(pdf)
    assert any(what in words_ for _, words_ in problems), problems
    assert found(pdf, proven=proven) == problems, "what was right in another file"


def test_a_glyph_that_is_not_in_the_font_of_this_file() -> None:
    """A face that was right before is right again only if its glyphs are in the font that the file has now."""
    proven, capital = Pack(), int(SERIF.shape("M").glyphs, 16)
    assert found(proven=proven) == []

    def edit(pdf: pikepdf.Pdf) -> None:
        widths = list(font(pdf).DescendantFonts[0].W)
        rows = [(int(first), list(row)) for first, row in zip(widths[::2], widths[1::2], strict=True)]
        each = [(first + at, [width]) for first, row in rows for at, width in enumerate(row)]
        kept = [part for glyph, width in each if glyph != capital for part in (glyph, pikepdf.Array(width))]
        font(pdf).DescendantFonts[0].W = pikepdf.Array(kept)

    what = f"{MALLARD[:-2]} draws glyphs that font {SERIF.key} has not, as {capital}"
    assert found(edited(edit), proven=proven) == [("proof-font", what)]


def test_what_was_right_in_colours_may_be_wrong_in_greys() -> None:
    proven = Pack()
    assert found(proven=proven) == []
    in_greys = EXPECTED._replace(is_grey=True)
    assert found(expected=in_greys, proven=proven) == found(expected=in_greys) != []


def test_spaces_and_the_same_numbers_written_otherwise_are_no_fault() -> None:
    assert found(replaced(FACE, b"\n", b"\n  ")) == []
    assert found(replaced(FACE, b".2 .4 .6 rg", b"0.20 0.4000 0.6 rg")) == []


def test_damage_that_qpdf_mends_is_told() -> None:
    assert told(PDF.replace(b"startxref", b"startxxxx"))[0][0] == "proof-document"
    assert told(b"%PDF-1.7\nnothing else")[0][0] == "proof-unreadable"
