"""docs/deals.md: what it shows is what the program says, and its JSON has the keys of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "deals.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", (DOCS / "content.md").read_text(encoding="utf-8")))
_OWN_NAMES = ("seats[].relations", "seats[].knows")

Make = Callable[[Mapping[str, str | bytes]], Workspace]


def keys_in(data: Any, before: str = "") -> set[str]:
    if isinstance(data, list):
        return {key for item in data for key in keys_in(item, f"{before}[]")}
    if not isinstance(data, dict) or before in _OWN_NAMES:
        return set()
    paths = {f"{before}.{key}" if before else key: value for key, value in data.items()}
    return {*paths, *(key for path, value in paths.items() for key in keys_in(value, path))}


def run(workspace: Workspace, line: str) -> str:
    words = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
    done = CliRunner().invoke(main, ["--workspace", str(workspace.root), *words])
    assert done.exit_code == 0, done.output
    return done.output.replace(str(workspace.root) + "/", "")


def test_the_examples_say_what_the_page_says(make_workspace: Make) -> None:
    shown = re.findall(r"(?ms)^```console\n\$ duckpress ([^\n]+)\n(.*?)^```$", PAGE)
    assert len(shown) == 2
    for line, promised in shown:
        assert run(make_workspace(FILES), line) == promised


def test_the_json_has_the_keys_of_the_page(make_workspace: Make) -> None:
    data = json.loads(run(make_workspace(FILES), "deal harbour --players 2 --seed tide --format json"))
    told = {
        word
        for cell in re.findall(r"(?m)^\| ([^|]+) \|", PAGE.partition("## JSON")[2])
        for word in re.findall(r"`([^`]+)`", cell)
    }
    found = {key for key in keys_in(data) if not key.startswith(("problems", "removed[]", "left[]"))}
    assert found == told
    for part in ("removed", "left"):
        assert {key.replace(f"{part}[]", "places[]") for key in keys_in(data) if key.startswith(f"{part}[]")} <= told
