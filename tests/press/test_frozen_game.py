"""A game is frozen: none of the stages that a build or a check goes through changes what was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from duckpress.files.workspace import Workspace
from duckpress.press import checking, pipeline
from duckpress.press.reading import Loaded, load
from duckpress.press.request import Request

DOCS = Path(__file__).resolve().parents[2] / "docs"
STAGES = (
    "check_to_print", "translate", "lay_out_faces", "hard_to_read", "fit_to_sleeve", "oversize_pieces", "draw",
    "deal_packet", "print_packet", "impose", "render", "prove", "publish", "summaries",
)  # fmt: skip
CHECKS = ("check_game", "typeset", "packet_layout_problems", "wrong_words", "unused_acceptances")
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


@pytest.fixture(params=[("languages.md", "marsh", "fr"), ("content.md", "harbour", None)], ids=["marsh", "harbour"])
def read(request: pytest.FixtureRequest, make_workspace: MakeWorkspace) -> tuple[Workspace, Loaded, str | None]:
    """A game of the documentation as it was read, and another language to print it in."""
    page, game_id, language = request.param
    text = (DOCS / page).read_text(encoding="utf-8")
    workspace = make_workspace(dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", text)))
    loaded = load(workspace, game_id)
    assert loaded.game is not None
    assert not loaded.has_errors
    return workspace, loaded, language


def watched(monkeypatch: pytest.MonkeyPatch, module: object, stages: tuple[str, ...], loaded: Loaded) -> set[str]:
    """Return the names of the stages that have been run: each is followed by a comparison of the game."""
    before, run = repr(loaded.game), set()

    def watching(name: str, stage: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(stage)
        def watched_stage(*args: Any, **options: Any) -> Any:
            value = stage(*args, **options)
            assert repr(loaded.game) == before, f"{name} has changed the game"
            run.add(name)
            return value

        return watched_stage

    for name in stages:
        monkeypatch.setattr(module, name, watching(name, getattr(module, name)))
    return run


def test_no_stage_of_a_build_changes_the_game(
    read: tuple[Workspace, Loaded, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, loaded, language = read
    run = watched(monkeypatch, pipeline, STAGES, loaded)
    request = Request(("a4",), language=language, has_cover=True)
    assert pipeline.build(workspace, loaded, request, workspace.root / "output").files
    assert run == set(STAGES)


def test_no_stage_of_a_check_changes_the_game(
    read: tuple[Workspace, Loaded, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, loaded, language = read
    run = watched(monkeypatch, checking, CHECKS, loaded)
    checked = checking.check(workspace, loaded, inks=("color", "grey"))
    assert checked.game is loaded.game
    assert run >= set(CHECKS) - ({"wrong_words"} if language is None else set())
