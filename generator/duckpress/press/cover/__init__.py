"""Sheets -> the cover sheet of their file: how to print them, sheets and cuts, pictures of the sheets, checklists.

`cuts` finds cuts and folds from what lies on a sheet and draws it small, `facts` counts and says it in words, and
`cover_setting` makes pages of all that, with what sets the rules.
"""

from duckpress.press.cover.cover_setting import CoverMaker
from duckpress.press.cover.facts import stock_of
