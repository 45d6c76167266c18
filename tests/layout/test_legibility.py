"""Words that cannot be read on what lies under them, cards that only colour tells apart; and published figures."""

from __future__ import annotations

import pytest

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Level, Problem, Source
from duckpress.layout.legibility import Grounds, Seen, check_legibility, coarsest_dpi, faint_words
from duckpress.layout.legibility.checks import GREY, SIMULATIONS, contrast, difference
from path_texts import path_of

CARD = "0.000 0.000 63.000 88.000 re"
DISC = "20 10 m 20 15.523 15.523 20 10 20 c 4.477 20 0 15.523 0 10 c 0 4.477 4.477 0 10 0 c 15.523 0 20 4.477 20 10 c h"


def filled(d: str, colour: str, opacity: float = 1.0) -> Outline:
    return Outline(path_of(d), Paint(fill=colour, fill_opacity=opacity))


def ground_at(items: tuple[Item, ...], x: float, y: float, drawings: dict[str, Drawing]) -> str | None:
    grounds = Grounds(drawings)
    grounds.open(items)
    return grounds.under((x, y), len(items))


def words(text: str, colour: str, x_mm: float = 10.0, y_mm: float = 20.0, size_mm: float = 3.0) -> Text:
    return Text(x_mm, y_mm, size_mm, "font", colour, "<0001>", text, 20.0)


def seen(card: str, *items: Item) -> Seen:
    frame = Frame(Size(63.0, 88.0), 2.0, items)
    return Seen("duck", card, "front", frame, Source("duck.yaml", 5), Source("duck.xml"))


def found(*faces: Seen, drawings: dict[str, Drawing] | None = None) -> list[Problem]:
    return check_legibility(faces, drawings or {})


def test_words_on_white_paper() -> None:
    (problem,) = found(seen("a", words("faint", "#999999")))
    assert (problem.code, problem.source, problem.level) == ("low-contrast", Source("duck.xml"), "warning")
    assert "'faint' is hard to read: #999999 on #ffffff has a contrast of 2.8 to 1" in problem.what
    assert "4.5 to 1" in problem.fix
    assert found(seen("a", words("strong", "#333333"))) == []
    # Large words may be fainter.
    assert [one.code for one in found(seen("a", words("small", "#888888")))] == ["low-contrast"]
    assert found(seen("a", words("large", "#888888", size_mm=18 * 25.4 / 72 + 0.01))) == []


def test_the_ground_is_what_was_painted_last_before_the_words() -> None:
    dark, light = filled(CARD, "#222222"), filled("5 10 40 15 re", "#eeeeee")
    assert found(seen("a", light, dark, words("white", "#ffffff"))) == []
    (problem,) = found(seen("a", dark, light, words("white", "#ffffff")))
    assert "on #eeeeee" in problem.what
    assert found(seen("a", dark, words("white", "#ffffff"), light)) == []


def test_nothing_is_said_of_words_on_pictures() -> None:
    picture = Picture("key", 0.0, 0.0, 63.0, 88.0)
    assert found(seen("a", picture, words("on a photo", "#ffffff"))) == []
    veil, panel = filled(CARD, "#ffffff", 0.5), filled(CARD, "#ffffff")
    assert found(seen("a", picture, veil, words("on a veil", "#ffffff"))) == []
    assert found(seen("a", picture, panel, words("on a panel", "#ffffff")))[0].code == "low-contrast"
    assert found(seen("a", picture, Group((words("on a photo", "#ffffff"),), opacity=0.5))) == []


def test_words_in_a_turned_group() -> None:
    upside_down = Matrix(-1.0, 0.0, 0.0, -1.0, 63.0, 88.0)
    dark_below = filled("0.000 44.000 63.000 44.000 re", "#222222")
    turned = Group((words("turned", "#333333"),), upside_down)  # drawn at y 20, lands at y 68, on the dark half
    (problem,) = found(seen("a", dark_below, turned))
    assert "#333333 on #222222" in problem.what
    assert found(seen("a", dark_below, Group((words("upright", "#333333"),)))) == []


