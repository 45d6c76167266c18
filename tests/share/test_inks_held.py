"""Somebody has printed in another ink, or only some of it: what they hold is compared as they hold it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from msgspec.structs import replace

from duckpress.core.problems import Source
from duckpress.press.reading import load
from duckpress.press.releases.changes import apply_swap, compare, deck_of, swap_of
from duckpress.press.releases.release_files import lock_from_manifest
from duckpress.share.releasing import changes_since
from duckpress.share.revisions import OldDecks, faces_of, old_faces
from duckpress.text.fonts import FontLibrary
from held_pond import Pond, pond_files, words_of
from running import MakeWorkspace

FACE = (
    "<face><ground fill=\"{{ 'low' if ink == 'low' else 'paper' }}\"/>"
    '<text x="4" y="4" width="36" height="30">{{ card.text }}</text>'
    '{% if ink == "low" %}<text x="4" y="40" width="36" height="6">{{ card.mark }}</text>{% endif %}</face>'
)
FILES = pond_files(
    "bundle: {papers: [a5], inks: [color, low], backs: [duplex, gutterfold]}\n",
    theme_yaml='extends: base\ncolours: {low: "#fefefe", rules-line: {color: "#888888", low: "#ff3300"}}\n',
    decks__duck_yaml="""title: Ducks
size: mini
front: duck
back: back
fields: {text: text, mark: text, tags: {kind: list, default: [wet]}}
cards:
  - {id: teal, copies: 4, text: One., mark: a}
  - {id: smew, copies: 2, text: Two., mark: b}
  - {id: eider, copies: 3, text: Three., mark: c}
