"""Texts in a layout: what they say, how they are fitted, and what is said where they cannot be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from duckpress.core.problems import Level, Source
from duckpress.layout import Shrunk
from duckpress.text.drawing import LineDrawer
from workshop import TEMPLATE, MakeWorkspace, Trial, lay_out

LONG = "The heron waits in the shallow water, and whoever moves first has to give it a fish from the hand."


def words(trial: Trial) -> str:
    return "|".join(line.split("'")[1] for line in trial.lines if line.startswith("text"))


def test_template_indentation_is_not_part_of_a_text(make_workspace: MakeWorkspace) -> None:
    template = '<text x="5" y="5" width="50" height="30">\n    one\n    two <br/>\n  three\n\n  four\n</text>'
    trial = lay_out(make_workspace, template)
    assert trial.problems == []
    assert words(trial) == "one two|three|four"
    assert trial.lines[0].startswith("text 'one two' at 5.00 ")


def test_values_bring_emphasis_icons_and_fields(make_workspace: MakeWorkspace) -> None:
    cards = "  - {id: first, title: Heron, words: 'A **big** {star} {=title}'}"
    template = '<text x="5" y="5" width="50" height="30">{{ card.words }}</text>'
    trial = lay_out(make_workspace, template, cards=cards)
    assert trial.problems == []
    assert words(trial) == "A |big| | Heron"
    assert len({line.split()[0] for line in trial.lines}) == 2  # a drawing among the texts


def test_shrinking_is_reported_and_ends_at_the_smallest_size(make_workspace: MakeWorkspace) -> None:
    cards = f"  - {{id: first, words: '{LONG}'}}\n  - {{id: second, words: Short}}"
    template = '<text x="5" y="5" width="40" height="{h}" size="10" min="7">{{{{ card.words }}}}</text>'
    trial = lay_out(make_workspace, template.format(h=12), cards=cards)
    assert trial.problems == []
    (shrunk,) = trial.laid_out.fits
    assert shrunk[:4] == Shrunk("cards", "first", "body", 10, 0)[:4]
    assert 7 <= shrunk.to_pt < 10

    trial = lay_out(make_workspace, template.format(h=4), cards=cards)
    problem = trial.problem
    assert (problem.code, problem.level, problem.source) == ("text-overflow", Level.ERROR, Source(TEMPLATE, 1, 7))
    assert problem.what.startswith("card 'first' (content/trial/decks/cards.yaml:7:10)")
    for part in ("(field 'words') in style 'body' is ", "mm over its box of 40 x 4 mm at 7 pt (language en)"):
        assert part in problem.what


def test_a_word_wider_than_its_box_is_named_and_lines_are_a_limit(make_workspace: MakeWorkspace) -> None:
    trial = lay_out(make_workspace, '<text x="5" y="5" width="8" height="30">Incomprehensibilities</text>')
    assert "too wide: Incomprehensibilities" in trial.problem.what
    trial = lay_out(make_workspace, f'<text x="5" y="5" width="50" height="60" lines="1">{LONG}</text>')
    assert trial.codes == ["text-overflow"]
    assert "it may take 1 line" in trial.problem.what


def test_texts_set_together_have_one_size(make_workspace: MakeWorkspace) -> None:
    cards = f"  - {{id: first, words: Short}}\n  - {{id: second, words: '{LONG}'}}\n  - {{id: third, words: Brief}}"
    template = '<text x="5" y="5" width="40" height="12" size="10" min="6" together="rules">{{ card.words }}</text>'
    trial = lay_out(make_workspace, template, cards=cards)
    assert trial.problems == []
    sizes = {item.size_mm for face in trial.laid_out.faces for item in face.front.items}  # type: ignore[union-attr]
    assert len(sizes) == 1
    assert [shrunk.card for shrunk in trial.laid_out.fits] == ["first", "second", "third"]


def test_what_a_text_lacks_is_named(make_workspace: MakeWorkspace) -> None:
    template = '<text x="5" y="5" width="50" height="30">{stra} {=titel} \U00013000</text>'
    trial = lay_out(make_workspace, template)
    assert sorted(trial.codes) == ["missing-glyph", "unknown-field", "unknown-icon"]
    fixes = {problem.code: problem.fix for problem in trial.problems}
    assert fixes["unknown-icon"] == "did you mean 'star'?"
    assert fixes["unknown-field"] == "did you mean 'title'?"
    assert any("U+13000" in problem.what for problem in trial.problems)


def test_what_is_missing_is_told_of_the_field_that_has_it(make_workspace: MakeWorkspace) -> None:
    """A box may show several fields, and words of the template: the one with the letter is named, and no other."""
    template = '<text x="5" y="5" width="50" height="30">{{ card.title }}: {{ card.words }} {=title}%s</text>'
    for title, words, more, named in (
        ("Heron", "Wade 鴨", "", " (field 'words') has"),
        ("Heron 鴨", "Wade", "", " (field 'title') has"),
        ("鴨", "Wade", "", " (field 'title') has"),
        ("Heron 鴨", "Wade 鴨", "", " (fields 'title' and 'words') has"),
        ("Heron", "Wade", "鴨", "' has characters"),
    ):
        cards = f"  - {{id: first, title: {title}, words: {words}}}"
        problem = lay_out(make_workspace, template % more, cards=cards).problem
        assert problem.code == "missing-glyph"
        assert named in problem.what


def test_an_emoji_is_the_icon_that_the_theme_names_so(make_workspace: MakeWorkspace) -> None:
    cards = "  - {id: first, title: 'of ⭐', words: 'A ⭐️⭐ and 🦆 {=title}'}"
    template = '<text x="5" y="5" width="50" height="30">{{ card.words }}</text>'
    theme = "extends: base\nicons: {'⭐️': icons/star.svg}\n"
    trial = lay_out(make_workspace, template, cards=cards, theme=theme)
    assert trial.problems == []
    assert words(trial) == "A | and |🦆| of "
    assert sum(line.startswith("drawing") for line in trial.lines) == 3
    trial = lay_out(make_workspace, template, cards=cards)
    assert trial.problems == []
    assert not any(line.startswith("drawing") for line in trial.lines)


def test_a_script_without_spaces_is_told_where_a_line_ends(make_workspace: MakeWorkspace) -> None:
    """Lao, which DejaVu Sans has."""
    words = "ຜູ້ຫຼິ້ນຈົ່ວບັດສອງໃບ ແລ້ວວາງລົງໃນບຶງຢ່າງລະມັດລະວັງ"
    template = '<text x="5" y="5" width="%s" height="30">{{ card.words }}</text>'
    cards = f"  - {{id: first, words: '{words}'}}"
    problems = {problem.code: problem for problem in lay_out(make_workspace, template % 32, cards=cards).problems}
    assert problems["needs-dictionary"].level is Level.WARNING
    assert "zero width space" in problems["needs-dictionary"].fix
    one_line = lay_out(make_workspace, template % 53, cards=cards.replace(" ແລ້ວວາງລົງໃນບຶງຢ່າງລະມັດລະວັງ", ""))
    assert "needs-dictionary" not in {problem.code for problem in one_line.problems}


def test_a_text_that_is_too_long_says_at_which_size_it_would_fit(make_workspace: MakeWorkspace) -> None:
    template = '<text x="5" y="5" width="{}" height="9">{{{{ card.words }}}}</text>'
    cards = f"  - {{id: first, words: '{LONG}'}}"
    problem = lay_out(make_workspace, template.format(30), cards=cards).problem
    size = re.search(r"it fits at ([0-9.]+) pt", problem.what)
    assert size is not None
    assert problem.weight > 1
    at = template.replace("width", f'size="{size[1]}" min="{size[1]}" width')
    assert lay_out(make_workspace, at.format(30), cards=cards).problems == []
    larger = at.replace(size[1], f"{float(size[1]) + 0.25:g}")
    assert lay_out(make_workspace, larger.format(30), cards=cards).codes == ["text-overflow"]
    assert "it fits at no size" in lay_out(make_workspace, template.format(2), cards=cards).problem.what


def test_words_near_the_cut_are_a_warning_once(make_workspace: MakeWorkspace) -> None:
    cards = "  - {id: first}\n  - {id: second}"
    template = '<text x="1" y="20" width="30" height="8">{{ card.id }}</text>'
    problem = lay_out(make_workspace, template, cards=cards).problem
    assert (problem.code, problem.level) == ("outside-safe-zone", Level.WARNING)
    assert "card 'first'" in problem.what
    assert "2.0 mm" in problem.what
    # The box may reach into the margin, as long as the ink does not; and a turned text is looked at where it stands.
    assert lay_out(make_workspace, '<text width="60" y="20" height="8" align="center">a</text>').problems == []
    turned = '<g transform="rotate(180 30 40)"><text x="{x}" y="70" width="20" height="6">word</text></g>'
    assert lay_out(make_workspace, turned.format(x=30)).problems == []
    assert lay_out(make_workspace, turned.format(x=56)).codes == ["outside-safe-zone"]
    assert lay_out(make_workspace, '<icon name="star" x="1" y="20" size="5" decoration="yes"/>').problems == []
    assert lay_out(make_workspace, '<icon name="star" x="1" y="20" size="5"/>').codes == ["outside-safe-zone"]


def test_what_nobody_will_see_is_a_warning(make_workspace: MakeWorkspace) -> None:
    for element in ('<rect x="70" width="5" height="5" fill="#000"/>', '<line x1="0" y1="-9" x2="9" y2="-9"/>'):
        problem = lay_out(make_workspace, element).problem
        assert (problem.code, problem.level) == ("outside-bleed", Level.WARNING)
    assert lay_out(make_workspace, '<rect x="60" width="9" height="5" fill="#000"/>').problems == []


def test_natural_heights_push_what_follows(make_workspace: MakeWorkspace) -> None:
    column = '<column x="5" y="5" width="50" height="60"><text height="auto">{}</text><rect fill="#000"/></column>'
    tops = []
    for text in ("Short", LONG):
        trial = lay_out(make_workspace, column.format(text))
        assert trial.problems == []
        tops.append(float(trial.lines[-1].partition(": ")[2].split()[1]))
    assert 7 < tops[0] < 10 < tops[1] < 20


THEME = (
    "extends: base\nfamilies: {title: Gloock, plain: DejaVu Sans}\n"
    "text: {title: {font: title, size: 12}, plain: {font: plain}}\n"
)


def test_a_style_whose_letters_a_fallback_draws_is_told_once(make_workspace: MakeWorkspace) -> None:
    cards = "".join(f"  - {{id: c{number}, title: {word}}}\n" for number, word in enumerate(["Дождь", "Ветер", "Снег"]))
    box = '<text x="5" y="{}" width="50" style="title">{{{{ card.title }}}}</text>'
    for family in ("Gloock", "Alfa Slab One", "Patrick Hand"):
        template, theme = box.format(5) + box.format(20), THEME.replace("Gloock", family)
        problem = lay_out(make_workspace, template, theme=theme, cards=cards).problem
        assert (problem.code, problem.level) == ("borrowed-letters", Level.WARNING)
        assert (problem.source.file, problem.source.line, problem.source.column) == ("content/trial/theme.yaml", 2, 19)
        assert problem.what.startswith(
            f"the family {family!r} of style 'title' has no Cyrillic letters (language 'en')"
        )
        assert problem.fix == "take a family that has them: 'Alegreya Sans', 'DejaVu Sans'"
    # A few letters and signs are nothing to tell.
    for style, words in (("title", "Rain (Дождь) comes"), ("title", "★ ♀ ∑ Ω"), ("title", "Été"), ("plain", "Дождь")):
        trial = lay_out(make_workspace, f'<text style="{style}">{words}</text>', theme=THEME)
        assert "borrowed-letters" not in trial.codes, words


def test_lost_letters_are_the_fault_of_the_program_and_name_the_card(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = LineDrawer.line

    def shorter(self: LineDrawer, broken: Any, number: int, *more: Any) -> None:
        if number == 0:
            line(self, broken, number, *more)

    template = '<text x="5" y="5" width="30">{{ card.words }}</text>'
    cards = "  - {id: first, words: Whoever waits longest in the shallow water takes the fish}"
    assert lay_out(make_workspace, template, cards=cards).problems == []
    monkeypatch.setattr(LineDrawer, "line", shorter)
    problem = lay_out(make_workspace, template, cards=cards).problem
    assert problem.code == "proof-frame"
    assert problem.what.startswith("card 'first'")
    assert "(field 'words') has 'verwaits" in problem.what
    assert "a fault in duckpress" in problem.fix
