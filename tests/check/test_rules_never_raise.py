"""Whatever setup.yaml holds, checking it gives problems and never an exception."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from duckpress.check import Deal, check_game, copies_for, deal_cards, setup_table
from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Problem, ProblemList, has_errors
from duckpress.model import Game
from profiles import examples
from small_games import SETUP, duck_deck, owned_deck, small_deck, small_game

NAMES = st.sampled_from(
    ["cards", "duck", "blind", "aid", "draw", "hand", "line", "play deck", "nothing", "players", "a b"]
)
EXPRESSIONS = st.one_of(
    st.integers(-3, 40).map(str),
    st.sampled_from(
        [
            "all", "players", "seat", "players + 1", "20 // players", "play_deck % 3", "draw", "a", "b", "1 / 0",
            "card.sex", "left('cards')", "taken('duck')", "removed('draw')", "total('hand')", "sum('duck', 'value')",
            "count('duck', where=\"card.value > 1\")", "sum('duck', 'sex')", "distinct('duck', 'species')", "x y", "",
            "facts['size']", "facts.none", "count('nothing')", "min(players, 3)", "min('a', 2)", "variant", "'text'",
            "variant == 'long'", "count(players)", "sum('duck', players)", "left(variant)", "total(draw)", "**",
            "players ** players ** 9",
        ]
    ),
    st.text(max_size=12),
)  # fmt: skip
COUNTS = st.sampled_from(["2", "3", "2-4", "4", "9", "x"])
AMOUNTS = st.one_of(EXPRESSIONS, st.dictionaries(COUNTS, EXPRESSIONS, max_size=3))
WHERES = st.sampled_from(
    ["card.sex == 'hen'", "card.owner == seat", "card.value > 1", "card.sex > 1", "card", "seat", "card.none", "card["]
)
TAKES = st.one_of(AMOUNTS, st.fixed_dictionaries({"where": WHERES}, optional={"count": AMOUNTS}))
STEPS = st.one_of(
    *(
        st.fixed_dictionaries(
            {kind: NAMES},
            optional={
                "take": st.dictionaries(NAMES, TAKES, max_size=3),
                "remove": AMOUNTS,
                "slots": AMOUNTS,
                "each": st.just("player"),
                "only": st.sampled_from(["2", "3-4", "9", "x"]),
                "when": EXPRESSIONS,
                "note": st.sampled_from(["take {{ players }}", "{{ nothing }}", "{{", "{{ 1/0 }}"]),
                "replaces": NAMES,
            },
        )
        for kind in ("pile", "hand", "row", "slot", "aside")
    )
)
EXPECTATIONS = st.fixed_dictionaries(
    {"that": EXPRESSIONS},
    optional={
        "is": AMOUNTS,
        "say": st.sampled_from(["{{ draw }}", "{{ x }}"]),
        "each": st.just("player"),
        "when": EXPRESSIONS,
    },
)
PARTS = {
    "setup": st.lists(STEPS, max_size=5),
    "values": st.dictionaries(st.sampled_from(["a", "b", "a b", "draw"]), EXPRESSIONS, max_size=3),
    "expect": st.lists(EXPECTATIONS, max_size=3),
    "table": st.dictionaries(NAMES, st.fixed_dictionaries({}, optional={"shows": EXPRESSIONS}), max_size=2),
    "totals": st.dictionaries(
        NAMES,
        st.one_of(EXPRESSIONS, st.fixed_dictionaries({"count": EXPRESSIONS, "of": NAMES}, optional={"where": WHERES})),
        max_size=2,
    ),
    "balanced": st.lists(st.fixed_dictionaries({"deck": NAMES, "by": NAMES, "field": st.just("sex")}), max_size=1),
}  # fmt: skip
SETUPS = st.fixed_dictionaries(
    {},
    optional={
        **PARTS,
        "variants": st.dictionaries(
            st.sampled_from(["long", "short"]),
            st.fixed_dictionaries(
                {}, optional={"setup": PARTS["setup"], "expect": PARTS["expect"], "drops": st.lists(NAMES)}
            ),
            max_size=2,
        ),
    },
)


def game_with(text: str) -> tuple[Game | None, list[Problem]]:
    """Return a game with whatever of this setup can be read, and what is wrong with its form."""
    problems = ProblemList()
    node = problems.take(read_yaml(SETUP, text.encode("utf-8", "replace")))
    setup = problems.take(read_setup(node)) if node is not None else None
    if setup is None:
        return None, problems
    aid = small_deck("aid", 1, per="player")
    game = small_game("title: T\n", duck_deck(), owned_deck(), aid, cards=20, facts={"size": 4})
    return replace(game, setup=setup), problems


def check_everything(game: Game, read: list[Problem]) -> None:
    """Ask everything that can be asked of a game's rules; `read` is what was wrong with their form."""
    every = check_game(game)
    assert every == sorted(every, key=lambda problem: problem.order)
    assert all(problem.code and problem.what and problem.source.line >= 1 for problem in every)
    check_game(game, players=7)
    check_game(game, players=3, variant="long")
    for variant in (None, "long", "gone"):
        json.dumps(setup_table(game, variant).as_data())
    assert all(copies >= 0 for copies in copies_for(game, None).values())
    for variant in (None, *(game.setup.variants if game.setup is not None else ())):
        for players in game.players:
            deal = deal_cards(game, players, "seed", variant)  # as after a check whose every finding is accepted
            assert isinstance(deal, Deal) or has_errors([*read, *every]), deal


@examples(24)
@given(SETUPS)
@example({"setup": [{"pile": "cards", "remove": "players ** players ** 9"}]})  # as many steps as cards were asked for
def test_any_setup_made_of_the_right_parts(data: dict[str, object]) -> None:
    game, problems = game_with(json.dumps(data, ensure_ascii=False))  # JSON is YAML too
    if game is not None:
        check_everything(game, problems)
