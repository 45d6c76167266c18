"""Marks of copies: each small fault in how they are planned is told by the proof, which reads them from the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from duckpress.core.geometry import Rect
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import CopyMark, Request
from duckpress.press.sheets import copy_marks
from duckpress.press.sheets.margin_codes import LinePlace
from oracle.watched_files import watch_files
from shared import with_faces


@pytest.fixture
def findings(project: Workspace, run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that says what the oracle finds of the sheets of a copy."""
    watch_files(monkeypatch.setattr)

    def found(piece: str) -> list[str]:
        request = Request(papers=("a4",), pieces=(piece,), copy=CopyMark(17, 40, "Ann"))
        loaded = with_faces(run_folder, load(project, "ducks-in-a-row"))
        problems = build(project, loaded, request, tmp_path).checked.problems
        return [problem.what for problem in problems if problem.code == "proof-copy"]

    return found


@pytest.mark.sweep(14)
@pytest.mark.parametrize("piece", ["box", "rules"])
@pytest.mark.parametrize(
    ("module", "what", "spoil", "told"),
    [
        (copy_marks, "copy_words", lambda _: lambda *_: ("copy 18 of 40",), "page 1: it says 'copy18of40' of its copy"),
        (
            copy_marks, "line_place", lambda _: lambda *_: LinePlace(Rect(5.0, 288.0, 60.0, 2.0), False),
            "page 1: 'copy 17 of 40 · Ann' lies on something else",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_marks_is_told(
    findings: Any, monkeypatch: pytest.MonkeyPatch, piece: str, module: Any, what: str, spoil: Any, told: str
) -> None:
    if what == "copy_words":  # the proof asks the same words
        line = copy_marks.CopyMarker._line
        monkeypatch.setattr(copy_marks.CopyMarker, "_line", lambda self, _, mm: line(self, ("copy 18 of 40",), mm))
    else:
        monkeypatch.setattr(module, what, spoil(getattr(module, what)))
    found = findings(piece)
    assert any(one.startswith(told) for one in found), found
