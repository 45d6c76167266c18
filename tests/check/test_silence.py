"""What a setup says in vain is a warning: names of no variant, steps that never happen, hands of nothing."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.core.problems import Level
from small_games import small_deck, small_game

PARTS = "variants: {open: {about: x}}\nmodules: {storm: {about: y}}\n"


def warnings(setup: str, **cards: int) -> list[str]:
    """Return the warnings of a small game as `line:column code fix`; it has no errors."""
    problems = check_game(small_game(setup, **(cards or {"duck": 12})))
    assert {one.level for one in problems} <= {Level.WARNING}, problems
    return [f"{one.source.line}:{one.source.column} {one.code} {one.fix}" for one in problems]


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("variant in ('', 'opne')", "did you mean 'open'?"),
        ("'base' != variant", "without a variant it is '': say variant == ''"),
        ("'stom' in modules", "did you mean 'storm'?"),
        ("'open' in modules", "it is a variant: say variant == 'open'"),
        ("variant == 'storm'", "it is a module: say 'storm' in modules"),
        ("variant in ['', 'open'] and 'storm' not in modules", ""),
    ],
)
def test_a_name_of_no_variant_in_an_expression_is_told(condition: str, told: str) -> None:
    step = f'  - {{pile: b, take: {{duck: "11 if {condition} else 11"}}}}'
    name = next((name for name in ("opne", "base", "stom", "open", "storm") if name in condition), "")
    says = [f"3:{step.index(name) + 1} unknown-variant {told}"] if told else []
    assert warnings(f"setup:\n  - {{pile: a, take: {{duck: 1}}}}\n{step}\n{PARTS}") == says


DRAW = "setup:\n  - {pile: draw, take: {duck: all}}\n"


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("{row: a, when: players > 4, take: {draw: 1}}", ["3:11 unused-step"]),
        ("{row: a, when: players > 3, take: {draw: 1}}", []),
        ("{row: a, when: \"'storm' in modules and variant != ''\", take: {draw: 1}}", []),
        ("{row: a, each: player, when: seat > 4, take: {draw: 1}}", ["3:11 unused-step"]),
        ("{row: a, each: 0, take: {draw: 1}}", ["3:11 unused-step"]),
        ("{row: a, only: 7, take: {draw: 1}}", ["3:11 extra-count"]),
        ("{hand: a, take: {draw: players // 5}}", ["3:12 empty-take"]),
        ("{hand: a, take: {draw: players // 4}}", []),
        ("{hand: a, when: players == 2, take: {draw: {2: 0, 3-4: 1}}}", ["3:12 empty-take"]),
        ("{row: a, take: {draw: [{count: 1}, {count: 0}]}}", ["3:40 empty-take"]),
        ("{row: a, take: {}, note: Leave room.}", []),
    ],
)
def test_steps_that_never_happen_and_hands_of_nothing_are_told(step: str, told: list[str]) -> None:
    found = warnings(f"{DRAW}  - {step}\n{PARTS}")
    assert [one.rsplit(" correct")[0] for one in found] == told


@pytest.mark.parametrize(
    ("keys", "is_told"),
    [
        ("when: players == 7", True),
        ("when: players == 4", False),
        ("for: [rare]", True),
        ("when: 1 // (players - 2) > 3", False),
    ],
)
def test_an_expectation_that_is_never_looked_at_is_told(keys: str, is_told: bool) -> None:
    parts = PARTS.replace("modules: {", "modules: {rare: {about: z, needs: [storm], excludes: [storm]}, ")
    problems = check_game(small_game(f"{DRAW}expect:\n  - {{that: draw, is: 12, {keys}}}\n{parts}", duck=12))
    assert ("unused-expectation" in [one.code for one in problems]) is is_told


@pytest.mark.parametrize(
    ("part", "is_told"),
    [
        ("{}", True),
        ("{about: Nobody quacks.}", False),
        ("{setup: [{pile: draw, replaces: draw, take: {duck: 12}}]}", True),
        ("{setup: [{pile: draw, replaces: draw, take: {duck: 12}, note: Shuffle.}]}", False),
        ("{setup: [{row: sky, take: {draw: 1}}]}", False),
        ("{table: {draw: {title: Draw}}}", False),
        ("{excludes: [calm]}", True),
        ("{only: 2, needs: [three]}", True),
    ],
)
def test_a_module_that_changes_nothing_is_told(part: str, is_told: bool) -> None:
    three = "three: {only: 3, about: For three.}"
    assert ("unused-variant" in " ".join(warnings(f"{DRAW}modules: {{calm: {part}, {three}}}\n"))) is is_told


@pytest.mark.parametrize("rule", ["'calm' in modules", "modules == ()", "not modules"])
def test_a_module_that_an_expression_speaks_of_changes_something(rule: str) -> None:
    setup = f'{DRAW}table: {{sky: {{title: Sky, shows: "{rule}"}}}}\nmodules: {{calm: {{}}}}\n'
    assert warnings(setup) == []
    assert warnings(setup.replace(rule, "'calm' == 'on'")) == [
        "4:11 unused-variant say under 'setup' or 'about' what is different, or delete it"
    ]


def test_nothing_is_said_of_a_setup_that_breaks_off() -> None:
    setup = f"{DRAW}  - {{row: a, take: {{draw: 1 // 0}}}}\n  - {{row: b, when: players > 9, take: {{draw: 1}}}}\n"
    assert [one.code for one in check_game(small_game(setup, duck=12))] == ["bad-expression"]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("{row: a, take: {draw: market + 1}}", "4:27"),
        ("{row: a, take: {draw: \"1 + count('market')\"}}", "4:32"),
        ("{row: a, when: total('market') == 0, take: {draw: 1}}", "4:20"),
        ("{row: a, take: {draw: fill + 1}}", "4:27"),
        ("{row: a, take: {draw: \"1 + taken('goose')\"}}", "4:32"),
        ("{row: a, take: {draw: 2}, remove: market, note: '{{ market }} later'}", "4:39"),
        ("{row: a, take: {draw: \"taken('duck') - draw + 1\"}}", ""),
        ("{row: a, take: {draw: \"left('goose') // 4\"}}", ""),
        ("{row: a, take: {draw: 3 - a}}", ""),
    ],
)
def test_an_amount_that_names_a_later_place_is_told(step: str, told: str) -> None:
    later = "  - {row: market, take: {draw: 1, goose: 4}}\nvalues: {fill: 2 * market}\n"
    found = [one.split()[:2] for one in warnings(f"{DRAW}  # here\n  - {step}\n{later}", duck=12, goose=4)]
    assert found == ([[told, "place-too-late"]] if told else [])


def test_a_place_that_is_formed_earlier_in_a_variant_is_not_too_late() -> None:
    steps = (
        "  - {row: b, take: {draw: 1}}\n  - {row: a, take: {draw: 1 + market}}\n  - {row: market, take: {draw: 1}}\n"
    )
    first = "variants: {open: {setup: [{row: market, replaces: b, take: {draw: 1}}]}}\n"
    assert warnings(DRAW + steps + first) == []
    assert [one.split()[1] for one in warnings(DRAW + steps)] == ["place-too-late"]


def test_a_step_that_takes_from_a_deck_with_the_name_of_a_place_is_told() -> None:
    setup = "setup:\n  - {pile: duck, take: {duck: 2}}\n  - {pile: duck, take: {duck: 6}}\n"
    (note,) = check_game(small_game(setup + "  - {hand: hand, take: {duck: 1}}\n", duck=12))
    assert (note.code, note.level, note.source.line) == ("name-taken", Level.NOTE, 4)  # adding to it, it means the deck


def test_what_falls_short_in_some_draws_hides_nothing_that_is_said_in_vain() -> None:
    setup = """\
setup:
  - {row: one, take: {duck: 2}}
  - {row: two, take: {one: {where: card.kind == 'b'}}}
  - {row: three, take: {two: 1}}
  - {row: never, when: "count('two') == 3", take: {duck: 1}}
  - {row: often, when: "count('two') == 0", take: {duck: 1}}
  - {hand: hand, take: {duck: 0}}
expect:
  - {that: one, is: 2, when: "count('two') == 3"}
variants: {open: {}}
"""
    ducks = small_deck("duck", [{"id": kind, "copies": 10, "kind": kind} for kind in "ab"])
    codes = [(one.code, one.source.line) for one in check_game(small_game(setup, ducks, players=[2]))]
    assert codes == [
        ("unlucky-draw", 4), ("unused-step", 5), ("empty-take", 7), ("unused-expectation", 9), ("unused-variant", 10),
    ]  # fmt: skip
