"""Templates -> the XML of a face, with the place in the template marked on every element.

A start tag `<rect ...>` in the source of a template becomes `<rect _at="17" ...>`; the number is an index into
`Templates.places`, so that a problem found in the output names the line of the template that wrote the element, also
where it came from a macro or an included file. XML comments are left out: they never reach a face.

A template looks at plain data only (dict, list, str, int, float, bool, None), made once per piece; it says `t()` for
fixed words and `number` for figures in the language that is printed. Which words it asks for is also found without
filling it (`fixed_words`), so that words on a branch that no card takes are not held for unused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import CodeType
from typing import Any

from jinja2 import BaseLoader, Environment, FunctionLoader, nodes
from jinja2.environment import Template
from jinja2.exceptions import FilterArgumentError, TemplateNotFound, TemplateSyntaxError
from jinja2.runtime import Undefined
from jinja2.utils import LRUCache
from markupsafe import Markup

from duckpress.core.language import CATEGORIES, OTHER, Speech, phrase_key
from duckpress.core.limits import limit
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import NET_MARGINS
from duckpress.expressions.budget import Budget
from duckpress.expressions.kept_code import Codes
from duckpress.expressions.parsing import explained, parse_template, template_line
from duckpress.expressions.profiles import LAYOUT
from duckpress.expressions.sandbox import LazyValue, Sandbox
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout.face_xml import MARK, Malformed, line_and_column, mark_before, mark_of, offset_of
from duckpress.model import Card, Deck, Game, Piece


def plain(value: Any) -> Any:
    """Return a value of the model as plain data: tuples as lists, mappings as dicts."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value]


def card_values(card: Card, deck: Deck) -> dict[str, Any]:
    """Return a card's fields with its id and copies; missing declared fields have their defaults."""
    values: dict[str, Any] = {name: plain(field.default) for name, field in deck.fields.items()}
    for name, value in card.values.items():
        values[name] = value if type(value) in (str, int) else plain(value)
    values["id"] = card.id
    values["copies"] = card.copies
    return values


def values_of_deck(deck: Deck) -> dict[str, Any]:
    """Return what a template sees of any deck of the game."""
    return {"title": deck.title, "count": deck.count, "cards": [card_values(card, deck) for card in deck.cards]}


def piece_values(game: Game, piece: Piece, tables: object, language: str) -> dict[str, Any]:
    """Return the variables that all faces of a piece share."""
    return {
        "game": {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "finish": game.finish,
            "designer": game.designer,
            "players": list(game.players),
            "languages": [item.code for item in game.languages],
            "facts": plain(game.facts),
            "lists": plain(game.lists),
            "credits": [{"role": credit.role, "name": credit.name} for credit in game.credits],
            "notes": [{"subject": note.subject, "choice": note.choice, "reason": note.reason} for note in game.notes],
            "about": game.about,
            "licence": game.licence,
        },
        "piece": {"id": piece.id, "title": piece.title},
        "decks": LazyValue(lambda: {deck.id: values_of_deck(deck) for deck in game.decks.values()}),
        "setup": tables,
        "language": language,
    }


def deck_values(deck: Deck, format_: Format) -> dict[str, Any]:
    """Return the variables that all faces of a deck share."""
    values: dict[str, Any] = {
        "deck": {"id": deck.id, "title": deck.title, "count": deck.count},
        "trim": {"width": format_.trim.width_mm, "height": format_.trim.height_mm},
        "bleed": format_.bleed_mm,
        "safe": format_.safe_mm,
        "corner": format_.corner_mm,
    }
    if (box := deck.box) is not None:
        values["box"] = {
            "count": box.cards, "width": box.width_mm, "height": box.height_mm, "depth": box.depth_mm,
            "left": NET_MARGINS.width_mm, "top": NET_MARGINS.height_mm,
            "holds": [{"deck": id_, "cards": count} for id_, count in box.holds],
        }  # fmt: skip
    return values


MAX_DECIMALS = 10


