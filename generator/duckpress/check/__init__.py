"""`Game` -> the cards its setup takes at each player count, with problems of meaning.

`check_game` runs the steps of setup.yaml on counts at every player count and in every variant, and holds what comes
out against what the game says must come out. `setup_table` shows the same numbers; `copies_for` says what to print.
The language of setup.yaml and every problem code are explained in docs/checks.md.
"""

from duckpress.check.all_findings import check_game, wrong_words
from duckpress.check.dealing import ALGORITHM, CardRef, Deal, Holding, Seat, deal_cards
from duckpress.check.findings import CODES, accept_findings, unused_acceptances
from duckpress.check.game_checks import copies_for
from duckpress.check.setup.combinations import NoSuchSetup, way_to_play
from duckpress.check.setup.setup_table import SetupTable, setup_table
