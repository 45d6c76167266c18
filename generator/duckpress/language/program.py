"""The program's own words on paper, in English; `layouts/lang/<code>.yaml` has them in other languages."""

from duckpress.language import sharing

DRAFT = "DRAFT"
VERSION = "version {version}"
SHEET = "sheet {number} of {total}"
FRONT = "front"
BACK = "back"
FLIP_LONG = "flip on the long edge"
FLIP_SHORT = "flip on the short edge"
PRINT_FULL_SIZE = "print at 100 %"
FOLD_THEN_CUT = "fold back along the dashed line, glue, then cut"
FOLD = "fold"
CUT_LAYER = "Cut lines"
FOLD_LAYER = "Fold line"
CORRECTED = "corrected for printer {name}"
SHARED_SHEETS = "Shared sheets"
TITLES = "{game}: {piece}"
SUBJECT = "Print-and-play file, version {version}. Print at 100 %."
SETUP_OF_VARIANT = "{setup}: {variant}"
FOR_PLAYERS = "{counts} players: {words}"
FOR_ONE_PLAYER = "1 player: {words}"
# Boards over several sheets.
TILE = "tile {number} of {total}"
TILE_PLACE = "row {row}, column {column}"
JOIN_FIRST = "lay its neighbours over it, so that marks of one letter meet"
JOIN_LEFT = "cut its left edge at the marks with letters, lay it over the neighbour so that marks of one letter meet"
JOIN_UPPER = "cut its upper edge at the marks with letters, lay it over the neighbour so that marks of one letter meet"
JOIN_BOTH = (
    "cut its left and upper edge at the marks with letters, lay it over the neighbour so that marks of one letter meet"
)
# Rules sheets.
RULES = "Rules"
RULES_BOOKLET = "Rules, folded booklet"
BYLINE = "A game by {name}"
PLAYERS = "{players} players"
FOR_EACH_PLAYER = "{number} for each player"
PRINT_AS_NEEDED = "Print as often as you need:"
BRING = "You also need:"
TABLE_PLAYERS = "Players"
YES = "yes"
NO = "no"
PUBLISHER = "Publisher"
VERSION_HEAD = "Version"
NOTES = "Notes"
# Cover sheets.
COVER = "Cover sheet"
COVER_HEAD = "Start here: print and cut"
COVER_PRINT = "How to print"
COVER_PARTS = "What is on the sheets"
COVER_CHECK = "Is everything there?"
COVER_SCALE = "Print on {paper} at 100 % (“actual size”), never at “fit to page”. Then measure: this bar is 50 mm long."
COVER_LONG = (
    "Print on both sides and flip on the long edge. Try one sheet first and hold it against the light: the "
    "backs must lie behind the fronts."
)
COVER_SHORT = (
    "Print on both sides and flip on the short edge. Try one sheet first and hold it against the light: the "
    "backs must lie behind the fronts."
)
COVER_ONE_SIDE = "Print on one side."
COVER_NO_BACKS = "Print on one side. The backs are left out: put the cards in sleeves with one back of their own."
COVER_FOLD = (
    "Print on one side. Fold each sheet back along the thick dashed line, glue the halves together, let them "
    "dry, and cut then."
)
COVER_CUT = (
    "Cut with a sharp knife along a metal ruler, from mark to mark: first the cuts that run right across the "
    "sheet, then the strips."
)
COVER_SHEETS = "Sheets of {paper}"
COVER_ON_PAPER = "on plain paper"
COVER_ON_CARD = "on card"
COVER_ON_BOARD = "on thick card"
COVER_PAPER = "plain paper, 80–120\u00a0g/m²"
COVER_CARD = "card, 200–300\u00a0g/m²"
COVER_BOARD = "card glued on 1.5–2\u00a0mm board"
COVER_CARDS = "Cards"
COVER_PIECES = "Pieces"
COVER_PAGES = "Pages"
COVER_LEGEND = "Thin dashed lines are straight cuts. Page numbers are those of {file}."
COVER_ARROW = "The arrow goes over the edge that a sheet is turned about."
COVER_PAPER_HEAD = "Sheets"
COVER_BOTH = "{number}, both sides"
COVER_SINGLE = "{number}, one side"
COVER_STOCK = "Print on"
COVER_CUTS = "Straight cuts"
COVER_FOLDS = "Folds"
COVER_BY_HAND = "Cut out by hand"
COVER_EACH = "{number} a sheet, {total} in all"
COVER_UP_TO = "up to {number} a sheet, {total} in all"
COVER_SUPPLY = "{number} × {paper}: {stock}"
COVER_TOOLS = "a sharp knife, a metal ruler and a mat to cut on"
COVER_GLUE = "glue"

WORDS: tuple[str, ...] = (*[words for name, words in vars().items() if name.isupper()], *sharing.WORDS)
"""The words that any game may print; a language that lacks one of them prints it in English."""

# Words that no language is asked for.
PIECES_JOINED = " + "
REMOVED = "{place}, removed"
EACH = "{place}, each"
