"""The light Markdown of rules sheets: what is read as what, and where mistakes are."""

from __future__ import annotations

import pytest

from duckpress.core.problems import Problem
from duckpress.layout.rulebook.blocks import (
    Block,
    Break,
    Callout,
    Directive,
    Heading,
    Items,
    Pictures,
    Prose,
    Rule,
    TableBlock,
)
from duckpress.layout.rulebook.filling import FilledLine, read_front
from duckpress.layout.rulebook.markdown import MarkdownReader


def read(text: str) -> tuple[tuple[Block, ...], list[Problem]]:
    lines = text.split("\n")
    reader = MarkdownReader("rules.md", lines)
    return reader.blocks([FilledLine(line, number) for number, line in enumerate(lines, 1)]), reader.problems


def outline(blocks: tuple[Block, ...]) -> list[object]:
    """Return blocks without their places."""
    found: list[object] = []
    for block in blocks:
        if isinstance(block, Heading):
            found.append(("#" * block.level, block.text))
        elif isinstance(block, Prose):
            found.append(block.text)
        elif isinstance(block, Items):
            found.append((block.first, [outline(item) for item in block.items]))
        elif isinstance(block, Callout):
            found.append((">", outline(block.blocks)))
        elif isinstance(block, TableBlock):
            found.append((block.heads, block.aligns, block.rows))
        elif isinstance(block, Pictures):
            found.append([(one.caption, one.kind, one.name, one.width_mm) for one in block.pictures])
        elif isinstance(block, Directive):
            found.append((block.name, block.argument, dict(block.words)))
        else:
            found.append(block.kind if isinstance(block, Break) else "---" if isinstance(block, Rule) else block)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Setup\nDeal.", [("#", "Setup"), "Deal."]),
        ("## A **bold** head ##", [("##", "A **bold** head")]),
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("a\\\nb", ["a\\\nb"]),
        ("- one\n- two", [(None, [["one"], ["two"]])]),
        ("- one\n  - in\n  - ner\n- two", [(None, [["one", (None, [["in"], ["ner"]])], ["two"]])]),
        ("- one\n  goes on\n- two", [(None, [["one\ngoes on"], ["two"]])]),
        ("- one\nlazily\n- two", [(None, [["one\nlazily"], ["two"]])]),
        ("- one\n\n  more\n\n- two", [(None, [["one", "more"], ["two"]])]),
        ("3. three\n4. four", [(3, [["three"], ["four"]])]),
        ("1. one\n   - a\n   - b\n2. two", [(1, [["one", (None, [["a"], ["b"]])], ["two"]])]),
        ("- bullet\n\n1. number", [(None, [["bullet"]]), (1, [["number"]])]),
        ("before\n- item", ["before", (None, [["item"]])]),
        ("Three Mallards:\n3. Pairs: one.", ["Three Mallards:\n3. Pairs: one."]),
        ("before\n> **Example.** words\n> more\nafter", ["before", (">", ["**Example.** words\nmore"]), "after"]),
        ("> one\n>\n> - two", [(">", ["one", (None, [["two"]])])]),
        ("a\n\n---\n\nb", ["a", "---", "b"]),
        ("[column break]\n\n[Page Break]", ["column", "page"]),
        ("[setup table: draft]", [("setup table", "draft", {})]),
        ("[components]\n    duck: in ten species\n    aid: -\nwords", [
            ("components", "", {"duck": "in ten species", "aid": "-"}), "words",
        ]),
        ("see [the table] below", ["see [the table] below"]),
        ("5 - 3 = 2", ["5 - 3 = 2"]),
    ],
)  # fmt: skip
def test_what_is_read(text: str, expected: list[object]) -> None:
    blocks, problems = read(text)
    assert outline(blocks) == expected
    assert problems == []


def test_a_table() -> None:
    text = "| Ducks | a \\| b | Points |\n|:--|:-:|--:|\n| Teal | **x** | 1 |\nPintail | y | 2\n\nwords"
    (table,) = read(text)[0][:1]
    assert isinstance(table, TableBlock)
    assert table.heads == ("Ducks", "a | b", "Points")
    assert table.aligns == ("left", "center", "right")
    assert table.rows == (("Teal", "**x**", "1"), ("Pintail", "y", "2"))
    # Without words in its heads it has none.
    (table,) = read("| | |\n|--|--|\n| a | b |")[0]
    assert isinstance(table, TableBlock)
    assert table.heads == ()
    assert table.rows == (("a", "b"),)


def test_pictures_on_a_line_stand_side_by_side() -> None:
    text = "![A *drake*](card:duck/teal width=30mm) ![](back:duck)\n![Board](board:main wide turn=90)"
    blocks, problems = read(text)
    assert problems == []
    first, second = blocks
    assert isinstance(first, Pictures)
    assert isinstance(second, Pictures)
    assert outline((first,)) == [[("A *drake*", "card", "duck/teal", 30.0), ("", "back", "duck", None)]]
    assert (first.is_wide, second.is_wide, second.pictures[0].turn_degrees) == (False, True, 90)
    assert second.pictures[0].kind == "card"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("words\n\n#### deep", "bad-markdown", 3, 1),
        ("> a\n> > b", "bad-markdown", 2, 1),
        ("- a\n  - b\n    - c", "bad-markdown", 3, 5),
        ("| a | b |\n|---|---|\n| c |", "bad-table", 3, 1),
        ("| a | b |\n|---|\n", "bad-table", 2, 1),
        ("a\n\n  [componets]", "unknown-directive", 3, 4),
        ("![a](duck/teal)", "bad-picture-line", 1, 6),
        ("![a](crad:duck/teal)", "bad-picture-line", 1, 6),
        ("![a](card:duck/teal width=3km)", "bad-picture-line", 1, 21),
        ("![a](card:duck/teal turn=45)", "bad-picture-line", 1, 21),
        ("![a](card:duck/teal) and words", "bad-picture-line", 1, 22),
    ],
)
def test_mistakes_have_their_place(text: str, code: str, line: int, column: int) -> None:
    _, (problem,) = read(text)
    assert (problem.code, problem.source.line, problem.source.column) == (code, line, column)
    assert problem.fix
    assert "1 cells" not in problem.what


def test_front_matter() -> None:
    lines = [
        FilledLine(text, number) for number, text in enumerate(["---", "subtitle: Rules", "head: 4cm", "---", "# A"], 1)
    ]
    front, rest, problems = read_front(lines, "rules.md")
    assert (front.subtitle, front.head_mm, front.columns) == ("Rules", 40.0, 2)
    assert [line.text for line in rest] == ["# A"]
    assert problems == []


@pytest.mark.parametrize(
    ("line", "code"), [("tilte: x", "unknown-key"), ("head: 4km", "bad-length"), ("columns: 9", "bad-number")]
)
def test_mistakes_of_the_front_matter(line: str, code: str) -> None:
    lines = [FilledLine(text, number) for number, text in enumerate(["---", line, "---"], 1)]
    _, _, problems = read_front(lines, "rules.md")
    assert [(problem.code, problem.source.line) for problem in problems] == [(code, 2)]


def test_a_rule_on_the_first_line_that_nothing_closes_is_a_rule() -> None:
    lines = [FilledLine("---", 1), FilledLine("words", 2)]
    assert read_front(lines, "rules.md")[1] is lines
