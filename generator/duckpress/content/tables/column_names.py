"""What the names of a table's columns say: copies, or ids; and how many copies a cell says.

Designers have many words for both. Some columns look like copies, by such a word, and are something else here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import filterfalse

from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Deck, Value

_COPY_WORDS = """
    amount copies copy count cnt times qty qnty quant quantity quantities numcopies numberofcopies noofcopies ofcopies
    anz anzahl exemplare kopien menge stk stuck stueck stuckzahl stueckzahl exemplaires nombre nb qte quantite howmany
    cantidad cant copias copie quantita qtd qtde quantidade aantal antal antall kpl maara ilosc liczba szt sztuk
    ks kusu pocet количество колво копии штук шт 数量 枚数 张数
"""
_WORDS_BESIDE = """
    a card cards carte cartas cartes chips de deck der des each exemplaires from game im in je karten of per pieces pro
    spiel the tiles to tokens total
"""
_COPIES, _BESIDE = frozenset(_COPY_WORDS.split()), frozenset(_WORDS_BESIDE.split())
_NUMBERS = frozenset(("no", "nr", "num", "number", "nummer", "numero"))
_PERHAPS = frozenset(("no", "nr", "x"))
_IDS = "cardid code identifier key kennung lfdnr nr no num nummer number numero slug uid 编号 番号"
_COUNT = re.compile(r"(?:[x×][ \xa0]?)?(\d{1,9})(?:[.,]00?)?(?:[ \xa0]?[x×])?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 4  # digits


def looks_like_copies(name: str, *, perhaps: bool = False) -> bool:
    """Return whether a column's name says how often a card is there: `Qty`, `Number of cards`, `How many`.

    `perhaps`: whether it says so, or which number a card has (`No.`).
    """
    if perhaps:
        return bare(name) in _PERHAPS or name.strip() == "#"
    if bare(name) in _COPIES:
        return True
    words = set(_WORD.findall(plain_letters(name.replace("#", " number "))))
    counting = words - _BESIDE
    is_number_of = bool(words & {"of", "in"}) and len(counting) == 1 and counting <= _NUMBERS
    return bool(counting) and (counting <= _COPIES or is_number_of or counting == {"how", "many"})


def count_text(text: str) -> str:
    """Return how many copies a cell says there are, as digits: `x3`, `3x`, `3.0`; what says otherwise is unchanged."""
    match = _COUNT.fullmatch(text.strip())
    return str(int(match[1])) if match is not None else text


def looks_like_ids(name: str) -> bool:
    """Return whether a column's name says which card it is; a column of signs (`#`) does, too."""
    return bare(name) in _IDS.split() or name.strip() == "#"


def bare(name: str) -> str:
    """Return the letters and digits of a name, small and without accents."""
    return "".join(letter for letter in plain_letters(name) if letter.isalnum())


def plain_letters(text: str) -> str:
    """Return a text small and without accents."""
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text).casefold()))


def unused_copies(workspace: Workspace, folder: str, decks: Mapping[str, Deck]) -> Iterator[Problem]:
    """Yield a `looks-like-copies` for each field that counts cards, in a deck that prints every card once.

    Not where a layout, a text or the setup uses the field: then it means something else.
    """
    for deck in decks.values():
        if any("copies" in card.sources for card in deck.cards):
            continue
        for field in deck.fields.values():
            if not looks_like_copies(field.name):
                continue
            values = [card.values.get(field.name) for card in deck.cards]
            known = [count for value in values if (count := _count(value)) is not None]
            filled = [value for value in values if value not in (None, "")]
            other = next((value for value in filled if _count(value) is None), None)
            is_likely = 2 * sum(_count(value) is not None for value in filled) > len(filled)
            if not is_likely or max(known) < 2 or _is_used(workspace, folder, deck, field.name):
                continue
            what = f"{field.name!r} looks like copies, and is only a field: deck {deck.id!r} prints {len(values)} cards"
            is_table = deck.cards[0].source.file != deck.source.file
            first = next(count for count in known if count > 1)
            fix = f"call the column 'copies' in {deck.cards[0].source.file.rpartition('/')[2]}"
            fix = fix if is_table else f"write 'copies: {first}' instead of '{field.name}: {first}'"
            ending = f"to print {sum(known)}" if other is None else f"and write a whole number for {quoted(str(other))}"
            fix = f"{fix}, and delete {field.name!r} under 'fields', {ending}"
            yield Problem("looks-like-copies", field.source, what, fix, Level.WARNING)


def _count(value: Value) -> int | None:
    """Return how many copies a value can mean; 1 where it is empty, None where it means none."""
    if value is None or value == "":
        return 1
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    text = count_text(text) if isinstance(text, str) else ""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST else None


def _is_used(workspace: Workspace, folder: str, deck: Deck, name: str) -> bool:
    """Return whether a field is named where fields are used; `deck.count`, `decks.x.count`, `box.count` do not."""
    elsewhere = rf"(?<!\bdeck)(?<!\bbox)(?<!\bdecks\.{re.escape(deck.id)})"
    named = re.compile(rf"{elsewhere}\.{name}\b|\{{={name}\}}|['\"]{name}['\"]")
    values = (value for card in deck.cards for value in card.values.values())
    texts = (text for value in values for text in (value if isinstance(value, tuple) else (value,)))
    if any(isinstance(text, str) and named.search(text) for text in texts):
        return True
    paths = [path for place in (f"{folder}/layouts", "layouts") for path in workspace.files(place, ".xml")]
    for path in [*paths, *workspace.files(folder, "setup.yaml", ".md")]:
        try:
            if named.search(workspace.read(path, "template-file").decode("utf-8", "replace")):
                return True
        except Refused:
            continue
    return False