class FixedWords:
    """The functions of one language for templates; their results are escaped like any other value."""

    def __init__(self, speech: Speech, budget: Budget) -> None:
        """Take the language, and the budget that pays for every word."""
        self._speech = speech
        self._budget = budget

    def t(self, text: Any, **values: Any) -> str:
        """Return fixed words in the current language; values named like plural categories are forms of the original."""
        words = self._plain(text)
        if not isinstance(words, str):
            raise FilterArgumentError(f"t() translates texts, and this is {type(words).__name__}")
        self._budget.spend(1)
        if not values:
            return self._speech.t(words)
        forms = {name: str(self._filled(values.pop(name))) for name in CATEGORIES if name in values and name != OTHER}
        said = {name: self._filled(value) for name, value in values.items()}
        filled = self._speech.t(words, said, forms, most=limit("template-text"))
        return str(self._budget.measured(filled))

    def number(self, value: Any, decimals: Any = None) -> str:
        """Return a number as the language writes it, by default with its own decimals; empty for None."""
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | float):
            shown = repr(value[:40]) if isinstance(value, str) else f"a {type(value).__name__}"
            raise FilterArgumentError(f"number writes numbers, and this is {shown}")
        places = None if decimals is None else max(0, min(MAX_DECIMALS, int(self._budget.read(decimals))))
        return self._speech.number(value, places)

    def _plain(self, value: Any) -> Any:
        # What a macro or a block wrote is escaped already; it is looked up and filled in as it reads.
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        self._budget.read(value)
        return str(value.unescape()) if isinstance(value, Markup) else value

    def _filled(self, value: Any) -> Any:
        plain = self._plain(value)
        if isinstance(plain, str | int | float | None):
            return "" if plain is None else plain
        raise FilterArgumentError(f"t() fills in texts and numbers, and this is a {type(plain).__name__}")


def fixed_words(source: str) -> frozenset[str]:
    """Return the keys of the fixed words in a template's source; none if it cannot be parsed."""
    words: frozenset[str] | None = _WORDS.get(source)
    if words is None:
        try:
            words = _words_in(parse_template(Environment(), source))  # it is read, never filled
        except TemplateSyntaxError:
            words = frozenset()
    return words


_WORDS: LRUCache = LRUCache(128)  # by the sources of templates that were compiled


def _words_in(tree: nodes.Template) -> frozenset[str]:
    t_calls = (
        call for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name) and call.node.name == "t"
    )
    calls = [call.args[0] for call in t_calls if call.args]
    filters = [use.node for use in tree.find_all(nodes.Filter) if use.name == "t"]
    texts = (node.value for node in (*calls, *filters) if isinstance(node, nodes.Const))
    return frozenset(phrase_key(text) for text in texts if isinstance(text, str))


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}(?:\.xml)?")
_OPENINGS = re.compile(r"\{[#%{]|<!--|<!\[CDATA\[|<[A-Za-z_][A-Za-z0-9_.:-]*")
_CLOSINGS = {"{#": "#}", "{%": "%}", "<!--": "-->", "<![CDATA[": "]]>"}
_EXPRESSION = re.compile(r"""\{\{(?>(?:[^"'}]++|"[^"]*+"|'[^']*+'|\}(?!\}))*)\}\}""")
# Where `decks` is more than the way to one of them: a list of all, an argument, another name for it.
_EVERY_DECK = re.compile(r"\bdecks\b(?!\s*\[|\s*\.\s*(?!(?:copy|get|items|keys|values)\b)\w)")
_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)", re.DOTALL)  # one that is never closed goes to the end: looked at once
_NAMED = re.compile(r"""\{%[-+]?\s*(?:import|include|from|extends)\s+["']([\w.-]+)["']\s*(~[^%]*)?""")


