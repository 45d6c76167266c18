"""Expressions in rules sheets: values filled in, lines keep their numbers, mistakes are at their line."""

from __future__ import annotations

import pytest

from duckpress.core.language import Speech
from duckpress.core.problems import Problem, Source
from duckpress.layout.rulebook.filling import FilledLine, compared, fill, known_numbers, speller, typed_numbers
from duckpress.layout.rulebook.markdown import MarkdownReader

VALUES = {"facts": {"hand size": 4, "name": "a & b"}, "ducks": ["teal", "smew"]}


def filled(text: str) -> list[tuple[str, int]]:
    lines, problems = fill(text, "content/pond/rules.md", VALUES, Speech())
    assert problems == []
    return [(line.text, line.number) for line in lines]


def test_values_are_written_as_they_are_and_lines_know_where_they_were_written() -> None:
    assert filled('Draw {{ facts["hand size"] }} of {{ facts.name }}.') == [("Draw 4 of a & b.", 1)]
    assert filled("{{ facts.name|upper }} {star}") == [("A & B {star}", 1)]
    assert filled("a {star}\n\nb") == [("a {star}", 1), ("", 2), ("b", 3)]
    text = "| a |\n|---|\n{% for duck in ducks %}\n| {{ duck }} |\n{% endfor %}\nafter\n{# a note\nof two lines #}\nend"
    assert [line for line in filled(text) if line[0]] == [
        ("| a |", 1), ("|---|", 2), ("| teal |", 4), ("| smew |", 4), ("after", 6), ("end", 9),
    ]  # fmt: skip
    assert filled("a {{\n ducks[0] }}\nb") == [("a teal", 1), ("b", 3)]


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("{{ fcats }}", "unknown-name", 4),
        ("{{ facts.sise }}", "unknown-name", 10),
        ("{{ 1 + }}", "template-syntax", 1),
        ("{{ 1 / 0 }}", "template-failed", 1),
        ("{{ ducks.__class__ }}", "template-refused", 1),
        ("{{ 'a' * 10000000 }}", "template-refused", 1),
    ],
)
def test_mistakes_have_their_line(line: str, code: str, column: int) -> None:
    lines, (problem,) = fill(f"one\ntwo\n{line}", "content/pond/rules.md", VALUES, Speech())
    assert lines == []
    assert (problem.code, problem.source.line) == (code, 3)
    assert problem.source.column == column
    assert "\ue000" not in problem.what


def test_numbers_are_spelled() -> None:
    english, french, german = (speller(code, lambda value: f"{value:g}") for code in ("en", "fr-CA", "de"))
    assert [english(4), english(20), english(21), english(2.5)] == ["four", "twenty", "21", "2.5"]
    assert [french(4), german(4), english("x")] == ["quatre", "4", "x"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{{ [count] }}", "template-refused"),
        ("{{ [t]|t }}", "template-failed"),
        ("{{ [1]|number }}", "template-failed"),
        ("{{ [t]|spelled }}", "template-failed"),
        ("{{ facts.sise|t }}", "unknown-name"),
        ("{% set a = 'x' * 100000 %}{% for i in range(999) %}{% set b = a|t %}{% endfor %}", "template-refused"),
        ("{{ (facts.keys() - [])|join }}", "template-refused"),
    ],
)
def test_filters_take_words_and_numbers_only_and_are_counted(line: str, code: str) -> None:
    lines, (problem,) = fill(line, "content/pond/rules.md", {**VALUES, "count": lambda deck: 4}, Speech())
    assert (lines, problem.code) == ([], code)


def test_filters_speak_the_language_and_write_ten_decimals_at_most() -> None:
    french = Speech("fr", {"duck": {"other": "canard"}})
    text = "{{ 'duck'|t }} {{ t('duck') }} {{ 4|spelled }} {{ 'x'|spelled }} {{ 2.5|number }} {{ 1|number(900000000) }}"
    lines, problems = fill(text, "content/pond/rules.fr.md", VALUES, french)
    assert (lines[0].text, problems) == ("canard canard quatre x 2,5 1,0000000000", [])


