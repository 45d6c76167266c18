"""A finished PDF held against the data it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from duckpress.core.problems import Level, Problem, Source, has_errors
from duckpress.pool.parallel import in_parts, shares
from duckpress.proof.cutting import check_layers
from duckpress.proof.expected import Expected, fault, frames_of
from duckpress.proof.kept_pages import FileProof, Proven
from duckpress.proof.opened import DocumentFacts, UnreadablePdf, opened_pdf
from duckpress.proof.page_reader import PageReader, PageReadings
from duckpress.proof.placing import PageLayout, check_copies
from duckpress.proof.streams.operators import StrangeStreamError

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_DUPLEX = {None: "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}

_SHOWN = 8

PAGES_A_PART = 4
LEAST_PARTS = 6
"""Fewer parts than this are read sooner than a process has begun."""


def prove_pdf(
    pdf: bytes, expected: Expected, source: Source, jobs: int = 1, proven: Proven | None = None
) -> list[Problem]:
    """Return everything in which a PDF differs from the cards it was made from, placed at `source`.

    Its pages are read by up to `jobs` processes; what is found is the same for any number. Faces and pages that are
    `proven`, from other documents, are not looked at again; those that are right are added.

    Problems: `proof-unreadable`, `proof-document`, `proof-page-size`, `proof-page-count`, `proof-boxes`, `proof-page`,
    `proof-placement`, `proof-margin`, `proof-copies`, `proof-back`, `proof-tiles`, `proof-words`, `proof-art`,
    `proof-fold`, `proof-cut`, `proof-bookmark`, `proof-sheet`, `proof-footer`, `proof-code`, `proof-reading`,
    `proof-layer`, `proof-face-mixed`, `proof-face-box`, `proof-picture`, `proof-font`, `proof-ink`,
    `proof-cover`, `proof-copy`; and the warning `picture-resolution`.
    """
    problems: list[Problem] = []
    proven = Proven() if proven is None else proven
    frames = frames_of(expected)
    try:
        with opened_pdf(pdf) as document:
            facts, complaints = document.facts(), document.complaints()
            reader = PageReader(document, expected, frames, proven.things)
            pages = FileProof(pdf, document, expected, frames, proven, source.file)
            left = [index for index in range(document.page_count) if index not in pages.readings]
            count = len(left) // PAGES_A_PART if jobs > 1 else 1
            parts = shares(len(left), count if count >= LEAST_PARTS else 1)
            readings = in_parts(lambda part: reader.read([left[at] for at in parts[part]]), len(parts), jobs)
            readings += [*pages.readings.values(), reader.fonts(pages.fonts)]
            complaints += tuple(complaint for reading in readings for complaint in reading.complaints)
            reading = _put_together(readings)
            layouts, of_copy = reader.with_own(reading.layouts)
            complaints += document.complaints()
        problems += [*_check_facts(facts, complaints, expected), *of_copy]
        problems += _check_all(reading, layouts, facts, expected)
        proven.things.update(*(checked.proven for checked in reading.checked if not checked.problems))
        if not has_errors(problems):
            pages.keep(reading.layouts, reading.faces)
    except (UnreadablePdf, StrangeStreamError) as error:
        problems.append(fault("proof-unreadable", f"the finished PDF cannot be read back: {error}"))
    except KeyError as error:
        problems.append(fault("proof-unreadable", f"the finished PDF calls {error}, which is not in it"))
    return _shortened([problem._replace(source=source) for problem in problems])


def _shortened(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems by code, those met first before others; a kind found very often ends in a count."""
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    shown: list[Problem] = []
    for alike in by_code.values():
        shown += alike[:_SHOWN]
        if len(alike) > _SHOWN:
            shown.append(alike[-1]._replace(what=f"there are {len(alike) - _SHOWN} more of the same kind"))
    return shown


def _check_facts(facts: DocumentFacts, complaints: Sequence[str], expected: Expected) -> Iterator[Problem]:
    pairs = {
        "the title": (facts.title, expected.title),
        "the language": (facts.language, expected.language),
        "print scaling": (facts.preferences.get("PrintScaling"), "/None"),
        "duplex printing": (facts.preferences.get("Duplex"), _DUPLEX[expected.duplex]),
    }
    for name, (said, wanted) in pairs.items():
        if said != wanted:
            yield fault("proof-document", f"{name} is {said!r} in the file, not {wanted!r}")
    for complaint in dict.fromkeys(complaints):
        yield fault("proof-document", f"the file is damaged: {complaint}")


def _put_together(readings: Sequence[PageReadings]) -> PageReadings:
    """Return the readings of a whole document as one, in the order of its pages."""
    faces = sorted((face for reading in readings for face in reading.faces.items()), key=lambda face: face[1].page)
    return PageReadings(
        dict(sorted(page for reading in readings for page in reading.layouts.items())),
        [problem for reading in readings for problem in reading.problems],
        [layer for reading in readings for layer in reading.layers],
        _first(faces),
        _first(thing for reading in readings for thing in reading.things.items()),
        (),
    )


def _check_all(
    reading: PageReadings,
    pages: Sequence[PageLayout],
    facts: DocumentFacts,
    expected: Expected,
) -> Iterator[Problem]:
    """Yield what was found on each page, and what only all pages together tell."""
    yield from check_layers(facts.layers, reading.layers, expected)
    yield from reading.problems
    numbers: dict[str, int] = {}
    for (name, number), face in reading.faces.items():
        if numbers.setdefault(name, number) != number:
            key = name.removeprefix("C-")
            yield fault("proof-face-mixed", f"page {face.page} calls another form by the name of face {key}")
    yield from check_copies(pages, expected)
    for name, number in reading.things:
        if numbers.setdefault(name, number) != number:
            yield fault("proof-face-mixed", f"two different things go by the name {name}")
    for checked in reading.checked:
        for problem in checked.problems:
            yield _on_page(problem, checked.page)


def _on_page(problem: Problem, page: int) -> Problem:
    """Return a fault of a face with the first page that shows it; what is the game's own is the same on any page."""
    is_fault = page and problem.level is Level.ERROR
    return problem._replace(what=f"page {page}: {problem.what}") if is_fault else problem


def _first(entries: Iterable[tuple[_Key, _Value]]) -> dict[_Key, _Value]:
    """Return entries in their order; of equal keys the first one."""
    first: dict[_Key, _Value] = {}
    for key, value in entries:
        first.setdefault(key, value)
    return first