class Templates:
    """The templates of one game: first its own `layouts/`, then the shared `layouts/`."""

    def __init__(
        self, workspace: Workspace, game_folder: str, speech: Speech | None = None, ink: str = "color"
    ) -> None:
        self.places: dict[int, Source] = {}
        self.look_at_every_deck = False  # whether one that was read may do so
        self._folders = (f"{game_folder}/layouts", "layouts")
        self._workspace = workspace
        self._sandbox = _MarkingSandbox(FunctionLoader(self._load), self.places, speech or Speech(), ink)

    def compile_ahead(self, names: Iterable[str], codes: Codes) -> None:
        """Compile templates and those that they name, as far as they can be; workers that are forked then have them.

        What has been compiled in earlier runs is taken from `codes`.
        """
        self._sandbox.codes = codes
        wanted = [*names]
        for name in wanted:
            with suppress(TemplateSyntaxError, Refused):  # a worker will tell
                if (found := self._load(name)) is not None:
                    self._sandbox.compile(found[0], name, found[1])
                    wanted += [one for one in self._named_in(found[0]) if one not in wanted]

    def _named_in(self, source: str) -> Iterator[str]:
        """Yield the names of the templates that one names; of a name put together, all that begin like it."""
        for name, rest in _NAMED.findall(source):
            files = [file for folder in self._folders for file in self._workspace.files(folder, ".xml")] if rest else []
            ending = "" if ".xml" in rest else ".xml"
            yield from (own.removesuffix(ending) for file in files if (own := file.rpartition("/")[2]).startswith(name))
            if not rest:
                yield name

    def open(self, name: str, used_at: Source) -> tuple[Template | None, Problem | None]:
        """Return a compiled template, or the problem: missing, refused, or malformed."""
        self._sandbox.begin()
        try:
            return self._sandbox.get_template(name), None
        except MemoryError:
            raise  # the process that lays out faces has had its share, and says so
        except Exception as error:
            return None, self._problem(error, used_at, {})

    @property
    def has_read_version(self) -> bool:
        """Whether the template filled last read `game.version` or `game.finish`."""
        return self._sandbox.was_read

    def fill(self, template: Template, values: Mapping[str, Any]) -> tuple[str, Problem | None]:
        """Return the XML of a face; empty if there is a problem."""
        self._sandbox.begin(values.get("game"), "version", "finish")
        try:
            return self._sandbox.fill(template, values, "template-face"), None
        except MemoryError:
            raise
        except Exception as error:
            return "", self._problem(error, Source(template.filename or ""), values)

    def place(self, template: Template, xml: str, wrong: Malformed) -> Source:
        """Return the place in the templates of a mistake in the XML that one of them gave.

        Of a closing tag it is looked for in the template's own text, so many of its kind behind the last start tag.
        """
        marked = mark_before(xml, wrong.offset)
        mark = mark_of(marked[1]) if marked is not None else None
        place = self.places.get(-1 if mark is None else mark, Source(template.filename or ""))
        if not wrong.closes:
            return place
        tag = f"</{wrong.closes}"
        source = self._written(place.file)
        if not source:
            return place
        at = offset_of(source, place.line, place.column) - 1
        for _ in range(xml.count(tag, marked.end() if marked is not None else 0, wrong.offset) + 1):
            at = source.find(tag, at + 1)
            if at < 0:
                return place
        return Source(place.file, *line_and_column(source, at))

    def _load(self, name: str) -> tuple[str, str, None] | None:
        """Return a template's text and its file, None if there is none: plain names only, never a path."""
        if _NAME.fullmatch(name) is None:
            return None
        for folder in self._folders:
            path = f"{folder}/{name.removesuffix('.xml')}.xml"
            try:
                text = self._workspace.read(path, "template-file").decode("utf-8-sig")
                self.look_at_every_deck |= _EVERY_DECK.search(_COMMENT.sub("", text)) is not None
                return text, path, None
            except Refused as refused:
                if refused.code != "missing-file":
                    raise
            except UnicodeDecodeError as error:
                what = f"{path!r} is not UTF-8 text (byte {error.start})"
                raise Refused("not-utf8", what, "save it as UTF-8") from error
        return None

    def _written(self, path: str) -> str:
        try:
            return self._workspace.read(path, "template-file").decode("utf-8-sig")
        except (Refused, UnicodeDecodeError):
            return ""

    def _problem(self, error: Exception, used_at: Source, names: Mapping[str, Any]) -> Problem:
        """Return a template's mistake as a problem at its line.

        Codes: `template-syntax`, `unknown-name`, `missing-template`, `template-refused` (what the sandbox forbids),
        `template-failed` (anything a calculation can do wrong).
        """
        place = template_line(error, ".xml") or used_at
        if isinstance(error, TemplateNotFound):
            files = [file for folder in self._folders for file in self._workspace.files(folder, ".xml")]
            known = {file.rpartition("/")[2].removesuffix(".xml") for file in files}
            name = str(error.name).removesuffix(".xml")
            fix = did_you_mean(name, known) or f"create {self._folders[0]}/{name}.xml"
            return Problem("missing-template", place, f"there is no template {str(error.name)[:80]!r}", fix)
        if isinstance(error, Refused):
            return error.problem(used_at)
        # Only what computes with none is told with the words of its line.
        lines = self._written(place.file).split("\n") if isinstance(error, TypeError) else []
        line = "".join(lines[place.line - 1 : place.line])
        return explained(error, LAYOUT, "the template", names, line).problem(place)


