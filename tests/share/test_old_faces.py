"""Faces of a version that is gone: found by a tag, by the revision that its lock came in with, or told by name."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from duckpress.press.reading import load
from duckpress.press.releases.lock import CardKey
from duckpress.share.releasing import changes_since
from duckpress.share.revisions import LaidOutFace, OldDecks, faces_of, old_faces
from duckpress.text.fonts import FontLibrary

POND = {
    "content/pond/game.yaml": 'title: Pond\nversion: "0.1"\ndesigner: Nobody\nplayers: 2\ntheme: base\n'
    "pieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {text: text}\n"
    "cards: [{id: teal, copies: 2, text: Draw one.}, {id: eider, copies: 1, text: Pass.}]\n",
    "content/pond/layouts/duck.xml": '<face><ground fill="paper"/>'
    '<text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>',
}
TEAL = ("duck", "teal")

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def pond(make_workspace: Callable[[Mapping[str, str]], Workspace]) -> Workspace:
    return make_workspace(POND)


def git(workspace: Workspace, *words: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    subprocess.run(["git", "-C", str(workspace.root), *who, *words], check=True, capture_output=True)


def run(workspace: Workspace, *words: str) -> str:
    done = CliRunner().invoke(main, ["--workspace", str(workspace.root), *words])
    assert done.exit_code == 0, done.output
    return done.output


def tweak(workspace: Workspace) -> None:
    for name, old, new in (("game", "0.1", "0.2"), ("decks/duck", "Draw one.", "Draw two.")):
        path = workspace.root / "content" / "pond" / f"{name}.yaml"
        path.write_text(path.read_text().replace(old, new))


def found(workspace: Workspace) -> dict[CardKey, LaidOutFace]:
    changes = changes_since(workspace, load(workspace, "pond"), None).changes
    assert changes is not None
    pieces = old_faces(workspace, OldDecks(changes.old, "en", "color", None, {"duck"}), FontLibrary(workspace), None)
    faces = faces_of(pieces)
    assert not faces or faces[TEAL][1].bare == changes.old.cards[TEAL].faces["en"][0]
    return faces


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_they_come_from_where_the_lock_came_in(pond: Workspace, tmp_path: Path) -> None:
    git(pond, "init", "-q")
    run(pond, "release", "pond")
    git(pond, "add", ".")
    git(pond, "commit", "-qm", "release 0.1")
    tweak(pond)
    git(pond, "commit", "-qam", "a tweak")
    assert TEAL in found(pond)
    said = run(pond, "changes", "pond", "--picture", str(tmp_path / "changes.pdf"))
    assert f"picture: {tmp_path / 'changes.pdf'}" in said
    words = words_of(tmp_path / "changes.pdf")
    assert "told by their names" not in words
    assert (words.count("Draw one."), words.count("Draw [one.]")) == (1, 1)  # on the old card, and in words


def test_a_tag_counts_without_a_lock_under_version_control(pond: Workspace) -> None:
    git(pond, "init", "-q")
    git(pond, "add", ".")
    git(pond, "commit", "-qm", "first")
    git(pond, "tag", "pond-0.1")
    run(pond, "release", "pond")
    tweak(pond)
    assert TEAL in found(pond)


def test_without_them_the_page_says_so(pond: Workspace, tmp_path: Path) -> None:
    run(pond, "release", "pond")
    tweak(pond)
    assert not found(pond)
    run(pond, "changes", "pond", "--picture", str(tmp_path / "changes.pdf"))
    words = words_of(tmp_path / "changes.pdf")
    assert "The old cards are told by their names" in words
    assert (words.count("Draw one."), words.count("Draw [one.]")) == (1, 1)  # in its place, and in words
