"""Whatever is done to the files of a game, reading and checking it gives problems at places, never an exception."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.check import check_game, deal_cards
from duckpress.content import load_game
from duckpress.core.problems import Level, Problem, has_errors
from duckpress.files.workspace import Workspace
from profiles import examples
from small_games import duck_deck, owned_deck, small_deck, small_game

ROOT = Path(__file__).resolve().parents[2]

GAMES = sorted(path.name for path in (ROOT / "content").iterdir() if (path / "game.yaml").is_file())
SMALL = ["duck-blind", "canardage"]
_TOKENS = re.compile(r"[\w.]+|[^\w\s]|\s+")
_PUT = (
    "", "~", "- ", ": ", "{", "}", "[", "]", "'", '"', "&a ", "*a", "!!set ", "|\n", "<<: ", "no", "1e400", "-1", "nan",
    "999999999999999999999", "0x1f", "{{ x }}", "{{", "}}", "{=x}", "../../x", "/etc/passwd", "\t", "\x00", "\ufeff",
    "\u202e", "\ud83e", "é", "x" * 300, "2-6", "players", "all", "#", "%", "@", "?\n",
)  # fmt: skip


class Damaged(Workspace):
    """The project's workspace, with some files of other text."""

    files_changed: dict[str, bytes]

    def read(self, path: str, *args: object, **kwargs: object) -> bytes:
        changed = self.files_changed.get(path)
        return super().read(path, *args, **kwargs) if changed is None else changed  # type: ignore[arg-type]


def damaged(text: str, chance: random.Random) -> str:
    """Return a text with a few of its words, lines or values changed, swapped, doubled or gone."""
    for _ in range(chance.randint(1, 4)):
        parts = text.split("\n") if chance.random() < 0.4 else _TOKENS.findall(text)
        sign = "\n" if len(parts) == text.count("\n") + 1 else ""
        if not parts:
            return text
        one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
        way = chance.randrange(5)
        if way == 0:
            parts[one], parts[other] = parts[other], parts[one]
        elif way == 1:
            del parts[one]
        elif way == 2:
            parts.insert(other, parts[one])
        elif way == 3:
            parts[one] = chance.choice(_PUT)
        else:
            parts.insert(one, chance.choice(_PUT))
        text = sign.join(parts)
    return text


def look_at(name: str, seed: int) -> list[Problem]:
    """Damage one to three files of a game and give what is said of it."""
    chance = random.Random(seed)
    workspace = Damaged(ROOT)
    folder = ROOT / "content" / name
    files = sorted(path for path in folder.rglob("*.yaml") if "releases" not in path.parts) + sorted(
        folder.rglob("*.csv")
    )
    workspace.files_changed = {}
    for path in chance.sample(files, min(len(files), chance.randint(1, 3))):
        text = damaged(path.read_text(encoding="utf-8"), chance)
        workspace.files_changed[path.relative_to(ROOT).as_posix()] = text.encode("utf-8", "surrogatepass")
    game, problems = load_game(workspace, name)
    assert game is not None or has_errors(problems)
    if game is not None:
        problems = [*problems, *check_game(game)]
    for problem in problems:
        assert problem.code, problem
        assert problem.what, problem
        assert problem.source.file.startswith(("content/", "layouts/", "fonts/")), problem
        assert min(problem.source.line, problem.source.column) >= 1, problem
        assert problem.fix or problem.level is not Level.ERROR, problem
        assert len(str(problem)) < 5_000, problem
    return problems


@examples(8)
@given(st.sampled_from(SMALL), st.integers(0, 2**32))
def test_any_damage_to_a_game_is_a_problem(name: str, seed: int) -> None:
    look_at(name, seed)


@examples(6)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_any_damage_to_the_other_games_too(name: str, seed: int) -> None:
    look_at(name, seed)


STEPS = st.lists(
    st.builds(
        lambda kind, place, origin, count, remove, each: {
            kind: place, "take": {origin: count}, **({"remove": remove} if remove else {}),
            **({"each": "player"} if each else {}),
        },
        st.sampled_from(["pile", "hand", "row", "slot", "aside"]),
        st.sampled_from(["p", "q", "r"]),
        st.sampled_from(["cards", "duck", "aid", "blind", "p", "q", "r"]),
        st.sampled_from(
            [
                "1", "2", "players", "all", "{where: card.sex == 'hen', count: 1}", "{where: card.value > 1}",
                "12 // players",
            ]
        ),
        st.sampled_from(["", "", "1", "all"]),
        st.booleans(),
    ),
    min_size=1, max_size=5,
)  # fmt: skip


@examples(30)
@given(STEPS, st.integers(2, 4), st.one_of(st.text(max_size=8), st.just("\udcff")))
def test_no_card_is_lost_or_made_in_a_deal(steps: list[dict[str, object]], players: int, seed: str) -> None:
    lines = ["setup:"]
    for step in steps:
        inner = ", ".join(
            f"{key}: {{{next(iter(value))}: {next(iter(value.values()))}}}"
            if isinstance(value, dict)
            else f"{key}: {value}"
            for key, value in step.items()
        )
        lines.append(f"  - {{{inner}}}")
    aid = small_deck("aid", 1, per="player")
    game = small_game("\n".join(lines) + "\n", duck_deck(), owned_deck(), aid, cards=20)
    if has_errors(check_game(game, players)):
        return
    deal = deal_cards(game, players, seed)
    found = Counter(card for held in (*deal.places, *deal.removed, *deal.left) for card in held.cards)
    for deck_id in {card.deck for card in found}:
        deck = game.decks[deck_id]
        sets = range(1, players + 1) if deck.is_per_player else range(1)
        opened = {card.set_of for card in found if card.deck == deck_id}
        owned = {(card.id, one): card.copies for card in deck.cards for one in sets if one in opened}
        here = {(card.card, card.set_of): count for card, count in found.items() if card.deck == deck_id}
        assert here == {key: copies for key, copies in owned.items() if copies}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", GAMES)
def test_the_games_as_they_are_have_no_errors(name: str) -> None:
    game, problems = load_game(Workspace(ROOT), name)
    assert game is not None
    assert not has_errors([*problems, *check_game(game)])
