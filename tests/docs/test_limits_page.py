"""docs/limits.md lists every limit as it is in the program, in the same order, and the code that each gives."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner
from codes import all_codes

from duckpress.cli.commands import main
from duckpress.core.limits import LIMITS, written

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
ROWS = re.findall(r"(?m)^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| `?([^|`]+)`? \|$", TEXT)


def test_the_page_lists_the_limits_of_the_program() -> None:
    told = [(name, usual, unit, of) for name, usual, unit, of, _ in ROWS]
    assert told == [(name, written(one.usual), one.unit, one.of) for name, one in LIMITS.items()]


def test_the_codes_of_the_page_are_given_by_the_program() -> None:
    statuses = {"status 2", "status 3", "none"}
    assert {code for *_, code in ROWS} <= set(all_codes()) | statuses


def test_the_command_tells_the_same() -> None:
    rows = json.loads(CliRunner().invoke(main, ["limits", "--format", "json"]).output)["limits"]
    assert [row["limit"] for row in rows] == list(LIMITS)
    for key in rows[0]:
        assert f"`{key}`" in TEXT


def test_every_limit_can_be_set_higher_and_lower() -> None:
    for name, one in LIMITS.items():
        assert 1 < one.usual < one.most, name
