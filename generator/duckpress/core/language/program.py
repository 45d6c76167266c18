"""The program's own words on paper, in English; `layouts/lang/<code>.yaml` has them in other languages."""

from __future__ import annotations

DRAFT = "DRAFT"
UNPROVEN = "UNPROVEN"
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
COPY = "copy {number} of {total}"
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
# Update packs and swap sheets.
UPDATE = "New and changed cards"
SWAP = "Swap sheet"
SWAP_HEAD = "Swap sheet, {old} to {new}"
SWAP_LEAD = "Cards to take out: {out}. Cards to put in: {into}. Then what you hold is version {new}."
SWAP_PRINT = "Print {file} at 100 % and cut the cards."
SWAP_DO = "Go through the list from top to bottom: take out the old cards, put in the new ones, tick the line."
SWAP_COUNT = "Count each deck at the end; how many cards it has now stands below."
TAKE_OUT = "take out {n}"
PUT_IN = "put in {n}"
KEEP = "keep {n}"
MARKED_WORDS = "In a text that changed, the words that went stand in brackets, the new ones are bold."
NEW_CARD = "new card"
GONE_CARD = "no longer in the game"
LOOKS_DIFFERENT = "looks different"
NEW_COPIES = "{new} copies instead of {old}"
WHOLE_DECK = "the whole deck"
ON_SHEET = "on sheet {number} of the new cards"
FIELD_CHANGE = "{name}: {old} → {new}"
DECKS_NOW = "How many cards each deck has now"
DECK_HEAD = "Deck"
WAS_HEAD = "before"
NOW_HEAD = "now"
SETUP_CHANGED = "Numbers of the setup that changed"
SETUP_LINE = "{column}: {new} instead of {old} with {players} players"
RULES_CHANGED = "Rules that changed"
RULES_NOW = "Now: {words}"
RULES_BEFORE = "No longer: {words}"
# A page of changes.
CHANGES_HEAD = "What changed from {old} to {new}"
NOTHING_CHANGED = "Nothing has changed."
NEW_LANGUAGE = "Now also in another language: {language}"
GONE_LANGUAGE = "No longer in this language: {language}"
RULES_FILE = "All rules, as they are now: {file}"
# Feedback forms.
FORM_TITLE = "Playtest feedback form"
FORM_LEAD = "Write down what you noticed, and name what you speak of. Thank you!"
FORM_DATE = "Date"
FORM_PLAYERS = "Players"
FORM_MINUTES = "Minutes"
FORM_SCORES = "Final scores"
FORM_GOOD = "What did you enjoy? What has to stay as it is?"
FORM_UNCLEAR = "What was unclear, in the rules or on what was printed?"
FORM_CARDS = "Which cards were too strong, too weak, or of no use?"
FORM_LENGTH = "Where did the game drag on, or end too soon?"
FORM_CHANGE = "What would you change first?"
FORM_SCALES = "Mark one box in each line."
FORM_AGAIN = "Would you play it again?"
FORM_AGAIN_LOW = "never"
FORM_AGAIN_HIGH = "at once"
FORM_RULES = "Learning the rules"
FORM_HARD = "hard"
FORM_EASY = "easy"
FORM_TIME = "Length of the game (3: right)"
FORM_TOO_SHORT = "too short"
FORM_TOO_LONG = "too long"
FORM_COUNT = "With as many players as you were"
FORM_BADLY = "badly"
FORM_WELL = "well"
FORM_CARDS_READ = "Understanding the cards"
FORM_CARDS_WORTH = "Strength of the cards"
FORM_UNEVEN = "uneven"
FORM_EVEN = "balanced"
FORM_BOARD_READ = "Reading the board"
FORM_BOARD_CHOICE = "What there is to decide on the board (3: right)"
FORM_TOO_LITTLE = "too little"
FORM_TOO_MUCH = "too much"
FORM_DICE = "What the dice decide (3: right)"
FORM_HIDDEN = "What others hold in hand"
FORM_GUESSED = "pure guessing"
FORM_KNOWN = "can be deduced"
FORM_SOLO = "Alone, if you tried: the opponent"
FORM_NO_MATCH = "too weak"
FORM_GOOD_MATCH = "too strong"
FORM_BOARD = "Which places on the board did everybody want, and which nobody?"
NO_OLD_FACES = (
    "The old cards are told by their names: their pictures are drawn from the files of {old}, which are not at hand."
)
# Bundles: the page that is read first.
READ_TITLE = "{game} {version}: read this first"
READ_TOP = "{paper}: {sheets} sheets of paper, {pages} pages, {size} MB."
READ_PRINT = "What to print"
READ_FILE = "File"
READ_KIND = "How it is printed"
READ_SHEETS = "Sheets"
READ_PAGES = "Pages"
READ_WHOLE = "the whole game"
READ_DUPLEX = "on both sides"
READ_GUTTERFOLD = "on one side, then folded and glued"
READ_NONE = "on one side, without backs, for cards in sleeves"
READ_COLOUR = "in colour"
READ_LOW = "with little ink"
READ_GREY = "in greys"
READ_ONCE_MORE = "is in the whole game, too"
READ_HOW = "How, in two minutes"
READ_PICK = "Open the folder of your paper ({folders}) and choose one file with the whole game."
READ_SCALE = (
    "Print it at 100 % (“actual size”), never at “fit to page”: cards on card of 200–300 g/m², the rest on paper."
)
READ_TEST = "Try one sheet first: the shorter bar at its foot is 50 mm long, and the backs lie behind the fronts."
READ_CUT = "Cut with a knife along a ruler, from mark to mark."
READ_PLAY = "Read the rules, play, and write down what you notice."
READ_TELL = "Tell the designer the version you played, {version}, and the codes of the cards you speak of."
READ_MORE = "What else is in here"
READ_CHANGELOG = "what changed since version {old}"
READ_UPDATE = "only for who has printed version {old}: the cards to swap, and a sheet that says which"
READ_LICENCE = "whose game it is, what prints may be used for, and who made what"
READ_SCREEN = "all cards on a screen: open it in a browser, no network is needed"
READ_LOCK = "for the program duckpress, which tells from them what you hold"
READ_SUMS = "checksums: they tell whether all files arrived whole"
LICENCE_HEAD = "Licence and credits"
FONTS_HEAD = "Fonts in the files"

