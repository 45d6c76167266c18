"""Sheets -> the cover sheet of their file: what to print how, sheets and cuts, pictures of the sheets, lists to tick.

`cuts` finds cuts and folds from what lies on a sheet, `facts` counts, `wording` says it in the game's language,
`picture` draws a sheet small, and `setting` and `maker` make pages of all that, with what sets the rules.
"""

from duckpress.cover.cover_maker import COVER, CoverMaker
from duckpress.cover.cuts import cuts_of, folds_of
from duckpress.cover.facts import Printed, stock_of
from duckpress.cover.wording import How

__all__ = ["COVER", "CoverMaker", "How", "Printed", "cuts_of", "folds_of", "stock_of"]