class _MarkingSandbox(Sandbox):
    """A layout sandbox that marks every start tag of a template with its place."""

    def __init__(self, loader: BaseLoader, places: dict[int, Source], speech: Speech, ink: str) -> None:
        budget = Budget(LAYOUT)
        words = FixedWords(speech, budget)
        # The ink is known everywhere, in imported macros too.
        functions: Mapping[str, Any] = {"t": words.t, "ink": ink}
        filters: Mapping[str, Any] = {"t": words.t, "number": words.number}
        super().__init__(LAYOUT, budget, functions, filters, loader=loader, cache_size=-1, auto_reload=False)
        self._places = places
        self._source = ""

    def compile(  # type: ignore[override]  # as in `Sandbox`
        self, source: str, name: str | None = None, filename: str | None = None
    ) -> CodeType:
        path = filename or name or ""
        # By the file alone, but where two would be the same: so a template is the same code, whatever was read before.
        first = int.from_bytes(hashlib.sha256(path.encode()).digest()[:8]) % 99_000 * 10_000
        while self._places.get(first, Source(path)).file != path:
            first += 10_000
        marked, places = mark_places(source, path, first)
        self._places.update(enumerate(places, first))
        self._source = source
        return super().compile(marked, name, filename)

    def look_at(self, tree: nodes.Template) -> None:
        """Keep the fixed words of the template that is compiled."""
        _WORDS[self._source] = _words_in(tree)

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:  # noqa: A002
        self.budget.spend(20)
        return super().get_template(name, parent, globals)


def mark_places(source: str, path: str, first: int) -> tuple[str, list[Source]]:
    """Return a template's source with `_at="N"` in every start tag, and the places of the tags, counted from `first`.

    One pass from front to back: what is opened and never closed is looked for once.
    """
    line, line_start, counted_to, copied_to, offset = 1, 0, 0, 0, 0
    out: list[str] = []
    places: list[Source] = []
    unclosed: set[str] = set()
    while opening := _OPENINGS.search(source, offset):
        start, offset = opening.span()
        kind = opening[0]
        if kind == "{{":
            closed = _EXPRESSION.match(source, start)
            if closed is None:
                break  # Jinja cannot read it either
            offset = closed.end()
        elif kind in _CLOSINGS:
            end = -1 if kind in unclosed else source.find(_CLOSINGS[kind], offset)
            if end < 0:
                unclosed.add(kind)
                continue
            offset = end + len(_CLOSINGS[kind])
            if kind == "<!--":
                # A comment is not printed; its lines are kept, for the places of what follows.
                out += [source[copied_to:start], "\n" * source.count("\n", start, offset)]
                copied_to = offset
        else:
            newlines = source.count("\n", counted_to, start)
            if newlines:
                line += newlines
                line_start = source.rindex("\n", counted_to, start) + 1
            counted_to = start
            places.append(Source(path, line, start - line_start + 1))
            out += [source[copied_to:offset], f' {MARK}="{first + len(places) - 1}"']
            copied_to = offset
    return "".join([*out, source[copied_to:]]), places
