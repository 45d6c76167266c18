"""Pieces of a game -> finished faces with their identities: laid out, named, and checked for legibility.

Words and pictures are looked at in the ink that they are printed in.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.check.all_findings import settle
from duckpress.core.backs import PLAIN
from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.language import letters_of
from duckpress.core.problems import Level, Problem, Source, has_errors
from duckpress.core.sizes import Paper, paper_of
from duckpress.files.memo import Memo, Pack
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, Face, KnownFaces, LaidOut, Theme, Wanted, lay_out_pieces, load_theme
from duckpress.layout.legibility import Faint, Grounds, Seen, check_legibility, coarsest_dpi, faint_words, words_said
from duckpress.model import RULES_TEXT, Game, Piece
from duckpress.pool.parallel import in_parts, jobs, shares
from duckpress.press.build_cache import BuildCache
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.identity import Themed, identified, identities_of
from duckpress.press.sheets.margin_codes import MarginWords
from duckpress.text.fonts import FontLibrary

_FRAMES_A_PART = 250
_LEAST_PARTS = 4  # fewer are looked at sooner than a process has begun

Copies = Mapping[tuple[str, str], int]
"""How many there are of each card, by deck and card."""


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
    frames: BuildCache | None = None
    named_after: Game | None = None
    most: int | None = None


class TypesetPieces(NamedTuple):
    """The laid-out pieces, and all problems."""

    pieces: list[LaidOut]
    problems: list[Problem]


def in_ink(ink: str) -> str:
    """Return the words that name the ink of a finding."""
    return f"with --ink {ink}: "


def typeset(task: TypesetTask) -> TypesetPieces:
    """Return laid-out pieces, and the problems of layout and legibility."""
    return next(typeset_each([task]))


def typeset_each(tasks: Sequence[TypesetTask]) -> Iterator[TypesetPieces]:
    """Yield the pieces and problems of each task: copies of one game in one language and ink, by the same workers."""
    for task, (pieces, problems) in zip(tasks, _lay_out_faces(tasks), strict=True):
        yield TypesetPieces(pieces, [*problems, *hard_to_read(task, pieces, problems)])


def lay_out_faces(task: TypesetTask) -> TypesetPieces:
    """Return laid-out pieces, with codes and versions, and the problems."""
    return next(_lay_out_faces([task]))


def _lay_out_faces(tasks: Sequence[TypesetTask]) -> Iterator[TypesetPieces]:
    for task in tasks:
        if task.frames is not None:
            settle(task.game, task.frames.memo, task.workspace)
    wanted = [(task, [piece for piece in task.pieces if not piece.book], _copies(task)) for task in tasks]
    for (task, _, copies), laid_out in zip(wanted, _lay_out_each(wanted, tasks[0].ink), strict=True):
        yield _finished(task, copies, laid_out)


def _copies(task: TypesetTask) -> Copies:
    """Return the number of copies of each card to be laid out."""
    game = task.game
    copies = copies_for(game, task.players)
    if task.most is not None:
        decks = [game.decks[deck] for piece in task.pieces for deck in piece.decks]
        copies = {**copies, **{(deck.id, card.id): 0 for deck in decks for card in deck.cards[task.most :]}}
    return copies


def _finished(task: TypesetTask, copies: Copies, laid_out: Sequence[Themed]) -> TypesetPieces:
    """Return laid-out pieces with their codes, and with the typeset texts among them."""
    game, original = task.game, task.named_after or task.game
    every = copies if task.players is None and task.most is None else copies_for(game, None)
    codes_for = every if original is game else copies_for(original, None)
    identities, problems = identities_of(task.workspace, original, codes_for)
    cards, faces = iter(laid_out), _Faces(task, [one for _, one, _ in laid_out if one is not None])
    pieces: list[LaidOut] = []
    themes: dict[str, Theme] = {}
    for piece in task.pieces:
        if piece.book:
            one, findings = _typeset_rules(task, piece, faces, copies)
        else:
            theme, one, findings = next(cards)
            themes |= {} if theme is None else {piece.theme: theme}
        problems += findings
        pieces += [one] if one is not None else []

    def in_colour(others: Sequence[Piece]) -> list[Themed]:
        return next(_lay_out_each([(task, others, every)], PLAIN))

    pieces, undrawn = with_drawn_pictures(pieces, task.fonts, task.frames)
    problems += undrawn
    pieces, findings = identified(identities, task.fonts, pieces, themes, task.ink, in_colour)
    untitled = MarginWords(task.fonts, game.speech).missing(game)
    every_problem = _of_letters(task, list(dict.fromkeys([*problems, *findings, *untitled])))
    return TypesetPieces(pieces, accept_findings(game, every_problem, task.ink))


def _of_letters(task: TypesetTask, problems: list[Problem]) -> list[Problem]:
    """Return problems; where no font has the language's letters, `no-letters` replaces every `missing-glyph`.

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


