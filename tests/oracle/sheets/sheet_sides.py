"""The sheets of a file as its pages show them: whose each is, and its one or two sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oracle.reading.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedPiece


class SheetPages(NamedTuple):
    """A sheet of paper: the number of its first page, its piece, and its one or two sides."""

    page: int
    piece: ExpectedPiece
    sides: Sequence[PageLayout]


class SheetSide(NamedTuple):
    """A side with something on it: its page, the number of its sheet, what its footer calls it, and whether a back."""

    page: int
    number: int
    title: str
    layout: PageLayout
    is_back: bool


def is_empty(page: PageLayout) -> bool:
    """Return whether a page has neither faces nor marks."""
    return not page.faces and not page.marks
