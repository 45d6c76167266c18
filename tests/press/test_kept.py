"""What a change touches is made again and nothing else: faces, words looked at, proofs; damaged, they count as none.

What comes out is what would come out without a cache.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crews import use
from duckpress.art import picture_files as pictures
from duckpress.check import all_findings
from duckpress.core import limits
from duckpress.core.frame import Frame
from duckpress.core.problems import Problem, has_errors
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.layout.legibility import checks
from duckpress.layout.rulebook import sheet
from duckpress.model import Game
from duckpress.press import printing
from duckpress.press.build_cache import BuildCache
from duckpress.press.checking import before_layout, check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.press.sheets import piece_sheets
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.proof import file_proof
from duckpress.store.cache import Cache
from duckpress.text.fonts import FontLibrary
from kinds import FILES, KEY, KINDS, MakeWorkspace, cache_in, change, font, lay_out, png

ALL = frozenset(KINDS)
ONE = "title: One\nsize: poker\nfront: face\nfields: {text: text}\ncards:\n  - {id: only, text: A word.}\n"
DECK, FACE, THEME = (f"content/kinds/{name}" for name in ("decks/kind.yaml", "layouts/face.xml", "theme.yaml"))


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def relaid(workspace: Workspace, language: str | None = None, ink: str = "color", identity: str = "program") -> int:
    """Lay the game out with the cache, hold it against a run without, and give how many faces were laid out."""
    store = BuildCache(Memo(cache_in(workspace), identity))
    hashes, piece, problems = lay_out(workspace, store, language=language, ink=ink)
    fresh, fresh_piece, fresh_problems = lay_out(workspace, language=language, ink=ink)
    assert (hashes, problems) == (fresh, fresh_problems)
    assert (piece.fits, piece.decorations) == (fresh_piece.fits, fresh_piece.decorations)
    assert piece.drawings.keys() == fresh_piece.drawings.keys()
    assert piece.pictures == fresh_piece.pictures
    return store.laid_out


def test_nothing_changed_nothing_is_laid_out(workspace: Workspace) -> None:
    before, _, problems = lay_out(workspace)
    assert not problems
    assert len(set(before.values())) == len(KINDS)
    assert [relaid(workspace), relaid(workspace)] == [len(KINDS), 0]
    # A language, an ink, and another program have faces of their own.
    for own in ({"language": "fr"}, {"ink": "grey"}):
        assert [relaid(workspace, **own), relaid(workspace, **own), relaid(workspace)] == [len(KINDS), 0, 0]
    change(workspace, "content/kinds/lang/fr.yaml", "Tirs", "Des tirs")
    assert (relaid(workspace, "fr"), relaid(workspace)) == (1, 0)
    assert relaid(workspace, identity="another program") == len(KINDS)


CHANGES: dict[str, tuple[str, str, str, set[str] | frozenset[str]]] = {
    "field": (DECK, "The plain card.", "The plain duck.", {"plain"}),
    "template": (FACE, '20" fill="accent"', '21" fill="accent"', {"accent"}),
    "template, a comment": (FACE, "<face>", "<face><!-- a comment <rect/> -->", set()),
    "macro": ("content/kinds/layouts/macros.xml", 'cx="20"', 'cx="21"', {"macro"}),
    "include": ("content/kinds/layouts/part.xml", 'y="50"', 'y="51"', {"part"}),
    "drawing": ("content/kinds/art/pond.svg", 'r="4"', 'r="3"', {"drawing"}),
    "an icon's alias": (THEME, "art/token.svg", "art/pond.svg", set()),  # they look alike
    "what an alias leads to": ("content/kinds/art/token.svg", 'r="4"', 'r="2"', {"alias"}),
    "role": (THEME, "#aa3300", "#005522", {"accent", "aside"}),
    "style, everywhere": (THEME, "size: 9", "size: 9.5", ALL),
    "families": ("fonts/own/family.yaml", ", bold: bold.ttf", "", {"bold"}),
    "copies": (DECK, "{id: plain,", "{id: plain, copies: 3,", set()),
}  # fmt: skip


@pytest.mark.sweep(11)
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_touches_what_it_touches(name: str, workspace: Workspace) -> None:
    path, old, new, touched = CHANGES[name]
    relaid(workspace)
    before, _, _ = lay_out(workspace)
    change(workspace, path, old, new)
    after, _, problems = lay_out(workspace)
    assert not problems
    assert {card for card in KINDS if before[card] != after[card]} == touched
    assert [relaid(workspace), relaid(workspace)] == [len(touched), 0]
    if name == "field":  # what was changed back is still known
        change(workspace, path, new, old)
        assert relaid(workspace) == 0


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("path", "data", "touched"),
    [
        ("fonts/own/bold.ttf", font("AlegreyaSans-ExtraBold.ttf"), 1),
        ("fonts/own/regular.ttf", font("AlegreyaSans-Medium.ttf"), len(KINDS)),
        ("content/kinds/art/pond.png", png(91), 1),
    ],
)
def test_a_font_and_a_picture_touch_the_faces_that_show_them(
    path: str, data: bytes, touched: int, workspace: Workspace
) -> None:
    relaid(workspace)
    (workspace.root / path).write_bytes(data)
    assert relaid(workspace) == touched


def test_a_file_that_comes_before_another_is_seen(workspace: Workspace) -> None:
    common, own = (workspace.root / path / "icons/coin.svg" for path in ("layouts", "content/kinds/art"))
    common.parent.mkdir(parents=True)
    own.rename(common)
    relaid(workspace)
    own.write_text(common.read_text().replace('r="4"', 'r="2"'))
    assert relaid(workspace) == 1


@pytest.mark.parametrize(
    ("sign", "path", "old", "new", "touched"),
    [
        # Icons are found once for all texts of a colour; each face that shows one has to know of it all the same.
        ("{coin}", "content/kinds/art/icons/coin.svg", 'r="4"', 'r="3"', 2),
        ("🦆", THEME, "icons: {", "icons: {'🦆': art/token.svg, ", 1),  # an emoji becomes an icon
    ],
)
def test_an_icon_changes_all_cards_that_show_it(
    workspace: Workspace, sign: str, path: str, old: str, new: str, touched: int
) -> None:
    change(workspace, DECK, "The plain card.", f"The plain {sign} card.")
    relaid(workspace)
    change(workspace, path, old, new)
    assert relaid(workspace) == touched


def test_a_warning_is_told_every_time_and_of_the_first_card_that_shows_it(workspace: Workspace) -> None:
    """Three cards reach into the safe zone: only the first is told of, and once it does not, the second is."""
    low = '<text x="1" y="80" width="50" height="6">Low</text>'
    change(workspace, FACE, "</face>", f'{{% if card.id in ["bold", "icon", "alias"] %}}{low}{{% endif %}}</face>')
    for _ in range(2):
        relaid(workspace)  # it compares the problems
    assert [problem.code for problem in lay_out(workspace)[2]] == ["outside-safe-zone"]
    change(workspace, FACE, '["bold", "icon", "alias"]', '["icon", "alias"]')
    relaid(workspace)
    (problem,) = lay_out(workspace)[2]
    assert "'icon'" in problem.what


def test_an_error_is_told_every_time(workspace: Workspace) -> None:
    change(workspace, DECK, "The plain card.", "The {nothing} card.")
    for _ in range(2):
        relaid(workspace)
    assert "unknown-icon" in {problem.code for problem in lay_out(workspace)[2]}


def test_a_check_may_look_at_any_words_of_a_card(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """No rule names the text of a card, and what a check finds in it is told after the change, as without a cache.

    It looks once at each version of the game.
    """
    looks: list[Game] = []

    def dull_cards(game: Game) -> list[Problem]:
        looks.append(game)
        cards = game.decks["kind"].cards
        return [Problem("dull", one.source, one.id) for one in cards if "plain" in str(one.values["text"])]

    monkeypatch.setattr(all_findings, "CHECKS", all_findings.CHECKS._replace(of_game=(dull_cards,)))
    for is_dull in (True, False):
        loaded = replace(load(workspace, "kinds"), frames=BuildCache(Memo(cache_in(workspace), "program")))
        assert ("dull" in {one.code for one in before_layout(workspace, loaded)}) is is_dull
        if is_dull:
            change(workspace, DECK, "The plain card.", "The card.")
    assert len(looks) == 2


@pytest.fixture
def faint(workspace: Workspace) -> Workspace:
    change(workspace, THEME, 'accent: "#aa3300"', 'accent: "#eeeeee"')
    return workspace


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """Return the frames that are looked at from now on, here or ahead."""
    found: list[Frame] = []
    opened = checks.Grounds.open

    def noted(grounds: checks.Grounds, items: object) -> None:
        found.append(items)  # type: ignore[arg-type]
        opened(grounds, items)  # type: ignore[arg-type]

    monkeypatch.setattr(checks.Grounds, "open", noted)
    return found


def told(workspace: Workspace, *, is_kept: bool = True) -> list[str]:
    """Return the warnings of the game laid out."""
    game = load(workspace, "kinds").game
    assert game is not None
    store = BuildCache(Memo(cache_in(workspace, KEY), "program")) if is_kept else None
    task = TypesetTask(workspace, game, FontLibrary(workspace), game.pieces, frames=store)
    return [str(problem) for problem in typeset(task).problems]


def test_words_are_looked_at_once_and_told_just_the_same(faint: Workspace, looked_at: list[Frame]) -> None:
    plain = told(faint, is_kept=False)
    assert any("hard to read" in one for one in plain)

    def looks() -> int:
        looked_at.clear()
        assert told(faint) == plain
        return len(looked_at)

    assert [looks(), looks()] == [len(KINDS), 0]
    change(faint, DECK, "The macro card.", "The other card.")
    assert looks() == 1
    for damage in (b"", b"{}", b"x", b"\xff" * 200):
        (entry,) = (faint.root / ".duckpress-cache").glob("words-*")
        entry.write_bytes(entry.read_bytes()[:-3] + damage)
        assert looks() == len(KINDS)


def test_what_workers_looked_through_is_known_to_those_that_come_later(
    faint: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, 2)
    picture, _ = pictures.read_picture("pond.png", (faint.root / "content/kinds/art/pond.png").read_bytes())
    for _ in range(2):
        monkeypatch.setattr(pictures, "_checked", {})
        told(faint, is_kept=False)
        assert list(pictures._checked) == [picture.key], "workers told it"


BOTH: dict[str, str | bytes] = {
    **FILES,
    **{  # two fonts that call themselves the same
        f"fonts/{name}/{file}": body
        for name, end in (("castor", b""), ("pollux", bytes(4)))
        for file, body in (
            ("family.yaml", f"{{name: {name}, licence: X, licence-file: a.ttf, styles: {{black: a.ttf}}}}"),
            ("a.ttf", font("AlegreyaSans-ExtraBold.ttf") + end),
        )
    },
    "content/kinds/layouts/says.xml": "{% set said = t('Not ' + 'said') %}",
    "content/kinds/art/lake.png": png(91),
    "content/kinds/art/reed.png": png(55),
    "content/kinds/game.yaml": str(FILES["content/kinds/game.yaml"]) + "  - {id: one, title: One, decks: [one]}\n",
    "content/kinds/decks/one.yaml": ONE,
    THEME: str(FILES[THEME]).replace("Own}", "Own, car: castor, duc: pollux}")
    + "  car: {font: car, size: 8}\n  duc: {font: duc, size: 8}\n",
    "content/kinds/lang/fr.yaml": "words: {Shots: Tirs, The plain card.: Carte, The plain duck.: Canard}\n",
}
MORE = '<text x="5" y="44" width="50" height="10"{}>{}</text></face>'
SHOWS = '{{% if card.id == "{}" %}}<image href="art/{}.png" x="9" y="30" width="{}" height="9"/>{{% endif %}}</face>'
ONES, DUCK = ("content/kinds/decks/one.yaml", "A word", "Two words"), (DECK, "plain card", "plain duck")
COMMON = {
    "another deck": (MORE.format("", "{{ decks.one.cards[0].text }}"), ONES),
    "every deck": (MORE.format("", "{% for deck in decks.values() %}{{ deck.cards[0].text }}{% endfor %}"), ONES),
    "where a warning is": (SHOWS.format("bold", "pond", 30), (DECK, "  - {id: bold,", "  # a note\n  - {id: bold,")),
    "ornaments": (MORE.format(' decoration="yes"', "{{ card.text }}"), DUCK),
    "fonts": (MORE.format(' style="{{ {"plain": card.text[10:13]}.get(card.id, "aside") }}"', "A"), DUCK),
    "words of an import": ('{% if "card" in card.text %}{% import "says" as all %}{% endif %}</face>', DUCK),
    "fixed words": (MORE.format("", "{{ t(card.text) }}"), DUCK),
    "art": (SHOWS.format("plain", '{{ "lake" if "card" in card.text else "reed" }}', 2), DUCK),
}
"""What a template does, and the words of a card that change under it."""


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", COMMON)
def test_what_cards_have_in_common_is_found_as_without_a_cache(
    name: str, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, (face, edit) = make_workspace(BOTH), COMMON[name]
    monkeypatch.setattr(limits, "_set", {"art-bytes": len(png(9)) * 5 // 2})
    change(workspace, FACE, "</face>", face)

    def found(store: BuildCache | None) -> object:
        done = check(workspace, replace(load(workspace, "kinds"), frames=store))
        assert not has_errors(done.problems)
        faces = [(face.front.hash, face.code) for piece in done.pieces for face in piece.faces]
        return done.problems, faces, [piece.decorations for piece in done.pieces]

    for is_later in (False, True):
        if is_later:
            change(workspace, *edit)
        assert found(BuildCache(Memo(cache_in(workspace), "program"))) == found(None)


PROOF_KEY = bytes(range(32))


def built(workspace: Workspace, out: Path, key: bytes = PROOF_KEY, program: str = "program") -> dict[str, bytes]:
    """Return the files of a build."""
    store = BuildCache(Memo(Cache(workspace.root / "cache", key), program))
    done = build(workspace, replace(load(workspace, "kinds"), frames=store), Request(papers=("a5",)), out)
    assert not has_errors(done.checked.problems)
    return {path.name: path.read_bytes() for path in sorted(out.rglob("*.pdf"))}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each face that is held against its frame."""
    noted: list[str] = []
    form_problems = file_proof._FileProof._form_problems

    def noting(*args: Any) -> Iterator[Problem]:
        noted.append("read")
        yield from form_problems(*args)

    monkeypatch.setattr(file_proof._FileProof, "_form_problems", noting)
    return noted


