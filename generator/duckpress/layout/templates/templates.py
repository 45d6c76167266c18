"""Templates -> the XML of a face, every element of it marked with its own place in the template.

A start tag `<rect ...>` in a template's source becomes `<rect _at="17" ...>`; the number is an index into
`Templates.places`, so that a problem found in the output names the line of the template that wrote the element, also
where it came from a macro or an included file. XML comments are left out: they never reach a face.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jinja2 import BaseLoader, FunctionLoader
from jinja2.environment import Template
from jinja2.exceptions import TemplateNotFound

from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.budget import Budget
from duckpress.expressions.parsing import explained, template_line
from duckpress.expressions.profiles import LAYOUT
from duckpress.expressions.sandbox import Sandbox
from duckpress.files.workspace import Refused, Workspace
from duckpress.language import Speech
from duckpress.layout.templates.face_xml import MARK, Malformed, line_and_column, mark_before, mark_of, offset_of
from duckpress.layout.templates.template_context import FixedWords

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}(?:\.xml)?")
_OPENINGS = re.compile(r"\{[#%{]|<!--|<!\[CDATA\[|<[A-Za-z_][A-Za-z0-9_.:-]*")
_CLOSINGS = {"{#": "#}", "{%": "%}", "<!--": "-->", "<![CDATA[": "]]>"}
_EXPRESSION = re.compile(r"""\{\{(?>(?:[^"'}]++|"[^"]*+"|'[^']*+'|\}(?!\}))*)\}\}""")


class Templates:
    """The templates of one game: its own `layouts/` first, the shared `layouts/` behind it."""

    def __init__(
        self, workspace: Workspace, game_folder: str, speech: Speech | None = None, ink: str = "color"
    ) -> None:
        self.places: list[Source] = []
        self._folders = (f"{game_folder}/layouts", "layouts")
        self._workspace = workspace
        self._sandbox = _MarkingSandbox(FunctionLoader(self._load), self.places, speech or Speech(), ink)

    def open(self, name: str, used_at: Source) -> tuple[Template | None, Problem | None]:
        """Return a template ready to fill, or the problem: missing, refused, or written wrongly."""
        self._sandbox.begin()
        try:
            return self._sandbox.get_template(name), None
        except MemoryError:
            raise  # the process that lays out faces has had its share, and says so
        except Exception as error:
            return None, self._problem(error, used_at, {})

    @property
    def has_read_version(self) -> bool:
        """Whether the template filled last looked at `game.version` or at `game.finish`."""
        return self._sandbox.was_read

    def fill(self, template: Template, values: Mapping[str, Any]) -> tuple[str, Problem | None]:
        """Return the XML of a face; with a problem it is empty."""
        self._sandbox.begin(values.get("game"), "version", "finish")
        try:
            return self._sandbox.fill(template, values, "template-face"), None
        except MemoryError:
            raise
        except Exception as error:
            return "", self._problem(error, Source(template.filename or ""), values)

    def place(self, template: Template, xml: str, wrong: Malformed) -> Source:
        """Return the place in the templates of what is wrong with the XML that one of them gave.

        Of a closing tag it is looked for in the template's own text, so many of its kind behind the last start tag.
        """
        marked = mark_before(xml, wrong.offset)
        mark = mark_of(marked[1]) if marked is not None else None
        is_known = mark is not None and mark < len(self.places)
        place = self.places[mark] if is_known and mark is not None else Source(template.filename or "")
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
        """Return a template's text and its file, None where there is none: plain names only, never a path."""
        if _NAME.fullmatch(name) is None:
            return None
        for folder in self._folders:
            path = f"{folder}/{name.removesuffix('.xml')}.xml"
            try:
                return self._workspace.read(path, "template-file").decode("utf-8-sig"), path, None
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
    """A sandbox of layouts that marks every start tag of a template with its place."""

    def __init__(self, loader: BaseLoader, places: list[Source], speech: Speech, ink: str) -> None:
        budget = Budget(LAYOUT)
        words = FixedWords(speech, budget)
        # The ink is known everywhere, in imported macros too.
        functions: Mapping[str, Any] = {"t": words.t, "ink": ink}
        filters: Mapping[str, Any] = {"t": words.t, "number": words.number}
        super().__init__(LAYOUT, budget, functions, filters, loader=loader, cache_size=-1, auto_reload=False)
        self._places = places

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        cleaned = super().preprocess(source, name, filename)
        marked, places = mark_places(cleaned, filename or name or "", len(self._places))
        self._places += places
        return marked

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
