"""What lies in the current folder is a game, never a part of the program that is started there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import AFRESH, assert_sound, needs_posix, run_command
from hostile_game import GOOD

import duckpress

TAKEN = "open('taken', 'w').close()\n"
MODULES = (
    "click", "yaml", "jinja2", "json", "pathlib", "typing", "reportlab", "segno", "pikepdf", "uharfbuzz", "zipfile",
    "PIL", "reportlab_mods", "reportlab_settings",
)  # fmt: skip
WAYS = {
    "x-modules-in-the-folder-python-m": ("-m", "duckpress"),
    "x-modules-in-the-folder-script": ("-c", "from duckpress.__main__ import main; main()"),
}


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize("way", WAYS)
def test_modules_in_the_folder_are_not_run(tmp_path: Path, way: str) -> None:
    files: dict[str, str | bytes] = {**GOOD, **{f"{name}.py": TAKEN for name in MODULES}}
    files |= {f"{name}/__init__.py": TAKEN for name in MODULES[:6]}
    files |= {"sitecustomize.py": TAKEN, "usercustomize.py": TAKEN, "conftest.py": TAKEN, "pyvenv.cfg": "home = ."}
    words = ("-P", *WAYS[way]) if way.endswith("script") else WAYS[way]
    ran = run_command(tmp_path, "build", "g", "--paper", "a4", "--jobs", "2", files=files, python=words)
    assert_sound(ran, status=0)
    assert "taken" not in ran.written
    assert any(path.endswith(".pdf") for path in ran.written)


@needs_posix
def test_x_settings_in_the_folder_are_not_read(tmp_path: Path) -> None:
    """Files that other programs would take their settings from mean nothing here."""
    files: dict[str, str | bytes] = {
        **GOOD,
        "reportlab_settings.py": TAKEN,
        "local_reportlab_settings.py": TAKEN,
        ".env": "DUCKPRESS_LIMITS=image-pixels=900G\nHOME=/\n",
        "setup.cfg": "[duckpress]\nout = /\n",
        "pyproject.toml": "[tool.duckpress]\nout = '/'\n",
        "content/g/conftest.py": TAKEN,
        "content/g/__init__.py": TAKEN,
    }
    ran = run_command(tmp_path, "build", "g", "--paper", "a4", files=files, python=AFRESH)
    assert_sound(ran, status=0)
    assert all(path.startswith("output/g/") for path in ran.written), ran.written


HOOKS = (".reportlab_mods", ".reportlab_settings", "reportlab_mods.py", "reportlab_settings.py")
HOMES = ("x-home-is-the-workspace", "x-home-is-a-file", "x-home-is-nothing", "x-home-is-nowhere")


@pytest.mark.sweep(4)
@needs_posix
@pytest.mark.parametrize("home", HOMES)
def test_files_in_the_home_folder_are_not_run(tmp_path: Path, home: str) -> None:
    """A container often has the mounted workspace for a home; reportlab runs two files that lie there."""
    files: dict[str, str | bytes] = {**GOOD, **dict.fromkeys(HOOKS, TAKEN + "pageCompression = 0\n")}
    homes = {"x-home-is-the-workspace": tmp_path, "x-home-is-a-file": tmp_path / "setup.cfg", "x-home-is-nowhere": "/-"}
    environment = {"HOME": str(homes.get(home, ""))}
    for jobs in ("1", "2"):
        words = ("build", "g", "--paper", "a4", "--jobs", jobs, "--out", jobs)
        ran = run_command(
            tmp_path, *words, files={**files, "setup.cfg": ""}, environment=environment, python=("-m", "duckpress")
        )
        assert_sound(ran, status=0)
        assert ran.written == [f"{jobs}/g/g-all-a4.pdf", f"{jobs}/g/g-cards-a4.pdf", f"{jobs}/g/manifest.json"]


@needs_posix
def test_x_settings_of_a_library_in_the_environment(tmp_path: Path) -> None:
    """Those of reportlab are for other programs: they change no byte, and none of them stops a run."""
    settings = {"RL_invariant": "x", "RL_pageCompression": "0", "RL_documentLang": "fr", "RL_renderPMBackend": "x"}
    pdfs = []
    for environment in ({}, settings):
        words = ("build", "g", "--paper", "a4")
        ran = run_command(tmp_path, *words, files=GOOD, environment=environment, python=AFRESH)
        assert_sound(ran, status=0)
        pdfs.append((tmp_path / "output/g/g-all-a4.pdf").read_bytes())
    assert pdfs[0] == pdfs[1]


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
