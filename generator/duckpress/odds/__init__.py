"""Checked game -> odds: how likely a hand, a roll or a place has what is asked, from the steps that deal.

`checked_question` reads the language of docs/odds.md, `odds_of` answers, exactly or by simulation and says which;
`odds_problems` holds the questions of setup.yaml against their bounds.
"""

from duckpress.odds.answering import RUNS, Odds, odds_of
from duckpress.odds.odds_bounds import in_words, odds_problems, variants_for
from duckpress.odds.question_check import checked_question, knows_place

__all__ = [
    "RUNS",
    "Odds",
    "checked_question",
    "in_words",
    "knows_place",
    "odds_of",
    "odds_problems",
    "variants_for",
]
