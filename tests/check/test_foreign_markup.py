"""Markup of other tools in texts of cards: told once for each field and kind, and never of words that look like it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duckpress.check.game_checks import _MARKUP, _is_plain, looks_like_markup
from duckpress.core.problems import Level, Problem
from small_games import small_deck, small_game

ROOT = Path(__file__).parents[2]


def problems_of(*texts: str) -> list[Problem]:
    cards = [{"id": id_, "text": text} for id_, text in zip("abcde", texts, strict=False)]
    return list(looks_like_markup(small_game("title: T\n", small_deck("item", cards))))


@pytest.mark.parametrize(
    ("text", "shown", "fix"),
    [
        ("Draw <b>2</b> cards", "<b>", "write '**words**'"),
        ("Draw <STRONG>2</STRONG>", "<STRONG>", "write '**words**'"),
        ("a<br clear='all'>b", "<br clear='all'>", "write <br>"),
        ("a<BR>b", "<BR>", "write <br>"),
        ("<b >Now</b>", "<b >", "write '**words**'"),
        ("<u>Now</u>", "<u>", "write '*words*' or '**words**': nothing is underlined"),
        ("<span style='color:red'>x</span>", "<span style='color:red'>", "delete it: the layout says how a text looks"),
        ("<ul><li>x</li></ul>", "<ul>", "write each entry on a line of its own that begins with '- '"),
        ("<a href='x'>y</a>", "<a href='x'>", "delete it"),
        ("[b]x[/b]", "[/b]", "write '**words**'"),
        ("caf&eacute;", "&eacute;", "write 'é'"),
        ("a &#8212; b", "&#8212;", "write '—'"),
        ("a&nbsp;b", "&nbsp;", "write a blank"),
        (r"Draw 2.\nThen heal", r"\n", "write <br>"),
        (r"Draw 2.\r\nThen heal", r"\r\n", "write <br>"),
        ("Draw 2.%nThen heal", "%n", "write <br>"),
        ("a __bold__ word", "__bold__", "write '**bold**'"),
        ("a _slanted word_", "_slanted word_", "write '*slanted word*'"),
        ("~~no~~ yes", "~~no~~", "delete the ~~: nothing is struck through"),
        ("Pay 2 :gold:.", ":gold:", "write {gold}, the icon of that name"),
    ],
)
def test_markup_of_other_tools_is_told_with_what_to_write(text: str, shown: str, fix: str) -> None:
    first = problems_of(text)[0]
    assert (first.code, first.level, first.source.line) == ("looks-like-markup", Level.WARNING, 10)
    assert first.what == f"'text' of card 'a' has {shown!r}, markup of another tool, which is printed as it stands"
    assert first.fix == f"{fix}; if it is meant so, write '\\{shown}'"


@pytest.mark.parametrize(
    "text",
    ["price <3", "a & b", "R&D; AT&T", "3 < 5 > 2", "10:30:45", r"C:\new\table", r"(C:\new", r"see \\server\new",
     r"..\new", ":-) ;) :D :p", ":D:", "a_b_c", "snake_case_name", "____ and ____", "<X> cards", "<a> or <c>",
     "[x] [b] [1]", "x:gold:y", "1:gold:2", "http://a:80/b:c/", "Choose: fire, water: earth", "-> <- <-> <= >=",
     "50%nothing", "line<br>break<br/>and <br />", "**bold** *italic* {gold} {=name}", "~5 ~ 6~", "&foo; &c;",
     r"\<b>", r"\[/b]", r"\&amp;", r"\\n", r"\%n", r"\__x__", r"\:gold:", r"\_x_", r"\~~x~~",
     r"a\*b", "5:30: go: now", "x<b and b>c", "<i think>, then <a duck>", "<small bird>", "https://x.org/_b_/c"],
)  # fmt: skip
def test_real_words_are_no_markup_nor_what_a_backslash_says_is_meant_so(text: str) -> None:
    assert problems_of(text) == []


def test_one_kind_in_a_field_is_told_once_and_counted() -> None:
    """Sixteen cards with `<b>` are one mistake."""
    problems = problems_of(*["<b>a</b>", "b &amp; c", "<b>x</b> &amp; <b>y</b>", "<strong>d</strong>", "<b>e</b>"])
    told = [(problem.source.line, problem.what.partition("; ")[2]) for problem in problems]
    assert told == [
        (10, "2 other cards have it in deck 'item', too"),
        (11, "1 other card has it in deck 'item', too"),
        (13, ""),
    ]


def test_the_lists_of_a_card_are_looked_at() -> None:
    deck = small_deck("item", [{"id": "a", "tags": ("one", "<i>two</i>")}])
    (problem,) = looks_like_markup(small_game("title: T\n", deck))
    assert "'tags' of card 'a' has '<i>'" in problem.what


def test_no_words_of_rules_and_docs_look_like_it() -> None:
    """All their paragraphs, without code, as texts of cards."""
    pages = [*ROOT.glob("docs/*.md"), *ROOT.glob("content/*/*.md")]
    code = re.compile(r"```.*?```|`[^`]*`|<[^>]*>|\]\([^)]*\)", re.DOTALL)
    words = [code.sub("", page.read_text("utf-8")) for page in pages]
    paragraphs = [part for text in words for part in text.split("\n\n") if part.strip()]
    assert len(paragraphs) > 1000
    found = [match[0] for part in paragraphs for match in _MARKUP.finditer(part) if not _is_plain(match)]
    assert found == []
