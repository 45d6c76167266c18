"""The names that expressions may use: filters, tests, functions and methods, each with where it may be used.

What each of them does is said in docs/expressions.md, which a test holds against this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag, StrEnum, auto
from functools import cache


class Where(Flag):
    """Where an expression stands: in a card's field or its family, in setup.yaml, in a layout, in a rules sheet."""

    FIELD = auto()
    SETUP = auto()
    LAYOUT = auto()
    RULES = auto()
    SHEETS = LAYOUT | RULES


class NameKind(StrEnum):
    """What a name is of."""

    FILTER = "filter"
    TEST = "test"
    FUNCTION = "function"
    OF_TEXT = "method of a text"
    OF_LIST = "method of a list"
    OF_RECORD = "method of a record"


_FIELD, _SETUP, _SHEETS = Where.FIELD, Where.SETUP, Where.SHEETS
_CARDS = _FIELD | _SHEETS

NAMES: Mapping[NameKind, Mapping[Where, str]] = {
    NameKind.FILTER: {
        _CARDS: "abs capitalize count default first float int join last length lower max min round sort string sum "
        "title trim unique upper",
        _SHEETS: "batch d dictsort e escape groupby items list map number reject rejectattr replace reverse safe "
        "select selectattr t truncate wordcount",
        Where.RULES: "spelled",
    },
    NameKind.TEST: {
        _CARDS | _SETUP: "divisibleby even none odd",
        _CARDS: "defined undefined integer float number string sequence mapping true false in "
        "== eq != ne > gt >= ge < lt <= le",
        _SHEETS: "boolean equalto greaterthan iterable lessthan lower upper",
    },
    NameKind.FUNCTION: {
        _SETUP | Where.RULES: "count",
        _SETUP: "abs ceil contents distinct floor knowers left max min perimeter removed spaces sum taken tally told "
        "total",
        _SHEETS: "namespace range t",
    },
    NameKind.OF_TEXT: {
        _CARDS: "endswith lower split startswith title upper",
        _SHEETS: "capitalize casefold count find index isalpha isdigit islower isnumeric isupper lstrip partition "
        "removeprefix removesuffix rpartition rstrip strip swapcase",
    },
    NameKind.OF_LIST: {_SHEETS: "count index"},
    NameKind.OF_RECORD: {_CARDS: "get items keys values"},
}


@cache
def names_of(named: NameKind, use: Where) -> frozenset[str]:
    """Return the names of a kind that a use has."""
    return frozenset(name for where, names in NAMES[named].items() if use in where for name in names.split())
