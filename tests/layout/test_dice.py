"""The net of a die: which side lies where, so that opposite sides make seven. Its lines are in the golden frames."""

from __future__ import annotations

import re

from workshop import MakeWorkspace, lay_out

SIDES = "".join(f'<side fill="#00000{side}"/>' for side in range(1, 7))
NET = """\
.3..
5126
.4.."""


def test_sides_that_lie_two_apart_make_seven(make_workspace: MakeWorkspace) -> None:
    """One, two, three run anticlockwise around their corner, seen from outside."""
    trial = lay_out(make_workspace, f'<dicenet edge="10" tab="3" x="5" y="5">{SIDES}</dicenet>')
    assert trial.problems == []
    seats = re.findall(r"fill #00000(\d): (\S+) (\S+) 10 10 re", "\n".join(trial.lines))
    rows = [["."] * 4 for _ in range(3)]
    for side, x, y in seats:
        rows[round(float(y) - 8) // 10][round(float(x) - 8) // 10] = side
    assert "\n".join(map("".join, rows)) == NET
