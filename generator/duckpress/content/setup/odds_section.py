"""`odds` in setup.yaml: questions about odds by name, with the bounds that their answers have to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from duckpress.content.setup.setup_kinds import COUNT, EXPRESSION, PLAYER_COUNTS, read_amount
from duckpress.content.yaml.declared_shapes import Kind, NamesOf, Plain, Shape, optional
from duckpress.content.yaml.kinds import TEXT_OR_TEXTS, choice
from duckpress.content.yaml.nodes import Node, Scalar, Sequence, described, quoted
from duckpress.core.problem_list import Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.amounts import Amount
from duckpress.model.setup import OddsRule

_SHARE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:(%)|/\s*([1-9][0-9]{0,8}))?")


def share_of(text: str) -> Fraction | None:
    """Return a probability that is written as `40%`, `2/5` or `0.4`; None where it is not."""
    match = _SHARE.fullmatch(text.strip())
    return None if match is None else Fraction(match[1]) / (100 if match[2] else int(match[3] or 1))


def _bound(node: Node, label: str) -> Read[Amount | None]:
    """Return a probability, or one by player count."""
    fix = "write it as 40%, 2/5 or 0.4, or several by player count: {2: 40%, 3-4: 50%}"
    if isinstance(node, Sequence) or (isinstance(node, Scalar) and node.is_null):
        return Read(None, [Problem("wrong-type", node.source, f"{label} is {described(node)}, not a probability", fix)])
    amount, problems = read_amount(node, label)
    wrong = list(problems)
    for expression in amount.by_players.values() if amount is not None else ():
        share = share_of(expression.text)
        if share is None:
            what = f"{label} is {quoted(expression.text)}, not a probability"
            wrong.append(Problem("wrong-type", expression.source, what, fix))
        elif share > 1:
            wrong.append(Problem("out-of-range", expression.source, f"{label} is more than 100 %", fix))
    return Read(None if wrong else amount, wrong)


_WRITTEN = Plain(("string", "number"), rf"^\s*{_SHARE.pattern}\s*$")
_BOUND: Kind[Amount] = Kind("probability", _bound, takes=(_WRITTEN, NamesOf((_WRITTEN,), COUNT.pattern)))


class OddsKeys(Shape):
    """A question about odds, and between what its answer has to be."""

    one_of = ("ask",)
    ask = optional(EXPRESSION, None, "the question: docs/odds.md; required")
    at_least = optional(_BOUND, None, "how likely it has to be", name="at least")
    at_most = optional(_BOUND, None, "how likely it may be", name="at most")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    belongs_to = optional(TEXT_OR_TEXTS, None, "the variants and modules that it is for, or base", name="for")
    level = optional(choice((Level.ERROR, Level.WARNING, Level.NOTE)), Level.ERROR, "how much it weighs")

    def check(self) -> Iterator[Problem]:
        if not self.has("ask"):
            yield Problem(
                "missing-key", self.source, f"{self.what} has no 'ask'", "add 'ask: hand of 5 from ... has ...'"
            )


def odds_rule(name: str, _source: Source, written: OddsKeys) -> OddsRule | None:
    """Return the rule of a name, None where nothing is asked."""
    return None if written.ask is None else written.as_record(OddsRule, name=name, source=written.ask.source)
