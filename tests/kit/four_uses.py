"""One expression in the four places where expressions stand: what it comes to there, or the problem that it is."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

from duckpress.core.language import Speech
from duckpress.core.problems import Problem, Source
from duckpress.expressions.calculator import Calculator, compile_expression
from duckpress.expressions.parsing import ExpressionError
from duckpress.expressions.profiles import FIELD, SETUP, Profile
from duckpress.layout.rulebook.filling import fill
from duckpress.layout.templates import Templates
from running import MakeWorkspace

Use = Callable[[str], str | Problem]

SUBJECTS = {"layouts": "the template", "rules": "the sheet"}
"""What the problems of a template as a whole are about; those of cards and setups quote the expression."""


def four_uses(make_workspace: MakeWorkspace, values: Mapping[str, object]) -> dict[str, Use]:
    """Return for each place a function: an expression that knows some values -> its text, or its problem."""

    def alone(profile: Profile) -> Use:
        def use(text: str) -> str | Problem:
            try:
                return Calculator(profile).text(compile_expression(profile, text), values)
            except ExpressionError as error:
                return Problem(error.code, Source(""), error.what, error.fix)

        return use

    def in_layout(text: str) -> str | Problem:
        templates = Templates(make_workspace({"layouts/face.xml": f"<face>{{{{ {text} }}}}</face>"}), "content/pond")
        template, problem = templates.open("face", Source(""))
        if template is None:
            assert problem is not None
            return problem
        xml, problem = templates.fill(template, values)
        return html.unescape(re.sub("<[^>]*>", "", xml)) if problem is None else problem

    def in_rules(text: str) -> str | Problem:
        lines, problems = fill(f"{{{{ {text} }}}}", "rules.md", values, Speech())
        return problems[0] if problems else "\n".join(line.text for line in lines)

    return {"cards": alone(FIELD), "setup": alone(SETUP), "layouts": in_layout, "rules": in_rules}


def as_quoted(what: str, place: str, text: str) -> str:
    """Return the words of a problem as those of a card are: about the expression in quotes."""
    if place not in SUBJECTS:
        return what
    shown = repr(text if len(text) <= 80 else text[:77] + "...")
    if SUBJECTS[place] in what:
        return what.replace(SUBJECTS[place], shown, 1)
    return f"{what.removesuffix(' here')} in {shown}"
