"""What templates say in the language that is printed: `t()` for fixed words, `number` for figures.

Which words a template asks for is also found without filling it (`fixed_words`), so that words on a branch that no
card takes are not held for unused.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, nodes
from jinja2.exceptions import FilterArgumentError, TemplateSyntaxError
from jinja2.runtime import Undefined
from markupsafe import Markup

from duckpress.core.limits import limit
from duckpress.expressions.budget import Budget
from duckpress.expressions.parsing import parse_template
from duckpress.language import CATEGORIES, OTHER, Speech, phrase_key

MAX_DECIMALS = 10


class FixedWords:
    """The functions of one language for templates; what they return is escaped like any other value."""

    def __init__(self, speech: Speech, budget: Budget) -> None:
        """Take the language, and the budget that every word is counted against."""
        self._speech = speech
        self._budget = budget

    def t(self, text: Any, **values: Any) -> str:
        """Return fixed words in the language printed; values named like plural categories are forms of the original."""
        words = self._plain(text)
        if not isinstance(words, str):
            raise FilterArgumentError(f"t() translates texts, and this is {type(words).__name__}")
        self._budget.spend(1)
        if not values:
            return self._speech.t(words)
        forms = {name: str(self._said(values.pop(name))) for name in CATEGORIES if name in values and name != OTHER}
        said = {name: self._said(value) for name, value in values.items()}
        filled = self._speech.t(words, said, forms, most=limit("template-text"))
        return str(self._budget.measured(filled))

    def number(self, value: Any, decimals: Any = None) -> str:
        """Return a number as the language writes it, with so many decimals or with those it has; nothing for none."""
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | float):
            shown = repr(value[:40]) if isinstance(value, str) else f"a {type(value).__name__}"
            raise FilterArgumentError(f"number writes numbers, and this is {shown}")
        places = None if decimals is None else max(0, min(MAX_DECIMALS, int(self._budget.read(decimals))))
        return self._speech.number(value, places)

    def _plain(self, value: Any) -> Any:
        # What a macro or a block wrote is escaped already; it is looked up and filled in as it reads.
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        self._budget.read(value)
        return str(value.unescape()) if isinstance(value, Markup) else value

    def _said(self, value: Any) -> Any:
        plain = self._plain(value)
        if isinstance(plain, str | int | float | None):
            return "" if plain is None else plain
        raise FilterArgumentError(f"t() fills in texts and numbers, and this is a {type(plain).__name__}")


def fixed_words(source: str) -> set[str]:
    """Return the keys of the fixed words that a template's source asks for; none where it cannot be read."""
    try:
        tree = parse_template(Environment(), source)  # it is read, never filled
    except TemplateSyntaxError:
        return set()
    calls = [call.args[0] for call in tree.find_all(nodes.Call) if _is_t(call.node) and call.args]
    filters = [use.node for use in tree.find_all(nodes.Filter) if use.name == "t"]
    texts = (node.value for node in (*calls, *filters) if isinstance(node, nodes.Const))
    return {phrase_key(text) for text in texts if isinstance(text, str)}


def _is_t(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "t"
