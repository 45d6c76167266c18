"""The wheel on a stranger's machine: an empty environment, an empty folder, and the bundled games come out as PDFs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


def test_wheel_in_an_empty_environment_builds_the_bundled_games(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    built = _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels, folder=ROOT)
    assert built.returncode == 0, built.stderr
    (wheel,) = wheels.glob("*.whl")

    assert _run(sys.executable, "-m", "venv", tmp_path / "env", folder=tmp_path).returncode == 0
    python = tmp_path / "env" / "bin" / "python"
    constraints = ROOT / "constraints.txt"
    installed = _run(python, "-m", "pip", "install", "--quiet", "--constraint", constraints, wheel, folder=tmp_path)
    if installed.returncode != 0 and "No matching distribution" in installed.stderr:
        pytest.skip("the dependencies cannot be fetched on this machine")
    assert installed.returncode == 0, installed.stderr

    empty = tmp_path / "empty"
    empty.mkdir()
    done = _run(python, "-m", "duckpress", "build", "--paper", "a4", "--format", "json", folder=empty)
    assert done.returncode == 0, done.stdout + done.stderr
    games = {game["game"]: game for game in json.loads(done.stdout)["games"]}
    assert set(games) == {folder.name for folder in (ROOT / "content").iterdir() if (folder / "game.yaml").is_file()}
    for name in games:
        assert (empty / "output" / name / f"{name}-all-a4.pdf").read_bytes().startswith(b"%PDF-1.")
        assert (empty / "output" / name / "manifest.json").is_file()

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    started = _run(python, "-m", "duckpress", "new", "my-game", folder=fresh)
    assert started.returncode == 0, started.stdout + started.stderr
    done = _run(python, "-m", "duckpress", "build", "--paper", "a4", "--format", "json", folder=fresh)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [game["game"] for game in json.loads(done.stdout)["games"]] == ["my-game"]
