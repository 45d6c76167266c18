"""The findings of a page as plain data: in the groups of the terminal, each with the cards that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duckpress.core.problems import Level, Problem
from duckpress.views.grouping import alike
from duckpress.views.page.card_rows import CardPlaces


def finding_row(problem: Problem) -> dict[str, Any]:
    """Return a finding by itself, which says why something cannot be done."""
    fixes = [problem.fix] if problem.fix else []
    return {"level": problem.level.value, "what": problem.what, "at": str(problem.source), "fixes": fixes}


def finding_rows(problems: Sequence[Problem], places: CardPlaces, *, is_stale: bool = False) -> dict[str, Any]:
    """Return findings for the page; `is_stale`: with them the game cannot be drawn, and the page shows how it was."""
    levels = list(Level)  # on a page the most important come first
    groups = sorted(alike(problems), key=lambda group: levels.index(group[0].level))
    return {
        "stale": is_stale,
        "groups": [
            {
                "level": group[0].level.value,
                "code": group[0].code,
                "fixes": list(dict.fromkeys(problem.fix for problem in group if problem.fix)),
                "findings": [
                    {
                        "at": str(problem.source),
                        "what": problem.what,
                        "cards": [f"{deck}/{card}" for deck, card in places.cards_of(problem)],
                    }
                    for problem in group
                ],
            }
            for group in groups
        ],
    }
