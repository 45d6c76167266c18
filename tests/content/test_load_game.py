"""Good content: what a game is read as, and that every field remembers its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duckpress.content import load_game
from duckpress.core.problems import Level, Read, Source
from duckpress.core.sizes import FORMATS
from duckpress.model import Language
from running import MakeWorkspace

GOOD = {
    f"content/pond/{path.relative_to(Path(__file__).parent / 'good').as_posix()}": path.read_bytes()
    for path in (Path(__file__).parent / "good").rglob("*")
    if path.is_file()
}
HEAD = "title: Cards\nsize: poker\nfront: card\n"


def test_a_game_that_is_lost_without_a_word_is_told(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duckpress.content.loading.read_game_file", lambda *_: Read(None))
    (problem,) = load_game(make_workspace(GOOD), "pond")[1]
    assert (problem.code, problem.level) == ("nothing-to-print", Level.ERROR)


def test_files_that_are_passed_over_for_their_names_are_told(make_workspace: MakeWorkspace) -> None:
    names = {
        "decks/x.YAML": "rename it as x.yaml", "decks/x.yaml.txt": "rename it as x.yaml",
        "boards/y.xls": "save it as y.xlsx",
        "decks/z.CSV": "rename it as z.csv", "lang/fr.yml": "rename it as fr.yaml",
        "theme.yml": "rename it as theme.yaml",
        "RULES.MD": "rename it as RULES.md", "layouts/card.XML": "rename it as card.xml",
        "releases/0.1.lock.json": "rename it as 0.1.lock", "decks/README.md": "", "decks/.x.YAML": "", "notes.txt": "",
        "decks/more/a.yaml": "move them into content/pond/decks",
    }  # fmt: skip
    workspace = make_workspace(GOOD | {f"content/pond/{name}": "x: y" for name in names})
    game, problems = load_game(workspace, "pond")
    assert game is not None
    assert {(one.code, one.level) for one in problems} == {("not-read", Level.WARNING)}
    told = {one.source.file.removeprefix("content/pond/"): one.fix.partition(",")[0] for one in problems}
    expected = {name.replace("more/a.yaml", "more"): fix for name, fix in names.items() if fix}
    assert told == expected


def test_a_game_file_with_other_capitals_is_to_be_renamed(make_workspace: MakeWorkspace) -> None:
    game, problems = load_game(make_workspace({"content/pond/GAME.YAML": "title: x"}), "pond")
    assert game is None
    assert [(one.code, one.fix) for one in problems if one.level is Level.ERROR] == [
        ("missing-file", "rename GAME.YAML to game.yaml")
    ]


def test_a_game_is_read_whole(make_workspace: MakeWorkspace) -> None:
    game, problems = load_game(make_workspace(GOOD), "pond")
    assert not problems
    assert game is not None
    assert (game.id, game.title, game.version, game.designer) == ("pond", "Pond", "0.3", "A. Designer")
    assert game.players == (2, 3, 4)
    assert game.languages == (Language("en", Source("content/pond/game.yaml", 5, 13)),)
    assert game.facts == {"hand size": 4, "motto": "no hurry"}
    assert game.lists["species"]["teal"] == {"id": "teal", "name": "Teal", "value": 3, "rare": True}
    assert game.lists["places"] == {"shore": {"id": "shore"}, "reeds": {"id": "reeds"}}
    assert [(piece.id, piece.decks) for piece in game.pieces] == [("cards", ("cards",)), ("ponds", ("ponds",))]
    assert (game.pieces[0].theme, game.accepted[0].players, game.folder) == ("base", 2, "content/pond")
    own = game.decks["ponds"].size
    assert (game.decks["cards"].size, own.name, own.trim) == (FORMATS["poker"], "70x120mm", (70.0, 120.0))
    assert not game.decks["ponds"].is_component
    file = "content/pond/decks/cards.yaml"
    heron = game.decks["cards"].cards[0]
    assert heron.source == heron.at("id") == heron.at("tint") == Source(file, 16, 10)  # its tint is not written
    assert [heron.at(name).column for name in ("copies", "title")] == [25, 35]
    assert game.decks["cards"].at("size") == Source(file, 2, 7)
    assert game.decks["cards"].fields["speed"].source == Source(file, 8, 3)
    assert game.at("players") == Source("content/pond/game.yaml", 4, 10)


def codes(make_workspace: MakeWorkspace, files: Mapping[str, str | bytes]) -> list[tuple[str, str]]:
    _, problems = load_game(make_workspace(GOOD | files), "pond")
    return [(problem.code, problem.source.file.removeprefix("content/pond/")) for problem in problems]


def test_files_in_the_way_are_named(make_workspace: MakeWorkspace) -> None:
    card = HEAD + "cards: [{id: a}]\n"
    files = {
        "content/pond/boards/cards.yaml": card,
        "content/pond/decks/Big Cards.yaml": card,
        "content/pond/decks/more.yml": card,
        "content/pond/decks/left.csv": "id\na\n",
    }
    assert codes(make_workspace, files) == [
        ("table-not-used", "decks/left.csv"),  # a warning, and errors come after those
        ("duplicate-id", "boards/cards.yaml"),
        ("bad-id", "decks/Big Cards.yaml"),
        ("bad-name", "decks/more.yml"),
    ]


@pytest.mark.parametrize("words", ['<card of="more/a"/>', "{{ fig.fan(['more'] * 3, 1, 2, 3) }}"])
def test_a_deck_that_a_layout_places_need_not_be_printed(make_workspace: MakeWorkspace, words: str) -> None:
    files = {"content/pond/decks/more.yaml": HEAD + "cards: [{id: a}]\n", "content/pond/layouts/table.xml": words}
    assert codes(make_workspace, files) == []
    files["content/pond/layouts/table.xml"] = "<text>more</text>"
    game, (problem,) = load_game(make_workspace(GOOD | files), "pond")
    assert game is not None
    assert (problem.code, problem.level) == ("deck-not-printed", Level.WARNING)
    assert problem.source.file == "content/pond/decks/more.yaml"


def test_mistakes_of_all_files_come_at_once(make_workspace: MakeWorkspace) -> None:
    files = {
        "content/pond/game.yaml": GOOD["content/pond/game.yaml"].replace(b"title: Pond", b"titel: Pond", 1),
        "content/pond/boards/ponds.yaml": "title: 'Ponds\n",
        "content/pond/decks/cards.yaml": HEAD + "fields: {n: whole}\ncards: [{id: a, n: x}, {id: b, n: 2, m: 3}]\n",
    }
    assert codes(make_workspace, files) == [
        ("yaml-syntax", "boards/ponds.yaml"),
        ("wrong-type", "decks/cards.yaml"),
        ("unknown-key", "decks/cards.yaml"),
        ("unknown-key", "game.yaml"),
    ]
    files = {"content/pond/game.yaml": "title: 'Pond\n", "content/pond/decks/cards.yaml": "a: [\n"}
    assert codes(make_workspace, files) == [("yaml-syntax", "decks/cards.yaml"), ("yaml-syntax", "game.yaml")]
