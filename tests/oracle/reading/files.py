"""A finished file read as a printer does, and what its pages and faces show otherwise than its cards."""

from __future__ import annotations

from typing import NamedTuple

from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, fault
from oracle.reading.documents import Document
from oracle.reading.faces import Draws, check_faces
from oracle.reading.pages import read_pages
from oracle.reading.placing import PageLayout, check_copies, check_page
from oracle.reading.streams import StrangeStreamError


class FileRead(NamedTuple):
    """What was read of a file: its pages, its bookmarks with the pages they lead to, and what is wrong with both."""

    pages: list[PageLayout]
    bookmarks: tuple[tuple[str, int], ...]
    problems: list[Problem]


def read_file(pdf: bytes, expected: Expected, draws: Draws | None = None) -> FileRead:
    """Return what a file shows; `problems` are those of cards and words, without any look at a plan."""
    document = Document(pdf)
    try:
        pages = read_pages(document, expected)
        problems = [one for at, page in enumerate(pages, 1) for one in check_page(at, page, expected.paper)]
        problems += [*check_copies(pages, expected), *check_faces(document, expected, draws)]
    except (StrangeStreamError, KeyError, AttributeError) as error:
        return FileRead([], (), [fault("proof-unreadable", f"a stream cannot be read: {error}")])
    return FileRead(pages, document.bookmarks, problems)
