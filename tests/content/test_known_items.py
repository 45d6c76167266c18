"""A deck read again by its cards is the deck that the parser reads whole: values, places, problems and their number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content.yaml import known_items
from duckpress.content.yaml.known_items import KnownItems
from duckpress.content.yaml.node_builder import ValueAllowance
from duckpress.content.yaml.yaml_file import read_yaml
from profiles import examples

HEAD = "title: Ducks\nfields: {text: text}\n"
DECK = f"{HEAD}cards:\n- id: one\n  text: One.\n- id: two\n  text: |\n    Two.\n\n- {{id: three}}\n"
ODD = {
    "an anchor and its alias": "- &a {id: one}\n- *a\n",
    "a quote over several lines": '- id: "one\n- two"\n- id: three\n',
    "a list in brackets over lines": "- [one,\n- two]\n",
    "a second document": "- id: one\n---\n- id: two\n",
    "the end of the document": "- id: one\n...\n- id: two\n",
    "a key behind the cards": "- id: one\n- id: two\nsize: mini\n",
    "the cards once more": "- id: one\ncards:\n- id: two\n",
    "a tag": "- !x one\n",
    "a merge key": "- {<<: x}\n",
    "a comment behind a text": "- id: one #two\n",
    "a dash alone": "-\n  id: one\n- id: two\n-\n  id: three\n",
    "notes between": "# note\n\n  # another\n- id: one\n# note\n- id: two\n",
    "set in": "  - id: one\n  - id: two\n    text: |+\n      Two.\n\n  - - three\n    - four\n",
    "set in less": "  - id: one\n - id: two\n",
    "none": "\n",
    "a text": " none\n",
    "line breaks of Windows": "- id: one\r\n- id: two\r\n",
    "a repeated key": "- {id: one, id: two}\n",
    "no line break at the end": "- id: one\n- id: two",
    "blank lines at the end": "- id: one\n- text: |+\n    Two.\n\n\n",
    "a tab": "- id: one\n\t- id: two\n",
}


def both(known: KnownItems, text: str) -> None:
    """Hold a text read by its items against the same read whole."""
    room, whole = ValueAllowance(), ValueAllowance()
    found, wanted = known.read_yaml("deck.yaml", text.encode(), room), read_yaml("deck.yaml", text.encode(), whole)
    assert found.value == wanted.value
    assert list(found.problems) == list(wanted.problems)
    assert (room.left, room.repeated, room.is_overrun) == (whole.left, whole.repeated, whole.is_overrun)


@pytest.mark.parametrize("name", ODD)
def test_what_is_unusual_is_read_whole(name: str) -> None:
    known = KnownItems()
    both(known, f"{HEAD}cards:\n{ODD[name]}")
    both(known, f"{HEAD}cards:\n{ODD[name]}")
    both(known, DECK)
    both(known, f"{DECK}{ODD[name]}")


def test_only_new_cards_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def noted(path: str, data: bytes, room: ValueAllowance, above: int = 0) -> object:
        parsed.append(data.decode())
        return read_yaml(path, data, room, above)

    known = KnownItems()
    both(known, DECK)
    monkeypatch.setattr(known_items, "read_yaml", noted)
    both(known, DECK.replace("One.", "1."))
    assert parsed == [f"{HEAD}cards:\n", "cards:\n- id: one\n  text: 1.\n"]
    parsed.clear()
    both(known, DECK.replace("- id: two", "- id: new\n- id: two"))
    assert len(parsed) == 5, "those that stand elsewhere now are parsed, too"


def test_limits_count_all_items(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownItems()
    both(known, DECK)
    whole = ValueAllowance()
    read_yaml("deck.yaml", DECK.encode(), whole)
    values = ValueAllowance().left - whole.left
    for most in (values, values - 1):
        monkeypatch.setattr(
            "duckpress.content.yaml.node_builder.limit", {"yaml-values": most, "text-length": 99, "yaml-depth": 4}.get
        )
        both(known, DECK)


WRITTEN = """\
- id: a
  text: b
- {id: c, text: 'd'}
  text: "e
f"
# note

  - g
- |-
    h
- i: [
]
- &j k
- *j
cards:
l: m
-
---
  text: >
\t
"""
LINES = st.lists(st.sampled_from([*WRITTEN.splitlines(keepends=True), "- n", "# o"]), max_size=8)


@given(LINES, LINES)
@examples(100)
def test_any_lines_are_what_they_are_read_whole(one: list[str], other: list[str]) -> None:
    known = KnownItems()
    for lines in (one, other, [*one, *other], [*other, *one], one):
        both(known, "".join(["title: x\n", "cards:\n", *lines]))