def test_words_in_a_sheer_group_are_as_faint_as_they_are_printed() -> None:
    black = words("ghost", "#000000")
    (problem,) = found(seen("a", Group((black,), opacity=0.05)))
    assert "'ghost' is hard to read: #000000, seen as #f2f2f2 in a group with an opacity, on #ffffff" in problem.what
    assert problem.fix.startswith("give the group more opacity, or take a darker")
    assert found(seen("a", Group((black,), opacity=0.9))) == []
    assert found(seen("a", Group((black,), opacity=0.0))) == []  # not printed at all
    nested = Group((Group((black,), opacity=0.5),), opacity=0.4)
    assert "seen as #cccccc in" in found(seen("a", nested))[0].what
    dark = filled(CARD, "#222222")
    (problem,) = found(seen("a", dark, Group((words("ghost", "#ffffff"),), opacity=0.1)))
    assert "seen as #383838 in a group with an opacity, on #222222" in problem.what
    assert found(seen("a", dark, Group((words("white", "#ffffff"),), opacity=0.9))) == []


def test_a_sheer_group_shines_through_as_a_whole() -> None:
    panel, white = filled(CARD, "#000000"), words("white", "#ffffff")
    # Black at 0.6 on white paper is #666666, and words that are white on black stay white: 5.7 to 1.
    assert found(seen("a", Group((panel, white), opacity=0.6))) == []
    # A group that lies on a panel of a group around it is mixed with that panel, not with the paper.
    (problem,) = found(seen("a", Group((panel, Group((white,), opacity=0.1)))))
    assert "#ffffff, seen as #1a1a1a in a group with an opacity, on #000000" in problem.what
    sheer = Group((filled(CARD, "#000000"), filled(CARD, "#ff0000", 0.5)), opacity=0.5)
    assert ground_at((sheer,), 5.0, 5.0, {}) == "#c08080"
    assert ground_at((Group((filled(CARD, "#ff0000", 0.5),), opacity=0.5),), 5.0, 5.0, {}) == "#ffbfbf"


def test_grounds_see_through_clips_drawings_and_opacity() -> None:
    drawing = Drawing(Rect(0, 0, 20, 20), (filled(DISC, "#0000ff"),))
    drawings = {drawing.key: drawing}
    placed = PlacedDrawing(drawing.key, Matrix(2.0, 0.0, 0.0, 2.0, 10.0, 10.0))
    assert ground_at((placed,), 30.0, 30.0, drawings) == "#0000ff"
    assert ground_at((placed,), 11.0, 11.0, drawings) == "#ffffff"  # in the box, outside the disc
    clipped = Group((filled(CARD, "#ff0000"),), clip=path_of("0 0 10 10 re"))
    assert ground_at((clipped,), 5.0, 5.0, {}) == "#ff0000"
    assert ground_at((clipped,), 15.0, 5.0, {}) == "#ffffff"
    half = Group((filled(CARD, "#000000"),), opacity=0.5)
    assert ground_at((half,), 5.0, 5.0, {}) == "#808080"
    assert ground_at((filled(CARD, "#ff0000"), filled(CARD, "#000000", 0.5)), 5.0, 5.0, {}) == "#800000"


def in_colour(card: str, colour: str, *more: Item) -> Seen:
    return seen(card, filled(CARD, colour), words("Duck", "#000000"), *more)


def confused(*faces: Seen) -> list[Problem]:
    return [one for one in found(*faces) if one.code == "colour-alone"]


def test_cards_told_apart_by_red_and_green_alone() -> None:
    (problem,) = confused(in_colour("rouge", "#d08070"), in_colour("vert", "#98a070"))
    assert "cards 'rouge' and 'vert'" in problem.what
    assert "without green" in problem.what
    assert problem.source == Source("duck.yaml", 5)
    (problem,) = confused(in_colour("a", "#e06060"), in_colour("b", "#3a9ad0"))
    assert problem.what.endswith("look alike in grey")
    assert confused(in_colour("a", "#d08070"), in_colour("b", "#d08070")) == []  # copies of the same face


def test_a_mark_a_word_or_lightness_is_enough() -> None:
    red, green = in_colour("rouge", "#d08070"), in_colour("vert", "#98a070", filled("5 5 4 4 re", "#000000"))
    assert confused(red, green) == []
    other_word = seen("vert", filled(CARD, "#98a070"), words("Green", "#000000"))
    assert confused(red, other_word) == []
    assert confused(in_colour("a", "#f4d9a0"), in_colour("b", "#7a1f1f")) == []


def test_a_number_too_small_to_see_does_not_tell_cards_apart() -> None:
    def edition(number: int, size_mm: float) -> Text:
        return words(f"Pond 1.0 · B{number}", "#000000", size_mm=size_mm)

    assert confused(in_colour("a", "#d08070", edition(1, 1.7)), in_colour("b", "#98a070", edition(2, 1.7))) != []
    assert confused(in_colour("a", "#d08070", edition(1, 3.0)), in_colour("b", "#98a070", edition(2, 3.0))) == []


