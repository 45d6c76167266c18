"""Checked game -> its probabilities: how likely hands, rolls and places are, and the results of many games.

`checked_question` reads the language of docs/odds.md and `odds_of` answers, exactly or by simulation, and says which.
`playtest` plays the `rounds` of docs/playtests.md often and sums up: only components flow, and what people choose is a
policy of the game's own. `odds_problems` and `playout_problems` hold both against the bounds of setup.yaml.
"""

from duckpress.chance.answering import Odds, odds_of
from duckpress.chance.bounds import in_words, odds_problems, playout_problems, variants_for
from duckpress.chance.playing import Playouts, Spread, playtest, rounds_known
from duckpress.chance.question import checked_question, knows_place
