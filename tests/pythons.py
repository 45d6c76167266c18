"""The fast tests once more with every other Python that is found: `make pythons`; `make environments` prepares it.

Sweeps are sampled as in `make test`. Each Python has an environment of its own in `.pythons/`, with the versions of
constraints.txt. A Python that is missing, or for which a package has no wheel, is told and passed over; a test that
fails under any ends this with status 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / ".pythons"
OLDEST = (3, 11)
WANTED = ("3.11", "3.12", "3.13", "3.14")

# What depends on the Python: patterns, numbers, Unicode, syntax trees and frames; not what starts the program anew.
FAST = (
    "tests/expressions", "tests/text", "tests/layout", "tests/content", "tests/check", "tests/impose", "tests/render",
    "tests/core/language", "tests/games/test_frames.py",
    "tests/fuzz/test_fuzz_patterns.py", "tests/hostile/test_hostile_templates.py",
    "tests/hostile/test_hostile_expressions.py", "tests/test_patterns.py", "tests/core/test_geometry.py",
    "tests/core/test_compression.py",
)  # fmt: skip
_ASK = "import sys; print(*sys.version_info[:3], sep='.')"


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def candidates() -> Iterator[Path]:
    """Yield where Pythons may be: on PATH, as the system has them, and as pyenv keeps them."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in (*folders, Path("/usr/bin"), Path("/usr/local/bin")):
        yield from (folder / f"python{version}" for version in WANTED)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/*/bin/python"))


def version_of(python: Path) -> str | None:
    """Return the version of a Python; None for what is none, or cannot be started."""
    try:
        done = subprocess.run([python, "-c", _ASK], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def others() -> dict[str, Path]:
    """Return the Pythons that are new enough by version, but for the one that runs this."""
    found: dict[str, Path] = {}
    for python in candidates():
        version = version_of(python) if python.exists() else None
        if version is not None and tuple(map(int, version.split(".")[:2])) >= OLDEST:
            found.setdefault(version, python)
    found.pop("{}.{}.{}".format(*sys.version_info[:3]), None)
    return dict(sorted(found.items()))


def environment(version: str, python: Path) -> Path | None:
    """Return the Python of an environment with all that tests need; None after telling why there is none."""
    folder = ENVIRONMENTS / version
    own = folder / "bin" / "python"
    wanted = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    ready = folder / "ready"
    if ready.exists() and all(path.stat().st_mtime <= ready.stat().st_mtime for path in wanted):
        return own
    shutil.rmtree(folder, ignore_errors=True)
    steps = (
        [python, "-m", "venv", folder],
        [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
         "--constraint", "constraints.txt", "--editable", ".[dev]"],
    )  # fmt: skip
    for step in steps:
        done = subprocess.run(step, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
            why = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "it says nothing")
            say(f"Python {version} ({python}) is passed over: {why[:300]}")
            shutil.rmtree(folder, ignore_errors=True)
            return None
    ready.touch()
    return own


def main() -> int:
    """Run the fast tests with each Python, or only make their environments; returns 1 where a test fails."""
    found = others()
    known = {".".join(version.split(".")[:2]) for version in found} | {"{}.{}".format(*sys.version_info[:2])}
    for version in WANTED:
        if version not in known:
            say(f"Python {version} is not on this machine: passed over")
    failed = []
    with ThreadPoolExecutor() as pool:  # pip waits for the network and the disk most of the time
        environments = list(pool.map(environment, found, found.values()))
    if "--only-environments" in sys.argv:
        return 0
    for (version, python), own in zip(found.items(), environments, strict=True):
        if own is None:
            continue
        say(f"Python {version}: {python}")
        tests = [own, "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", *FAST]
        if subprocess.run(tests, cwd=ROOT, check=False).returncode:
            failed.append(version)
    if failed:
        say(f"tests fail under Python {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
