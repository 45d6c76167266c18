"""Whatever a text holds, in any script: what fits has all its ink in its box, also on the rendered page."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.frame import Frame, PlacedDrawing, Text
from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Source
from duckpress.layout import LaidOut
from duckpress.model import Piece
from duckpress.text import TextStyle
from duckpress.views.pictures import paint_frames
from profiles import examples
from setting import LIBRARY, typesetter

SLIP_MM = 2e-3
DPI = 300
SETTERS = {code: typesetter(code) for code in ("en", "fr", "de", "tr", "el", "ru", "ja")}

# Letters of many scripts, marks that stack, signs that steer, spaces of every width, and our own markup.
LETTERS = st.one_of(
    st.text("aefgjpqyÅÉÑŁøßİıfiffl", min_size=1, max_size=9),
    st.text("αβγδζξψΆΈΐ", min_size=1, max_size=9),
    st.text("жщёйЇђ", min_size=1, max_size=9),
    st.text("ếậọữăđ", min_size=1, max_size=9),
    st.text("鴨の木한ก้ا\u0627\u05d0नि", min_size=1, max_size=5),
    st.text("\u0301\u0323\u0302\u0308\u034f", min_size=1, max_size=4).map("a".__add__),
    st.text("\u200b\u200d\u00ad\u202e\u2066\u2069\ufeff\ufe0f\u2060", min_size=1, max_size=3),
    st.text("\u00a0\u2003\u2009\u202f\u3000", min_size=1, max_size=2),
    st.text("0123456789%€°«»\"'!?;:.,—–-/()[]{}", min_size=1, max_size=6),
    st.sampled_from(
        ["**", "*", "***", "{shot}", "{wide}", "{nope}", "{=n}", "\n\n", "\n- ", "<br/>", "\\\n", "🦆", "\ud800"]
    ),
)
SOURCES = st.lists(LETTERS, max_size=25).flatmap(lambda words: st.sampled_from([" ".join(words), "".join(words)]))
STYLES = st.builds(
    TextStyle,
    family=st.sampled_from(["Alegreya Sans", "Alegreya", "DejaVu Sans", "Nowhere"]),
    weight=st.sampled_from(["light", "regular", "bold", "black"]),
    is_italic=st.booleans(),
    size_pt=st.floats(5.0, 30.0),
    min_pt=st.floats(4.0, 12.0),
    leading=st.floats(1.0, 1.6),
    align=st.sampled_from(["left", "center", "right", "justify"]),
    is_hyphenated=st.booleans(),
    tracking=st.sampled_from([0.0, 30.0]),
    caps=st.sampled_from(["none", "upper", "small"]),
    figures=st.sampled_from(["own", "lining", "tabular", "old-style"]),
)


@examples(15)
@given(st.sampled_from(sorted(SETTERS)), SOURCES, STYLES, st.floats(2.0, 80.0), st.floats(2.0, 60.0))
def test_any_text_is_set_in_its_box_or_said_to_be_over(
    language: str, source: str, style: TextStyle, width_mm: float, height_mm: float
) -> None:
    box = Rect(3.0, 4.0, width_mm, height_mm)
    fitted = SETTERS[language].fit(source, style, box, values={"n": "**4** ducks"})
    assert min(style.min_pt, style.size_pt) <= fitted.size_pt <= style.size_pt
    if fitted.over_mm:
        assert fitted.size_pt <= max(style.min_pt, style.size_pt)
        return
    for item in fitted.items:
        if isinstance(item, Text):
            assert item.x_mm >= box.x_mm - SLIP_MM
            assert item.x_mm + item.width_mm <= box.right_mm + SLIP_MM
            assert box.y_mm - SLIP_MM <= item.y_mm <= box.bottom_mm + SLIP_MM
            assert LIBRARY.load_key(item.font) is not None
        else:
            assert isinstance(item, PlacedDrawing)
            assert item.matrix.e >= box.x_mm - 10 * item.matrix.a - SLIP_MM


@examples(8)
@given(st.sampled_from(["en", "fr", "ru"]), SOURCES, STYLES, st.floats(10.0, 40.0), st.floats(10.0, 40.0))
def test_no_ink_outside_the_box_on_the_page(
    language: str, source: str, style: TextStyle, width_mm: float, height_mm: float
) -> None:
    box = Rect(15.0, 15.0, width_mm, height_mm)
    plain = source.replace("{shot}", "").replace("{wide}", "")
    fitted = SETTERS[language].fit(plain, style._replace(colour="#000000"), box)
    if fitted.over_mm or not fitted.items:
        return
    frame = Frame(Size(70.0, 70.0), 0.0, fitted.items)
    one = LaidOut(Piece("p", "P", ("d",), "t", Source("")), (), {}, {}, ())
    (picture,) = paint_frames(one, [frame], LIBRARY, DPI, has_bleed=False)
    ink = picture.convert("L").point(lambda value: 255 if value < 200 else 0).getbbox()
    if ink is None:
        return
    # Letters may hang over their own width by a hair at the sides (an italic f); nothing reaches above or below.
    # Whoever paints a PDF fits letters to pixels, which lifts an accent by one.
    side_mm = 0.35 * fitted.size_pt * 25.4 / 72
    left, top, right, bottom = ink
    assert left >= math.floor((box.x_mm - side_mm) * DPI / 25.4) - 1
    assert right <= math.ceil((box.right_mm + side_mm) * DPI / 25.4) + 1
    assert top >= math.floor(box.y_mm * DPI / 25.4) - 1
    assert bottom <= math.ceil(box.bottom_mm * DPI / 25.4) + 1
