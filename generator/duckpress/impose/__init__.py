"""Frames -> sheets: the place of each face on its sheet and side, with marks and footers. Pure arithmetic.

`impose_piece` is the way through: `grid` fits cards on the paper, `job` puts backs behind
them, `marks` and `footer` make what stands around them, and the result is plain data (`sheets`) that `render` draws
without deciding anything. `check_fit` tells beforehand whether a size fits a paper at all.
"""

from duckpress.core.backs import Backs
from duckpress.impose.deck_sheets import Gang, GangedSheets, Share, check_fit, check_tiles, impose_gang, impose_piece
from duckpress.impose.footer import SheetLabel
from duckpress.impose.grid import MARK_STROKE_MM, Grid, fit_grid
from duckpress.impose.job import Leaf
from duckpress.impose.read_pages import PageOf, impose_booklet, impose_pages, page_leaves
from duckpress.impose.sheets import CUT_LAYER, FOLD_LAYER, Edges, Gaps, Layer, Placement, Sheet, Side, Turn, all_items
