"""The four uses of expressions: the names, limits and codes of each, and how it writes values.

What each of the names does is said in docs/expressions.md, which a test holds against the table here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Flag, StrEnum, auto
from functools import cache
from typing import NamedTuple


class Where(Flag):
    """The place of an expression: a card's field or its family, setup.yaml, a layout, a rules sheet."""

    FIELD = auto()
    SETUP = auto()
    LAYOUT = auto()
    RULES = auto()
    SHEETS = LAYOUT | RULES


class NameKind(StrEnum):
    """The kind of a name."""

    FILTER = "filter"
    TEST = "test"
    FUNCTION = "function"
    OF_TEXT = "method of a text"
    OF_LIST = "method of a list"
    OF_RECORD = "method of a record"


_FIELD, _SETUP, _SHEETS = Where.FIELD, Where.SETUP, Where.SHEETS
_CARDS = _FIELD | _SHEETS

NAMES: Mapping[NameKind, Mapping[Where, str]] = {  # a function of the program's own with its parameters
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
        _SETUP | Where.RULES: "count(of,where)",
        _SETUP: "abs ceil contents(of,holding) distinct(of,field,where) floor knowers(of) left(of) max min "
        "most(of,field,where) perimeter(of) removed(of) spaces(of,holding) sum(of,field,where) taken(of) "
        "tally(of,field,value,where) told(of) total(of) values(of,field)",
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
def names_of(kind: NameKind, use: Where) -> Mapping[str, tuple[str, ...]]:
    """Return the names of a kind in a profile, each with the parameters if it is the program's own function."""
    written = (word.partition("(") for where, words in NAMES[kind].items() if use in where for word in words.split())
    return {name: tuple(filter(None, parameters.rstrip(")").split(","))) for name, _, parameters in written}


class Codes(NamedTuple):
    """The problem codes of a profile: for unreadable, unknown, refused and failing expressions."""

    unreadable: str
    unknown: str
    refused: str
    failed: str


@dataclass(frozen=True, eq=False)
class Profile:
    """One use of expressions; `letters`, `steps`, `text` and `value` are the names of its limits.

    `letters` is that of an expression which stands by itself; a template is limited as a whole.

    `pace` is how many of its steps the work counts as that a layout takes one step for, `spent` says what took too
    many. `separator` stands between the entries of a list that is written; a list of a layout reads as in Python.
    """

    where: Where
    codes: Codes
    letters: str
    steps: str
    text: str
    value: str
    pace: int
    spent: str
    separator: str | None
    decimal: Callable[[float], str]

    def names(self, kind: NameKind) -> Mapping[str, tuple[str, ...]]:
        return names_of(kind, self.where)


def _digits(form: str) -> Callable[[float], str]:
    return lambda number: str(int(number)) if number.is_integer() else format(number, form)


FIELD = Profile(
    Where.FIELD,
    Codes("bad-expression", "unknown-name", "bad-expression", "bad-expression"),
    letters="expression", steps="family-steps", text="expression-result", value="expression-result", pace=4,
    spent="to fill in the families of the game", separator="; ", decimal=_digits(""),
)  # fmt: skip
SETUP = Profile(
    Where.SETUP,
    Codes("bad-expression", "bad-expression", "bad-expression", "bad-expression"),
    letters="setup-expression", steps="setup-steps", text="expression-result", value="expression-result", pace=2,
    spent="to compute the setup", separator=", ", decimal=_digits(".6g"),
)  # fmt: skip
LAYOUT = Profile(
    Where.LAYOUT,
    Codes("template-syntax", "unknown-name", "template-refused", "template-failed"),
    letters="", steps="template-steps", text="template-text", value="template-value", pace=1,
    spent="for one face", separator=None, decimal="{:.10g}".format,
)  # fmt: skip
RULES = replace(LAYOUT, where=Where.RULES, spent="for the sheet")
