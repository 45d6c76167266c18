"""Templates from strangers: each is one problem at its line, at once and in little memory, or harmless."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confined import confined

from duckpress.core import limits
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.layout import fixed_words
from duckpress.layout.templates import Templates
from profiles import is_long

FRONT = "content/trial/layouts/front.xml"
VALUES: dict[str, Any] = {
    "game": {"version": "1.0", "title": "Trial", "lists": {}, "facts": {}},
    "card": {"id": "first", "title": "Heron & Co", "words": "Wade", "number": 7, "long": "9" * 5_000, "none": None},
    "decks": {"ducks": {"cards": [{"id": f"c{n}", "copies": n % 3} for n in range(2_000)]}},
    "report": "R",
}


class Filled(NamedTuple):
    """What came of filling a template: the letters of the face, or the problem."""

    letters: int
    problem: Problem | None
    words: str


# A tenth of the usual: what stops at it stops at ten times as much too, only later. The long profile takes those.
LOW = {"template-steps": 20_000, "template-value": 100_000, "template-parts": 10_000}


def fill(root: Path, source: str, **others: str) -> Filled:
    """Fill a template that stands in a workspace of its own, with other files beside it."""
    limits.use({} if is_long() else LOW)
    for name, text in {"front": source, **others}.items():
        path = root / "content/trial/layouts" / f"{name}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    templates = Templates(Workspace(root), "content/trial")
    template, problem = templates.open("front", Source("content/trial/decks/cards.yaml", 3, 8))
    if template is None:
        return Filled(0, problem, "")
    xml, problem = templates.fill(template, VALUES)
    return Filled(len(xml), problem, xml[:2_000])


DOUBLED = "{% set n = namespace(x=START) %}{% for i in range(70) %}{% set n.x = STEP %}{% endfor %}"
DEEP_LIST = DOUBLED.replace("START", "1").replace("STEP", "[n.x, n.x]")

WIDE = DOUBLED.replace("START", "1").replace("STEP", "(n.x, n.x)").replace("70", "13")  # 8,192 numbers


def _doubled(start: str, step: str) -> str:
    return DOUBLED.replace("START", start).replace("STEP", step)


def _cases(code: str | None, words: str, lines: dict[str, str]) -> dict[str, tuple[str, str | None, str]]:
    return {name: (line, code, words) for name, line in lines.items()}


# The template (its third line), the code of the problem, and words of it; no code: it is harmless. By their numbers:
# 18 out of the sandbox, 19 only plain data, 20 powers and products, 21 long texts and lists, 22 loops and calls,
# 23 unknown names, with what is near, 24 other files; x lists of lists, work in loops, deep syntax, no data, markup.
CASES: dict[str, tuple[str, str | None, str]] = {
    "18-map-attribute": ("{{ ['']|map(attribute='__class__')|list }}", None, "[Undefined]"),
    "19-append": ("{{ decks.ducks.cards.append(1) }}", "template-refused", "append"),
    "18-stored-format": ("{% set f = 'x{0.__class__}'.format %}{{ f(1) }}", "template-refused", "format"),
    "18-self-context": ("{% block b %}{% endblock %}{{ self._TemplateReference__context }}", "template-refused", "uns"),
    "20-product-loop": (_doubled("10", "n.x * n.x"), "template-refused", "'*'"),
    "20-huge-literal": ("{{ " + "9" * 5_000 + " }}", "template-syntax", "cannot be read"),
    "21-filter-block": (
        "{% filter replace('x', 'xxxxxxxxxx') %}" * 9 + "x" * 90 + "{% endfilter %}" * 9,
        "template-refused", "'replace'"
    ),
    "21-fixed-words": ("{{ t('{n}' * 60000, n='x' * 190000) }}", "template-failed", "letters"),
    "23-of-a-list": ("{{ [1][[2]] }}", "template-refused", "names no entry"),
    "23-of-a-long-name": ("{{ card['" + "titel" * 9_000 + "'] }}", "unknown-name", "titel"),
    "24-parent": ("{% include '../../x' %}", "missing-template", "../../x"),
    "24-computed": ("{% import '../' ~ 'front' as m %}", "missing-template", "../front"),
    "24-number": ("{% include 3 %}", "template-failed", ""),
    "x-list-in-number": (DEEP_LIST.replace("70", "15") + "{{ n.x|number }}", "template-failed", "a list"),
    "x-list-in-fixed-words": (DEEP_LIST.replace("70", "15") + "{{ t('{n}', n=n.x) }}", "template-failed", "a list"),
    "x-elif": ("{% if 0 %}" + "{% elif 0 %}" * 6_000 + "{% endif %}", "template-syntax", "than 1000 'elif'"),
    "x-unclosed-statements": ("{% " * 130_000, "template-syntax", ""),
    "x-unclosed-comments": ("{# " * 130_000, "template-syntax", ""),
    "x-unclosed-tags": ("<a" * 190_000, "template-refused", "--limit template-"),
    "x-too-large-a-file": ("x" * 400_001, "file-too-large", "front"),
    "x-set-of-keys": ("{{ (card.keys() - [])|join }}", "template-refused", "'-' needs numbers"),
}  # fmt: skip
CASES |= _cases("template-refused", "steps", {
    "22-large-body": "{% for i in range(9999) %}" + "{% set a = i %}" * 2_000 + "{% endfor %}",
    "24-in-a-loop": "{% for i in range(9999) %}{% include 'empty' %}{% endfor %}",
    "x-deep-list": "{% set n = namespace(x=1) %}{% for i in range(9999) %}{% set n.x = [n.x] %}{% endfor %}{{ n.x }}",
    "x-sort-in-loops": "{% set l = range(9999)|list %}{% for i in range(9999) %}{% set a = l|sort %}{% endfor %}",
    "x-split-in-loops": "{% set s = 'a ' * 90000 %}{% for i in range(9999) %}{% set a = s.split() %}{% endfor %}",
    "x-upper-in-loops": "{% set s = 'a' * 190000 %}{% for i in range(9999) %}{% set a = s|upper %}{% endfor %}",
    "x-word-in-numbers": "{% set r = range(9999) %}{% for i in r %}{{ 'x' in r }}{% endfor %}",
    "x-key-looked-up": WIDE + "{% for i in range(99) %}{% set a = card.get(n.x) %}{% endfor %}",
    "x-values-of-fixed-words": "{% set m = ('&' * 30000)|e %}{% for i in range(9) %}{{ t('x', a=m) }}{% endfor %}",
    "x-long-integer": "{% set a = '0' * 190000 %}{% for i in range(9) %}{{ a|int(0, 16) }}{% endfor %}",
    "x-strip": "{% set a = 'a' * 90000 %}{{ a.strip('b' * 90000 ~ 'a') }}",
    "x-trim": "{% set a = 'a' * 90000 %}{{ a|trim('b' * 90000 ~ 'a') }}",
})  # fmt: skip
CASES |= _cases("template-refused", "parts", {
    "x-list-of-lists-written": DEEP_LIST + "{{ n.x }}",
    "x-list-of-lists-compared": DEEP_LIST + "{{ n.x == n.x + [1] }}",
    "x-list-times-list": _doubled("[1]", "[n.x] * 90"),
    "x-batch-filled": _doubled("[1]", "[1]|batch(90, n.x)"),
    "x-namespace-in-itself": "{% set n = namespace() %}{% set n.a = n %}{{ [n] }}",
    "x-tilde": "{{ 1" + "~1" * 12_000 + " }}",
})  # fmt: skip
CASES |= _cases("template-refused", "deep", {
    "x-brackets": "{{ " + "(" * 10_000 + "1" + ")" * 10_000 + " }}",
    "x-unclosed-expressions": "{{ " * 130_000,
})  # fmt: skip
CASES |= _cases(None, "", {
    "20-int-of-5000-digits": "{{ card.long|int }}",
    "21-fixed-words-forms": (
        "{{ t('a', n=2, two='{m}' * 40000, few='{m}' * 40000, one='{m}' * 40000, m='x' * 190000) }}"
    ),
})  # fmt: skip
CASES |= _cases("template-refused", "unsafe", {
    "18-class-by-item": "{{ ''['__class__'] }}",
    "18-namespace-class": "{{ namespace.__init__ }}",
})  # fmt: skip
CASES |= _cases("template-refused", "cannot be written", {
    "x-method-in-a-list": "{{ [card.items] }}",
    "x-function-joined": "{{ [[range]]|join }}",
    "x-function-escaped": "{{ range|e }}",  # it would read as where it lies in memory, otherwise in every run
    "x-function-safe": "{{ range|safe }}",
    "x-class-as-a-text": "{{ namespace|string|upper }}",
})  # fmt: skip
CASES |= _cases("template-failed", "without end", {
    "22-recursive-caller": (
        "{% macro m() %}{{ caller() }}{% endmacro %}{% macro r() %}{% call m() %}{{ r() }}{% endcall %}{% endmacro %}"
        "{{ r() }}"
    ),
    "24-itself": "{% include 'front' %}",
})  # fmt: skip
CASES |= _cases("template-refused", "letters", {
    "21-plus-doubling": _doubled("'x'", "n.x + n.x"),
    "21-block-doubling": "{% set a %}xx{% endset %}" + "{% set a %}{{ a }}{{ a }}{% endset %}" * 40,
    "21-macro-doubling": "{% macro m(s) %}{{ s }}{{ s }}{% endmacro %}" + _doubled("'x'", "m(n.x)"),
})  # fmt: skip


@pytest.mark.sweep(10)
@pytest.mark.parametrize("name", CASES)
def test_a_hostile_template(tmp_path: Path, name: str) -> None:
    line, code, words = CASES[name]
    filled = confined(fill, tmp_path, f"<face>\n  <ground/>\n  {line}</face>", empty="")
    if code is None:
        assert filled.problem is None
        assert words in filled.words
        return
    problem = filled.problem
    assert problem is not None
    assert (problem.code, words in f"{problem.what} {problem.fix}") == (code, True), problem
    assert len(str(problem)) < 1_500
    assert problem.fix
    assert "Traceback" not in problem.what
    assert problem.source.file == (FRONT if code != "file-too-large" else "content/trial/decks/cards.yaml")
    if "compiled" not in words and "one face" not in problem.what and name != "x-unclosed-tags":
        assert problem.source.line == 3


def test_24_one_file_door_for_includes(tmp_path: Path) -> None:
    outside = tmp_path / "secret.xml"
    outside.write_text("secret")
    root = tmp_path / "work"
    (root / "content/trial/layouts").mkdir(parents=True)
    (root / "content/trial/layouts/linked.xml").symlink_to(outside)
    filled = confined(fill, root, "<face>\n{% include 'linked' %}</face>")
    assert filled.problem is not None
    assert (filled.problem.code, "secret" in filled.words) == ("outside-workspace", False)


@pytest.mark.parametrize("name", ["x-brackets", "x-elif", "20-huge-literal", "x-unclosed-comments"])
def test_x_fixed_words_of_a_hostile_template_are_none(name: str) -> None:
    assert confined(fixed_words, CASES[name][0]) == set()


def test_x_cycles_of_two_files(tmp_path: Path) -> None:
    for line in ("{% include 'OTHER' %}", "{% extends 'OTHER' %}", "{% import 'OTHER' as m %}{{ m }}"):
        filled = confined(fill, tmp_path, line.replace("OTHER", "two"), two=line.replace("OTHER", "front"))
        assert filled.problem is not None
        assert filled.problem.code == "template-failed"


def test_x_a_chain_of_doubling_files(tmp_path: Path) -> None:
    files = {f"f{n}": f"{{% include 'f{n + 1}' %}}" * 2 for n in range(40)}
    filled = confined(fill, tmp_path, "{% include 'f0' %}", **files, f40="x")
    assert filled.problem is not None
    assert (filled.problem.code, "steps" in filled.problem.what) == ("template-refused", True)
