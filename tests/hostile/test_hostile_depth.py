"""x-depth: what may be set deepest still fits the stack of the program, in every room that a face goes through."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import assert_refused, assert_sound, run_here
from hostile_game import GOOD, with_art, with_face

from duckpress.core.frame import MOST_FAINT
from duckpress.core.limits import LIMITS

DEEP = LIMITS["svg-depth"].most
NS = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"'
SYMBOLS = "".join(
    f'<symbol id="s{n}"><g transform="rotate(1)"><use href="#s{n + 1}"/></g></symbol>' for n in range(DEEP // 4)
)
TURNED = '<g transform="rotate(1)">' * (DEEP - 2) + "{}" + "</g>" * (DEEP - 2)
CASES = {
    "svg-groups": with_art("a.svg", f"<svg {NS}>{TURNED}</svg>".format('<path d="M0 0h9v9"/>')),
    "svg-symbols": with_art(
        "a.svg", f'<svg {NS}><defs>{SYMBOLS}<path id="s{DEEP // 4}" d="M0 0h9v9"/></defs><use href="#s0"/></svg>'
    ),
    "face-groups": with_face(TURNED.format('<rect width="9" height="9" fill="ink"/>')),
    "face-stacks": with_face('<stack turn="90">' * (DEEP - 2) + '<text size="4">a</text>' + "</stack>" * (DEEP - 2)),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", CASES)
def test_the_deepest_that_can_be_allowed_prints(tmp_path: Path, case: str) -> None:
    files = CASES[case]
    limits = [f"--limit={name}={DEEP}" for name in ("svg-depth", "face-depth")]
    ran = run_here(tmp_path, *limits, "build", "g", "--paper", "a4", files={**GOOD, **files})
    assert_sound(ran, status=0)
    assert any(path.endswith(".pdf") for path in ran.written)


def test_one_deeper_is_refused(tmp_path: Path) -> None:
    files = with_face("<g>" * 200 + '<rect width="9" height="9" fill="ink"/>' + "</g>" * 200)
    command = ("--limit", f"face-depth={DEEP}", "check", "g")
    ran = run_here(tmp_path, *command, files={**GOOD, **files})
    assert set(ran.codes()) == {"nested-too-deep"}
    drawing = f"<svg {NS}>{'<g>' * 200}{'</g>' * 200}</svg>"
    command = ("--limit", f"svg-depth={DEEP}", "check", "g")
    assert_refused(tmp_path, with_art("a.svg", drawing), code="bad-svg", at="content/g/art/a.svg:1", command=command)


def test_see_through_groups_in_each_other_are_counted(tmp_path: Path) -> None:
    """x-opacity: PDFium draws nothing of what lies in forty forms, and says nothing."""
    inside = '<rect width="9" height="9" fill="#000000"/>'
    for count in (MOST_FAINT, MOST_FAINT + 1):
        nested = '<g opacity="0.9">' * count + inside + "</g>" * count
        for files, code in (
            (with_art("a.svg", f"<svg {NS}>{nested}</svg>"), "drawing-as-picture"),
            (with_face(nested), "nested-too-deep"),
        ):
            ran = run_here(tmp_path, "check", "g", files={**GOOD, **files})
            assert {problem["code"] for problem in ran.problems} == ({code} if count > MOST_FAINT else set())
