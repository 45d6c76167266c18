"""Odds of rolls: closed forms, every roll counted one by one, and really rolled where they are too many."""

from __future__ import annotations

import contextlib
import itertools
import math
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from asked_odds import asked, book_of, exactly
from duckpress.chance import Odds, exact
from duckpress.chance.question import read_question
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem, Source
from duckpress.expressions.parsing import ExpressionError
from duckpress.model.setup import Expression
from running import MakeWorkspace as Make

ODD = {"four": 4, "six": 6, "eight": 8, "ten": 10}
POND = {"one": ["1", "1", "teal"], "two": ["teal", "smew"], "three": ["1", "2", "3", "smew"]}
SETUP = "setup:\n  - {slot: dice, take: {die: all, day: all, odd: all, pond: all}}\n"


@pytest.fixture
def book(make_workspace: Make) -> Book:
    def card(name: str, faces: Sequence[object], copies: int = 1) -> str:
        return f"  - {{id: {name}, copies: {copies}, faces: {[str(face) for face in faces]}}}\n"

    decks = {
        "die": card("die", range(1, 7), 15),
        "day": card("day", range(365), 23),
        "odd": "".join(card(name, range(1, faces + 1)) for name, faces in ODD.items()),
        "pond": card("one", POND["one"], 2) + card("two", POND["two"]) + card("three", POND["three"]),
    }
    return book_of(
        make_workspace, SETUP, {name: f"fields: {{faces: list}}\ncards:\n{cards}" for name, cards in decks.items()}
    )


def surjections(dice: int, faces: int) -> int:
    return sum((-1) ** missing * math.comb(faces, missing) * (faces - missing) ** dice for missing in range(faces))


def sums(dice: int, faces: int) -> Counter[int]:
    """Return in how many ways so many dice come to each sum, one die after the other."""
    ways = Counter({0: 1})
    for _ in range(dice):
        ways = Counter({
            total: sum(ways[total - face] for face in range(1, faces + 1)) for total in range(1, max(ways) + faces + 1)
        })  # fmt: skip
    return ways


@pytest.mark.parametrize("number", [5, 12, 40])
def test_all_faces(book: Book, number: int) -> None:
    assert exactly(book, f"roll of {number} die has distinct face = 6") == Fraction(surjections(number, 6), 6**number)


@pytest.mark.parametrize(("number", "least", "says"), [(15, 50, 0.673), (40, 140, 0.5185)])
def test_sums(book: Book, number: int, least: int, says: float) -> None:
    met = exactly(book, f"roll of {number} die has sum of face >= {least}")
    assert met == Fraction(sum(n for total, n in sums(number, 6).items() if total >= least), 6**number)
    assert float(met) == pytest.approx(says, abs=0.001)


def test_unlike_dice_are_counted_die_by_die(book: Book) -> None:
    for text, is_met in {
        "sum of face >= 20": lambda faces: sum(faces) >= 20,
        "a triple of face": lambda faces: max(Counter(faces).values()) >= 3,
        "distinct face <= 3 and sum of face > 12": lambda faces: len(set(faces)) <= 3 and sum(faces) > 12,
        "exactly 2 where face <= 2": lambda faces: sum(face <= 2 for face in faces) == 2,
        "(>= 1 where 4) or >= 3 where card.face % 2 == 0": lambda faces: (
            4 in faces or sum(face % 2 == 0 for face in faces) >= 3
        ),
    }.items():
        rolls = list(itertools.product(*(range(1, faces + 1) for faces in ODD.values())))
        assert exactly(book, f"roll of 4 odd has {text}") == Fraction(sum(map(is_met, rolls)), len(rolls)), text


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_dice_drawn_from_a_bag_of_unlike_ones(book: Book, number: int) -> None:
    dice = [POND["one"], POND["one"], POND["two"], POND["three"]]
    for text, is_met in {
        "most of face = 2": lambda shown: max(Counter(shown).values()) == 2,
        "distinct face >= 2": lambda shown: len(set(shown)) >= 2,
        ">= 1 where teal": lambda shown: "teal" in shown,
        "no where face in ['teal', 'smew']": lambda shown: not {"teal", "smew"} & {*shown},
        "(= 1 where face == '1') and not a pair of face": lambda shown: (
            shown.count("1") == 1 and len(set(shown)) == len(shown)
        ),
    }.items():
        chance = Fraction(0)
        hands = list(itertools.combinations(dice, number))
        for hand in hands:
            rolls = list(itertools.product(*hand))
            chance += Fraction(sum(map(is_met, rolls)), len(rolls) * len(hands))
        assert exactly(book, f"roll of {number} pond has {text}") == chance, text


