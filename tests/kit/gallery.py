"""Drawings that nobody here made, as a game of a card for each: vector, pictures (with the reason why), or refused."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

_GAME = """{title: Gallery, version: "0.1", designer: Nobody, players: 2-4, theme: base,
  pieces: [{id: drawings, title: Drawings, decks: [drawing]}]}
"""
_DECK = "title: Drawings\nsize: poker\nfront: drawing\nfields: {picture: image}\ncards:\n"
_LAYOUT = """<face>
  <image href="{{ card.picture }}" x="6" y="6" width="{{ trim.width - 12 }}" height="{{ trim.height - 12 }}"/>
</face>
"""
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