WORDS: tuple[str, ...] = tuple([words for name, words in vars().items() if name.isupper()])
"""The words that any game, update pack or bundle may print; a language that lacks one of them prints it in English."""
READ_BACKS = {"duplex": READ_DUPLEX, "gutterfold": READ_GUTTERFOLD, "none": READ_NONE}

# Words that no language is asked for.
PIECES_JOINED = " + "
REMOVED = "{place}, removed"
EACH = "{place}, each"


PAGE_WORDS: dict[str, str] = {
    # The views.
    "cards": "Cards",
    "table": "Table",
    "findings": "Findings",
    "sheets": "Sheets",
    "reading": "Rules and boards",
    "changes": "Changes",
    "setup": "Setup",
    "deal": "Deal",
    # Everywhere.
    "look": "Light or dark",
    "menu": "Views",
    "close": "Close",
    "before": "Previous card",
    "next": "Next card",
    "stale": "This cannot be drawn now: the last good pictures are shown.",
    "copied": "Copied: {what}",
    "nothing": "Nothing to show",
    "fine": "Nothing was found to be wrong.",
    # Finding cards.
    "search": "Search",
    "allDecks": "All decks",
    "filters": "Filters",
    "clear": "Clear",
    "any": "any",
    "from": "{name}, from",
    "to": "{name}, to",
    "wrong": "With findings",
    "changed": "Changed",
    "size": "Size",
    "trueSize": "True size",
    "calibrate": "Hold a bank card against the frame and move the slider until both are of one size.",
    "fronts": "Fronts",
    "backs": "Backs",
    "both": "Both sides",
    "backOf": "Back of {name}",
    # One card.
    "name": "Name",
    "deck": "Deck",
    "copies": "Copies",
    "lines": "Show on the card",
    "trim": "Trim",
    "bleed": "Bleed",
    "safe": "Safe zone",
    "boxes": "Texts and pictures",
    "beside": "Languages and inks",
    "low": "little ink",
    "grey": "greys",
    "color": "colour",
    # Sheets and rules.
    "paper": "Paper",
    "ink": "Ink",
    "sides": "Backs",
    "duplex": "on both sides",
    "gutterfold": "folded and glued",
    "none": "left out",
    "printer": "Printer",
    "reach": "The dashed line is how far this printer reaches.",
    "print": "Print",
    "front": "front",
    "back": "back",
    "printing": "Being printed and proven …",
    "printed": "In {what}:",
    "unprinted": "Nothing was printed: see the findings.",
    "apart": "duckpress serves this page no longer.",
    # Changes.
    "since": "Since {version}",
    "sinceOpened": "Since this page was opened",
    "was": "before",
    "now": "now",
    "new": "new",
    "gone": "gone",
    "looks": "looks different",
    "same": "Nothing has changed.",
    # Setup and deal.
    "players": "Players",
    "odds": "Odds",
    "rounds": "Rounds",
    "play": "Play a hundred games",
    "basic": "Basic game",
    "yes": "yes",
    "no": "no",
    "seed": "Seed",
    "another": "Another seed",
    "draw": "Draw",
    "turn": "Turn",
    "move": "Move to",
    "shuffle": "Shuffle",
    "undo": "Undo",
    "link": "Copy link",
    "stack": "Stack",
    "spread": "Spread",
    "player": "Player",
    "rest": "Left over",
    "tabletop": "On the table",
    "undealt": "No cards can be dealt until this is mended.",
    "noSeed": "This deal is not on the page. `duckpress preview --live` deals any.",
}
