"""What the page of a game shows of changes: since a release, since a revision of git, in its language and ink."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from held_pond import Pond, needs_git
from kit.page_game import ducks
from running import MakeWorkspace

CARDS = (
    "{id: teal, name: Teal, copies: 2, text: Draw one card.}, {id: eider, name: Eider, text: Pass.}, "
    "{id: smew, name: Smew, text: Swim.}"
)
PIECES = "{id: cards, title: Cards, decks: [duck]}, {id: eggs, title: Eggs, decks: [egg]}"
FACE = '<face><text x="4" y="4" width="36" height="50">{{ card.name }}: {{ card.text }}</text></face>'
POND = {
    **ducks(CARDS, "name: text, text: text", PIECES, "en, fr"),
    "decks/egg.yaml": "title: Eggs\nsize: mini\nfront: egg\ncards: [{id: egg, copies: 3}]\n",
    "layouts/duck.xml": FACE,
    "layouts/egg.xml": '<face><ground fill="#204060"/></face>',
    "rules.md": "# Pond\n\nTurn up three ducks.\n\nThe rest waits.\n",
    "setup.yaml": "setup:\n  - pile: draw\n    take: {duck: all}\n",
    "lang/fr.yaml": "decks: {duck: {cards: {teal: {name: Sarcelle, text: Piochez une carte.}}}}\n",
}


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Pond:
    return Pond(make_workspace({f"content/pond/{name}": text for name, text in POND.items()}))


def tweak(pond: Pond) -> None:
    """Change a text, another text and its copies; take one card out and put one in."""
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.edit(
        "decks/duck.yaml",
        ("Draw one card.", "Draw two cards."), ("{id: eider, name: Eider,", "{id: eider, name: Eider, copies: 3,"),
        ("{id: smew, name: Smew", "{id: scaup, name: Scaup"),
    )  # fmt: skip


def preview(pond: Pond, *words: str, status: int = 0) -> Any:
    """Make the page, and return what it is told of changes."""
    pond.done("preview", "pond", "--dpi", "40", *words, status=status)
    return pond.page_data("changes")


def by_key(data: Mapping[str, Any]) -> dict[str, Any]:
    assert data["told"] == ""
    return {row["key"]: row for row in data["cards"]}


def test_without_a_release_there_is_nothing_to_compare_with(pond: Pond) -> None:
    pond.done("preview", "pond", "--dpi", "40")
    assert not (pond.output / "preview/data/changes.js").exists()
    assert "changes" not in pond.page_data("game")["data"]


def test_since_the_newest_release_words_and_numbers_are_known_and_old_faces_are_told_by_name(pond: Pond) -> None:
    pond.release()
    tweak(pond)
    pond.edit("rules.md", ("three ducks", "four ducks"))
    data = preview(pond)
    assert (data["since"], data["versions"]) == ("0.1", ["0.1"])
    rows = by_key(data)
    assert {key: row["kind"] for key, row in rows.items()} == {
        "duck/teal": "", "duck/eider": "", "duck/scaup": "new", "duck/smew": "gone",
    }  # fmt: skip
    assert rows["duck/teal"]["fields"] == [{"label": "text", "was": "Draw one card.", "now": "Draw two cards."}]
    assert (rows["duck/teal"]["before"], rows["duck/teal"]["words"]) == (None, "Teal D1")
    assert (rows["duck/eider"]["copies"], rows["duck/eider"]["fields"]) == ([1, 3], [])
    now = {card["id"]: card["front"] for card in pond.page_data("cards")["decks"][0]["cards"]}
    assert rows["duck/eider"]["before"]["front"] == now["eider"], "it looks as it did"
    assert data["lines"] == ["Ducks: 6 instead of 4 with 2, 3 players", "draw: 6 instead of 4 with 2, 3 players"]
    assert data["rules"] == [["Turn up three ducks.", "Turn up four ducks."]]


@needs_git
def test_faces_of_then_are_kept_apart_from_those_of_now(
    pond: Pond, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("DUCKPRESS_CACHE", str(cache))
    pond.commit()
    tweak(pond)
    first = preview(pond, "--since", "HEAD")
    kept = {path.name: path.read_bytes() for path in cache.iterdir() if path.name.startswith("faces-")}
    assert len(kept) == 6, "two pieces: now, then, and now in the other language"
    assert preview(pond, "--since", "HEAD") == first
    pond.done("preview", "pond", "--dpi", "40")
    assert {path.name: path.read_bytes() for path in cache.iterdir() if path.name.startswith("faces-")} == kept


@needs_git
def test_since_a_revision_that_was_no_release_and_has_an_error(pond: Pond) -> None:
    pond.edit("decks/duck.yaml", ("text: Swim.}", "text: 'Swim {fast.'}"))
    pond.commit()
    pond.edit("decks/duck.yaml", ("text: 'Swim {fast.'}", "text: Swim.}"))
    tweak(pond)
    pond.edit("layouts/back.xml", ("#808080", "#206040"))
    rows = by_key(preview(pond, "--since", "HEAD"))
    assert preview(pond, "--since", "HEAD")["since"] == "HEAD"
    assert (rows["duck/teal"]["sides"], rows["duck/eider"]["sides"]) == (["front", "back"], ["back"])
    assert (rows["duck/smew"]["kind"], rows["duck/scaup"]["kind"]) == ("gone", "new")
    assert "egg/egg" not in rows


@needs_git
def test_a_card_that_only_looks_different_and_one_that_cannot_be_drawn(pond: Pond) -> None:
    pond.commit()
    pond.edit("layouts/egg.xml", ("#204060", "#406020"))
    pond.edit("decks/duck.yaml", ("text: Pass.}", "text: Pass on.}"))
    pond.edit("layouts/duck.xml", ("card.text", "card.text if card.id != 'eider' else card.wing"))
    rows = by_key(preview(pond, "--since", "HEAD", status=1))
    assert {key: row["kind"] for key, row in rows.items()} == {"egg/egg": "looks", "duck/eider": ""}
    cards = pond.page_data("cards")["decks"][0]["cards"]
    assert [card["front"] is None for card in cards] == [False, True, False]
    assert rows["duck/eider"]["fields"][0]["was"] == "Pass."
    assert by_key(preview(pond, "--since", "HEAD", "--piece", "eggs")).keys() == {"egg/egg"}


def test_in_another_ink_looks_are_compared_in_that_of_the_release(pond: Pond) -> None:
    pond.release()
    assert not preview(pond, "--ink", "grey")["cards"]
    pond.edit("layouts/egg.xml", ("#204060", "#406020"))
    assert by_key(preview(pond, "--ink", "grey")).keys() == {"egg/egg"}


def test_in_another_language_that_language_is_compared(pond: Pond) -> None:
    pond.release()
    pond.edit("lang/fr.yaml", ("une carte", "deux cartes"))
    assert not preview(pond)["cards"]
    rows = by_key(preview(pond, "--lang", "fr"))
    assert rows.keys() == {"duck/teal"}
    assert rows["duck/teal"]["fields"] == [
        {"label": "texte", "was": "Piochez une carte.", "now": "Piochez deux cartes."}
    ]


def test_a_version_without_the_language_of_the_page_says_so(pond: Pond) -> None:
    pond.edit("game.yaml", ("[en, fr]", "[en]"))
    pond.release()
    pond.edit("game.yaml", ("[en]", "[en, fr]"))
    data = preview(pond, "--lang", "fr")
    assert "no cards in 'fr'" in data["told"]
    assert data["cards"] == []


def test_a_file_is_called_by_its_version_and_not_by_its_folder(pond: Pond) -> None:
    pond.release()
    lock = pond.root / "mine" / "held.lock"
    lock.parent.mkdir()
    lock.write_bytes((pond.root / "content/pond/releases/0.1.lock").read_bytes())
    tweak(pond)
    data = preview(pond, "--since", str(lock))
    assert (data["since"], data["versions"]) == ("0.1 (held.lock)", ["0.1 (held.lock)"])
    assert "duck/teal" in by_key(data)
    lock.write_text(lock.read_text().replace('"game": "pond"', '"game": "lake"'))
    assert "0.1 of lake, and no version of pond" in pond.done("preview", "pond", "--since", str(lock), status=2)
    lock.write_text("{")
    assert "no lock file that can be read" in pond.done("preview", "pond", "--since", str(lock), status=2)


def test_what_names_no_version_is_told_before_anything_is_written(pond: Pond) -> None:
    pond.release()
    said = pond.done("preview", "pond", "--since", "0.3", status=2)
    assert "--since: '0.3' is no release of pond (there are: 0.1), no file, and no revision of version control" in said
    assert not (pond.root / "output").exists()
