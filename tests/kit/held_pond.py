"""A small game that is released, handed out and changed: its files, and the commands that a designer runs on it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from click.testing import Result

from duckpress.files.workspace import Workspace
from running import run, run_json, taken, write_files

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
GAME = (
    'title: Pond\nversion: "0.1"\ndesigner: Nobody\nplayers: 2\ntheme: base\n'
    "pieces: [{id: cards, title: Cards, decks: [duck]}]\n"
)
DECK = (
    "title: Ducks\nsize: mini\nfront: duck\nfields: {text: text}\n"
    "cards: [{id: teal, copies: 4, text: One.}, {id: smew, copies: 2, text: Two.}]\n"
)
LAYOUT = '<face><ground fill="paper"/><text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>'


def pond_files(head: str = "", **files: str) -> dict[str, str]:
    """Return the files of the game: lines of `game.yaml` before its pieces, and others by name (`rules_md`)."""
    own = {"game.yaml": GAME.replace("pieces:", f"{head}pieces:"), "decks/duck.yaml": DECK, "layouts/duck.xml": LAYOUT}
    own |= {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    return {f"content/pond/{name}": text for name, text in own.items()}


_LOCKS: dict[tuple[tuple[str, bytes], ...], tuple[str, bytes]] = {}


class Pond:
    """The game's folder, the commands run on it, and what is changed in it."""

    def __init__(self, place: Workspace | Path, files: dict[str, str] | None = None) -> None:
        self.root = write_files(place, files or {}) if isinstance(place, Path) else place.root
        self.workspace = place if isinstance(place, Workspace) else Workspace(place)
        self.folder = self.root / "content" / "pond"
        self.output = self.root / "output" / "pond"

    def run(self, *words: str, status: int | None = None) -> Result:
        """Run a command, and return how it ended."""
        return run(self.root, *words, status=status)

    def done(self, *words: str, status: int = 0) -> str:
        """Run a command that has to end so, and return what it said."""
        return self.run(*words, status=status).output

    def data(self, *words: str) -> Any:
        """Run a command, and return what it said as JSON."""
        return run_json(self.root, *words)

    def release(self) -> None:
        """Release the game; what this process has released with the same files gets the same lock without the work."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        files = tuple((str(path.relative_to(self.folder)), path.read_bytes()) for path in paths)
        if files not in _LOCKS:
            self.done("release", "pond")
            (path,) = set((self.folder / "releases").glob("*.lock")) - set(paths)
            _LOCKS[files] = (path.name, path.read_bytes())
        name, data = _LOCKS[files]
        write_files(self.folder, {f"releases/{name}": data})

    def edit(self, file: str, *pairs: tuple[str, str]) -> None:
        """Replace words of a file that stand in it once."""
        path = self.folder / file
        text = path.read_text("utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path.write_text(text, "utf-8")

    def page_data(self, name: str) -> Any:
        """Return what a script of the game's page hands to it."""
        return taken(self.output / "preview", name)

    def git(self, *words: str) -> None:
        """Run git as somebody."""
        who = ("-c", "user.name=n", "-c", "user.email=n@example.org")
        subprocess.run(["git", "-C", str(self.root), *who, *words], check=True, capture_output=True)

    def commit(self, tag: str = "") -> None:
        """Put all content under version control."""
        for words in ("init -q", "add content", "commit -qm now", f"tag {tag}" if tag else ""):
            if words:
                self.git(*words.split())


def words_of(file: Path | bytes) -> str:
    """Return the words of a PDF on one line."""
    with pypdfium2.PdfDocument(file) as document:
        return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in document).split())