def test_what_was_proven_is_not_read_again_unless_it_is_damaged_or_foreign(
    workspace: Workspace, tmp_path: Path, work: list[str]
) -> None:
    first = built(workspace, tmp_path / "one")
    (path,) = (path for path in (workspace.root / "cache").iterdir() if path.name.startswith("proven-"))
    other = next(one for one in path.parent.iterdir() if one != path)
    pages = [*work]

    def proves(**how: Any) -> list[str]:
        work.clear()
        shutil.rmtree(tmp_path / "two", ignore_errors=True)  # else its files are kept as they are
        assert built(workspace, tmp_path / "two", **how) == first
        return [*work]

    assert pages
    assert proves() == []
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], other.read_bytes()):
        path.write_bytes(damaged)
        assert proves()
    Cache(path.parent, PROOF_KEY).write(path.name, b"\x92\x81\xa1x\xc0\x80")  # sealed, but nonsense
    assert proves()
    assert proves() == []
    assert proves(program="another program") == proves(key=bytes(32)) == pages


@pytest.fixture
def pair(make_workspace: MakeWorkspace) -> Workspace:
    """A game of two decks, and rules that show a card of one."""
    game = FILES["content/kinds/game.yaml"].replace("languages: [en, fr]\n", "")
    return make_workspace(
        FILES
        | {
            "content/kinds/game.yaml": game + "  - {id: one, title: One, decks: [one]}\n",
            "content/kinds/decks/one.yaml": ONE,
            "content/kinds/rules.md": "# Rules\n\n![](card:one/only width=20mm)\n\nDraw {{ count('kind') }} cards.\n",
        }
    )


