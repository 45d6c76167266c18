"""Expressions in families of cards, which are worked out while a game is read: what they make has a size."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import assert_refused
from hostile_game import DECK, game

BOMBS = {
    "21-family-format": "'{:>999999999}'.format(1)",
    "21-family-format-by-key": "'{:>999999999}'['format'](1)",
    "21-family-format-map": "'{x:>999999999}'.format_map({'x': 1})",
    "21-family-ljust": "'a'.ljust(999999999)",
    "21-family-times": "'a' * 999999999",
    "21-family-per-cent": "'%999999999d' % 1",
    "21-family-center": "'a'|center(999999999)",
    "20-family-power": "9 ** (9 ** 8)",
    "18-family-class": "''.__class__.__mro__",
    "18-family-stored-format": "kind.format(kind)",
    "19-family-method": "kind.encode('utf-32')",
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("case", BOMBS)
def test_a_family_makes_no_bomb(tmp_path: Path, case: str) -> None:
    written = BOMBS[case].replace('"', '\\"')
    family = f'  - {{for: {{kind: [a, b]}}, id: "{{{{ kind }}}}", name: "{{{{ {written} }}}}", text: x}}\n'
    deck = DECK.partition("  - {id: teal")[0] + family
    assert_refused(
        tmp_path,
        game(deck=deck),
        code="bad-expression",
        at="content/g/decks/duck.yaml:6",
        as_process=case == "21-family-format",
        **({"megabytes": 400} if case == "21-family-format" else {}),
    )
