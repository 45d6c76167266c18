"""Faults between the deck and the plan, put into the program: the build itself says whose face is not its card's own.

What is laid out wrongly is planned and drawn as it was laid out; only what each side says of its origin tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def fewer_copies(patch: pytest.MonkeyPatch) -> None:
    sound = typesetting._copies
    patch.setattr(typesetting, "_copies", lambda task: {key: max(1, count - 1) for key, count in sound(task).items()})


def last_card_lost(patch: pytest.MonkeyPatch) -> None:
    sound = DeckGathered.faces
    patch.setattr(DeckGathered, "faces", lambda deck, *given: sound(deck, *given)[:-1])


def opened_otherwise(patch: pytest.MonkeyPatch, change: Callable[[OpenDeck], OpenDeck]) -> None:
    sound = FaceMaker.go_to
    patch.setattr(FaceMaker, "go_to", lambda maker, *given: change(sound(maker, *given)))


def front_of_the_backs_template(patch: pytest.MonkeyPatch) -> None:
    opened_otherwise(patch, lambda opened: opened._replace(front=opened.back))


def back_of_the_fronts_template(patch: pytest.MonkeyPatch) -> None:
    opened_otherwise(patch, lambda opened: opened._replace(back=opened.front, shared_back=None))


def values_of(patch: pytest.MonkeyPatch, choose: Callable[[Sequence[Card], Card], Card], **kept: str) -> None:
    """Fill templates with the values of the card that is chosen among those of a deck, but for those `kept`."""

    def values(card: Card, deck: Deck) -> dict[str, Any]:
        own = card_values(card, deck)
        return card_values(choose(deck.cards, card), deck) | {name: own[name] for name in kept}

    patch.setattr(face_maker, "card_values", values)


def first_cards_values(patch: pytest.MonkeyPatch) -> None:
    values_of(patch, lambda cards, _: cards[0])


def first_cards_values_by_the_own_id(patch: pytest.MonkeyPatch) -> None:
    values_of(patch, lambda cards, _: cards[0], id="")


def stale_side(patch: pytest.MonkeyPatch) -> None:
    sound = FaceMaker._side

    def side(maker: FaceMaker, *given: Any) -> object:
        return next(iter(maker._sides.values()), None) or sound(maker, *given)

    patch.setattr(FaceMaker, "_side", side)


def sides_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    sound = DeckGathered._sides_of
    patch.setattr(DeckGathered, "_sides_of", lambda deck, number: sound(deck, (number + 1) % len(deck.cards)))


BIRD, STORM, ALL = "card 'teal-drake' of deck 'bird':", "card 'storm' of deck 'event':", "(and 3 more like it)"
HEN, SMEW = "card 'teal-hen' of deck 'bird':", "card 'smew-hen' of deck 'bird':"
LOST = "0 are to be printed, and the deck has {}"
VALUES = "its front shows values that are not the card's own"
STALE = "its front is a face that was laid out for another text"
OTHER = "its {} is filled from the template '{}', not from '{}'"
FINDINGS: dict[Put, list[str]] = {
    fewer_copies: [f"{STORM} 1 are to be printed, and the deck has 2"],
    last_card_lost: [f"{STORM} {LOST.format(2)}", f"{SMEW} {LOST.format(1)}"],
    front_of_the_backs_template: [
        f"{STORM} {OTHER.format('front', 'back', 'event')}",
        f"{BIRD} {OTHER.format('front', 'back', 'bird')} {ALL}",
    ],
    back_of_the_fronts_template: [
        f"{STORM} {OTHER.format('back', 'event', 'back')}",
        f"{BIRD} {OTHER.format('back', 'bird', 'back')} {ALL}",
    ],
    first_cards_values: [f"{HEN} its front is that of card 'teal-drake' of deck 'bird' (and 2 more like it)"],
    first_cards_values_by_the_own_id: [
        f"{HEN} its front shows values that are not the card's own (and 2 more like it)"
    ],
    sides_of_the_neighbour: [f"{BIRD} its front is that of card 'teal-hen' of deck 'bird' {ALL}"],
    stale_side: [f"{STORM} {STALE}", f"{BIRD} {STALE} {ALL}"],
}


@pytest.mark.parametrize(("put", "expected"), FINDINGS.items(), ids=lambda given: getattr(given, "__name__", "says"))
def test_a_build_finds_what_is_not_the_cards_own(
    put: Put, expected: list[str], pond: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch)
    assert sorted(said(pond, tmp_path / "out")) == sorted(expected)


def test_values_that_are_written_otherwise_are_others() -> None:
    assert digest_of_values({"a": 1, "b": [2, "x"]}) == digest_of_values({"b": (2, "x"), "a": 1})
    others = [1, 1.0, True, "1", None, "", [], [1], {"n": 1}, 10**30, "\ud800", "\ud801"]
    assert len({digest_of_values({"a": other}) for other in others}) == len(others)
