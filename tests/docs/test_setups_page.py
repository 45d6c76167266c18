"""docs/setups.md: each recipe is clean, deals what its table says, leaves no doubt, and finds the mistake it names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from pages import DOCS

from duckpress.check import check_game, deal_cards
from duckpress.check.mutation_check import unnoticed_changes
from duckpress.check.setup.combinations import ways_to_play
from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from running import MakeWorkspace, run

PAGE = DOCS / "setups.md"
INDEX, *_PARTS = re.split(r"(?m)^## ", PAGE.read_text("utf-8"))
RECIPES = {part.partition("\n")[0]: part for part in _PARTS}


def recipe(name: str) -> SimpleNamespace:
    """Return a recipe: its files as they are written there, what is dealt, and the mistake: what is made into what."""
    text = RECIPES[name]
    (components,) = re.findall(r"(?ms)^```yaml components\n(.*?)^```$", text)
    (setup,) = re.findall(r"(?ms)^```yaml setup.yaml\n(.*?)^```$", text)
    table = [[cell.strip() for cell in line[1:-1].split("|")] for line in re.findall(r"(?m)^\|.*$", text)]
    ((old, new),) = re.findall(r"(?m)^Make `([^`]+)` into `([^`]+)`", text)
    del table[1]
    return SimpleNamespace(components=components, setup=setup, table=table, mistake=(old, new))


def files_of(components: str, setup: str) -> dict[str, str | bytes]:
    """Return the files of the game of a recipe: what a page need not show is the same for all."""
    data: dict[str, Any] = yaml.safe_load(components)
    game = {"title": "Pond", "version": "0.1", "designer": "A. Nonymous", "languages": ["en"]}
    game |= {key: data.pop(key) for key in ("players", "facts", "lists") if key in data}
    files: dict[str, str | bytes] = {
        "content/pond/setup.yaml": setup,
        "content/pond/theme.yaml": "extends: base\n",
        "content/pond/layouts/plain.xml": "<face>\n  <ground/>\n</face>\n",
    }
    for name, deck in data.items():
        if isinstance(deck, int):
            deck = {name: deck}  # so many cards, all alike
        if "cards" not in deck:
            deck = {"cards": [{"id": id_, "copies": copies} for id_, copies in deck.items()]}  # kinds, and their copies
        files[f"content/pond/decks/{name}.yaml"] = written(title=name, size="mini", front="plain", **deck)
    pieces = [{"id": "parts", "title": "Parts", "decks": list(data)}]
    return {**files, "content/pond/game.yaml": written(**game, pieces=pieces)}


def written(**keys: Any) -> str:
    return yaml.safe_dump(keys, sort_keys=False, width=1000)


def game_of(workspace: Workspace) -> Game:
    game, problems = load_game(workspace, "pond")
    assert game is not None
    assert not problems, "\n".join(map(str, problems))
    return game


def printed(workspace: Workspace, text: str) -> str:
    """Return a part of the page with what its commands print now."""
    blocks = re.split(r"(?ms)^(```console\n.*?^```\n)", text)
    for at in range(1, len(blocks), 2):
        command = blocks[at].splitlines()[1].removeprefix("$ duckpress ")
        said = run(workspace, *shlex.split(command), columns=120).output.replace(f"{workspace.root}/", "")
        blocks[at] = f"```console\n$ duckpress {command}\n{said}```\n"
    return "".join(blocks)


def dealt(game: Game, players: int, way: str | None) -> dict[str, str]:
    """Return how many cards a deal puts to each place, removes and leaves: `4`, or `3 each` where there are several."""
    deal = deal_cards(game, players, "a deal", way)
    assert not isinstance(deal, tuple), deal
    sizes: dict[str, list[int]] = {}
    several = {holding.place for holding in deal.places if holding.each.value}
    for before, holdings in (("", deal.places), ("removed from ", deal.removed), ("left of ", deal.left)):
        for holding in holdings:
            sizes.setdefault(before + holding.place, []).append(len(holding.cards))
    said = {}
    for name, counts in sizes.items():
        least, most = min(counts), max(counts)
        number = str(least) if least == most else f"{least}-{most}"
        said[name] = f"{number} each" if name.split(" from ")[-1] in several else number
    return said


def rows(table: list[list[str]]) -> Iterator[tuple[int, str | None, dict[str, str]]]:
    """Yield the lines of a table: player count, way to play, and what is dealt; an empty cell is no such place."""
    for first, *cells in table[1:]:
        players, _, way = first.partition(" with ")
        least, _, most = players.partition("-")
        for count in range(int(least), int(most or least) + 1):
            yield (
                count,
                way.replace(", ", ",") or None,
                {name: cell for name, cell in zip(table[0][1:], cells, strict=True) if cell},
            )


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_clean_and_leaves_no_doubt(name: str, make_workspace: MakeWorkspace) -> None:
    told = recipe(name)
    game = game_of(make_workspace(files_of(told.components, told.setup)))
    assert not (found := check_game(game)), "\n".join(map(str, found))
    assert not (left := unnoticed_changes(game)), "\n".join(map(str, left))


@pytest.mark.parametrize("name", RECIPES)
def test_every_deal_of_a_recipe_has_the_numbers_of_its_table(name: str, make_workspace: MakeWorkspace) -> None:
    told = recipe(name)
    game = game_of(make_workspace(files_of(told.components, told.setup)))
    assert game.setup is not None
    lines = list(rows(told.table))
    assert [(players, way, dealt(game, players, way)) for players, way, _ in lines] == lines
    # Each player count has a line, and each variant or module at least one.
    ways = {(players, way) for players, way, _ in lines}
    bases = {(players, None) for players in game.players if None in ways_to_play(game.setup, players)}
    assert bases <= ways
    assert set(game.setup.all_variants) <= {part for _, way in ways for part in (way or "").split(",")}


@pytest.mark.sweep(7)
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_shows_what_the_program_prints(
    name: str, make_workspace: MakeWorkspace, request: pytest.FixtureRequest
) -> None:
    """What it prints of the game as it is, and then of the game with the mistake; `--update-golden` writes it anew."""
    told = recipe(name)
    old, new = told.mistake
    assert (told.components + told.setup).count(old) == 1, f"{old!r} has to stand there once"
    fine = files_of(told.components, told.setup)
    wrong = files_of(*(text.replace(old, new) for text in (told.components, told.setup)))
    before, mistake, after = re.split(r"(?m)^(Make .*)", RECIPES[name])
    now = printed(make_workspace(fine), before) + mistake + printed(make_workspace(wrong), after)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(PAGE.read_text("utf-8").replace(RECIPES[name], now), "utf-8")
    else:
        assert now == RECIPES[name]
    assert ": no problems" not in now.partition(mistake)[2]


def test_other_pages_lead_to_the_recipes() -> None:
    for page in ("docs/checks.md", "docs/tutorial.md", "README.md"):
        assert "setups.md" in (DOCS.parent / page).read_text(encoding="utf-8"), page
    for name in RECIPES:
        anchor = re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")
        assert f"](#{anchor})" in INDEX, name