""",
    layouts__duck_xml=FACE,
    layouts__back_xml="<face><ground fill=\"{{ 'low' if ink == 'low' else 'paper' }}\"/></face>",
    rules_md="# Play\n\nTake turns.\n",
)


class HeldPond(Pond):
    def printed(self, *words: str) -> Path:
        """Build the game somewhere, and give the manifest that lies beside the files."""
        folder = self.root / "-".join(("held", *(word.strip("-") for word in words)))
        self.done("build", "pond", "--paper", "a5", "--out", str(folder), *words)
        return folder / "pond" / "manifest.json"


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> HeldPond:
    return HeldPond(make_workspace({name: text.replace("theme: base", "theme: pond") for name, text in FILES.items()}))


def tweaked(pond: HeldPond) -> None:
    pond.edit("game.yaml", ('"0.1"', '"0.2"'))
    pond.edit("decks/duck.yaml", ("text: One.", "text: First."))
    pond.edit("decks/duck.yaml", ("copies: 2", "copies: 3"))


def swap_lines(data: Any, which: str) -> list[tuple[str, int]]:
    return [(one["card"], one["copies"]) for one in data[which]]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ink", ["color", "low", "grey"])
def test_what_was_printed_is_compared_in_its_ink(pond: HeldPond, ink: str) -> None:
    held = pond.printed("--ink", ink)
    tweaked(pond)
    said = pond.done("changes", "pond", "--since", str(held)).splitlines()[1:]
    assert [line.strip() for line in said] == ["Ducks, teal (D1): looks different", "Ducks, smew (D2): 3 instead of 2"]
    data = pond.data("update", "pond", "--since", str(held), "--paper", "a5")
    assert (swap_lines(data, "take_out"), swap_lines(data, "put_in")) == ([("teal", 4)], [("teal", 4), ("smew", 1)])
    suffix = "" if ink == "color" else f"-{ink}"
    assert Path(data["folder"]).name == f"update-0.1-to-0.2{suffix}"
    assert f"pond-update-a5{suffix}.pdf" in data["files"]
    pack = json.loads((Path(data["folder"]) / "manifest.json").read_text(encoding="utf-8"))
    assert pack["ink"] == ink

    # The swap gives exactly what building the new version in that ink would.
    changes = changes_since(pond.workspace, load(pond.workspace, "pond"), str(held)).changes
    now = lock_from_manifest(pond.printed("--ink", ink, "--piece", "cards").read_bytes(), Source("now")).lock
    assert changes is not None
    assert now is not None
    swap = swap_of(changes, "en")
    assert apply_swap(deck_of(changes.old, "en"), swap) == deck_of(now, "en")
    assert {line.card.faces["en"][0] for line in swap.put_in} == {
        now.cards[line.card.key].faces["en"][0] for line in swap.put_in
    }


def test_an_ink_is_chosen_where_there_are_several_and_refused_where_it_was_not_printed(pond: HeldPond) -> None:
    held = pond.printed("--ink", "low")
    pond.done("build", "pond", "--paper", "a5", "--out", str(held.parent.parent))  # in colour, beside it
    pond.edit("game.yaml", ('"0.1"', '"0.2"'))
    pond.edit("decks/duck.yaml", ("mark: a", "mark: z"))  # shown in low ink only
    nothing = pond.data("update", "pond", "--since", str(held))
    assert (nothing["folder"], nothing["put_in"]) == (None, [])
    data = pond.data("update", "pond", "--since", str(held), "--ink", "low", "--paper", "a5")
    assert swap_lines(data, "put_in") == [("teal", 4)]
    only_low = pond.printed("--ink", "low", "--backs", "none")
    refused = pond.done("update", "pond", "--since", str(only_low), "--ink", "color", status=2)
    assert "what is held is printed in low, not in color" in refused


def test_the_swap_sheet_is_in_the_ink_of_the_cards_and_names_the_rules(pond: HeldPond) -> None:
    """Its own lines are, and the cards of before: laid out again from the files of then, in that ink."""
    pond.commit("0.1")
    held = lock_from_manifest(pond.printed("--ink", "low").read_bytes(), Source("held")).lock
    assert held is not None
    faces = faces_of(
        old_faces(pond.workspace, OldDecks(held, "en", "low", None, {"duck"}), FontLibrary(pond.workspace), None)
    )
    assert {key: face.bare for key, (_, face) in faces.items()} == {
        key: one.faces["en"][0] for key, one in held.cards.items()
    }
    pond.release()
    tweaked(pond)
    pond.edit("rules.md", ("Take turns.", "The youngest begins."))
    for ink in ("color", "low"):
        data = pond.data("update", "pond", "--paper", "a5", "--ink", ink)
        way = "" if ink == "color" else "-low"
        with pikepdf.open(Path(data["folder"]) / f"pond-swap-a5{way}.pdf") as pdf:
            streams = [
                one for one in pdf.objects if isinstance(one, pikepdf.Stream) and "/Form" in str(one.get("/Subtype"))
            ]
            drawn = b" ".join(one.read_bytes() for one in streams)
        assert (b"1 .2 0 rg" in drawn) == (ink == "low"), ink
        words = words_of(Path(data["folder"]) / f"pond-swap-a5{way}.pdf")
        assert f"All rules, as they are now: pond-rules-a5{way}.pdf" in words
        assert f"pond-rules-a5{way}.pdf" in data["files"]


def test_what_was_printed_between_releases_is_known_card_by_card(pond: HeldPond) -> None:
    pond.release()
    pond.edit("decks/duck.yaml", ("text: Three.", "text: 3."))
    held = pond.printed()
    tweaked(pond)
    pond.edit("decks/duck.yaml", ("text: 3.", "text: Third."))
    pond.edit("rules.md", ("Take turns.", "The youngest begins."))
    said = pond.done("changes", "pond", "--since", str(held)).splitlines()[1:]
    assert [line.strip() for line in said] == [
        'Ducks, teal (D1): text: "One." -> "First."',
        "Ducks, smew (D2): 3 instead of 2",
        "Ducks, eider (D3): looks different",
    ]


def test_a_manifest_of_no_ink_is_none(pond: HeldPond) -> None:
    held = pond.printed()
    data = json.loads(held.read_text(encoding="utf-8"))
    data["cards"][0]["ink"] = "neon"
    held.write_text(json.dumps(data), encoding="utf-8")
    refused = pond.done("changes", "pond", "--since", str(held), status=1)
    assert "error[bad-lock]" in refused
    assert "'neon' is no ink" in refused


def test_what_looks_as_the_release_says_is_told_field_by_field_and_a_folder_is_what_lies_in_it(pond: HeldPond) -> None:
    pond.edit("game.yaml", (", inks: [color, low], backs: [duplex, gutterfold]", ""))  # one way is enough
    pond.release()
    held = pond.printed()
    pond.done("bundle", "pond")
    unpacked = pond.root / "unpacked"
    with zipfile.ZipFile(pond.root / "output/pond/pond-0.1.zip") as archive:
        archive.extractall(unpacked)
    tweaked(pond)
    pond.edit("decks/duck.yaml", ("mark: b", "mark: z, tags: [wet, far]"))  # nothing of it shows in colour
    pond.edit("rules.md", ("Take turns.", "The youngest begins."))
    told = pond.done("changes", "pond")
    assert "tags: [wet] -> [wet, far]" in told
    assert "now: The youngest begins." in told
    for folder in (held, held.parent, unpacked / "pond-0.1", pond.root / "content/pond/releases"):
        assert pond.done("changes", "pond", "--since", str(folder)) == told
    pond.run("changes", "pond", "--since", str(unpacked), status=2)


def test_what_is_no_list_of_cards_says_why(pond: HeldPond) -> None:
    pond.release()
    tweaked(pond)
    pond.done("update", "pond", "--paper", "a5")
    told = {
        "output/pond/update-0.1-to-0.2/manifest.json": "who has swapped them holds 0.2: name that version",
        "content/pond/rules.md": "it is no JSON from line 1 on",
        "output/pond/update-0.1-to-0.2/pond-swap-a5.pdf": "it is no text",
    }
    for name, words in told.items():
        refused = pond.done("changes", "pond", "--since", str(pond.root / name), status=1)
        assert "error[bad-lock]" in refused
        assert words in refused, name


def test_what_somebody_printed_in_one_language_is_no_news_of_the_others(pond: HeldPond) -> None:
    found = changes_since(pond.workspace, load(pond.workspace, "pond"), str(pond.printed())).changes
    assert found is not None
    bilingual = replace(found.new, languages=("en", "fr"))
    assert compare(found.old, bilingual).languages_added == ()
    assert compare(replace(found.old, printed_in=None), bilingual).languages_added == ("fr",)
