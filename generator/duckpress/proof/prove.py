"""A finished PDF held against the data it was made from."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.problems import Problem, Source
from duckpress.pool.parallel import in_parts, shares
from duckpress.proof.cutting import check_layers
from duckpress.proof.expected import Expected
from duckpress.proof.opened import DocumentFacts, UnreadablePdf, opened_pdf
from duckpress.proof.page_reader import Called, CheckedFace, FrameOfCard, PageReader, PageReadings
from duckpress.proof.placing import check_copies
from duckpress.proof.proof_findings import ProofFindings
from duckpress.proof.stream_operators import StrangeStreamError

_DUPLEX = {None: "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}

PAGES_A_PART = 4
LEAST_PARTS = 6
"""Fewer parts than this are read sooner than a process has begun."""


def prove_pdf(pdf: bytes, expected: Expected, source: Source, jobs: int = 1) -> list[Problem]:
    """Return everything in which a PDF differs from the cards it was made from, placed at `source`.

    Its pages are read by up to `jobs` processes; what is found is the same for any number.

    Problems: `proof-unreadable`, `proof-document`, `proof-page-size`, `proof-page-count`, `proof-boxes`,
    `proof-placement`, `proof-margin`, `proof-copies`, `proof-back`, `proof-tiles`, `proof-words`, `proof-art`,
    `proof-fold`, `proof-cut`, `proof-layer`, `proof-face-repeated`, `proof-face-mixed`, `proof-face-box`,
    `proof-picture`, `proof-font`; and the warning `picture-resolution`.
    """
    findings = ProofFindings(source)
    frames = _frames_of(expected)
    try:
        with opened_pdf(pdf) as document:
            facts, complaints = document.facts(), document.complaints()
            reader = PageReader(document, expected, frames, source)
            count = document.page_count // PAGES_A_PART if jobs > 1 else 1
            parts = shares(document.page_count, count if count >= LEAST_PARTS else 1)
            readings = in_parts(lambda part: reader.read(parts[part]), len(parts), jobs)
            complaints += tuple(complaint for reading in readings for complaint in reading.complaints)
        _check_facts(facts, complaints, expected, findings)
        _put_together(readings, facts, expected, frames, findings)
    except (UnreadablePdf, StrangeStreamError) as error:
        findings.add("proof-unreadable", f"the finished PDF cannot be read back: {error}")
    except KeyError as error:
        findings.add("proof-unreadable", f"the finished PDF calls {error}, which is not in it")
    return findings.problems()


def _frames_of(expected: Expected) -> dict[str, FrameOfCard]:
    """Return all frames by their hashes, with the cards behind them."""
    frames: dict[str, FrameOfCard] = {}
    for face in expected.faces:
        frames.setdefault(face.front.hash, (face.front, face, "front"))
        if face.back is not None:
            frames.setdefault(face.back.hash, (face.back, face, "back"))
    return frames


def _check_facts(facts: DocumentFacts, complaints: Sequence[str], expected: Expected, findings: ProofFindings) -> None:
    said = {
        "the title": (facts.title, expected.title),
        "the language": (facts.language, expected.language),
        "print scaling": (facts.preferences.get("PrintScaling"), "/None"),
        "duplex printing": (facts.preferences.get("Duplex"), _DUPLEX[expected.duplex]),
    }
    for name, (found, wanted) in said.items():
        if found != wanted:
            findings.add("proof-document", f"{name} is {found!r} in the file, not {wanted!r}")
    for complaint in dict.fromkeys(complaints):
        findings.add("proof-document", f"the file is damaged: {complaint}")


def _put_together(
    readings: Sequence[PageReadings],
    facts: DocumentFacts,
    expected: Expected,
    frames: dict[str, FrameOfCard],
    findings: ProofFindings,
) -> None:
    """Check what only all pages together tell, and take what was found on each."""
    for problems in {number: problems for reading in readings for number, problems in reading.fonts.items()}.values():
        findings.take(problems)
    check_layers(facts.layers, (layer for reading in readings for layer in reading.layers), expected, findings)
    for reading in readings:
        findings.take(reading.problems)
    calls = {call: page for reading in reversed(readings) for call, page in reading.calls.items()}
    numbers: dict[str, int] = {}
    for name, number in sorted(calls, key=lambda call: calls[call]):
        if numbers.setdefault(name, number) != number:
            key, page = name.removeprefix("C-"), calls[name, number]
            findings.add("proof-face-mixed", f"page {page} calls another form by the name of face {key}")
    for reading in readings:
        findings.take(reading.page_problems)
    pages = [layout for reading in readings for layout in reading.layouts]
    check_copies(pages, {key: frame for key, (frame, _, _) in frames.items()}, expected, findings)
    _check_faces(readings, frames, findings)
    _check_things(readings, findings)


def _check_faces(readings: Sequence[PageReadings], frames: dict[str, FrameOfCard], findings: ProofFindings) -> None:
    """Take what is wrong with each face, and find those that are drawn alike though they differ."""
    faces: dict[Called, CheckedFace] = {}
    for reading in readings:
        faces |= reading.faces
    shown_by: dict[bytes, FrameOfCard] = {}
    for call in dict.fromkeys(call for reading in readings for call in reading.calls):
        shown = frames[call[0].removeprefix("C-")]
        findings.take(faces[call].problems)
        other = shown_by.setdefault(faces[call].drawn, shown)
        if other is not shown and other[0].hash != shown[0].hash:
            name, first = (f"the {side} of {face}" for _, face, side in (shown, other))
            findings.add("proof-face-repeated", f"{name} is drawn exactly as {first}, though they differ")


def _check_things(readings: Sequence[PageReadings], findings: ProofFindings) -> None:
    """Take what is wrong with drawings and pictures; one name must mean one thing everywhere."""
    numbers: dict[str, int] = {}
    problems_of: dict[Called, list[Problem]] = {}
    for reading in readings:
        problems_of |= reading.shared
    for name, number in dict.fromkeys(call for reading in readings for call in reading.things):
        if numbers.setdefault(name, number) != number:
            findings.add("proof-face-mixed", f"two different things go by the name {name}")
    for problems in problems_of.values():
        findings.take(problems)
