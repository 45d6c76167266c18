"""Stars around a value that is empty are not written: a card without flavour printed `**`."""

from __future__ import annotations

import pytest
from jinja2.exceptions import UndefinedError

from duckpress.content.game.families import TextFiller
from duckpress.core.problems import Source
from duckpress.expressions.budget import Budget
from duckpress.expressions.profiles import LAYOUT, RULES, Profile
from duckpress.expressions.sandbox import Sandbox

CASES = [
    ("*{{ x }}*", "", "*word*"),
    ("***{{ x }}***", "", "***word***"),
    ("a *{{ x }}* b", "a  b", "a *word* b"),
    ("Rules.\n\n*{{ x }}*", "Rules.\n\n", "Rules.\n\n*word*"),
    ("*{{ x }}* **{{ x }}**", " ", "*word* **word**"),
    ("*{{ x }}**{{ x }}*", "****", "*word**word*"),
    ("*{{ x }}\n{{ x }}*", "\n", "*word\nword*"),
    ("*{{ x }} and {{ x }}*", "* and *", "*word and word*"),
    ("*{{ x }}**", "***", "*word**"),
    ("\\*{{ x }}*", "\\**", "\\*word*"),
    ("*{{ x }}", "*", "*word"),
    ("***", "***", "***"),
    ("{{ x }}*{{ x }}*{{ x }}", "", "word*word*word"),
]


@pytest.mark.parametrize(("text", "empty", "filled"), CASES)
@pytest.mark.parametrize("profile", [LAYOUT, RULES], ids=["layout", "rules"])
def test_stars_around_an_empty_value_of_a_template_are_not_written(
    profile: Profile, text: str, empty: str, filled: str
) -> None:
    sandbox = Sandbox(profile, Budget(profile))
    template = sandbox.from_string(text)
    for value, written in (("", empty), (None, empty), ("word", filled)):
        sandbox.begin()
        assert sandbox.fill(template, {"x": value}, "template-face") == written
    assert sandbox.fill(sandbox.from_string("*{{ x }}*"), {"x": " "}, "template-face") == " "
    assert sandbox.fill(sandbox.from_string("*{{ x }}*"), {"x": 0}, "template-face") == "*0*"


@pytest.mark.parametrize(("text", "empty", "filled"), CASES)
def test_stars_around_an_empty_value_of_a_family_are_not_written(text: str, empty: str, filled: str) -> None:
    filler = TextFiller()
    compiled = filler.compile(text, Source("f"), 0)
    assert isinstance(compiled, tuple)
    assert [filler.fill(compiled, {"x": value}) for value in ("", "word")] == [empty, filled]


def test_what_a_value_holds_is_written_as_it_is() -> None:
    """Stars of a value are the value's: two stars may be how hard a card is."""
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT))
    for value in ("**", "a & <b>", "*"):
        plain = sandbox.fill(sandbox.from_string("{{ x }}"), {"x": value}, "template-face")
        assert sandbox.fill(sandbox.from_string("*{{ x }}*"), {"x": value}, "template-face") == f"*{plain}*"
    macro = "{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}*{{ m('&') }}*"
    assert sandbox.fill(sandbox.from_string(macro), {}, "template-face") == "*<b>&amp;</b>*"
    loop = "{% for x in xs %}*{{ x }}*,{% endfor %}"
    assert sandbox.fill(sandbox.from_string(loop), {"xs": ["a", "", "c"]}, "template-face") == "*a*,,*c*,"


def test_a_name_that_is_not_there_is_an_error_between_stars_too() -> None:
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT))
    with pytest.raises(UndefinedError):
        sandbox.fill(sandbox.from_string("*{{ y }}*"), {}, "template-face")