@pytest.mark.parametrize("text", ["15 die has distinct face = 6", "4 odd has sum of face >= 20"])
def test_what_is_too_much_is_really_rolled(book: Book, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true = exactly(book, f"roll of {text}")
    exact.chance_of_roll.cache_clear()
    monkeypatch.setattr(exact, "_MOST_WORK", 0)
    first, second = (asked(book, f"roll of {text}", runs=1_000) for _ in range(2))
    assert isinstance(first, Odds)
    assert first == second
    assert (first.method, first.runs) == ("simulated", 1_000)
    assert first.low < true < first.high
    assert first.high - first.low < Fraction(7, 100)


def test_too_many_dice_are_a_problem(book: Book) -> None:
    found = asked(book, "roll of 1001 die has a pair of face")
    assert isinstance(found, Problem)
    assert found.what == "3 players: 1001 dice are rolled; 1000 are the most"


_ALONE = "%s stands where a condition should, and is always true"
_OF_POND = "1, 2, 3, smew, teal"


@pytest.mark.parametrize(
    ("text", "at", "code", "what", "fix"),
    [
        ("3 die: face == 5 or 6", "6", "bad-expression", _ALONE % 6, "write face in [5, 6]"),
        ("3 die: face == '5'", "'5'", "bad-expression", "face is a number and is compared with the text '5'",
         "write face == 5"),
        ("3 die: 7", "7", "bad-expression", _ALONE % 7, "write face == 7"),
        ("3 die: face == 7", "7", "bad-expression", "face is never 7", "it is one of: 1, 2, 3, 4, 5, 6"),
        ("3 die: face in [6, 12]", "12", "bad-expression", "face is never 12", "it is one of: 1, 2, 3, 4, 5, 6"),
        ("2 pond: face > 1", "1", "bad-expression", "face is a text and is compared with the number 1",
         "compare it with ==, or declare it as a number"),
        ("2 pond: gold", "gold", "unknown-name", "nothing is named 'gold'", f"the faces are: {_OF_POND}"),
        ("2 pond: teal or smew", "teal", "unknown-name", "nothing is named 'teal'", "write face == 'teal'"),
        ("2 pond: face == 'gold'", "'gold'", "bad-expression", "face is never 'gold'", f"it is one of: {_OF_POND}"),
        ("2 pond: card.faces == '1'", "faces", "unknown-field", "no card of 'pond' has a field 'faces'",
         "did you mean 'face'?"),
    ],
)  # fmt: skip
def test_what_no_face_can_be(book: Book, text: str, at: str, code: str, what: str, fix: str) -> None:
    question = f"roll of {text.replace(':', ' has >= 1 where')}"
    found = asked(book, question)
    assert isinstance(found, list)
    column = question.index(at, question.index("where")) + 1
    assert (found[0].code, found[0].what, found[0].fix, found[0].source.column) == (code, what, fix, column)


@pytest.mark.parametrize(
    ("subject", "draw", "place", "hands", "size"),
    [
        ("hand of 5 from play deck", "hands", "play deck", 1, "5"),
        ("  hands  of  players +  1   from  from  here ", "hands", "from  here", 1, "players +  1"),
        ("12 hands of 2 from x each", "hands", "x", 12, "2"),
        ("roll of 3 die", "roll", "die", 1, "3"),
        ("roll of players * 2 die", "roll", "die", 1, "players * 2"),
        ("play  deck", "place", "play  deck", 1, None),
        ("hand", "place", "hand", 1, None),
        ("hand of from x", "place", "hand of from x", 1, None),
        ("hand of 5 from", "place", "hand of 5 from", 1, None),
        ("roll of die", "place", "roll of die", 1, None),
        ("2 of 5 from x", "place", "2 of 5 from x", 1, None),
    ],
)
def test_what_is_looked_at(subject: str, draw: str, place: str, hands: int, size: str | None) -> None:
    question = read_question(Expression(f"{subject} has a pair of face", Source("question", 1, 1)))
    assert (question.draw, question.place, question.hands) == (draw, place, hands)
    assert subject[question.place_offset :].startswith(place)
    assert (question.size and question.size.text) == size
    if question.size is not None:
        assert subject[question.size.source.column - 1 :].startswith(question.size.text)


@pytest.mark.parametrize(
    "text",
    [
        f"hand of{' ' * 1900}x has >= 1 where card.name == 'a'", "hand of from " * 150 + "has >= 1 where 1",
        f"roll of 1 die has {'(' * 1900}", f"roll of 1 die has {'not ' * 480}>= 1 where 1", "each " * 380 + "has x",
    ],
)  # fmt: skip
def test_no_question_of_two_thousand_letters_takes_long(text: str) -> None:
    """The first one took 3.6 seconds when one pattern read what is looked at; parentheses ended in a RecursionError."""
    before = time.process_time()
    with contextlib.suppress(ExpressionError):
        read_question(Expression(text, Source("question", 1, 1)))
    assert time.process_time() - before < 0.5
