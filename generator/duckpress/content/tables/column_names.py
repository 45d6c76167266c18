"""Columns that look like copies or ids, by the words that designers have for them, and are something else here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Deck, Value

_COPIES = """
    amount copies copy count cnt times qty qnty quant quantity quantities numcopies numberofcopies noofcopies ofcopies
    anzahl exemplare kopien menge stk stuck stueck stuckzahl stueckzahl exemplaires nombre nb qte quantite
    cantidad cant copias copie quantita qtd qtde quantidade aantal antal antall kpl maara ilosc liczba szt sztuk
    ks kusu pocet количество колво копии штук шт 数量 枚数 张数
"""
_IDS = "cardid code identifier key kennung lfdnr nr no num nummer number numero slug uid 编号 番号"
_LONGEST = 4  # digits


def looks_like_copies(name: str) -> bool:
    """Return whether a column's name says how often a card is there."""
    return _bare(name) in _COPIES.split()


def looks_like_ids(name: str) -> bool:
    """Return whether a column's name says which card it is; a column of signs (`#`, `№`) does."""
    return _bare(name) in _IDS.split() or name.strip() in ("#", "№", "Nº")


def _bare(name: str) -> str:
    """Return the letters of a name, small and without accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if letter.isalnum())


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
            counts = [_count(card.values.get(field.name)) for card in deck.cards]
            known = [count for count in counts if count is not None]
            if len(known) < len(counts) or max(known, default=1) < 2 or _is_used(workspace, folder, deck, field.name):
                continue
            what = f"{field.name!r} looks like copies, and is only a field: deck {deck.id!r} prints {len(known)} cards"
            is_table = deck.cards[0].source.file != deck.source.file
            first = next(count for count in known if count > 1)
            fix = f"call the column 'copies' in {deck.cards[0].source.file.rpartition('/')[2]}"
            fix = fix if is_table else f"write 'copies: {first}' instead of '{field.name}: {first}'"
            fix = f"{fix}, and delete {field.name!r} under 'fields', to print {sum(known)}"
            yield Problem("looks-like-copies", field.source, what, fix, Level.WARNING)


def _count(value: Value) -> int | None:
    """Return how many copies a value can mean; 1 where it is empty, None where it means none."""
    if value is None or value == "":
        return 1
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    return int(text) if isinstance(text, str) and text.isdecimal() and len(text) <= _LONGEST else None


def _is_used(workspace: Workspace, folder: str, deck: Deck, name: str) -> bool:
    """Return whether a field is named where fields are used; `deck.count`, `decks.x.count`, `box.count` do not."""
    named = re.compile(
        rf"(?<!\bdeck)(?<!\bbox)(?<!\bdecks\.{re.escape(deck.id)})\.{name}\b|\{{={name}\}}|['\"]{name}['\"]"
    )
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
