"""Small games for the rules' tests: decks written in Python, `setup.yaml` as the text it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Problem, ProblemList, Source
from duckpress.model import Accepted, Card, Deck, Field, FieldKind, Game

SETUP = "content/small/setup.yaml"


KIND_OF: Mapping[type, FieldKind] = {
    int: FieldKind.WHOLE, float: FieldKind.NUMBER, bool: FieldKind.YES_NO, tuple: FieldKind.LIST,
}  # fmt: skip


def small_deck(id_: str, cards: int | Sequence[Mapping[str, Any]], *, per: str = "", component: bool = True) -> Deck:
    """Return a deck of so many equal cards, or of these: `id` and `copies` beside the fields."""
    if isinstance(cards, int):
        cards = [{"id": "card", "copies": cards}]
    path = f"content/small/decks/{id_}.yaml"
    made = []
    for line, card in enumerate(cards, 10):
        values = {name: value for name, value in card.items() if name not in ("id", "copies")}
        sources = {name: Source(path, line, 20) for name in values}
        card_id = card.get("id", f"card-{line - 9}")
        made.append(Card(card_id, id_, values, card.get("copies", 1), Source(path, line, 3), sources))
    names = dict.fromkeys(name for card in made for name in card.values)
    kinds = {
        name: next((type(card.values[name]) for card in made if card.values.get(name) is not None), str)
        for name in names
    }
    fields = {name: Field(name, KIND_OF.get(kinds[name], FieldKind.TEXT), Source(path, 5, 3)) for name in names}
    return Deck(
        id_, id_.title(), fields, tuple(made), "poker", "plain", None, per == "player", component, Source(path), {}
    )


def small_game(
    setup: str,
    *decks: Deck,
    players: Sequence[int] = (2, 3, 4),
    facts: Mapping[str, Any] | None = None,
    accepted: Sequence[Accepted] = (),
    **cards: int,
) -> Game:
    """Return a game with this setup and these decks; `duck=12` is a deck of twelve equal cards."""
    problems = ProblemList()
    node = problems.take(read_yaml(SETUP, setup.encode()))
    read = problems.take(read_setup(node)) if node is not None else None
    assert not problems, "\n".join(map(str, problems))
    every = [*decks, *(small_deck(name, count) for name, count in cards.items())]
    path = "content/small/game.yaml"
    return Game(
        id="small", title="Small", version="0.1", designer="Nobody", players=tuple(players), languages=(),
        decks={deck.id: deck for deck in every}, pieces=(), lists={}, facts=facts or {}, setup=read, notes=(),
        accepted=tuple(accepted), credits=(), about="", licence="", folder="content/small", source=Source(path),
        sources={"players": Source(path, 4, 10)},
    )  # fmt: skip


def said(problems: Sequence[Problem]) -> list[str]:
    """Return problems as `line:column code what`, for comparing at a glance."""
    return [f"{one.source.line}:{one.source.column} {one.code} {one.what}" for one in problems]


def told(problems: Sequence[Problem], *patterns: str) -> None:
    """Hold problems, each as `line:column code what | fix`, to a pattern for each: `*` stands for anything."""
    lines = [f"{line} | {problem.fix}" for line, problem in zip(said(problems), problems, strict=True)]
    assert len(lines) == len(patterns), lines
    for line, pattern in zip(lines, patterns, strict=True):
        assert fnmatchcase(line, pattern), line


def duck_deck() -> Deck:
    """Return twelve ducks: three species, as many drakes as hens, worth 1, 2 and 4."""
    worth = {"mallard": 1, "pintail": 2, "smew": 4}
    return small_deck(
        "duck",
        [
            {"id": f"{species}-{sex}", "copies": 2, "species": species, "sex": sex, "value": value}
            for species, value in worth.items()
            for sex in ("drake", "hen")
        ],
    )


def owned_deck(owners: int = 4) -> Deck:
    """Return five cards for each owner, of kinds a to e."""
    cards = [{"id": f"{kind}-{one}", "owner": one, "kind": kind} for one in range(1, owners + 1) for kind in "abcde"]
    return small_deck("blind", cards)