def noted(monkeypatch: pytest.MonkeyPatch, place: object, name: str, tell: Callable[..., str]) -> list[str]:
    """Return the list of the calls of a function, which grows."""
    calls: list[str] = []
    real = getattr(place, name)

    def noting(*args: Any) -> Any:
        calls.append(tell(*args))
        return real(*args)

    monkeypatch.setattr(place, name, noting)
    return calls


def test_only_the_files_that_a_change_touches_are_made_again(
    pair: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others stay as they are, unless somebody else has written there."""
    drawn = noted(monkeypatch, printing, "render_file", lambda _job, file, *_: file.piece)
    out, apart = tmp_path / "out", tmp_path / "apart"

    def makes(program: str = "program") -> list[str]:
        drawn.clear()
        files = built(pair, out, program=program)
        made = [*drawn]
        shutil.rmtree(apart, ignore_errors=True)
        assert built(pair, apart, program="apart") == files
        return made

    every = ["cards", "one", "rules", "all"]
    assert (makes(), makes()) == (every, [])
    change(pair, DECK, "The plain card.", "The plain one.")
    assert makes() == ["cards", "all"]
    (out / "kinds/kinds-cards-a5.pdf").write_bytes(b"%PDF-1.7 of somebody else")
    (out / "kinds/kinds-one-a5.pdf").unlink()
    assert makes() == ["cards", "one"]
    assert makes("another program") == every


def test_rules_are_not_set_again_where_only_the_look_of_a_card_in_them_changes(
    pair: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = noted(monkeypatch, sheet._PageMaker, "pages", lambda *_: "pages")
    built(pair, tmp_path / "one")
    made.clear()
    for old, new, pages in (("A word", "Two words", 0), ("size: poker", "size: mini", 1)):
        change(pair, "content/kinds/decks/one.yaml", old, new)
        warm = built(pair, tmp_path / "one")
        assert len(made) == pages
        assert built(pair, tmp_path / "two", program="another") == warm
        made.clear()


def test_pieces_are_imposed_again_where_edges_sizes_or_fonts_change_but_not_for_words(
    pair: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, shared = (noted(monkeypatch, piece_sheets, f"impose_{how}", lambda *_: "") for how in ("piece", "gang"))
    shutil.copytree(pair.root / "fonts/own", pair.root / "fonts/alegreya-sans")
    change(pair, "fonts/alegreya-sans/family.yaml", "name: Own", "name: Alegreya Sans")
    built(pair, tmp_path / "warm")
    for pieces, gangs, *changed in (
        (0, 0, DECK, "The plain card.", "The plain one."),
        (1, 1, "content/kinds/decks/one.yaml", "size: poker", "size: mini"),
        (0, 1, FACE, '<rect x="10" y="20"', '<rect x="0" y="0"'),  # only on shared sheets may they touch
        (2, 1, "fonts/alegreya-sans/family.yaml", "regular: regular", "regular: italic"),
    ):
        alone.clear()
        shared.clear()
        change(pair, *map(str, changed))
        warm = built(pair, tmp_path / "warm")
        assert (len(alone), len(shared)) == (pieces, gangs)
        build(pair, load(pair, "kinds"), Request(papers=("a5",)), tmp_path / "cold")
        assert {path.name: path.read_bytes() for path in (tmp_path / "cold").rglob("*.pdf")} == warm


def test_a_font_that_no_face_is_set_in_any_more_is_not_loaded(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    workspace = make_workspace(BOTH)
    for old, new in (("Own", "castor"), ("castor", "pollux")):
        change(workspace, THEME, f"body: {old}", f"body: {new}")
        built(workspace, tmp_path)
