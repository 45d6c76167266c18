"""Lines of Chinese and Japanese end where their readers expect it; other scripts are broken as before, or told."""

from __future__ import annotations

import io
import random
from itertools import pairwise

import pytest
from fontTools.ttLib import TTFont

from duckpress.core.frame import Text
from duckpress.core.geometry import Rect
from duckpress.text import IconGlyph, TextStyle, Typesetter
from duckpress.text.breaking import break_plain
from duckpress.text.drawing import LineDrawer
from duckpress.text.letters import clusters, east_asian_breaks, east_asian_parts
from font_kinds import family_of, truetype
from setting import BODY, EN, lines_of

JAPANESE = "あなたの手番に、カードを二枚引いて「池」に置く。相手の鴨が三羽以上なら、ちょっと待って（最多12分）。"
CHINESE = "轮到你时，抽两张牌并放在池塘中。《得分》加倍！"
THAI = "ผู้เล่นจั่วการ์ดสองใบแล้ววางลงในบึง"
STYLE = TextStyle("Tester", size_pt=9.0, min_pt=6.0, leading=1.2)


@pytest.fixture(scope="module")
def setter(tmp_path_factory: pytest.TempPathFactory) -> Typesetter:
    """Return a typesetter with a font in which every East Asian letter is drawn as a D."""
    font = TTFont(io.BytesIO(truetype()))
    for table in font["cmap"].tables:
        table.cmap |= {ord(letter): "D" for letter in JAPANESE + CHINESE if ord(letter) > 0x2000}
    font.save(written := io.BytesIO())
    icon = IconGlyph("shot-key", Rect(0.0, 0.0, 10.0, 10.0))
    fonts = family_of(tmp_path_factory.mktemp("game"), "regular: T.ttf", T=written.getvalue())
    return Typesetter(fonts, lambda name, _colour: icon if name == "shot" else None, "ja")


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("東京都", "東|京|都"), ("「池」に、置く。", "「池」|に、|置|く。"), ("コーヒーです", "コー|ヒー|で|す"),
        ("ちょっと", "ちょっ|と"),
        ("（最多12分）。", "（最|多|12|分）。"), ("人々・ヤツ", "人々・|ヤ|ツ"), ("得点10％up", "得|点|10％up"),
        ("か\u3099き", "か\u3099|き"),
        ("東\u2060京", "東\u2060京"), ("鴨duck鴨", "鴨|duck|鴨"), ("duck-blind", "duck-blind"),
        ("Entenüberfall", "Entenüberfall"),
    ],
)  # fmt: skip
def test_a_line_may_end_between_letters_but_not_before_what_closes(text: str, parted: str) -> None:
    places = [0, *east_asian_breaks(text), len(text)]
    assert "|".join(text[start:end] for start, end in pairwise(places)) == parted


def test_no_line_begins_with_what_closes_or_ends_with_what_opens(setter: Typesetter) -> None:
    for tenths in range(80, 400, 7):
        for text in (JAPANESE, CHINESE, JAPANESE.replace("三羽以上", "**三羽以上**")):
            fitted = setter.fit(text, STYLE, Rect(0.0, 0.0, tenths / 10, 500.0))
            lines = lines_of(fitted.items)
            assert "".join(lines) == text.replace("**", "")
            assert not {line[0] for line in lines} & set("、。，！》」）ょっー")
            assert not {line[-1] for line in lines} & set("「（《")
            assert not fitted.over_mm


def test_an_icon_between_letters_is_as_good_as_one(setter: Typesetter) -> None:
    narrow = Rect(0.0, 0.0, 3.0, 500.0)
    assert setter.fit("手{shot}手", STYLE, narrow).line_count == 3
    assert setter.fit("D{shot}D", STYLE, narrow).line_count == 1


def test_a_justified_line_is_opened_between_its_letters(setter: Typesetter) -> None:
    fitted = setter.fit(JAPANESE, STYLE._replace(align="justify"), Rect(0.0, 0.0, 33.0, 500.0))
    ends = {item.y_mm: item.x_mm + item.width_mm for item in fitted.items if isinstance(item, Text)}
    *lines, last = ends.values()
    assert lines
    assert all(end == pytest.approx(33.0, abs=0.001) for end in lines)
    assert last < 33.0


def test_parts_are_cut_at_the_places_of_the_rules() -> None:
    chance, letters = (
        random.Random(3),
        "あるカーっ。、「」（日本語・!a1$%-'é\u0301\u200d\u00ad\u2060☆🇩🇪가\uff01々；〜…x\U00020010",
    )
    for _ in range(3000):
        text = "".join(chance.choice(letters) for _ in range(chance.randint(1, 14)))
        places = east_asian_breaks(text)
        assert "|".join(east_asian_parts(text)) == "|".join(
            text[start:end] for start, end in pairwise([0, *places, len(text)])
        )


def test_letters_drawn_as_a_row_stand_where_they_do_one_by_one(setter: Typesetter) -> None:
    for align in ("left", "center", "right"):
        style = STYLE._replace(align=align)
        paragraphs = setter._compose(f"{JAPANESE}Duck {{shot}}{CHINESE} Teal{JAPANESE}", style, {}).paragraphs
        assert any(end > index for index, end in enumerate(paragraphs[0].row_ends))
        drawn = []
        for is_row in (True, False):
            if not is_row:
                paragraphs[0].row_ends = [0] * len(paragraphs[0].row_ends)
            broken = break_plain(paragraphs[0], 9.0)
            drawer = LineDrawer(style.size_pt, "#000000", 0.0)
            for number in range(len(broken.lines)):
                drawer.line(broken, number, 0.0, 30.0, number * 4.0, align)
            drawn.append(drawer.items)
        assert drawn[0] == drawn[1]
        assert len(drawn[0]) > 5


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("ผึ้งน้ำ", ["ผึ้", "ง", "น้", "ำ"]), ("ខ្មែរ", ["ខ្", "មែ", "រ"]), ("ນ້ຳ", ["ນ້", "ຳ"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]), ("हिन्दी", ["हि", "न्", "दी"]), ("שָׁלוֹם", ["שָׁ", "ל", "וֹ", "ם"]),
        ("e\u0301a", ["e\u0301", "a"]),
    ],
)  # fmt: skip
def test_marks_and_vowels_stay_with_their_letter(text: str, letters: list[str]) -> None:
    """Also where another family lends the letter: the mark is drawn by the same font then."""
    assert clusters(text) == letters
    assert east_asian_parts(text) == [text]
    assert east_asian_parts(f"池{text}池") == ["池", text, "池"]


@pytest.mark.parametrize(
    "text", [THAI, "ខ្ញុំនិយាយភាសាខ្មែរបន្តិចបន្តួច", "ຂ້ອຍເວົ້າພາສາລາວໄດ້ໜ້ອຍໜຶ່ງ", "ကျွန်တော်မြန်မာစကားနည်းနည်းပြောတတ်ပါတယ်"]
)
def test_scripts_that_need_a_dictionary_are_told_with_their_vowels(text: str) -> None:
    assert EN.fit(text, BODY, Rect(0.0, 0.0, 20.0, 40.0)).needs_dictionary
    parted = "\u200b".join(text[at : at + 6] for at in range(0, len(text), 6))
    assert not EN.fit(parted, BODY, Rect(0.0, 0.0, 20.0, 40.0)).needs_dictionary
