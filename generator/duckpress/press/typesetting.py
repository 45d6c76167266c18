"""Pieces of a game -> finished faces with their identities: laid out, named, and looked at for what is hard to read."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.check.known_rules import KnownRules
from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.inks import PLAIN
from duckpress.core.kept import KeptLists
from duckpress.core.problems import Level, Problem, Source, has_errors
from duckpress.core.sizes import Paper, paper_of
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language.alphabets import letters_of
from duckpress.layout import Batch, Face, KnownFaces, LaidOut, Theme, Wanted, lay_out_pieces, load_theme
from duckpress.legibility import Faint, Grounds, Seen, check_legibility, faint_words, words_said
from duckpress.model import RULES_TEXT, Game, Piece
from duckpress.pool.parallel import in_parts, jobs, shares
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.frame_store import FaintWords, FrameStore, SaidWords
from duckpress.press.identity import Identities, Themed, identified, identities_of
from duckpress.press.margin_words import MarginWords

_FRAMES_A_PART = 250
_LEAST_PARTS = 12  # fewer are looked at sooner than a process has begun
Copies = Mapping[tuple[str, str], int]


class TypesetTask(Struct, frozen=True):
    """Pieces to be typeset, each with its theme, in one language (None: the game's) and one ink.

    Faces that `frames` knows from earlier builds, and that are still the same, are not laid out again. Cards are called
    as those of the `named_after` game are, of which this one may be a copy. With `most`, so many cards of each deck are
    laid out, its first ones.
    """

    workspace: Workspace
    game: Game
    fonts: FontLibrary
    pieces: Sequence[Piece]
    players: int | None = None
    language: str | None = None
    ink: str = PLAIN
    papers: Sequence[str | Paper] = ("a4", "letter")
    frames: FrameStore | None = None
    named_after: Game | None = None
    most: int | None = None


class TypesetPieces(NamedTuple):
    """What could be laid out, and all problems."""

    pieces: list[LaidOut]
    problems: list[Problem]


def typeset(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, and what is wrong with them or hard to read on them."""
    pieces, problems = lay_out_faces(task)
    return TypesetPieces(pieces, [*problems, *hard_to_read(task, pieces, problems)])


def lay_out_faces(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, with codes and versions, and what is wrong with them."""
    game = task.game
    rules = KnownRules() if task.frames is None else task.frames.rules(game)
    copies = rules.once(game, ("copies", task.players), lambda: copies_for(game, task.players))
    every = rules.once(game, ("copies", None), lambda: copies_for(game, None))
    if task.most is not None:
        decks = [game.decks[deck] for piece in task.pieces for deck in piece.decks]
        copies = {**copies, **{(deck.id, card.id): 0 for deck in decks for card in deck.cards[task.most :]}}
    identities, problems = _identities(task, every)
    laid_out = _lay_out(task, [piece for piece in task.pieces if not piece.book], task.ink, copies)
    cards, faces = iter(laid_out), _Faces(task, [one for _, one, _ in laid_out if one is not None])
    pieces: list[LaidOut] = []
    themes: dict[str, Theme] = {}
    for piece in task.pieces:
        if piece.book:
            one, found = _typeset_rules(task, piece, faces, copies)
        else:
            theme, one, found = next(cards)
            if theme is not None:
                themes[piece.theme] = theme
        problems += found
        pieces += [one] if one is not None else []
    in_colour = partial(_lay_out, task, ink=PLAIN, copies=every)
    pieces, undrawn = with_drawn_pictures(pieces, task.fonts, task.frames)
    problems += undrawn
    kept = KeptLists() if task.frames is None else task.frames.kept
    pieces, found = identified(identities, task.fonts, pieces, themes, task.ink, in_colour, kept)
    untitled = MarginWords(task.fonts, game.speech).missing(game)
    every_problem = _of_letters(task, list(dict.fromkeys([*problems, *found, *untitled])))
    return TypesetPieces(pieces, accept_findings(game, every_problem, task.ink))


def _identities(task: TypesetTask, copies: Copies) -> tuple[Identities, list[Problem]]:
    if task.named_after is None:
        return identities_of(task.workspace, task.game, copies)
    return identities_of(task.workspace, task.named_after, copies_for(task.named_after, None))


def _of_letters(task: TypesetTask, problems: list[Problem]) -> list[Problem]:
    """Return problems with one in place of all missing glyphs, where no font has the letters of the language.

    Styles that borrow letters are told together.
    """
    letters, language = letters_of(task.game.language), task.game.language
    borrowed = [problem for problem in problems if problem.code == "borrowed-letters"]
    if len(borrowed) > 1:
        places = ", ".join(dict.fromkeys(str(one.source) for one in borrowed[1:]))
        together = borrowed[0]._replace(what=f"{borrowed[0].what}; so it is at {places}")
        problems = [together if one is borrowed[0] else one for one in problems if one not in borrowed[1:]]
    lacking = [problem for problem in problems if problem.code == "missing-glyph"]
    if not letters or not lacking or task.fonts.families_with(letters, "regular", is_italic=False):
        return problems
    what = f"no font has the letters of the language {language!r} ({letters}), and {len(lacking)} texts need them"
    fix = "add a family that has them to fonts/, and name it in the theme: families: {text: its-name}"
    one = Problem("no-letters", task.game.at("languages"), what, fix, game=task.game.id)
    return [one, *(problem for problem in problems if problem.code != "missing-glyph")]


def _lay_out(task: TypesetTask, pieces: Sequence[Piece], ink: str, copies: Copies) -> list[Themed]:
    """Return each piece with its theme, its faces and what is wrong with them; they are kept for later builds."""
    game, frames, language = task.game, task.frames, task.game.language
    spoken = "-".join(filter(None, (language, game.speech.direction)))
    loaded = [(piece, *load_theme(task.workspace, game.id, piece.theme, game.theme_at(piece))) for piece in pieces]
    wanted = [
        Wanted(piece, theme, copies, KnownFaces("") if frames is None else frames.known(game.id, piece.id, spoken, ink))
        for piece, theme, _ in loaded
        if theme is not None
    ]
    rules = KnownRules() if frames is None else frames.rules(game)
    table = rules.once(game, "table", lambda: setup_table(game).as_data())
    batch = Batch(task.workspace, game, task.fonts, table, language, ink, wanted)
    laid_out = iter(lay_out_pieces(batch, kept=None if frames is None else frames.worker(game.id)))
    if frames is not None and frames.is_patient:
        frames.batches[game.id] = batch
    results = []
    for piece, theme, problems in loaded:
        one = None
        if theme is not None:
            one, found = next(laid_out)
            problems = [*problems, *found]
            if frames is not None:
                frames.store(game.id, piece.id, spoken, ink, is_sound=not has_errors(found))
        results.append((theme, one, problems))
    return results


def hard_to_read(task: TypesetTask, pieces: Sequence[LaidOut], known: Sequence[Problem]) -> list[Problem]:
    """Return what of laid-out pieces cannot be made out in their ink.

    Another language has other words, and the same colours: they are looked at once, unless it is all that is printed.
    Faces are not judged whose layout takes a colour that nobody knows, by the problems known of them.
    """
    game, frames = task.game, task.frames
    if task.language is None and game.language != game.languages[0].code:
        return []
    faint = frames.found(FaintWords, game.id) if frames is not None else FaintWords()
    said = frames.found(SaidWords, game.id) if frames is not None else SaidWords()
    # A folded booklet has the words and colours of the sheet: it is not looked at a second time.
    unsure = {problem.source.file for problem in known if problem.code == "unknown-colour"}
    seen = [
        (piece, [face for face in _seen(task.workspace, game, piece) if face.layout_at.file not in unsure])
        for piece in pieces
        if not piece.piece.is_booklet
    ]
    new = _new_words(seen, faint.keys() & said.keys())
    faint.update((key, words.faint) for key, words in new.items())
    said.update((key, words.said) for key, words in new.items())
    problems: list[Problem] = []
    for piece, faces in seen:
        problems += check_legibility(faces, piece.drawings, piece.decorations, faint, said)
    if frames is not None:
        for kind in (FaintWords, SaidWords):
            frames.store_found(kind, game.id)
    if task.ink != PLAIN:
        problems = [problem._replace(what=f"{in_ink(task.ink)}{problem.what}") for problem in problems]
    return accept_findings(game, list(dict.fromkeys(problems)), task.ink)


class _FrameWords(NamedTuple):
    """What a frame says, as a hash, and which of its words are faint."""

    faint: list[Faint]
    said: str


def _new_words(looked_at: Sequence[tuple[LaidOut, Sequence[Seen]]], known: Container[str]) -> dict[str, _FrameWords]:
    """Return the words of frames that are not known, looked at by several processes where there are many."""
    new = {
        face.frame.hash: (face.frame, piece.drawings)
        for piece, seen in looked_at
        for face in seen
        if face.frame.hash not in known
    }
    frames = list(new.values())
    parts = shares(len(frames), -(-len(frames) // _FRAMES_A_PART))

    def look(number: int) -> list[_FrameWords]:
        grounds: dict[int, Grounds] = {}  # what cards of a piece have in common is looked at once
        words = []
        for frame, drawings in (frames[at] for at in parts[number]):
            ground, items = grounds.setdefault(id(drawings), Grounds(drawings)), frame.items
            words.append(_FrameWords(faint_words(items, ground), words_said(items)))
        return words

    results = in_parts(look, len(parts), jobs() if len(parts) >= _LEAST_PARTS else 1)
    return dict(zip(new, (words for result in results for words in result), strict=True))


def in_ink(ink: str) -> str:
    """Return the words that say in which ink a finding holds."""
    return f"with --ink {ink}: "


def _seen(workspace: Workspace, game: Game, one: LaidOut) -> list[Seen]:
    faces: list[Seen] = []
    sides: dict[tuple[str, str], Source] = {}
    decks = {face.deck: game.decks[face.deck] for face in one.faces}
    sources = {deck.id: {card.id: card.source for card in deck.cards} for deck in decks.values()}
    for face in one.faces:
        deck, cards = game.decks[face.deck], sources[face.deck]
        for side, frame in (("front", face.front), ("back", face.back)):
            if frame is None:
                continue
            if (face.deck, side) not in sides:
                name = deck.front if side == "front" else deck.back
                own = f"{game.folder}/layouts/{name}.xml"
                sides[face.deck, side] = Source(own if workspace.has(own) else f"layouts/{name}.xml")
            at = cards.get(face.card, deck.source)
            faces.append(Seen(face.deck, face.card, side, frame, at, sides[face.deck, side]))
    written = game.rules.get(game.language) or next(iter(game.rules.values()), None)
    source = written.source if written is not None else game.source
    # The papers differ in what stands where, not in colours.
    for number, frame in enumerate(next(iter(one.pages.values()), ()), 1):
        page = Frame(frame.trim, frame.bleed_mm, tuple(map(_silent, frame.items)))
        faces.append(Seen(one.piece.id, f"page {number}", "front", page, source, source))
    return faces


def _silent(item: Item) -> Item:
    """Return a picture in a rules sheet without its words: as a card, not as a picture, they have to be readable."""
    if not isinstance(item, Group):
        return item
    return replace(item, items=tuple(_silent(inner) for inner in item.items if not isinstance(inner, Text)))


def _typeset_rules(
    task: TypesetTask, piece: Piece, faces: _Faces, copies: Copies
) -> tuple[LaidOut | None, list[Problem]]:
    """Return the rules, or another typeset text, as a piece with pages, and what is wrong; None without a theme."""
    from duckpress.rulebook import RulesPrint, lay_out_rules  # a deck, which is not read, begins sooner without it

    game = task.game
    theme, problems = load_theme(task.workspace, game.id, piece.theme, game.theme_at(piece))
    if theme is None:
        return None, problems
    if piece.text == RULES_TEXT:
        piece = piece._replace(title=game.speech.program(piece.title))
    variants = game.setup.all_variants if game.setup is not None else {}
    tables = {variant: setup_table(game, variant).as_data() for variant in (None, *variants)}
    papers = tuple(paper_of(paper) if isinstance(paper, str) else paper for paper in task.papers)
    how = RulesPrint(theme, task.ink, papers, copies, tables, partial(faces.find, piece.theme))
    one, found = lay_out_rules(task.workspace, game, piece, task.fonts, how)
    return one, [*problems, *found, *faces.take_problems()]


class _Faces:
    """The faces of a game's cards; what was not laid out for printing is laid out when a text first shows it.

    A card is shown as the first piece that prints its deck has it. A deck that no piece prints has the theme of the
    text that shows it.
    """

    def __init__(self, task: TypesetTask, laid_out: Sequence[LaidOut]) -> None:
        self._task = task
        self._problems: list[Problem] = []
        self._printing = {deck: piece for piece in reversed(task.game.pieces) for deck in piece.decks}
        self._laid_out: list[LaidOut] = []
        self._known: dict[tuple[str, str, str], tuple[Face, LaidOut]] = {}
        self._tried: set[tuple[str, str]] = set()
        for one in laid_out:
            self._add(one, "")

    def find(self, theme: str, deck: str, card: str) -> tuple[Face, LaidOut] | None:
        """Return a card's face, and the piece it belongs to; `theme` is that of the text."""
        theme = "" if deck in self._printing else theme
        if (theme, deck, card) not in self._known and (theme, deck) not in self._tried:
            self._tried.add((theme, deck))
            self._lay_out(theme, deck)
        return self._known.get((theme, deck, card))

    def take_problems(self) -> list[Problem]:
        """Return what is wrong with decks that no piece prints, and the errors of others, which would lack in silence.

        Each problem is returned once.
        """
        problems, self._problems = self._problems, []
        return problems

    def _add(self, one: LaidOut, theme: str) -> None:
        if not theme:
            self._laid_out.append(one)
        for face in one.faces:
            if self._printing.get(face.deck, one.piece).id == one.piece.id:  # not another look of it
                self._known.setdefault((theme, face.deck, face.card), (face, one))

    def _lay_out(self, text_theme: str, deck: str) -> None:
        """Lay out the deck in full, as part of the first piece that prints it."""
        task, game = self._task, self._task.game
        if game.decks[deck].is_dealt:
            return
        printing = self._printing.get(deck)
        shown = Piece(deck, game.decks[deck].title, (deck,), text_theme, game.source)
        piece = printing._replace(decks=(deck,)) if printing is not None else shown
        theme, _ = load_theme(task.workspace, game.id, piece.theme)
        if theme is not None:
            table = setup_table(game).as_data()
            wanted = [Wanted(piece, theme, {})]
            batch = Batch(task.workspace, game, task.fonts, table, game.language, task.ink, wanted)
            ((one, problems),) = lay_out_pieces(batch, self._laid_out)
            self._add(one, text_theme)
            is_told = printing is not None  # its warnings are told where it is printed
            self._problems += [problem for problem in problems if problem.level is Level.ERROR or not is_told]
