"""The wheel on a stranger's machine: an empty environment, an empty folder, and the bundled games come out as PDFs.

The environment holds the wheel, which pip installs, and the packages that the wheel's own metadata asks for, and what
those ask for: links to what `make` has fetched for this environment under the same constraints.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent


def _run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


def _asked_for(site: Path, name: str) -> set[str]:
    """Return the packages that an installed one asks for; each is there in a version that it takes."""
    (installed,) = metadata.distributions(name=name, path=[str(site)])
    found = set()
    for words in installed.requires or []:
        one = Requirement(words)
        if one.marker is None or one.marker.evaluate({"extra": ""}):
            assert one.specifier.contains(metadata.version(one.name)), words
            found.add(one.name)
    return found


def _link(name: str, site: Path) -> None:
    """Put what a package of this environment consists of into another one; programs that it brings are left out."""
    package = metadata.distribution(name)
    for top in {path.parts[0] for path in package.files or []} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(package.locate_file(top))).resolve())


@pytest.mark.soak
def test_wheel_in_an_empty_environment_builds_the_bundled_games(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    built = _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels, folder=ROOT)
    assert built.returncode == 0, built.stderr
    (wheel,) = wheels.glob("*.whl")

    assert _run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env", folder=tmp_path).returncode == 0
    python = tmp_path / "env" / "bin" / "python"
    alone = ("--no-deps", "--no-index", "--no-compile", "--quiet", "--disable-pip-version-check")
    installed = _run(sys.executable, "-m", "pip", "--python", python, "install", *alone, wheel, folder=tmp_path)
    assert installed.returncode == 0, installed.stderr
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    waiting, there = _asked_for(site, "duckpress"), set[str]()
    while waiting:
        there.add(name := waiting.pop())
        _link(name, site)
        waiting |= _asked_for(site, name) - there

    empty = tmp_path / "empty"
    empty.mkdir()
    where = _run(python, "-c", "import duckpress; print(duckpress.__file__)", folder=empty).stdout
    assert where.startswith(str(site)), where
    named = [folder.name for folder in (ROOT / "content").iterdir() if (folder / "game.yaml").is_file()]
    done = _run(python, "-m", "duckpress", "build", *named, "--paper", "a4", "--format", "json", folder=empty)
    assert done.returncode == 0, done.stdout + done.stderr
    games = {game["game"]: game for game in json.loads(done.stdout)["games"]}
    assert set(games) == set(named)
    for name in games:
        assert (empty / "output" / name / f"{name}-all-a4.pdf").read_bytes().startswith(b"%PDF-1.")
        assert (empty / "output" / name / "manifest.json").is_file()

    pages = _run(python, "-m", "duckpress", "docs", "--format", "json", folder=empty)
    assert set(json.loads(pages.stdout)["pages"]) == {path.stem for path in (ROOT / "docs").glob("*.md")}
    shown = _run(python, "-m", "duckpress", "docs", "content", folder=empty)
    assert shown.stdout.startswith("# Content\n"), shown.stderr

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    started = _run(python, "-m", "duckpress", "new", "my-game", folder=fresh)
    assert started.returncode == 0, started.stdout + started.stderr
    done = _run(python, "-m", "duckpress", "build", "--paper", "a4", "--format", "json", folder=fresh)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [game["game"] for game in json.loads(done.stdout)["games"]] == ["my-game"]
