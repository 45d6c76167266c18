"""Faults between the deck and the plan, put into the program: the build itself says whose face is not its card's own.

What is laid out wrongly is planned and drawn as it was laid out; only what each side says of its origin tells.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duckpress.files.workspace import Workspace
from duckpress.layout import digest_of_values
from duckpress.layout.faces import face_maker
from duckpress.layout.faces.face_maker import FaceMaker, OpenDeck
from duckpress.layout.faces.results import DeckGathered
from duckpress.layout.templates import card_values
from duckpress.model import Card, Deck
from duckpress.pool.process_pool import can_fork
from duckpress.press import typesetting
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from french_pond import FILES, MakeWorkspace

pytestmark = [
    pytest.mark.forks,
    pytest.mark.skipif(not can_fork(), reason="a worker begun afresh has the program without the fault"),
]

CODES = ("proof-card", "proof-copies")
Put = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def said(pond: Workspace, out: Path) -> list[str]:
    """Return what a build says of cards that are not as the deck has them."""
    built = build(pond, load(pond, "pond"), Request(papers=("a4",), pieces=("cards",)), out)
    said = [problem.what for problem in built.checked.problems if problem.code in CODES]
    assert not (said and built.files)
    return said


def otherwise(owner: object, name: str, change: Callable[[Any], Callable[..., Any]]) -> Put:
    """Return the fault that makes something of what stands there in the sound program."""
    sound = getattr(owner, name)
    return lambda patch: patch.setattr(owner, name, change(sound))


def opened(change: Callable[[OpenDeck], OpenDeck]) -> Put:
    return otherwise(FaceMaker, "go_to", lambda sound: lambda maker, *given: change(sound(maker, *given)))


def first_cards_values(**kept: str) -> Put:
    """Fill templates with the values of the first card of a deck, but for those `kept`."""

    def values(card: Card, deck: Deck) -> dict[str, Any]:
        own = card_values(card, deck)
        return card_values(deck.cards[0], deck) | {name: own[name] for name in kept}

    return lambda patch: patch.setattr(face_maker, "card_values", values)


BIRD, STORM, ALL = "card 'teal-drake' of deck 'bird':", "card 'storm' of deck 'event':", "(and 3 more like it)"
HEN, SMEW = "card 'teal-hen' of deck 'bird':", "card 'smew-hen' of deck 'bird':"
LOST = "0 are to be printed, and the deck has {}"
VALUES = "its front shows values that are not the card's own"
STALE = "its front is a face that was laid out for another text"
OTHER = "its {} is filled from the template '{}', not from '{}'"
FINDINGS: dict[str, tuple[Put, list[str]]] = {
    "fewer copies": (
        otherwise(
            typesetting,
            "_copies",
            lambda sound: lambda task: {key: max(1, count - 1) for key, count in sound(task).items()},
        ),
        [f"{STORM} 1 are to be printed, and the deck has 2"],
    ),
    "last card lost": (
        otherwise(DeckGathered, "faces", lambda sound: lambda deck, *given: sound(deck, *given)[:-1]),
        [f"{STORM} {LOST.format(2)}", f"{SMEW} {LOST.format(1)}"],
    ),
    "front of the back's template": (
        opened(lambda deck: deck._replace(front=deck.back)),
        [f"{STORM} {OTHER.format('front', 'back', 'event')}", f"{BIRD} {OTHER.format('front', 'back', 'bird')} {ALL}"],
    ),
    "back of the front's template": (
        opened(lambda deck: deck._replace(back=deck.front, shared_back=None)),
        [f"{STORM} {OTHER.format('back', 'event', 'back')}", f"{BIRD} {OTHER.format('back', 'bird', 'back')} {ALL}"],
    ),
    "first card's values": (
        first_cards_values(),
        [f"{HEN} its front is that of card 'teal-drake' of deck 'bird' (and 2 more like it)"],
    ),
    "first card's values by the own id": (first_cards_values(id=""), [f"{HEN} {VALUES} (and 2 more like it)"]),
    "sides of the neighbour": (
        otherwise(
            DeckGathered, "_sides_of", lambda sound: lambda deck, number: sound(deck, (number + 1) % len(deck.cards))
        ),
        [f"{BIRD} its front is that of card 'teal-hen' of deck 'bird' {ALL}"],
    ),
    "stale side": (
        otherwise(
            FaceMaker,
            "_side",
            lambda sound: lambda maker, *given: next(iter(maker._sides.values()), None) or sound(maker, *given),
        ),
        [f"{STORM} {STALE}", f"{BIRD} {STALE} {ALL}"],
    ),
}


@pytest.mark.parametrize(("put", "expected"), FINDINGS.values(), ids=FINDINGS)
def test_a_build_finds_what_is_not_the_cards_own(
    put: Put, expected: list[str], pond: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch)
    assert sorted(said(pond, tmp_path / "out")) == sorted(expected)


def test_values_that_are_written_otherwise_are_others() -> None:
    assert digest_of_values({"a": 1, "b": [2, "x"]}) == digest_of_values({"b": (2, "x"), "a": 1})
    others = [1, 1.0, True, "1", None, "", [], [1], {"n": 1}, 10**30, "\ud800", "\ud801"]
    assert len({digest_of_values({"a": other}) for other in others}) == len(others)
