"""What lies in the current folder is a game, never a part of the program that is started there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import assert_sound, needs_posix, run_command, run_here
from hostile_game import GOOD

import duckpress

TAKEN = "open('taken', 'w').close()\n"
MODULES = (
    "click", "yaml", "jinja2", "json", "pathlib", "typing", "reportlab", "segno", "pikepdf", "uharfbuzz", "zipfile",
    "PIL", "reportlab_mods", "reportlab_settings",
)  # fmt: skip
WAYS = {
    "python-m": ("-m", "duckpress"),
    "script": ("-c", "from duckpress.__main__ import main; main()"),
}


SETTINGS: dict[str, str | bytes] = {
    "local_reportlab_settings.py": TAKEN,
    ".env": "DUCKPRESS_LIMITS=image-pixels=900G\nHOME=/\n",
    "setup.cfg": "[duckpress]\nout = /\n",
    "pyproject.toml": "[tool.duckpress]\nout = '/'\n",
    "content/g/conftest.py": TAKEN,
    "content/g/__init__.py": TAKEN,
}
"""Files that other programs would take their settings from mean nothing here."""
HOOKS = (".reportlab_mods", ".reportlab_settings", "reportlab_mods.py", "reportlab_settings.py")
"""Files that reportlab runs where they lie in the home folder."""
HOMES = ("x-home-is-the-workspace", "x-home-is-a-file", "x-home-is-nothing", "x-home-is-nowhere")
OF_REPORTLAB = {"RL_invariant": "x", "RL_pageCompression": "0", "RL_documentLang": "fr", "RL_renderPMBackend": "x"}
"""Its settings are for other programs: they change no byte, and none of them stops a run."""


@pytest.mark.sweep(4)
@needs_posix
@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("way", WAYS)
def test_modules_settings_and_hooks_in_the_folder_change_nothing(tmp_path: Path, way: str, home: str) -> None:
    """All of them at once, with one worker and with two; a container often has the mounted workspace for a home."""
    files: dict[str, str | bytes] = {**GOOD, **{f"{name}.py": TAKEN for name in MODULES}, **SETTINGS}
    files |= {f"{name}/__init__.py": TAKEN for name in MODULES[:6]}
    files |= {"sitecustomize.py": TAKEN, "usercustomize.py": TAKEN, "conftest.py": TAKEN, "pyvenv.cfg": "home = ."}
    files |= dict.fromkeys(HOOKS, TAKEN + "pageCompression = 0\n")
    homes = {"x-home-is-the-workspace": tmp_path, "x-home-is-a-file": tmp_path / "setup.cfg", "x-home-is-nowhere": "/-"}
    environment = {"HOME": str(homes.get(home, "")), **OF_REPORTLAB}
    words = ("-P", *WAYS[way]) if way.endswith("script") else WAYS[way]
    jobs = "2" if way.endswith("script") else "1"
    ran = run_command(
        tmp_path, "build", "g", "--paper", "a4", "--jobs", jobs, files=files, environment=environment, python=words
    )
    assert_sound(ran, status=0)
    assert ran.written == [f"output/g/{name}" for name in ("g-all-a4.pdf", "g-cards-a4.pdf", "manifest.json")]
    assert_sound(run_here(tmp_path, "build", "g", "--paper", "a4", "--out", str(tmp_path / "here")), status=0)
    for path in ran.written:
        assert (tmp_path / path).read_bytes() == (tmp_path / path.replace("output", "here")).read_bytes()


@needs_posix
def test_x_reportlab_is_imported_behind_shut_doors_only() -> None:
    """Whoever imports it elsewhere in the program may be the first, and would let its hooks run."""
    package = Path(duckpress.__file__).parent
    importers = [path.name for path in package.rglob("*.py") if re.search("(from|import) reportlab", path.read_text())]
    assert importers == ["bare_canvas.py"]


@needs_posix
@pytest.mark.parametrize("date", ["x-yesterday", "x-99999999999999999999"])
def test_a_date_that_is_none_is_told_before_anything_is_made(tmp_path: Path, date: str) -> None:
    environment = {"SOURCE_DATE_EPOCH": date.removeprefix("x-")}
    ran = run_command(tmp_path, "build", "g", "--paper", "a4", files=GOOD, environment=environment)
    assert_sound(ran, status=3)
    assert "not a number of seconds" in ran.err
    assert not ran.written
