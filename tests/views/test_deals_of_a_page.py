"""What lies on the dealing table of a page, whatever the setup says or leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.views.page.table_rows import dealt
from kit.french_pond import FILES, french

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


def piles(deal: dict[str, Any] | None) -> dict[tuple[str, str], int]:
    """Return how many cards lie in each place, by its name and what it is."""
    assert deal is not None
    return {(place["name"], place["what"]): len(place["cards"]) for place in deal["places"]}


def cards_of(deal: dict[str, Any] | None, place: int) -> tuple[str, ...]:
    assert deal is not None
    return tuple(deal["cards"][index] for index in deal["places"][place]["cards"])


def test_without_a_setup_every_deck_is_a_pile_on_the_table(make_workspace: MakeWorkspace) -> None:
    game, _ = load_game(
        make_workspace({name: text for name, text in FILES.items() if "setup" not in name and "lang" not in name}),
        "pond",
    )
    assert game is not None
    deal = dealt(game, 2, None, "1")
    assert piles(deal) == {("Birds", ""): 4, ("Events", ""): 2}
    assert Counter(cards_of(deal, 1)) == {"event/storm": 2}
    assert len({cards_of(dealt(game, 2, None, str(seed)), 0) for seed in range(9)}) > 1, "they are shuffled"


def test_a_deck_that_no_step_takes_lies_beside_and_places_have_their_titles(make_workspace: MakeWorkspace) -> None:
    files = {**FILES, "content/pond/setup.yaml": FILES["content/pond/setup.yaml"].partition("  - aside")[0]}
    files["content/pond/setup.yaml"] += "table:\n  draw: {title: Draw pile, short: Draw}\n"
    assert piles(dealt(french(make_workspace, files).game, 2, None, "1")) == {
        ("Pioche", ""): 4,
        ("Événements", "left"): 2,
    }
