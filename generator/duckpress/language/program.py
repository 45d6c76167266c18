"""The program's own words on paper, in English; `layouts/lang/<code>.yaml` has them in other languages."""

DRAFT = "DRAFT"
VERSION = "version {version}"
SHEET = "sheet {number} of {total}"
FRONT = "front"
BACK = "back"
FLIP_LONG = "flip on the long edge"
FLIP_SHORT = "flip on the short edge"
PRINT_FULL_SIZE = "print at 100 %"
TITLES = "{game}: {piece}"
SUBJECT = "Print-and-play file, version {version}. Print at 100 %."
SETUP_OF_VARIANT = "{setup}: {variant}"
FOR_PLAYERS = "{counts} players: {words}"
FOR_ONE_PLAYER = "1 player: {words}"
REMOVED = "{place}, removed"
EACH = "{place}, each"
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

WORDS = (
    DRAFT,
    VERSION,
    SHEET,
    FRONT,
    BACK,
    FLIP_LONG,
    FLIP_SHORT,
    PRINT_FULL_SIZE,
    TITLES,
    SUBJECT,
    SETUP_OF_VARIANT,
    FOR_PLAYERS,
    FOR_ONE_PLAYER,
    TILE,
    TILE_PLACE,
    JOIN_FIRST,
    JOIN_LEFT,
    JOIN_UPPER,
    JOIN_BOTH,
    RULES,
    RULES_BOOKLET,
    BYLINE,
    PLAYERS,
    FOR_EACH_PLAYER,
    PRINT_AS_NEEDED,
    BRING,
    TABLE_PLAYERS,
    YES,
    NO,
    PUBLISHER,
    VERSION_HEAD,
    NOTES,
)
"""The words that any game may print; a language that lacks one of them prints it in English."""
