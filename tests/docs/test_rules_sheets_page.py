"""docs/rules-sheets.md: its game builds, and what the page lists is what there is."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from duckpress.layout.rulebook.block_setting import COLOURS, STYLES
from duckpress.layout.rulebook.blocks import KINDS
from duckpress.layout.rulebook.filling import KEYS
from duckpress.layout.rulebook.markdown import DIRECTIVES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "rules-sheets.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", TEXT))
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^## ", TEXT)[1:]}


@pytest.fixture
def workspace(make_workspace: Callable[[Mapping[str, str | bytes]], Workspace]) -> Workspace:
    return make_workspace(FILES)


def in_tables(section: str) -> set[str]:
    """Return the words in code in the first cells of a section's tables."""
    return {word for cell in re.findall(r"(?m)^\| ([^|]+) \|", section) for word in re.findall(r"`([^`]+)`", cell)}


def test_the_example_builds_without_a_finding_and_says_what_the_data_says(workspace: Workspace) -> None:
    done = CliRunner().invoke(main, ["--workspace", str(workspace.root), "build", "skiff", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["problems"] == []
    built = {row["piece"]: row for row in json.loads(done.output)["games"][0]["pieces"]}
    assert built["rules"]["pages"] == {"a4": 1, "letter": 1}
    assert built["rules-booklet"]["sheets"] == {"a4": 1, "letter": 1}
    data = (workspace.root / "output/skiff/skiff-rules-a4.pdf").read_bytes()
    words = " ".join(pypdfium2.PdfDocument(io.BytesIO(data))[0].get_textpage().get_text_range().split())
    for piece in ("24 Catch: three kinds of fish", "a pencil for each player", "12 cards are dealt and 12 are left",
                  "You may hold four cards", "Whoever has 12 points", "Calm water", "Tuna 4"):  # fmt: skip
        assert piece in words


def test_every_directive_is_described() -> None:
    assert {word.strip("[]") for word in in_tables(SECTIONS["Generated parts"])} == {
        name for name in DIRECTIVES if not name.endswith("break")
    }
    for name in DIRECTIVES:
        assert f"`[{name}]`" in TEXT


def test_every_key_of_the_front_matter_is_described() -> None:
    table = SECTIONS["What may stand in it"].partition("front matter")[2]
    assert in_tables(table) == set(KEYS)


def test_every_kind_of_picture_is_described() -> None:
    assert {word.partition(":")[0] for word in in_tables(SECTIONS["Pictures"])} == set(KINDS)


def test_every_role_is_described() -> None:
    assert in_tables(SECTIONS["The look"]) == {*STYLES, *COLOURS}
