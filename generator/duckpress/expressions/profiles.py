"""What tells the four uses of expressions apart: the names each knows, its limits, its codes, how its values read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from duckpress.expressions.names import NameKind, Where, names_of


class Codes(NamedTuple):
    """The codes of the problems of a use: for what cannot be read, is unknown, is refused, or cannot be computed."""

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

    def names(self, named: NameKind) -> frozenset[str]:
        """Return the names of a kind that may be used here."""
        return names_of(named, self.where)


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
_OF_SHEETS = Codes("template-syntax", "unknown-name", "template-refused", "template-failed")
LAYOUT = Profile(
    Where.LAYOUT, _OF_SHEETS, letters="", steps="template-steps", text="template-text", value="template-value", pace=1,
    spent="for one face", separator=None, decimal="{:.10g}".format,
)  # fmt: skip
RULES = Profile(
    Where.RULES, _OF_SHEETS, letters="", steps="template-steps", text="template-text", value="template-value", pace=1,
    spent="for the sheet", separator=None, decimal="{:.10g}".format,
)  # fmt: skip