def test_ornaments_need_not_be_read() -> None:
    face = seen("a", words("ghost", "#eeeeee"), words("word", "#eeeeee"))
    (problem,) = check_legibility([face], {}, {("ghost", "#eeeeee")})
    assert "'word' is hard to read" in problem.what
    sheer = seen("a", Group((words("ghost", "#000000"),), opacity=0.05))
    assert check_legibility([sheer], {}, {("ghost", "#000000")}) == []


@pytest.mark.parametrize("numbers", [[], [0, 1, 2], [1], [2, 0]])
def test_findings_are_the_same_whoever_looked(numbers: list[int]) -> None:
    """Words of frames that were looked at before are not looked at again."""
    dark = filled("0 0 63 40 re", "#222222")
    faces = [
        seen("sound", words("on paper", "#444444", y_mm=60)),
        seen("faint", dark, words("in the dark", "#444444"), words("on paper", "#444444", y_mm=60)),
        seen("lines", dark, *(words(f"line {number}", "#444444", y_mm=20 + 4 * number) for number in range(8))),
    ]
    looked, grounds = [faces[number].frame for number in numbers], Grounds({})
    faint = {frame.hash: faint_words(frame.items, grounds) for frame in looked}
    (problem,) = check_legibility(faces, {}, (), faint)
    assert "(and on 1 more card)" in problem.what
    assert found(*faces) == [problem]


def test_a_picture_enlarged_after_it_was_laid_out() -> None:
    # 60 x 40 pixels on 6 x 4 mm are 254 dpi; twice as large, 127. Not enlarged, it is the business of the layout.
    pictures = {"p": PictureData("p", b"", "png", 60, 40)}
    for picture, scale, stretch, dpi in (
        (Picture("p", 0, 0, 6, 4), 1.5, 1.5, 150.0),
        (Picture("p", 0, 0, 6, 4), 2.0, 2.0, 127.0),
        (Picture("p", 0, 0, 6, 4), 1.0, 2.0, 127.0),
        (Picture("p", 0, 0, 12, 8), 1.0, 1.0, 150.0),
        (Picture("p", 0, 0, 12, 8), 0.9, 0.9, 150.0),
    ):
        items = (Group((Group((picture,), opacity=0.5),), Matrix(scale, 0, 0, stretch, 0, 0)),)
        assert coarsest_dpi(items, {}, pictures) == pytest.approx(dpi)
        assert coarsest_dpi((picture,), {}, pictures) == 150.0
        assert coarsest_dpi(items, {}, {}) == 150.0


def test_coarse_pictures_of_a_deck_are_told_once() -> None:
    faces = seen("teal", words("Teal", "#000000")), seen("smew", words("Smew", "#000000"))
    coarse = {faces[0].frame.hash: 140.0, faces[1].frame.hash: 127.0}
    (problem,) = check_legibility(faces, {}, coarse=coarse)
    assert (problem.code, problem.level) == ("picture-resolution", Level.WARNING)
    what = "the front of card 'smew' of deck 'duck': a picture is printed at 127 dpi; below 150 it looks coarse"
    assert problem.what == f"{what} (and on 1 more card)"


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#767676", "#ffffff", 4.54),  # the lightest grey on white that passes AA
        ("#777777", "#ffffff", 4.48),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#ffffff", 8.59),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_lab_differences() -> None:
    # Lindbloom's calculator, D65: L* of #777777 is 50.03, red is (53.24, 80.09, 67.20).
    assert difference("#777777", "#000000", "") == pytest.approx(50.03, abs=0.1)
    assert difference("#ff0000", "#000000", "") == pytest.approx((53.24**2 + 80.09**2 + 67.2**2) ** 0.5, abs=0.2)


def test_each_kind_of_eye_loses_its_own_difference() -> None:
    pairs = {
        "protanopia": ("#b40000", "#3f3f00"),
        "deuteranopia": ("#d05040", "#8a7a38"),
        "tritanopia": ("#0080a0", "#008080"),
    }
    for vision, (one, other) in pairs.items():
        assert difference(one, other, vision) < difference(one, other, "") / 2, vision


def test_greys_look_the_same_to_all() -> None:
    for vision in SIMULATIONS:
        assert difference("#404040", "#c0c0c0", vision) == pytest.approx(difference("#404040", "#c0c0c0", ""), abs=0.5)
    assert difference("#ff0000", "#ff0000", GREY) == 0
    assert difference("#c04040", "#4d754d", GREY) < 4
