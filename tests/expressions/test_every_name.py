"""What every operator, filter, test, function and method comes to in each use, and in how many steps: lines of text.

What stands before an arrow in `golden/` is tried; a line more there and --update-golden try more. A step more or less
changes what the limits mean, another word what people read: both are looked at in the difference. Steps stand in
brackets, as those of a layout; `rules` are as `layout`, which `tests/docs/test_expressions_page.py` holds.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from duckpress.core.limits import limit
from duckpress.expressions.budget import Budget
from duckpress.expressions.calculator import Calculator, compile_expression
from duckpress.expressions.parsing import ExpressionError, explained
from duckpress.expressions.profiles import FIELD, LAYOUT, SETUP, NameKind, Profile, Where, names_of
from duckpress.expressions.sandbox import LazyValue, Sandbox
from four_uses import as_quoted

GOLDEN = Path(__file__).with_name("golden")
ROWS = [{"id": "a", "n": 2, "kind": "x"}, {"id": "b", "n": None, "kind": "y"}, {"id": "c", "n": 5, "kind": "x"}]
VALUES: Mapping[str, Any] = {
    "players": 3, "half": 2.5, "name": "teal duck", "mixed": "Teal & Co", "empty": "", "nothing": None, "yes": True,
    "card": {"id": "teal", "cost": None, "worth": None, "items": 3, "name": "Teal"}, "rows": ROWS,
    "list": [3, 1, 2, 1], "words": ["b", "a", "B"], "tuple": (1, "b"), "pairs": [["a", 1], ["b", 2]],
    "w63": "a" * 63, "w64": "b" * 64, "w65": "c" * 65, "w640": "Duck " * 128, "w9000": "abc" * 3000,
    "n7": list(range(7)), "n8": list(range(8)), "n800": list(range(800)), "lists": [["a" * 40] * 20] * 20,
    "texts": ["x" * 100] * 10, "marked": Markup("<b>"), "lazy": LazyValue(lambda: 42), "of": {"b": 2, "a": 1},
}  # fmt: skip


LONG = "A duck. " * 40
_OURS = ("an empty value", "it divides by zero", "a record is", "a macro or")


def shown(text: str) -> str:
    """Return a text on one line, a long one as what it begins with and its length.

    What Python says of a failure differs between its versions: left out.
    """
    mistake, fails, why = text.partition(" fails: ")
    if text.startswith("! ") and fails and not why.startswith(_OURS):
        text = f"{mistake} fails"
    line = text.replace("\n", " / ")
    return line if len(line) <= 160 else f"{line[:60]}... ({len(line)})"


class Use:
    """One use of expressions: what an expression or a template comes to, and in how many steps of a layout."""

    def __init__(self, name: str, profile: Profile) -> None:
        self.name, self.profile = name, profile
        self._calculator = Calculator(profile)
        self._budget = Budget(profile)
        self._sandbox = Sandbox(profile, self._budget, {"t": lambda word: word})

    def expression(self, text: str) -> str:
        if self.profile is LAYOUT:
            said = html.unescape(self.template(f"{{{{ {text} }}}}"))
            return as_quoted(said, "layouts", text) if said.startswith("! ") else said
        budget = self._calculator.budget
        budget.begin()
        try:
            return self._told(self._calculator.text(compile_expression(self.profile, text), VALUES), budget)
        except ExpressionError as mistake:
            return self._told(f"! {mistake.what}", budget)

    def template(self, template: str) -> str:
        self._sandbox.begin()
        try:
            said = self._sandbox.fill(self._sandbox.from_string(template), VALUES, "template-face")
        except Exception as error:
            said = f"! {explained(error, self.profile, 'the template', VALUES, template).what}"
        return self._told(said, self._budget)

    def _told(self, said: str, budget: Budget) -> str:
        steps, rest = divmod(limit(self.profile.steps) - budget.steps_left, self.profile.pace)
        assert not rest
        return shown(said) + (f"  ({steps})" if steps and "a macro or" not in said else "")


@pytest.fixture(scope="module")
def uses() -> list[Use]:
    return [Use(name, profile) for name, profile in (("layout", LAYOUT), ("cards", FIELD), ("setup", SETUP))]


def lines_of(uses: list[Use], text: str) -> Iterator[str]:
    """Yield an expression with what comes of it: once where all uses agree, else on a line for each."""
    said: dict[str, list[str]] = {}
    for use in uses:
        said.setdefault(use.expression(text), []).append(use.name)
    if len(said) == 1:
        yield f"{text}  ->  {''.join(said)}"
        return
    yield text
    for line, names in said.items():
        yield f"    {' '.join(names):12}  ->  {line}"


def texts_of(path: Path) -> list[str]:
    """Return what stands before the arrows of a golden file, or on a line of its own."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.partition("  ->  ")[0] for line in lines if not line.startswith("    ")]


KINDS = sorted(path.stem for path in GOLDEN.iterdir() if path.stem != "templates")
_NOT_IN_SETUPS = ("filters", "tests", "methods", "long-values")


@pytest.mark.parametrize("kind", KINDS)
def test_every_expression_comes_to_what_it_did(kind: str, uses: list[Use], golden: Callable[[Path, str], None]) -> None:
    path = GOLDEN / f"{kind}.txt"
    tried = uses[:2] if kind.startswith(_NOT_IN_SETUPS) else uses
    golden(path, "".join(f"{line}\n" for text in texts_of(path) for line in lines_of(tried, text)))


def test_every_template_comes_to_what_it_did(uses: list[Use], golden: Callable[[Path, str], None]) -> None:
    path = GOLDEN / "templates.txt"
    lines = [f"{text}  ->  {uses[0].template(text.replace('LONG', LONG))}\n" for text in texts_of(path)]
    golden(path, "".join(lines))


def test_every_name_is_tried() -> None:
    tried = "\n".join(text for path in sorted(GOLDEN.iterdir()) for text in texts_of(path))
    forms = {NameKind.FILTER: r"\|{}\b", NameKind.TEST: r"is {}(?!\w)"}
    missing = {
        name
        for kind in NameKind
        if kind is not NameKind.FUNCTION  # those of setups are of `check`
        for use in (Where.FIELD, Where.LAYOUT)
        for name in names_of(kind, use)
        if name.isalpha() and not re.search(forms.get(kind, r"\.{}\(").format(name), tried)
    }
    assert missing == {"number"}  # a filter of the language's, which whoever uses the sandbox brings
