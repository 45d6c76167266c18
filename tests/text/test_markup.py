"""Light markup, read as tokens: what pairs up is emphasis, what does not is shown as it is written."""

from __future__ import annotations

import pytest

from duckpress.text.markup import BREAK, ICON, parse_markup

NAMES = {0: "", 1: "b", 2: "i", 3: "bi", ICON: "icon", BREAK: "br"}
VALUES = {"hand size": "4", "name": "**Tom** {shot}", "loop": "{=loop}", "star": "a*"}


def shown(source: str) -> str:
    """Return the blocks as text: `b(bold)`, `icon(name)`, `br()`, blocks divided by `|`, items marked by `-`."""
    blocks = parse_markup(source, VALUES, [])
    return "|".join(
        ("-" if block.is_item else "")
        + "".join(text if kind == 0 else f"{NAMES[kind]}({text})" for kind, text in block.tokens)
        for block in blocks
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", ""), ("plain words", "plain words"), ("a **b** c", "a b(b) c"), ("a *b* c", "a i(b) c"),
        ("***both***", "bi(both)"), ("**bold *both* bold**", "b(bold )bi(both)b( bold)"),
        ("*it **both** it*", "i(it )bi(both)i( it)"), ("***a** b*", "bi(a)i( b)"), ("***a* b**", "bi(a)b( b)"),
        ("**super**man", "b(super)man"), ("3 * 4 = 12", "3 * 4 = 12"), ("**open", "**open"), ("close**", "close**"),
        ("* not an item", "* not an item"), ("****", "****"), ("*****x*****", "*****x*****"), ("**", "**"),
        ("a ** b ** c", "a ** b ** c"), ("*a **b*", "i(a **b)"),
        (r"\*not\* and \{not\} \\ C:\dir", r"*not* and {not} \ C:\dir"),
        ("{shot}{wide} {}{ }", "icon(shot)icon(wide) {}{ }"), ("{unclosed", "{unclosed"), ("{a\nb}", "icon(a b)"),
        ("hand of {=hand size}.", "hand of 4."), ("{=name}!", "b(Tom) icon(shot)!"), ("*{=star}*", "i(a*)"),
        ("{=loop}", "{=loop}"), ("{=gone}", "{=gone}"), ("one\ntwo", "one two"), ("one\\\ntwo", "onebr()two"),
        ("one\\\\\ntwo", "one\\ two"), ("one<br/>two<br>three<br />", "onebr()twobr()threebr()"),
        ("a < b <bold>", "a < b <bold>"), ("one\n\n\n  two\r\n\r\nthree", "one|two|three"),
        ("- one\n- two\n  more\n- three", "-one|-two more|-three"),
        ("Then:\n- one\n- two\n\nAfter", "Then:|-one|-two|After"), ("- only", "-only"), ("-not", "-not"),
        ("a\u2028b\tc", "a b c"), ("café \u00a0!", "café \u00a0!"),
    ],
)  # fmt: skip
def test_markup(source: str, expected: str) -> None:
    assert shown(source) == expected


def test_fields_that_do_not_exist_are_gathered() -> None:
    unknown: list[str] = []
    parse_markup("{=gone} {=hand size} {= lost } {=loop}", VALUES, unknown)
    assert unknown == ["gone", "lost", "loop"]


def test_only_the_first_of_a_list_begins_a_paragraph() -> None:
    blocks = parse_markup("- a\n- b\n\n- c\n\nd\n- e", {}, [])
    assert [block.is_first for block in blocks] == [True, False, True, True, False]
