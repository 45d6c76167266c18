"""Cards in other languages and inks beside those of a written page: made only when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import running
from duckpress.files.workspace import Workspace
from kit.page_game import ducks
from running import MakeWorkspace, taken

POND = {
    **ducks("{id: teal, name: Teal}, {id: bittern, name: Bittern}", languages="en, fr"),
    "layouts/back.xml": '<face><ground fill="#602040"/></face>',
    "lang/fr.yaml": "decks: {duck: {cards: {teal: {name: Sarcelle}}}}\n",
}


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({f"content/pond/{name}": text for name, text in POND.items()})


def preview(workspace: Workspace, *words: str, status: int = 0) -> Path:
    running.run(workspace, "preview", "pond", "--dpi", "40", *words, status=status)
    return workspace.root / "output/pond/preview"


def test_nothing_is_made_that_was_not_asked_for(pond: Workspace) -> None:
    folder = preview(pond)
    assert not (folder / "data/beside.js").exists()
    assert taken(folder, "game")["beside"] == []
    assert len(list((folder / "pictures").iterdir())) == 3


def test_other_languages_and_inks_are_shown_beside(pond: Workspace) -> None:
    folder = preview(pond, "--lang", "all", "--ink", "color,grey,low")
    assert taken(folder, "game")["beside"] == ["lang=fr", "ink=grey", "ink=low"]
    now = {card["anchor"]: [card["front"], card["back"]] for card in taken(folder, "cards")["decks"][0]["cards"]}
    beside = taken(folder, "beside")["cards"]
    assert beside.keys() == now.keys()
    teal, bittern = beside["cards-duck-teal"], beside["cards-duck-bittern"]
    assert teal["lang=fr"][0] != now["cards-duck-teal"][0]
    assert teal["lang=fr"][1] == now["cards-duck-teal"][1]
    assert bittern["lang=fr"] == now["cards-duck-bittern"], "the same face is the same picture"
    assert teal["ink=grey"][1] != now["cards-duck-teal"][1]
    assert all((folder / name).exists() for card in beside.values() for pair in card.values() for name in pair)


def test_the_page_may_be_in_another_language_and_ink(pond: Workspace) -> None:
    folder = preview(pond, "--lang", "fr", "--ink", "grey,color")
    assert taken(folder, "game")["beside"] == ["ink=color"]
    assert taken(folder, "game")["language"] == "fr"


def test_a_card_that_cannot_be_drawn_in_a_language_is_left_out(pond: Workspace) -> None:
    path = pond.root / "content/pond/layouts/duck.xml"
    path.write_text(POND["layouts/duck.xml"].replace("card.name", "card.name[7] if card.name[:3] == 'Sar'"))
    beside = taken(preview(pond, "--lang", "all"), "beside")["cards"]
    assert beside["cards-duck-teal"]["lang=fr"]
    path.write_text(path.read_text().replace("card.name[7]", "card.wing"))
    beside = taken(preview(pond, "--lang", "all", status=1), "beside")["cards"]
    assert (beside["cards-duck-teal"], list(beside["cards-duck-bittern"])) == ({}, ["lang=fr"])


def test_a_served_page_makes_them_by_itself(pond: Workspace) -> None:
    for words in (("--lang", "all"), ("--ink", "color,low")):
        assert "side by side" in running.run(pond, "preview", "pond", "--live", *words, status=2).output
