"""Faces of a version that is gone: found by a tag, by the revision that its lock came in with, or told by name."""

from __future__ import annotations

import pytest

from duckpress.press.reading import load
from duckpress.press.releases.lock import CardKey
from duckpress.share.releasing import changes_since
from duckpress.share.revisions import LaidOutFace, OldDecks, faces_of, old_faces
from duckpress.text.fonts import FontLibrary
from held_pond import Pond, needs_git, words_of

TEAL = ("duck", "teal")
pytestmark = needs_git


def tweak(pond: Pond) -> None:
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.edit("decks/duck.yaml", ("One.", "One more."))


def old_faces_of(pond: Pond) -> dict[CardKey, LaidOutFace]:
    workspace = pond.workspace
    changes = changes_since(workspace, load(workspace, "pond"), None).changes
    assert changes is not None
    pieces = old_faces(workspace, OldDecks(changes.old, "en", "color", None, {"duck"}), FontLibrary(workspace), None)
    faces = faces_of(pieces)
    assert not faces or faces[TEAL][1].bare == changes.old.cards[TEAL].faces["en"][0]
    return faces


def drawn(pond: Pond) -> str:
    """Return the words of the picture of changes."""
    path = pond.root / "changes.pdf"
    assert f"picture: {path}" in pond.done("changes", "pond", "--picture", str(path))
    return words_of(path)


def test_they_come_from_where_the_lock_came_in(pond: Pond) -> None:
    pond.release()
    pond.commit()
    tweak(pond)
    pond.git("commit", "-qam", "a tweak")
    assert TEAL in old_faces_of(pond)
    words = drawn(pond)
    assert "told by their names" not in words
    assert words.count("One. ") == 2  # on the old card, and in words


@pytest.mark.parametrize("tag", ["pond-0.1", "v0.1"])
def test_a_tag_counts_without_a_lock_under_version_control(pond: Pond, tag: str) -> None:
    pond.commit(tag)
    pond.release()
    tweak(pond)
    assert TEAL in old_faces_of(pond)
    pond.git("tag", "-d", tag)
    pond.git("commit", "-qam", "second")
    pond.git("tag", tag)
    assert not old_faces_of(pond), "it is the tag of another version"


def test_without_them_the_page_says_so_and_their_names_stand_in_their_places(pond: Pond) -> None:
    pond.release()
    tweak(pond)
    assert not old_faces_of(pond)
    words = drawn(pond)
    assert "The old cards are told by their names" in words
    assert words.count("One. D1") == 1
