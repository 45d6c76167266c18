"""A process that is started for this program finds its modules where this one does, and nowhere else."""

from __future__ import annotations

import subprocess
from pathlib import Path

from duckpress.pool.starting import own_python


def test_modules_in_the_folder_are_not_run(tmp_path: Path) -> None:
    for name in ("json", "sys", "msgspec", "duckpress"):
        (tmp_path / f"{name}.py").write_text("open('taken', 'w').close()\n")
    code = "import duckpress.pool, msgspec; print(duckpress.pool.__file__)"
    ran = subprocess.run(own_python(code), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "duckpress" in ran.stdout
    assert not (tmp_path / "taken").exists()
