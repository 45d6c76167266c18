"""Expressions from strangers, in families and setup.yaml: bounded in time, memory and problems, whatever they ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from confined import confined
from harness import assert_refused, needs_posix
from hostile_game import DECK as GOOD_DECK
from hostile_game import game as good_game

from duckpress.check import check_game, copies_for, deal_cards, expressions, setup_table
from duckpress.content import load_game
from duckpress.content.game.families import TextFiller
from duckpress.core import limits
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source
from duckpress.expressions.budget import OutOfSteps
from duckpress.expressions.calculator import Calculator
from duckpress.files.workspace import Workspace
from profiles import is_long
from small_games import small_deck, small_game

HERE = Source("content/g/decks/duck.yaml", 3, 10)
# Far less than usual: what stops at it stops at more too, only later. The long profile takes the usual ones.
LOW = {"setup-steps": 20_000, "family-steps": 60_000}
BIG = tuple(range(20_000))
LISTS = tuple((number,) for number in range(20_000))
NAMES = {
    "s": {"id": "teal", "name": "Teal", "none": None, "long": "9" * 5_000},
    "facts": {"big": BIG, "same": (*BIG[:-1], 7), "lists": LISTS, "text": "quack " * 15_000},
    "lists": {},
    "n": 2,
}


def fill(text: str) -> str | Problem:
    """Fill one text of a family a few thousand times, as the families of a large deck would."""
    limits.use({} if is_long() else LOW)
    filler, value = TextFiller(), ""
    try:
        compiled = filler.compile(text, HERE, 1)
        for _ in range(3_000):
            filled = compiled if isinstance(compiled, Problem) else filler.fill(compiled, NAMES)
            if isinstance(filled, Problem):
                return filled
            value = filled
    except OutOfSteps as error:
        return Problem("too-many-cards", HERE, str(error), how_to_raise(error.limit))
    return value


# A text of a card, and the code that it gives; none where it is harmless.
TEXTS: dict[str, tuple[str, str | None]] = {
    "18-class-in-a-card": ("{{ s.__class__ }}", "unknown-name"),
    "19-pop-in-a-card": ("{{ s.pop('id') }}", "unknown-name"),
    "20-digits-in-a-card": ("{{ s.long|int }}", "too-many-cards"),
    "21-list-in-a-card": ("{{ [facts.text, facts.text, facts.text, facts.text] }}", "bad-expression"),
    "21-format-by-key-in-a-card": ("{{ '{:>999999999}'['format'](1) }}", "bad-expression"),
    "23-unknown-in-a-card": ("{{ s.nmae }}", "unknown-name"),
    "24-include-in-a-card": ("{% include '/etc/passwd' %}", "bad-expression"),
    "x-record-in-a-card": ("{{ facts }}", "bad-expression"),
    "x-sort-in-a-card": ("{{ (facts.big|sort)[0] }}", "too-many-cards"),
    "x-search-in-a-card": ("{{ 'a' in facts.big }}", "too-many-cards"),
    "x-split-in-a-card": ("{{ facts.text.split()|length }}", "too-many-cards"),
    "x-keys-in-any-order": ("{{ (s.keys() - [])|join }}", "bad-expression"),
    "x-chain-of-filters": ("{{ 1 if (n + 0)" + "|abs" * 240 + " == 1 }}", "bad-expression"),
    "x-long-text-in-a-card": ("{{ facts.text }}", "too-many-cards"),
    "x-many-expressions": ("".join(f"{{{{ n + {n} }}}}" for n in range(7_000)), "too-many-cards"),
    "x-unclosed-in-a-card": ("{{ " * 30_000, "bad-expression"),
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_of_a_card(name: str) -> None:
    text, code = TEXTS[name]
    found = confined(fill, text)
    assert (found.code if isinstance(found, Problem) else None) == code, found
    if isinstance(found, Problem):
        assert found.source.line == 3
        assert found.fix
        assert len(str(found)) < 1_000


@needs_posix
def test_21_a_family_makes_no_bomb(tmp_path: Path) -> None:
    family = "  - {for: {kind: [a, b]}, id: '{{ kind }}', name: \"{{ '{:>999999999}'.format(1) }}\", text: x}\n"
    files = good_game(deck=GOOD_DECK.partition("  - {id: teal")[0] + family)
    at = "content/g/decks/duck.yaml:6"
    assert_refused(tmp_path, files, code="bad-expression", at=at, as_process=True, megabytes=400)


GAME = "title: G\nversion: '1'\ndesigner: N\nplayers: 2\npieces: [{id: c, title: C, decks: [d]}]\n"
DECK = "title: D\nsize: poker\nfront: face\nfields: {name: text}\ncards:\n"
FAMILIES = {
    "x-many-variables": (
        "  - {for: {" + ", ".join(f"v{n}: 1-1" for n in range(3_000)) + ", w: 1-9999}, id: 'a{{ w }}', name: b}\n"
    ),
    "x-many-keys": "  - {for: {w: 1-9999}, id: 'a{{ w }}', " + ", ".join(f"k{n}: b" for n in range(3_000)) + "}\n",
    "x-many-families": "  - {for: {w: 1-20000}, where: 'w < 0', id: 'a{{ w }}', name: b}\n" * 300,
    "x-many-combinations": "  - {for: {a: 1-9999, b: 1-9999, c: 1-9999}, id: a, name: b}\n",
}


def load(root: Path, cards: str) -> list[Problem]:
    """Load a game with a deck of these cards."""
    limits.use({} if is_long() else LOW)
    (root / "content/g/decks").mkdir(parents=True)
    (root / "content/g/game.yaml").write_text(GAME)
    (root / "content/g/decks/d.yaml").write_text(DECK + cards)
    return load_game(Workspace(root), "g")[1]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_hostile_family(tmp_path: Path, name: str) -> None:
    found = [problem for problem in confined(load, tmp_path, FAMILIES[name]) if problem.code == "too-many-cards"]
    assert found
    assert found[0].source.file == "content/g/decks/d.yaml"
    assert "--limit family-" in found[0].fix


PLAYERS = range(1, 101)
PLAIN = "setup: [{pile: draw, take: {cards: players}}]\n"
LARGE = "setup: [{pile: draw, take: {big: players}}]\n"


def _many(line: str, count: int) -> str:
    return "".join(f"  - {line.replace('NUMBER', str(number))}\n" for number in range(count))


# A setup, and the code that has to be among those it gives.
SETUPS: dict[str, tuple[str, str]] = {
    "22-expectations-by-the-thousand": (
        PLAIN + "expect:\n" + _many("{that: draw + 1 > players, each: player}", 5_000 if is_long() else 300),
        "too-many-steps",
    ),
    "22-steps-by-the-thousand": ("setup:\n" + _many("{hand: h, take: {cards: 1}}", 5_000), "too-many-steps"),
    "x-values-that-double": (
        "values:\n"
        + "".join(f"  a{n}: a{n + 1} + b{n + 1}\n  b{n}: a{n + 1} - b{n + 1}\n" for n in range(35))
        + "  a35: players\n  b35: players\n" + PLAIN + "expect: [{that: a0 == 1}]\n",
        "too-many-steps",
    ),
    "x-values-in-a-chain": (
        "values:\n" + "".join(f"  a{n}: a{n + 1} + 0\n" for n in range(60)) + "  a60: players\n"
        + PLAIN + "expect: [{that: a0 == 1, only: 2}]\ntable: {draw: {title: Draw}}\n",
        "bad-expression",
    ),
    "x-different-expressions": (
        PLAIN + "table:\n" + "".join(f"  k{n}: {{shows: draw + {n}}}\n" for n in range(5_000)), "too-many-steps"
    ),
    "x-variants-by-the-thousand": (
        "setup:\n" + _many("{pile: p, take: {cards: 1}}", 500) + "variants:\n"
        + "".join(f"  v{n}: {{setup: [{{pile: x, take: {{cards: 1}}}}]}}\n" for n in range(1_000)),
        "too-many-steps",
    ),
    "x-conditions-in-conditions": (
        "setup: [{pile: d, take: {big: {count: 1, where: \"count('big', where='card.a > 0') > card.a\"}}}]\n",
        "too-many-steps",
    ),
    "x-conditions-on-many-cards": (
        "setup:\n" + _many("{pile: d, take: {big: {count: 1, where: card.a > NUMBER}}}", 300), "too-many-steps"
    ),
    "x-sums-of-many-cards": (
        LARGE + "expect:\n" + _many("{that: \"sum('big', 'a') + distinct('big', 'b') > 0\"}", 500), "too-many-steps"
    ),
    "x-balanced-by-everything": (LARGE + "balanced: [{deck: big, by: a, field: b}]\n", "too-many-steps"),
    "x-piles-back-and-forth": (
        "setup:\n  - {pile: a, take: {big: all}}\n" + "  - {pile: b, take: {a: all}}\n  - {pile: a, take: {b: all}}\n"
        * 500, "too-many-steps"
    ),
    "x-piles-in-a-chain": (
        "setup:\n  - {pile: p0, take: {cards: 1}}\n"
        + "".join(f"  - {{pile: p{n + 1}, take: {{p{n}: 1}}}}\n" for n in range(3_000))
        + "  - {pile: q, take: {p3000: {where: card.x}}}\n",
        "too-many-steps",
    ),
    "x-everybody-told-everything": (
        "setup: [{hand: h, take: {cards: 1}}]\nseats:\n  relations:\n"
        + "".join(f"    r{n}: seat + {n}\n" for n in range(1_000))
        + "  knows: {h: [" + ", ".join(f"r{n}" for n in range(1_000)) + "]}\nexpect: [{that: knowers('h') == 3}]\n",
        "too-many-steps",
    ),
    "x-long-lists-compared": (
        PLAIN + "expect:\n" + _many("{that: \"facts['x'] == facts['y'] or players in facts['x']\"}", 500),
        "too-many-steps",
    ),
    "x-long-list-in-a-note": (PLAIN + "notes:\n" + _many("\"{{ facts['x'] }}\"", 500), "too-many-steps"),
    "x-long-list-as-a-number": (PLAIN + "expect: [{that: \"facts['x'] + 1\"}]\n", "bad-expression"),
    "x-long-list-as-a-name": (PLAIN + "expect: [{that: \"facts[facts['x']]\"}]\n", "bad-expression"),
    "x-long-text-joined": (PLAIN + "expect: [{that: \"facts['t'] ~ facts['t'] ~ facts['t']\"}]\n", "bad-expression"),
    "x-unclosed-holes": (PLAIN + 'notes:\n  - "' + "{{" * 45_000 + ' }} {{ nothing }}"\n', "bad-expression"),
    "x-misspelt-by-the-thousand": (
        PLAIN + "values:\n" + "".join(f"  name_number_{n}: 1\n" for n in range(1_000)) + "expect:\n"
        + _many("{that: nmae_number_NUMBER == 1}", 1_000),
        "too-many-steps",
    ),
    "x-failing-by-the-thousand": (PLAIN + "expect:\n" + _many("{that: draw > players}", 5_000), "too-many-steps"),
    "x-counts-nobody-plays": (
        "setup:\n  - {pile: d, take: {cards: {1-1000: 1}}}\n" + _many("{pile: d, take: {cards: {1-1000: 1}}}", 90),
        "too-many-steps",
    ),
}  # fmt: skip


def check(text: str) -> list[Problem]:
    """Check a game of that setup, and ask for all else that the rules tell of it."""
    limits.use({} if is_long() else LOW)
    cards = [{"id": f"c{n}", "a": n, "b": str(n)} for n in range(2_000)]
    facts = {"x": BIG, "y": (*BIG[:-1], 7), "t": "quack " * 15_000}
    game = small_game(text, small_deck("big", cards), players=PLAYERS, facts=facts, cards=200)
    found = check_game(game)
    for variant in (None, *list(game.setup.variants if game.setup else ())[:2]):
        setup_table(game, variant)
    copies_for(game, None)
    return found


@pytest.mark.sweep(24)
@pytest.mark.parametrize("name", SETUPS)
def test_a_hostile_setup(name: str) -> None:
    text, code = SETUPS[name]
    found = confined(check, text)
    assert code in {problem.code for problem in found}, [str(problem) for problem in found[:3]]
    assert all(len(str(problem)) < 2_000 for problem in found)
    (spent,) = [problem for problem in found if problem.code == "too-many-steps"] or [None]
    if spent is not None:
        assert "--limit setup-steps" in spent.fix
        assert spent.source.file.endswith("setup.yaml")


def test_x_a_long_chain_of_values_is_found_before_any_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PLAIN + "values:\n  a0: players\n" + "".join(f"  a{n}: a{n - 1} + 1\n" for n in range(1, 3_000))
    compiled: list[str] = []
    first = expressions.compile_tree
    monkeypatch.setattr(
        expressions, "compile_tree", lambda use, text, tree: (compiled.append(text), first(use, text, tree))[1]
    )
    game = small_game(text, cards=20)
    (problem,) = check_game(game)
    assert (problem.code, "'a41'" in problem.what) == ("bad-expression", True)
    assert setup_table(game).rows == ()
    assert not [text for text in compiled if text.startswith("a")]


def test_x_a_table_computes_each_value_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty in a chain were computed eight hundred times, for each row."""
    text = PLAIN + "values:\n  a0: players\n" + "".join(f"  a{n}: a{n - 1} + 1\n" for n in range(1, 41))
    computed: list[str] = []
    first = Calculator.value
    monkeypatch.setattr(
        Calculator, "value", lambda self, one, names: (computed.append(one.text), first(self, one, names))[1]
    )
    game = small_game(text, cards=20, players=(2, 3))
    table = setup_table(game)
    assert [row.cells["a40"] for row in table.rows] == [42, 43]
    assert len(computed) == len(set(computed)) * 2


def deal(text: str, copies: int) -> str:
    """Deal a large deck and give the machine's message, or nothing."""
    from duckpress.core.problems import MachineError

    limits.use(LOW)
    cards = [{"id": f"c{n}", "copies": copies} for n in range(2_000)]
    game = small_game(text, small_deck("big", cards, per="player"), players=PLAYERS)
    try:
        deal_cards(game, 100, "seed")
    except MachineError as error:
        return str(error)
    return ""


def test_x_dealing_two_hundred_million_cards() -> None:
    said = confined(deal, "setup: [{hand: h, take: {big: all}}]\n", 1_000)
    assert "--limit setup-steps" in said


def test_x_a_setup_of_many_ranges_is_too_large() -> None:
    text = "setup:\n" + _many("{pile: d, only: 1-1000, take: {cards: {1-1000: 1}}}", 200)
    with pytest.raises(AssertionError, match="setup-too-large"):
        small_game(text, cards=20)
    assert limit("setup-size") < 200 * 2_000
