"""A translated rules sheet is held against the original: what is more, less or otherwise in it is found."""

from __future__ import annotations

import pytest

from duckpress.core.problems import Problem, Source
from duckpress.layout.rulebook.filling import FilledLine, compared
from duckpress.layout.rulebook.markdown import MarkdownReader

ORIGINAL = """# Setup
Shuffle.

[setup table]

# Play
- Draw.

| a | b |
|---|---|
| 1 | 2 |

> **Example.** Words.

![A teal](card:duck/teal)
"""
TRANSLATION = """# Mise en place
Mélangez. Et encore.

Deux paragraphes au lieu d'un.

[setup table]

# Tour de jeu
Piochez.

| a | b |
|---|---|
| 1 | 2 |

> **Exemple.** Des mots.

![Une sarcelle](card:duck/teal)
"""


def difference(translation: str) -> Problem | None:
    blocks = []
    for path, text in (("rules.md", ORIGINAL), ("rules.fr.md", translation)):
        lines = text.split("\n")
        blocks.append(MarkdownReader(path, lines).blocks([FilledLine(line, n) for n, line in enumerate(lines, 1)]))
    return compared(*blocks, Source("rules.fr.md"))


def test_a_whole_translation_may_say_it_otherwise() -> None:
    assert difference(TRANSLATION) is None


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("[setup table]\n", ""), 7, "here is a heading of level 1"),
        (("[setup table]", "[setup table: draft]"), 6, "[setup table: draft]"),
        (("# Tour", "## Tour"), 8, "a heading of level 2"),
        (("| 1 | 2 |", "| 1 | 2 |\n| 3 | 4 |"), 11, "2 columns and 2 rows"),
        (("card:duck/teal", "card:duck/smew"), 17, "the picture card:duck/smew"),
        (("![Une sarcelle](card:duck/teal)", ""), 15, "the picture card:duck/teal of rules.md:15:11 is missing"),
        (("(card:duck/teal)", "(card:duck/teal)\n\n# Fin"), 19, "a heading of level 1 is more than rules.md has"),
    ],
)
def test_what_differs_is_found(change: tuple[str, str], line: int, words: str) -> None:
    found = difference(TRANSLATION.replace(*change))
    assert found is not None
    assert (found.code, found.level.value, found.source.line) == ("rules-differ", "warning", line)
    assert words in found.what
