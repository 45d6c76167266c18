"""Drawings that nobody here made, as a game: one card each. As a program, a table of what becomes of those of a folder.

    python tests/kit/gallery.py /usr/share/icons/Tango --most 500

Each drawing is vector, a picture (with the reason why), or refused; the last lines count them. `duckpress` decides, by
a check of a game with one card for each: `game_of` writes it.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

_GAME = """title: Gallery
version: "0.1"
designer: Nobody
players: 2-4
theme: base
pieces:
  - {id: drawings, title: Drawings, decks: [drawing]}
"""
_DECK = """title: Drawings
size: poker
front: drawing
fields: {picture: image}
cards:
"""
_LAYOUT = """<face>
  <image href="{{ card.picture }}" x="6" y="6" width="{{ trim.width - 12 }}" height="{{ trim.height - 12 }}"/>
</face>
"""
_BY_INKSCAPE = re.compile(rb"inkscape:version|sodipodi:version")
_PLACE = re.compile(r"^content/gallery/art/(d\d+)\.svg:\d+:\d+: (error|warning)\[([a-z-]+)\]: (.*)$", re.MULTILINE)
VECTOR, PICTURE, REFUSED = "vector", "picture", "refused"


def game_of(drawings: Sequence[Path], workspace: Path) -> None:
    """Write a workspace with the game `gallery`, which has a card for each drawing: `d0` shows the first."""
    folder = workspace / "content" / "gallery"
    for name in ("art", "decks", "layouts"):
        (folder / name).mkdir(parents=True)
    cards = []
    for number, drawing in enumerate(drawings):
        shutil.copyfile(drawing, folder / "art" / f"d{number}.svg")
        cards.append(f"  - {{id: d{number}, picture: art/d{number}.svg}}\n")
    (folder / "game.yaml").write_text(_GAME, encoding="utf-8")
    (folder / "decks" / "drawing.yaml").write_text(_DECK + "".join(cards), encoding="utf-8")
    (folder / "layouts" / "drawing.xml").write_text(_LAYOUT, encoding="utf-8")


def fates(drawings: Sequence[Path], program: Sequence[str]) -> list[tuple[str, str]]:
    """Return what becomes of each drawing, and why it is not vector."""
    with tempfile.TemporaryDirectory() as scratch:
        game_of(drawings, Path(scratch))
        command = [*program, "check", "gallery"]
        found = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1):
        raise SystemExit(found.stderr)
    result = [(VECTOR, "")] * len(drawings)
    for name, level, code, what in _PLACE.findall(found.stdout + found.stderr):
        fate = REFUSED if level == "error" else PICTURE if code == "drawing-as-picture" else ""
        number = int(name[1:])
        if fate and result[number][0] != REFUSED:
            result[number] = fate, what.replace(f"'content/gallery/art/{name}.svg'", "it")
    return result


def drawings_in(folder: Path, most: int) -> list[Path]:
    """Return the SVG files of a folder, without links; of more than so many a sample that is always the same."""
    files = sorted(path for path in folder.rglob("*.svg") if path.is_file() and not path.is_symlink())
    return files if len(files) <= most else sorted(random.Random(1).sample(files, most))


def main() -> int:
    """Print the table; leave with status 1 where less prints, or less as vector, than is promised."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--most", type=int, default=500)
    asked = arguments.parse_args()
    drawings = drawings_in(asked.folder, asked.most)
    results = fates(drawings, [sys.executable, "-m", "duckpress"])
    for drawing, (fate, why) in zip(drawings, results, strict=True):
        if fate != VECTOR:
            print(f"{fate:8} {drawing}: {why}")  # noqa: T201
    counts = Counter(fate for fate, _ in results)
    inkscape = sum(1 for drawing in drawings if _BY_INKSCAPE.search(drawing.read_bytes()))
    printed, vector = len(drawings) - counts[REFUSED], counts[VECTOR]
    print(f"{len(drawings)} drawings, {inkscape} of them by Inkscape: {printed} print, {vector} as vector")  # noqa: T201
    return 0 if printed >= 0.98 * len(drawings) and vector >= 0.85 * len(drawings) else 1


if __name__ == "__main__":
    sys.exit(main())