def _theme_of(task: TypesetTask, piece: Piece) -> tuple[Theme | None, list[Problem]]:
    """Return the theme of a piece, read once for a game, and its problems."""
    game, place = task.game, task.game.theme_at(piece)
    read = partial(load_theme, task.workspace, game.id, piece.theme, place)
    theme, problems = game.once((load_theme, piece.theme, place), read)
    return theme, [*problems]


def _lay_out_each(
    every: Sequence[tuple[TypesetTask, Sequence[Piece], Copies]], ink: str, at_hand: Sequence[LaidOut] = ()
) -> Iterator[list[Themed]]:
    """Yield each task's pieces with their themes and copies, and the problems.

    They are kept for later builds as those of the first task's game. `at_hand` are pieces whose cards may be shown.
    """
    first = every[0][0]
    frames, language = first.frames, first.game.language
    spoken = "-".join(filter(None, (language, first.game.speech.direction)))
    tables: list[object] = []
    loaded: list[list[tuple[Piece, Theme | None, list[Problem]]]] = []
    wanted: list[Wanted] = []
    for task, pieces, copies in every:
        game = task.game
        tables.append(setup_table(game).as_data())
        own = (None, None) if task is first else (game, tables[-1])
        loaded.append([(one, *_theme_of(task, one)) for one in pieces])
        for piece, theme, _ in loaded[-1]:
            if theme is not None:
                known = KnownFaces() if frames is None else frames.known(game.id, piece.id, spoken, ink)
                wanted.append(Wanted(piece, theme, copies, known, *own))
    shared = () if frames is None else (frames.looks(first.game.id), frames.codes(first.game.id), frames.memo)
    batch = Batch(first.workspace, first.game, first.fonts, tables[0], language, ink, wanted, *shared)
    laid_out = iter(lay_out_pieces(batch, at_hand))
    if frames is not None:
        frames.store_shared(first.game.id)
    for themed in loaded:
        results = []
        for piece, theme, problems in themed:
            one = None
            if theme is not None:
                one, findings = next(laid_out)
                problems = [*problems, *findings]
                if frames is not None:
                    frames.store(first.game.id, piece.id, spoken, ink, is_sound=not has_errors(findings))
            results.append((theme, one, problems))
        yield results


def _typeset_rules(
    task: TypesetTask, piece: Piece, faces: _Faces, copies: Copies
) -> tuple[LaidOut | None, list[Problem]]:
    """Return the rules, or another typeset text, as a piece with pages, and the problems; None without a theme."""
    from duckpress.layout.rulebook import (  # a deck, which is not read, begins sooner without it
        RulesPrint,
        lay_out_rules,
    )

    game = task.game
    theme, problems = _theme_of(task, piece)
    if theme is None:
        return None, problems
    if piece.text == RULES_TEXT:
        piece = piece._replace(title=game.speech.program(piece.title))
    variants = game.setup.all_variants if game.setup is not None else {}
    tables = {variant: setup_table(game, variant).as_data() for variant in (None, *variants)}
    papers = tuple(paper_of(paper) if isinstance(paper, str) else paper for paper in task.papers)
    memo = Memo() if task.frames is None else task.frames.memo
    how = RulesPrint(theme, task.ink, papers, copies, tables, partial(faces.find, piece.theme), memo)
    one, findings = lay_out_rules(task.workspace, game, piece, task.fonts, how)
    return one, [*problems, *findings, *faces.take_problems()]


