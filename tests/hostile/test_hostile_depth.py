"""x-depth: what may be set deepest still fits the stack of the program, in every room that a face goes through."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import assert_refused, assert_sound, run_command
from hostile_game import GOOD, with_art, with_face

from duckpress.limits import LIMITS

DEEP = LIMITS["svg-depth"].most
NS = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"'
SYMBOLS = "".join(
    f'<symbol id="s{n}"><g transform="rotate(1)"><use href="#s{n + 1}"/></g></symbol>' for n in range(DEEP // 4)
)
DRAWINGS = {
    "groups": '<g opacity=".9" transform="rotate(1)">' * (DEEP - 2) + '<path d="M0 0h9v9"/>' + "</g>" * (DEEP - 2),
    "symbols": f'<defs>{SYMBOLS}<path id="s{DEEP // 4}" d="M0 0h9v9"/></defs><use href="#s0"/>',
}
FACES = {
    "groups": '<g transform="rotate(1)">' * (DEEP - 2)
    + '<rect width="9" height="9" fill="ink"/>'
    + "</g>" * (DEEP - 2),
    "stacks": '<stack turn="90">' * (DEEP - 2) + '<text size="4">a</text>' + "</stack>" * (DEEP - 2),
}


@pytest.mark.parametrize(
    "files",
    [
        *(pytest.param(with_art("a.svg", f"<svg {NS}>{inside}</svg>"), id=f"svg-{name}") for name, inside in DRAWINGS.items()),
        *(pytest.param(with_face(inside), id=f"face-{name}") for name, inside in FACES.items()),
    ],
)  # fmt: skip
def test_the_deepest_that_can_be_allowed_prints(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    limits = [f"--limit={name}={DEEP}" for name in ("svg-depth", "face-depth")]
    ran = run_command(tmp_path, *limits, "build", "g", "--paper", "a4", "--jobs", "1", files={**GOOD, **files})
    assert_sound(ran, status=0)
    assert any(path.endswith(".pdf") for path in ran.written)


def test_one_deeper_is_refused(tmp_path: Path) -> None:
    files = with_face("<g>" * 200 + '<rect width="9" height="9" fill="ink"/>' + "</g>" * 200)
    command = ("--limit", f"face-depth={DEEP}", "check", "g")
    from harness import run_here

    ran = run_here(tmp_path, *command, files={**GOOD, **files})
    assert set(ran.codes()) == {"nested-too-deep"}
    drawing = f"<svg {NS}>{'<g>' * 200}{'</g>' * 200}</svg>"
    command = ("--limit", f"svg-depth={DEEP}", "check", "g")
    assert_refused(tmp_path, with_art("a.svg", drawing), code="bad-svg", at="content/g/art/a.svg:1", command=command)
