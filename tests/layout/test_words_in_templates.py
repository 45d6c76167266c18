"""`t` and `number` in layouts: looked up, filled in, escaped like any value, and counted against the budget."""

from __future__ import annotations

import pytest

from duckpress.content import load_game
from duckpress.content.translations.translation_file import in_language
from duckpress.core.language import Speech
from duckpress.core.problems import Source
from duckpress.layout import fixed_words
from duckpress.layout.templates import Templates
from duckpress.press.checking import check
from duckpress.press.reading import load
from french_pond import FILES, FRENCH_FILE, MakeWorkspace, with_file

NARROW = "\u202f"
FRENCH = Speech(
    "fr",
    {
        "Most {what}": {"other": "Le plus de {what}"},
        "a < b": {"other": "a < b & c"},
        "{n} eggs": {"one": "{n} œuf", "other": "{n} œufs"},
    },
    is_original=False,
)
EVENT = "content/pond/layouts/event.xml"


def filled(make_workspace: MakeWorkspace, template: str, speech: Speech = FRENCH) -> str:
    """Return what a template writes, or the code of what is wrong with it."""
    workspace = make_workspace({"content/game/layouts/face.xml": template})
    templates = Templates(workspace, "content/game", speech)
    opened, problem = templates.open("face", Source(""))
    assert opened is not None, problem
    written, problem = templates.fill(opened, {"word": "<Eggs>"})
    return problem.code if problem is not None else written


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ('{{ t("Most {what}", what="eggs") }}', "Le plus de eggs"),
        ('{{ t("Most {what}", what=word) }}', "Le plus de &lt;Eggs&gt;"),
        ('{{ t("a < b") }}', "a &lt; b &amp; c"),
        ('{{ "a < b"|t }}', "a &lt; b &amp; c"),
        ("{{ word|t }}", "&lt;Eggs&gt;"),
        ('{{ t("{n} eggs", n=1) }}, {{ t("{n} eggs", n=1200) }}', f"1 œuf, 1{NARROW}200 œufs"),
        ('{{ t("{n} nests", n=1, one="{n} nest") }}', "1 nest"),
        ("{% set words %}a < b{% endset %}{{ words|t }}", "a &lt; b &amp; c"),
        ("{% macro m() %}eggs{% endmacro %}{{ t('Most {what}', what=m()) }}", "Le plus de eggs"),
        ("{{ 1234.5|number }} {{ 2|number(2) }}", f"1{NARROW}234,5 2,00"),
        ("{{ t(3) }}", "template-failed"),
        ("{{ 'three'|number }}", "template-failed"),
        ("{{ true|number }}", "template-failed"),
        (
            "{% for a in range(999) %}{% for b in range(999) %}{{ t('x', n=1) }}{% endfor %}{% endfor %}",
            "template-refused",
        ),
    ],
)
def test_what_a_template_writes(template: str, expected: str, make_workspace: MakeWorkspace) -> None:
    assert filled(make_workspace, template) == expected


def test_words_are_found_without_filling_a_template() -> None:
    source = (
        "{% if no %}{{ t('One') }}{% endif %}{{ 'Two'|t }}{{ other|t }}{{ t(other) }}{{ f('Three') }}{{ t('A\\n  b') }}"
    )
    assert fixed_words(source) == {"One", "Two", "A b"}
    assert fixed_words("{% if %}") == set()


def test_words_on_a_branch_that_no_card_takes_are_not_unknown(make_workspace: MakeWorkspace) -> None:
    files = with_file(EVENT, "</face>", '{% if card.name == "Flood" %}{{ t("Wet") }}{% endif %}</face>')
    files = with_file(FRENCH_FILE, "  Back: Dos\n", "  Back: Dos\n  Wet: Mouillé\n", files)
    workspace = make_workspace(files)
    assert check(workspace, load(workspace, "pond")).problems == ()


def test_a_game_whose_first_language_is_french(make_workspace: MakeWorkspace) -> None:
    """French keys, an English translation, and a footer in the language that is printed."""
    game = FILES["content/pond/game.yaml"].replace("[en, fr]", "[fr, en]")
    files = {path: text for path, text in FILES.items() if path != FRENCH_FILE} | {"content/pond/game.yaml": game}
    workspace = make_workspace({**files, "content/pond/lang/en.yaml": "words: {Dos: Back}\n"})
    loaded, problems = load_game(workspace, "pond")
    assert (loaded is not None, problems) == (True, [])
    assert loaded is not None
    assert (loaded.language, loaded.speech.program("back"), loaded.speech.t("Dos")) == ("fr", "verso", "Dos")
    english = in_language(workspace, loaded, "en").game.speech
    assert (english.language, english.program("back"), english.t("Dos")) == ("en", "back", "Back")