class _Faces:
    """The faces of a game's cards; cards not laid out yet are laid out when a text first shows them.

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
        """Return a card's face, and its piece; `theme` is that of the text."""
        theme = "" if deck in self._printing else theme
        if (theme, deck, card) not in self._known and (theme, deck) not in self._tried:
            self._tried.add((theme, deck))
            self._lay_out(theme, deck)
        return self._known.get((theme, deck, card))

    def take_problems(self) -> list[Problem]:
        """Return the problems of decks that no piece prints, and the errors of others.

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
        ((_, one, problems),) = next(_lay_out_each([(task, [piece], {})], task.ink, self._laid_out))
        if one is not None:
            self._add(one, text_theme)
            is_told = printing is not None  # its warnings are told where it is printed
            self._problems += [problem for problem in problems if problem.level is Level.ERROR or not is_told]


def hard_to_read(task: TypesetTask, pieces: Sequence[LaidOut], known: Sequence[Problem]) -> list[Problem]:
    """Return the problems of legibility of laid-out pieces in their ink.

    Another language has other words, and the same colours: they are looked at once, unless it is all that is printed.
    Faces are not judged whose layout takes a colour that nobody knows, by the problems known of them.
    """
    game = task.game
    if task.language is None and game.language != game.languages[0].code:
        return []
    pack = Pack() if task.frames is None else task.frames.memo.pack("words", game.id)
    # A folded booklet has the words and colours of the sheet: it is not looked at a second time.
    unsure = {problem.source.file for problem in known if problem.code == "unknown-colour"}
    seen = [
        (piece, [face for face in _sides_to_check(task.workspace, game, piece) if face.layout_at.file not in unsure])
        for piece in pieces
        if not piece.piece.is_booklet
    ]
    words: dict[str, _FrameWords] = {}
    for key in dict.fromkeys(face.frame.hash for _, faces in seen for face in faces):
        with suppress(msgspec.MsgspecError):
            if (body := pack.get(key.encode())) is not None:  # looked at in an earlier run
                words[key] = _decode(body)
    for key, one in _new_words(seen, words).items():
        words[key] = one
        with suppress(ValueError):  # half a letter
            pack.put(key.encode(), _encode(one))
    faint, said = ({key: one.faint for key, one in words.items()}, {key: one.said for key, one in words.items()})
    coarse = {key: one.dpi for key, one in words.items()}
    problems: list[Problem] = []
    for piece, faces in seen:
        problems += check_legibility(faces, piece.drawings, piece.decorations, faint, said, coarse)
    if task.frames is not None:
        task.frames.memo.save("words", game.id)
    if task.ink != PLAIN:
        problems = [problem._replace(what=f"{in_ink(task.ink)}{problem.what}") for problem in problems]
    return accept_findings(game, list(dict.fromkeys(problems)), task.ink)


class _FrameWords(NamedTuple):
    """A hash of a frame's words, its faint words, and the resolution of its pictures (`coarsest_dpi`)."""

    faint: list[Faint]
    said: str
    dpi: float


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_FrameWords).decode


def _new_words(looked_at: Sequence[tuple[LaidOut, Sequence[Seen]]], known: Container[str]) -> dict[str, _FrameWords]:
    """Return the words of frames that are not cached, computed by several processes if there are many."""
    new = {
        face.frame.hash: (face.frame, piece)
        for piece, seen in looked_at
        for face in seen
        if face.frame.hash not in known
    }
    frames = list(new.values())
    parts = shares(len(frames), -(-len(frames) // _FRAMES_A_PART))

    def look(number: int) -> list[_FrameWords]:
        grounds: dict[int, Grounds] = {}  # what cards of a piece have in common is looked at once
        words = []
        for frame, piece in (frames[at] for at in parts[number]):
            ground, items = grounds.setdefault(id(piece.drawings), Grounds(piece.drawings)), frame.items
            dpi = coarsest_dpi(items, piece.drawings, piece.pictures)
            words.append(_FrameWords(faint_words(items, ground), words_said(items), dpi))
        return words

    results = in_parts(look, len(parts), jobs() if len(parts) >= _LEAST_PARTS else 1)
    return dict(zip(new, (words for result in results for words in result), strict=True))


def _sides_to_check(workspace: Workspace, game: Game, one: LaidOut) -> list[Seen]:
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
    """Return a picture in a rules sheet without its words: these are checked on the card instead."""
    if not isinstance(item, Group):
        return item
    return replace(item, items=tuple(_silent(inner) for inner in item.items if not isinstance(inner, Text)))
