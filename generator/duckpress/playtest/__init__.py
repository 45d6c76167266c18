"""A game and its `rounds` -> what happens when it is played often: how long it lasts, what runs dry, what is left.

Only components flow: choices that people make are policies of the game's own. `playtest` plays and sums up, and
`playout_problems` holds the figures against the bounds of setup.yaml. docs/playtests.md tells the language.
"""

from duckpress.playtest.holding import playout_problems
from duckpress.playtest.playouts import Playouts, Spread, playtest, rounds_known

__all__ = ["Playouts", "Spread", "playout_problems", "playtest", "rounds_known"]
