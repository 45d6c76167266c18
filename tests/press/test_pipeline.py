"""The stream of a build: a file that a newcomer can read; it changes no game, waits its turn, loads what it needs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from duckpress.core.problems import MachineError
from duckpress.press import checking, pipeline
from duckpress.press.reading import load, load_all
from duckpress.press.request import Request
from duckpress.store import output_folder
from duckpress.store.file_writing import Busy
from kinds import DECK_FILE, FILES
from running import MakeWorkspace

TEXT = Path(pipeline.__file__).read_text(encoding="utf-8")


def test_it_is_short_has_no_closures_and_imports_at_the_top_only() -> None:
    assert TEXT.count("\n") <= 150
    functions = [node for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function) if node is not function]
    odd = (ast.FunctionDef, ast.Lambda, ast.Import, ast.ImportFrom, ast.ClassDef)
    assert [ast.unparse(node) for node in inside if isinstance(node, odd)] == []
    assert "ExitStack" not in TEXT


def test_it_names_every_stage_in_its_order() -> None:
    table = [line.split()[0] for line in TEXT.partition('"""')[2].partition('"""')[0].splitlines() if " -> " in line]
    called = [
        (node.lineno, node.col_offset, node.func.id)
        for node in ast.walk(ast.parse(TEXT))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in table
    ]
    in_order = list(dict.fromkeys(name for *_, name in sorted(called)))
    assert in_order == [name for name in table if name != "load_all"], "the games are read before a build begins"


DOCS = Path(__file__).resolve().parents[2] / "docs"
STAGES = (
    "check_to_print", "translate", "lay_out_faces", "hard_to_read", "fit_to_sleeve", "oversize_pieces", "draw",
    "deal_packet", "print_packet", "impose", "render", "prove", "publish", "summaries",
)  # fmt: skip
CHECKS = ("known_findings", "typeset", "packet_layout_problems", "wrong_words", "unused_acceptances")


def test_no_stage_of_a_build_or_a_check_changes_the_game(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / "languages.md").read_text(encoding="utf-8")
    workspace = make_workspace(dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", text)))
    loaded, run = load(workspace, "marsh"), set[str]()
    before = repr(loaded.game)

    def watched(name: str, stage: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(stage)
        def watched_stage(*args: Any, **options: Any) -> Any:
            value = stage(*args, **options)
            assert repr(loaded.game) == before, f"{name} has changed the game"
            run.add(name)
            return value

        return watched_stage

    for module, stages in ((pipeline, STAGES), (checking, CHECKS)):
        for name in stages:
            monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    request = Request(("a4",), language="fr", has_cover=True)
    assert pipeline.build(workspace, loaded, request, workspace.root / "output").files
    assert checking.check(workspace, loaded, inks=("color", "grey")).game is loaded.game
    assert run == {*STAGES, *CHECKS}


@pytest.mark.parametrize("is_saved", [True, False])
def test_a_run_that_waits_for_another_prints_what_its_files_say_then_or_nothing(
    make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_saved: bool
) -> None:
    """Another run writes into the folder; a file may be saved before that one has finished."""
    workspace, lock = make_workspace(FILES), output_folder._lock

    def busy(folder: Path) -> output_folder.OutputFolder:
        monkeypatch.setattr(output_folder, "_lock", lock)
        path = workspace.root / DECK_FILE
        path.write_text(path.read_text() + ("\n# saved\n" if is_saved else ""))
        raise Busy(f"one that writes into {folder.name}")

    (loaded,) = load_all(workspace, ("kinds",))
    monkeypatch.setattr(output_folder, "_lock", busy)
    if not is_saved:
        assert pipeline.build(workspace, loaded, Request(papers=("a4",)), tmp_path / "out").files
        return
    with pytest.raises(MachineError, match=r"saved while this run waited .* run it again"):
        pipeline.build(workspace, loaded, Request(papers=("a4",)), tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.pdf"))


@pytest.mark.parametrize(
    ("words", "seldom"),
    [
        # A code of a sheet, too, is encoded without what else comes with its encoder.
        (
            "duckpress.press.pipeline, duckpress.art.qr_code as codes; codes.modules_of('x')",
            ("urllib.request", "ssl", "xml.sax", "PIL", "duckpress.press.cover", "duckpress.chance",
             "duckpress.layout.rulebook", "resvg_py", "duckpress.views"),
        ),
        (
            "duckpress.views.exporting",
            ("pikepdf", "duckpress.vendors", "duckpress.views.virtual", "duckpress.views.showcase"),
        ),
    ],
    ids=["a build", "an export"],
)  # fmt: skip
def test_what_few_games_need_is_not_loaded_for_all(words: str, seldom: tuple[str, ...]) -> None:
    code = f"import sys, {words}; print([name for name in {seldom} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
