"""The program's own words on swap sheets and in bundles, in English; `layouts/lang/<code>.yaml` translates them."""

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
RULES_FILE = "All rules, as they are now: {file}"
# A page of changes.
CHANGES_HEAD = "What changed from {old} to {new}"
NOTHING_CHANGED = "Nothing has changed."
NEW_LANGUAGE = "Now also in another language: {language}"
GONE_LANGUAGE = "No longer in this language: {language}"
NO_OLD_FACES = (
    "The old cards are told by their names: their pictures are drawn from the files of {old}, which are not at hand."
)
# Feedback forms.
FORM_TITLE = "Playtest feedback form"
FORM_LEAD = "Write down what you noticed, and name the cards you speak of with their codes. Thank you!"
FORM_DATE = "Date"
FORM_PLAYERS = "Players"
FORM_MINUTES = "Minutes"
FORM_SCORES = "Final scores"
FORM_GOOD = "What did you enjoy? What has to stay as it is?"
FORM_UNCLEAR = "What was unclear, in the rules or on a card?"
FORM_CARDS = "Which cards were too strong, too weak, or of no use?"
FORM_LENGTH = "Where did the game drag on, or end too soon?"
FORM_CHANGE = "What would you change first?"
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
READ_LOCK = "for the program duckpress, which tells from them what you hold"
READ_SUMS = "checksums: they tell whether all files arrived whole"
LICENCE_HEAD = "Licence and credits"
FONTS_HEAD = "Fonts in the files"

WORDS = (
    UPDATE, SWAP, SWAP_HEAD, SWAP_LEAD, SWAP_PRINT, SWAP_DO, SWAP_COUNT, TAKE_OUT, PUT_IN, KEEP, NEW_CARD,
    GONE_CARD, LOOKS_DIFFERENT, NEW_COPIES, WHOLE_DECK, ON_SHEET, FIELD_CHANGE, DECKS_NOW, DECK_HEAD, WAS_HEAD,
    NOW_HEAD, SETUP_CHANGED, SETUP_LINE, RULES_CHANGED, RULES_NOW, RULES_BEFORE, CHANGES_HEAD, NOTHING_CHANGED,
    NEW_LANGUAGE, GONE_LANGUAGE, RULES_FILE, FORM_TITLE, FORM_LEAD, FORM_DATE, FORM_PLAYERS, FORM_MINUTES, FORM_SCORES,
    FORM_GOOD, FORM_UNCLEAR, FORM_CARDS, FORM_LENGTH, FORM_CHANGE,
    NO_OLD_FACES, READ_TITLE, READ_TOP, READ_PRINT, READ_FILE, READ_KIND, READ_SHEETS, READ_PAGES, READ_WHOLE,
    READ_DUPLEX,
    READ_GUTTERFOLD, READ_NONE, READ_COLOUR, READ_LOW, READ_GREY, READ_ONCE_MORE, READ_HOW, READ_PICK, READ_SCALE,
    READ_TEST, READ_CUT, READ_PLAY, READ_TELL, READ_MORE, READ_CHANGELOG, READ_UPDATE, READ_LICENCE, READ_LOCK,
    READ_SUMS, LICENCE_HEAD, FONTS_HEAD,
)  # fmt: skip
"""The words that any bundle or update pack may print."""
