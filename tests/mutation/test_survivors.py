"""The mutants that were looked at change lines which the program still has."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
PROGRAM = HERE.parents[1] / "generator" / "duckpress"
SURVIVORS = yaml.safe_load((HERE / "survivors.yaml").read_text("utf-8"))


@pytest.mark.parametrize("file", SURVIVORS)
def test_each_is_about_a_line_that_is_there(file: str) -> None:
    lines = {line.strip() for line in (PROGRAM / file).read_text("utf-8").splitlines()}
    for reason, changes in SURVIVORS[file].items():
        assert reason.count(" ") > 2
        assert [old for old, _ in changes if not lines.issuperset(old.splitlines())] == []
        assert [old for old, new in changes if old == new] == []
