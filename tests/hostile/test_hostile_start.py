"""What lies in the current folder is a game, never a part of the program that is started there."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import AFRESH, assert_sound, needs_posix, run_command
from hostile_game import GOOD

TAKEN = "open('taken', 'w').close()\n"
MODULES = (
    "click",
    "yaml",
    "jinja2",
    "json",
    "pathlib",
    "typing",
    "reportlab",
    "pikepdf",
    "uharfbuzz",
    "zipfile",
    "PIL",
)
WAYS = {
    "x-modules-in-the-folder-python-m": ("-m", "duckpress"),
    "x-modules-in-the-folder-script": ("-c", "from duckpress.__main__ import main; main()"),
}


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