NUMBERS = {4: 'facts["hand size"]', 62: 'count("duck")', 12: "table[3].flights"}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Draw 4 cards.", [6]),
        ("Draw\n\nup to **4**, or 62.", [9, 17]),
        ("Draw \\4 cards.", []),
        ("Draw 5 cards, four of them.", []),
        ('Draw {{ facts["hand size"] + 4 }}.', []),
        ("4. the fourth step", []),
        ("## 4. Pick", []),
        ("![4](card:duck/x width=12mm)", []),
        ("![4 ducks](card:duck/x width=12mm)", [3]),
        ("{shot-4} 1.4 4.5 v4 4th 12:30 3-4", []),
        ("| a | 12 |", [7]),
        ("---\nhead: 62mm\n---\n12 flights", [1]),
        ("{% if 4 %}{# 62 #}{% endif %}", []),
    ],
)
def test_typed_numbers(text: str, columns: list[int]) -> None:
    found = list(typed_numbers(text, "rules.md", NUMBERS))
    assert [problem.source.column for problem in found] == columns
    assert all(problem.code == "typed-number" and problem.level.value == "note" for problem in found)


def test_a_typed_number_says_what_to_write() -> None:
    (problem,) = typed_numbers("\n\nShuffle 62 ducks", "rules.md", NUMBERS)
    assert problem.source.line == 3
    assert '{{ count("duck") }}' in problem.fix
    assert "\\62" in problem.fix


def test_which_numbers_the_data_has() -> None:
    values = {
        "facts": {"hand size": 4, "points": [5, 3], "name": "x", "half": 0.5},
        "decks": {"duck": {"count": 62}},
        "table": {2: {"flight": 3, "over": None, "play deck": 30}},
    }
    assert known_numbers(values) == {
        4: 'facts["hand size"]', 5: 'facts["points"][0]', 3: 'facts["points"][1]', 62: 'count("duck")',
        30: 'table[2]["play deck"]',
    }  # fmt: skip


ORIGINAL = """# Setup
Shuffle.

[setup table]

# Play
- Draw.

| a | b |
|---|---|
| 1 | 2 |

> **Example.** Words.

![A teal](card:duck/teal)
"""
TRANSLATION = """# Mise en place
Mélangez. Et encore.

Deux paragraphes au lieu d'un.

[setup table]

# Tour de jeu
Piochez.

| a | b |
|---|---|
| 1 | 2 |

> **Exemple.** Des mots.

![Une sarcelle](card:duck/teal)
"""


def difference(translation: str) -> Problem | None:
    blocks = []
    for path, text in (("rules.md", ORIGINAL), ("rules.fr.md", translation)):
        lines = text.split("\n")
        blocks.append(MarkdownReader(path, lines).blocks([FilledLine(line, n) for n, line in enumerate(lines, 1)]))
    return compared(*blocks, Source("rules.fr.md"))


def test_a_whole_translation_may_say_it_otherwise() -> None:
    assert difference(TRANSLATION) is None


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("[setup table]\n", ""), 7, "here is a heading of level 1"),
        (("[setup table]", "[setup table: draft]"), 6, "[setup table: draft]"),
        (("# Tour", "## Tour"), 8, "a heading of level 2"),
        (("| 1 | 2 |", "| 1 | 2 |\n| 3 | 4 |"), 11, "2 columns and 2 rows"),
        (("card:duck/teal", "card:duck/smew"), 17, "the picture card:duck/smew"),
        (("![Une sarcelle](card:duck/teal)", ""), 15, "the picture card:duck/teal of rules.md:15:11 is missing"),
        (("(card:duck/teal)", "(card:duck/teal)\n\n# Fin"), 19, "a heading of level 1 is more than rules.md has"),
    ],
)
def test_what_differs_is_found(change: tuple[str, str], line: int, words: str) -> None:
    found = difference(TRANSLATION.replace(*change))
    assert found is not None
    assert (found.code, found.level.value, found.source.line) == ("rules-differ", "warning", line)
    assert words in found.what
