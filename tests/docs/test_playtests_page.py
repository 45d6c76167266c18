"""docs/playtests.md: its example and its words are those of the program, and the games are played as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, Page, in_tables

from duckpress.content.setup.step_section import BoundKeys, EventKeys, PickKeys, RoundsKeys, RoundStepKeys
from duckpress.content.yaml.declared_shapes import Shape
from running import run, run_json

PAGE = Page("playtests").text
SETUPS = {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("content/*/setup.yaml"))}


@pytest.mark.parametrize("shape", [RoundsKeys, EventKeys, BoundKeys, RoundStepKeys, PickKeys])
def test_the_page_names_every_key(shape: type[Shape]) -> None:
    assert [key for key in shape.keys if not re.search(rf"\b{key}\b", PAGE)] == []


def test_the_json_has_the_keys_and_questions_of_the_page() -> None:
    told = PAGE.partition("`--format json`")[2]
    keys = in_tables(told)
    extra = set(re.findall(r"`(\w+)`: ", told))  # explained beside the key that they belong to
    data = run_json(ROOT, "playtest", "duck-blind", "--runs", "20", "--players", "3")
    assert set(data) == {"game", "seed", "playouts", "problems"}
    assert {key for row in data["playouts"] for key in row} == keys | extra
    questions = re.search(r"(?m)^\| `question` \| (.+) \|$", told)
    assert questions is not None
    named = {word.replace("PLACE", "").replace("NAME", "") for word in re.findall(r"`([^`]+)`", questions[1])}
    asked = {re.sub(r": .*", ": ", row["question"]) for row in data["playouts"]}
    assert asked == named


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", SETUPS)
def test_every_game_is_played_or_says_why_not(name: str) -> None:
    if "\n# No `rounds`" in SETUPS[name]:
        run(ROOT, "playtest", name, status=2)
        return
    rows = run_json(ROOT, "playtest", name, "--runs", "2")["playouts"]
    assert {row["method"] for row in rows} == {"simulated"}
    assert all(row["probability"] == 0 for row in rows if row["question"] == "unfinished")


def test_a_chart_is_drawn(tmp_path: Path) -> None:
    run(ROOT, "playtest", "ducks-in-a-row", "--runs", "2", "--chart", str(tmp_path / "rounds.svg"), status=0)
    assert (tmp_path / "rounds.svg").read_bytes().startswith(b"<svg")
