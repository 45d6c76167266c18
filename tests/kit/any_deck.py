"""Cards of a word on a ground, and decks of any sizes, counts and backs, for tests that lay them on sheets."""

from __future__ import annotations

from hypothesis import strategies as st

from duckpress.core.frame import Frame, Item, Outline, Paint
from duckpress.core.geometry import MM_PER_PT, Size
from duckpress.core.sizes import Format
from handmade import SERIF, words
from path_texts import path_of

COPIES = (3, 1, 7, 2)


def typeset(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
    """Return one line of text for the footer."""
    run = words(text, 0.0, 0.0, size_pt * MM_PER_PT, SERIF, "#333333")
    return (run,), run.width_mm


def face(format_: Format, text: str, fill: str) -> Frame:
    """Return a frame of a format with a ground and a word."""
    x, y, width, height = Frame(format_.trim, format_.bleed_mm, ()).bleed_box
    ground = Outline(path_of(f"{x:g} {y:g} {width:g} {height:g} re"), Paint(fill=fill))
    return Frame(format_.trim, format_.bleed_mm, (ground, words(text, 4, 8, 2.5)))


SIZES = st.tuples(st.floats(20.0, 150.0), st.floats(20.0, 180.0)).map(lambda size: Size(*(round(mm, 2) for mm in size)))
FORMATS_OF = st.lists(
    st.builds(
        lambda size, bleed_mm: Format("any", size, bleed_mm=bleed_mm), SIZES, st.sampled_from([0.0, 1.5, 2.0, 3.175])
    ),
    min_size=1,
    max_size=3,
)
CARDS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.booleans()), min_size=1, max_size=6)
