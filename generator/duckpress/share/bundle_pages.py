"""The contents of a bundle: the introductory pages, the lists of its files, and the zip."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress import __version__
from duckpress.core.language import program
from duckpress.core.sizes import paper_of
from duckpress.files.workspace import Workspace
from duckpress.layout import load_theme
from duckpress.model import Game
from duckpress.press.reading import translate
from duckpress.press.releases.changes import Changes
from duckpress.share.bundle_check import FORMAT, MANIFEST, SUMS, sums_of
from duckpress.share.updating import headed, wrapped
from duckpress.store import ALL_PIECES, FileFacts
from duckpress.store.manifest import digest
from duckpress.store.stored_zip import zip_bytes
from duckpress.text import spaced
from duckpress.views.licence_list import licences
from duckpress.views.page.game_page import page_from

FORM = "feedback"
"""The id of the piece that testers fill in; it gets a file of its own."""
_TEMPLATE = Path(__file__).resolve().parent / "readme.html"
_INKS = {"color": program.READ_COLOUR, "low": program.READ_LOW, "grey": program.READ_GREY}


class PrintedFile(NamedTuple):
    """A PDF of a bundle: its name, its content and options, and its sheets of paper."""

    name: str
    piece: str
    paper: str
    backs: str
    ink: str
    language: str
    pages: int
    sheets: int


class PackedUpdate(Struct, frozen=True):
    """An update pack in a bundle: its folder, and the options of the prints that it updates."""

    folder: str
    language: str
    backs: str
    ink: str


class Contents(Struct):
    """The contents of a bundle: files by name, and the facts of its PDFs and update packs."""

    files: dict[str, bytes] = field(default_factory=dict)
    printed: list[PrintedFile] = field(default_factory=list)
    cards: list[dict[str, Any]] = field(default_factory=list)
    changes: Changes | None = None
    updates: list[PackedUpdate] = field(default_factory=list)
    lock: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    """The pages of all cards, by language."""

    def add(self, facts: FileFacts, data: bytes, piece: str, backs: str) -> None:
        """Add a PDF, in the folder of its paper."""
        name = f"{facts.paper}/{facts.name}"
        self.files[name] = data
        ways = backs, facts.ink, facts.language, facts.pages, facts.sheets
        self.printed.append(PrintedFile(name, piece, facts.paper, *ways))


def bundle_languages(game: Game) -> tuple[str, ...]:
    return game.bundle.languages or tuple(language.code for language in game.languages)


class _FileRow(Struct, frozen=True):
    folder: str
    name: str
    kind: str
    sheets: int
    pages: int
    size: str


class _BundleWords(Struct, frozen=True):
    """The words of the page in one language, for both its forms."""

    language: str
    title: str
    about: str
    top: list[str]
    print_head: str
    heads: tuple[str, ...]
    rows: list[_FileRow]
    how_head: str
    steps: list[str]
    more_head: str
    more: list[tuple[str, str]]
    licence_head: str
    licence: str
    pair: str  # how a name and its words are written


def licence_text(workspace: Workspace, game: Game) -> str:
    """Return the owner of the game, the permitted use of prints, the credits, and the licences of the fonts."""
    parts = []
    for code in bundle_languages(game):
        translated, _ = translate(workspace, game, code)
        lines = [*headed(f"{translated.title} {translated.version}", "="), ""]
        lines += [wrapped(spaced(translated.licence, code)), ""] if translated.licence else []
        for credit in translated.credits:
            head = translated.speech.program(program.TITLES, {"game": credit.role, "piece": credit.name})
            lines.append(wrapped(spaced(head, code), "  "))
        parts.append("\n".join(lines))
    families = {"Alegreya Sans"}  # that of the footers
    for name in dict.fromkeys(piece.theme for piece in game.pieces):
        theme, _ = load_theme(workspace, game.id, name)
        families |= {family.text for family in theme.families.values()} if theme is not None else set()
    lines = headed(game.speech.program(program.FONTS_HEAD))
    for font in (font for font in licences(workspace).fonts if font.name in families):
        lines.append(wrapped(f"{font.name}: {font.licence}. {font.credit}".rstrip(". ") + ".", "  "))
    return "\n\n".join([*parts, "\n".join(lines)]) + "\n"


def _words(game: Game, language: str, contents: Contents) -> _BundleWords:
    def say(phrase: str, /, **values: Any) -> str:
        return spaced(game.speech.program(phrase, values), language)

    def size(name: str) -> str:
        return game.speech.number(max(len(contents.files[name]) / 1e6, 0.1), 1)

    printed = [file for file in contents.printed if file.language == language]
    titles = {piece.id: piece.title for piece in game.pieces} | {ALL_PIECES: say(program.READ_WHOLE)}
    books = [piece for piece in game.chosen_pieces() if piece.book]
    titles |= {piece.id: spaced(game.speech.program(piece.title), language) for piece in books}
    titles.setdefault(FORM, say(program.FORM_TITLE))
    first: dict[str, PrintedFile] = {}
    for file in sorted(printed, key=lambda file: (file.piece == FORM, file.piece != ALL_PIECES)):
        first.setdefault(file.paper, file)
    top = [
        say(program.READ_TOP, paper=_paper(file.paper), sheets=file.sheets, pages=file.pages, size=size(file.name))
        for file in first.values()
    ]
    rows = []
    for file in sorted(printed, key=lambda file: (list(first).index(file.paper), file.piece != ALL_PIECES)):
        kind = say(_INKS[file.ink])
        if file.piece == ALL_PIECES or file is first[file.paper]:
            kind = f"{say(program.READ_BACKS[file.backs])}, {kind}"
        elif any(piece.id == file.piece and piece.instead_of is None for piece in game.pieces):
            kind = f"{kind} ({say(program.READ_ONCE_MORE)})"
        folder, _, name = file.name.partition("/")
        # A copy of an edition may have some pieces only, in one file.
        shown = ", ".join(titles.get(piece, piece) for piece in file.piece.split("+"))
        kind = say(program.TITLES, game=shown, piece=kind)
        rows.append(_FileRow(folder, name, kind, file.sheets, file.pages, size(file.name)))
    folders = ", ".join(dict.fromkeys(row.folder for row in rows))
    steps = [
        say(program.READ_PICK, folders=folders),
        say(program.READ_SCALE),
        say(program.READ_TEST),
        say(program.READ_CUT),
        say(program.READ_PLAY),
        say(program.READ_TELL, version=game.version),
    ]
    heads = (program.READ_FILE, program.READ_KIND, program.READ_SHEETS, program.READ_PAGES)
    return _BundleWords(
        language,
        say(program.READ_TITLE, game=game.title, version=game.version),
        spaced(game.about, language),
        top,
        say(program.READ_PRINT),
        (*(say(head) for head in heads), "Mo" if language.startswith("fr") else "MB"),
        rows,
        say(program.READ_HOW),
        steps,
        say(program.READ_MORE),
        _other_files(say, language, contents),
        say(program.LICENCE_HEAD),
        spaced(game.licence, language),
        say(program.TITLES),
    )


def _other_files(say: Callable[..., str], language: str, contents: Contents) -> list[tuple[str, str]]:
    rows = []
    if language in contents.pages:
        rows.append((contents.pages[language], say(program.READ_SCREEN)))
    if contents.changes is not None:
        old = contents.changes.old.version
        rows.append(("CHANGELOG.md, CHANGELOG.txt", say(program.READ_CHANGELOG, old=old)))
        own = [update for update in contents.updates if update.language == language]
        for update in own:
            words = say(program.READ_UPDATE, old=old)
            way = f" ({say(program.READ_BACKS[update.backs])}, {say(_INKS[update.ink])})" if len(own) > 1 else ""
            rows.append((f"{update.folder}/", f"{words}{way}"))
    rows.append(("LICENCE.txt", say(program.READ_LICENCE)))
    lists = f"{contents.lock}, {MANIFEST}" if contents.lock else MANIFEST
    rows.append((lists, say(program.READ_LOCK)))
    rows.append(("SHA256SUMS", say(program.READ_SUMS)))
    return rows


def _paper(name: str) -> str:
    return name.upper() if name[1:].isdigit() else paper_of(name).name.capitalize()


def _as_text(part: _BundleWords) -> str:
    lines = [*headed(part.title, "="), "", *part.top, ""]
    lines += [wrapped(part.about), ""] if part.about else []
    lines += headed(part.how_head)
    lines += [wrapped(step, "   ", f"{number}. ") for number, step in enumerate(part.steps, 1)]
    lines += ["", *headed(part.print_head)]
    for row in part.rows:
        lines += [f"  {row.folder}/{row.name}", f"      {row.kind}"]
        figures = zip(part.heads[2:], (row.sheets, row.pages, row.size), strict=True)
        lines.append("      " + "   ".join(part.pair.format(game=head, piece=figure) for head, figure in figures))
    lines += ["", *headed(part.more_head)]
    lines += [wrapped(part.pair.format(game=name, piece=words), "    ", "  ") for name, words in part.more]
    if part.licence:
        lines += ["", *headed(part.licence_head), wrapped(part.licence)]
    return "\n".join(line.rstrip() for line in lines)


def write_lists(workspace: Workspace, game: Game, contents: Contents, created: str | None, copy: str = "") -> None:
    """Add the lists of files to the contents of a bundle; `copy` is the id of the edition's copy."""
    files = contents.files
    parts = [_words(translate(workspace, game, code)[0], code, contents) for code in bundle_languages(game)]
    # It needs nothing else: no script, no picture, no font, nothing from anywhere.
    files["README.html"] = page_from(_TEMPLATE, parts=parts).encode()
    files["README.txt"] = ("\n\n\n".join(map(_as_text, parts)) + "\n").encode()
    facts = {file.name: file._asdict() for file in contents.printed}
    manifest = {
        "bundle": FORMAT,
        "program": f"duckpress {__version__}",
        "game": game.id,
        "title": game.title,
        "version": game.version,
        **({"copy": copy} if copy else {}),
        "finish": game.finish or None,
        "created": created,
        "files": [
            {**facts.get(name, {}), "name": name, "sha256": digest(files[name]), "bytes": len(files[name])}
            for name in sorted(files)
        ],
        "cards": contents.cards,
    }
    files[MANIFEST] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    files[SUMS] = sums_of({name: digest(data) for name, data in files.items()})


def bundle_bytes(game: Game, files: Mapping[str, bytes]) -> bytes:
    return zip_bytes({f"{game.id}-{game.version}/{name}": data for name, data in files.items()})
