"""An optional number that is left empty is none: it prints nothing, sums pass it over, nothing computes with it."""

from __future__ import annotations

import pytest

from duckpress.content import load_game
from duckpress.core.problems import Problem, Source
from duckpress.model import Deck
from workshop import GAME, TEMPLATE, MakeWorkspace, Trial, lay_out

DECK = """\
title: Cards
size: {width: 60mm, height: 80mm}
front: front
fields: {title: text, cost: {kind: whole, optional: yes}, mass: {kind: number, optional: yes},
  old: {kind: whole, default: 0}}
cards: %s
"""
YAML = "[{id: heron, title: Heron, cost: , mass: ''}, {id: ruff, title: Ruff, cost: 0, mass: 2.5, old: 3}]"
TABLE = "id,title,cost,mass,old\nheron,Heron,,,\nruff,Ruff,0,2.5,3\n"
WAYS = {"yaml": (YAML, {}), "csv": ("cards.csv", {"content/trial/decks/cards.csv": TABLE})}
SHOWN = (
    "<text decoration='yes'>({{ card.cost }}|{{ card.mass }}|{{ card.old }}|{{ card.cost is none }}"
    "|{{ card.cost|number }}|{{ card.cost|string }}|{{ t('x{n}', n=card.cost) }}|{=cost}"
    "|{{ decks.cards.cards|sum(attribute='mass') }}|{{ [card.cost, 4]|sum }})</text>"
)


def laid_out(make: MakeWorkspace, template: str, way: str = "yaml") -> Trial:
    cards, files = WAYS[way]
    return lay_out(make, template, files={"content/trial/decks/cards.yaml": DECK % cards, **files})


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_number_prints_nothing_and_sums_pass_it_over(make_workspace: MakeWorkspace, way: str) -> None:
    trial = laid_out(make_workspace, SHOWN, way)
    assert trial.problems == []
    texts = ["".join(item.text for item in face.front.items) for face in trial.laid_out.faces]  # type: ignore[union-attr]
    assert texts == ["(||0|yes|||x||2.5|4)", "(0|2.5|3|no|0|0|x0|0|2.5|4)"]


def loaded(make: MakeWorkspace, cards: str) -> tuple[Deck, list[Problem]]:
    files = {"game.yaml": GAME.format(theme="base"), "decks/cards.yaml": DECK % cards}
    game, problems = load_game(make({f"content/trial/{path}": text for path, text in files.items()}), "trial")
    assert game is not None
    return game.decks["cards"], problems


COMPUTED = [
    *("card.cost + 1", "1 - card.cost", "2 * card.cost", "card.cost / 2", "card.cost ** 2", "card.cost % 2"),
    *("-card.cost", "card.cost > 2", "card.cost <= top", "card.cost is odd", "card.cost|int", "card.cost|round"),
    *("[card.cost, 1]|max", "[1, card.cost]|sort|join", "decks.cards.cards|groupby('cost')|length", "range(card.cost)"),
]


@pytest.mark.parametrize("expression", COMPUTED)
def test_nothing_computes_with_an_empty_number(make_workspace: MakeWorkspace, expression: str) -> None:
    template = f"<face>\n{{% set top = 1 %}}\n<text decoration='yes'>{{{{ {expression} }}}}</text></face>"
    problem = laid_out(make_workspace, template).problems[0]
    assert (problem.code, problem.source) == ("template-failed", Source(TEMPLATE, 3))
    assert "an empty value can be neither calculated with nor compared: 'cost' of card 'heron'" in problem.what
    assert "'default: 0'" in problem.fix


def test_a_wrong_number_is_one_mistake(make_workspace: MakeWorkspace) -> None:
    deck, problems = loaded(make_workspace, "[{id: heron, title: Heron, cost: two}]")
    assert [problem.code for problem in problems] == ["wrong-type"]
    assert deck.cards[0].values["cost"] == 0  # a draft computes with it
