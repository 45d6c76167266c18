"""Whatever a text holds, in any script: what fits has all its ink in its box on the rendered page."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.frame import Frame
from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Source
from duckpress.layout import LaidOut
from duckpress.model import Piece
from duckpress.text import TextStyle
from duckpress.views.pictures import FacePainter
from profiles import examples
from setting import LIBRARY, typesetter

DPI = 300
SETTERS = {code: typesetter(code) for code in ("en", "fr", "ru")}

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


@examples(8)
@given(st.sampled_from(sorted(SETTERS)), SOURCES, STYLES, st.floats(10.0, 40.0), st.floats(10.0, 40.0))
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
    (picture,) = FacePainter(LIBRARY).pictures(one, [frame], DPI)
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
