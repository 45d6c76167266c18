"""What a setup says in vain is a warning: names of no variant, steps that never happen, hands of nothing."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.core.problems import Level
from small_games import small_game

PARTS = "variants: {open: {about: x}}\nmodules: {storm: {about: y}}\n"


def warnings(setup: str, **cards: int) -> list[str]:
    """Return the warnings of a small game as `line:column code fix`; it has no errors."""
    problems = check_game(small_game(setup, **(cards or {"duck": 12})))
    assert {one.level for one in problems} <= {Level.WARNING}, problems
    return [f"{one.source.line}:{one.source.column} {one.code} {one.fix}" for one in problems]


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("variant == 'opne'", "did you mean 'open'?"),
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
