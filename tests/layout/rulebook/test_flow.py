"""What is never torn on pages of rules, however long the text before it: swept through heights of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from test_sheet import FILES, SENTENCE

from duckpress.core.frame import Frame, Text
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

FIGURE = "# Figure\n\nHere it is shown.\n\n![Shownteal](card:duck/teal width=30mm{wide})\n"
LIST = "\n".join(f"- Listed{number}" for number in range(6))
TABLE = "| Left | Right |\n|---|---|\n" + "\n".join(f"| Row{number} | many |" for number in range(7))
LONG = "| Bird | Worth |\n|---|---|\n" + "\n".join(f"| Bird{number} | many |" for number in range(60))


@pytest.fixture
def pages(make_workspace: Callable[[Mapping[str, str | bytes]], Workspace]) -> Callable[..., tuple[Frame, ...]]:
    """Return a function that gives the pages of rules, which the program finds nothing wrong with."""

    def make(rules: str, piece: str = "rules") -> tuple[Frame, ...]:
        workspace = make_workspace({**FILES, "content/pond/rules.md": rules})
        request = Request(papers=("a5",), pieces=(piece,))
        checked = build(workspace, load(workspace, "pond"), request, workspace.root / "output").checked
        assert not [one for one in checked.problems if one.level is not Level.NOTE]
        return next(one for one in checked.pieces if one.piece.id == piece).pages["a5"]

    return make


def columns_with(pages: tuple[Frame, ...], beginning: str) -> set[tuple[int, bool]]:
    """Return the pages, and the halves of them, on which words stand that begin so."""
    return {
        (number, item.x_mm > page.trim.width_mm / 2)
        for number, page in enumerate(pages)
        for item in page.items
        if isinstance(item, Text) and item.text.startswith(beginning)
    }


@pytest.mark.sweep(20)
@pytest.mark.parametrize("lines", range(1, 60, 3))
def test_small_parts_are_never_torn(pages: Callable[..., tuple[Frame, ...]], lines: int) -> None:
    before = "\n\n".join([SENTENCE] * lines)
    for wide in ("", " wide"):
        made = pages(
            f"# Play\n\n{before}\n\n{FIGURE.format(wide=wide)}\n\n{SENTENCE}\n\n{LIST}\n\n{SENTENCE}\n\n{TABLE}\n"
        )
        (heading,) = columns_with(made, "Figure")
        (words,) = columns_with(made, "Here it is")
        (figure,) = columns_with(made, "Shownteal")
        assert heading[0] == words[0] == figure[0]
        assert len(columns_with(made, "Listed")) == 1
        assert len(columns_with(made, "Row")) == 1


@pytest.mark.sweep(2)
@pytest.mark.parametrize("piece", ["rules", "rules-booklet"])
def test_a_long_table_has_its_heads_wherever_it_goes_on(pages: Callable[..., tuple[Frame, ...]], piece: str) -> None:
    made = pages(f"# Play\n\n{LONG}\n\n{SENTENCE}\n", piece)
    rows = columns_with(made, "Bird")
    assert len({page for page, _ in rows}) > 1
    assert {page for page, _ in columns_with(made, "Worth")} == {page for page, _ in rows}


@pytest.mark.sweep(16)
@pytest.mark.parametrize("count", range(2, 60, 4))
def test_a_booklet_has_few_pages_for_notes(pages: Callable[..., tuple[Frame, ...]], count: int) -> None:
    """Three of eight pages were lines for notes. Few words on a first page leave no other way."""
    made = pages("# Play\n\n" + "\n\n".join([SENTENCE * 8] * count), "rules-booklet")
    assert len(made) % 4 == 0
    written = [page for page in made if any("counted" in item.text for item in page.items if isinstance(item, Text))]
    if len(written) > 5:
        assert len(made) - len(written) <= 2


@pytest.mark.sweep(5)
@pytest.mark.parametrize("lines", [1, 2, 4, 5, 7])
def test_the_last_words_of_a_section_stay_with_it(pages: Callable[..., tuple[Frame, ...]], lines: int) -> None:
    """A little that is left of a section does not begin a column, nor does the last part of a list."""
    long = "\n\n".join([SENTENCE] * 9)
    start, more = f"# Play\n\n{'x' * 9}\n\n" * lines + long, f"# More\n\n{long}\n\n{long}"
    made = pages(f"{start}\n\nPenultimate.\n\nUltimate.\n\n{more}")
    assert columns_with(made, "Penultimate") == columns_with(made, "Ultimate")
    items = "\n".join(f"- Listed{number}: {SENTENCE}" for number in range(4))
    made = pages(f"{start}\n\n{items}\n\n{more}")
    assert columns_with(made, "Listed2") == columns_with(made, "Listed3")
