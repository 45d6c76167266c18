"""The one parser: the source of a template or an expression -> its tree, or one mistake at its line.

Jinja's parser, its compiler and Python's own all follow the nesting of a template by calling themselves. What is too
deep for them is refused here, before they see it, and numbers that are too large before anything is computed with them.
Where the expressions in a text with `{{ }}` stand is found without Jinja. A mistake has the same words and the same way
out wherever it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from jinja2 import Environment, nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError
from jinja2.parser import Parser
from jinja2.runtime import StrictUndefined
from jinja2.utils import missing

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Mistake, Source, did_you_mean
from duckpress.expressions.budget import OverLimit
from duckpress.expressions.profiles import NameKind, Profile

MAX_WHOLE = 10**15  # all whole numbers up to it are exact as floats, too
_MAX_LOOPS = 15  # one in the other: Python knows at most twenty blocks
_MAX_BRANCHES = 1_000  # to Python's compiler each `elif` lies in the one before; how deep it goes differs by version
_MAX_CHAIN = 150  # each operator is a call in a call, and Python's parser takes at most two hundred brackets
_PARTS_OF_A_STEP = 16
_LETTERS_OF_A_STEP = 64
_BRACE_OR_TEXT = re.compile(r"""'(?>(?:[^'\\]|\\.)*)'|"(?>(?:[^"\\]|\\.)*)"|\{\{|[{}]""", re.DOTALL)

_Tree = TypeVar("_Tree", bound=nodes.Node)


class TemplateTooLarge(TemplateSyntaxError):
    """An error of a template or an expression beyond a limit; `limit` is its name."""

    def __init__(self, what: str, limit_: str, lineno: int, name: str | None, filename: str | None) -> None:
        super().__init__(what, lineno, name, filename)
        self.limit = limit_


class TreeSize(NamedTuple):
    """The most that a template or an expression may hold: parts, and levels of them in each other."""

    levels: int
    parts: int


def most_size() -> TreeSize:
    return TreeSize(limit("template-depth"), limit("template-parts"))


def parse_template(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> nodes.Template:
    """Return the tree of a template. Raises `TemplateSyntaxError`; `TemplateTooLarge` above a limit."""
    parser = Parser(environment, source, name, filename)
    tree = _parsed(parser, parser.parse)
    refuse_excess(tree, most_size(), name, filename)
    return tree


def parse_expression(environment: Environment, text: str, size: TreeSize) -> nodes.Expr:
    """Return the tree of an expression. Raises as `parse_template` does."""
    parser = Parser(environment, text, state="variable")
    tree = _parsed(parser, parser.parse_expression)
    if not parser.stream.eos:
        raise TemplateSyntaxError(f"it should end before {str(parser.stream.current.value)!r}", 1)
    refuse_excess(tree, size)
    return tree


def _parsed(parser: Parser, parse: Callable[[], _Tree]) -> _Tree:
    try:
        return parse()
    except TemplateSyntaxError as error:
        error.filename = error.filename or parser.filename  # what is never closed does not know it
        raise
    except RecursionError:
        line = parser.stream.current.lineno
        raise TemplateTooLarge("it is nested too deep", "template-depth", line, parser.name, parser.filename) from None
    except (ArithmeticError, ValueError, MemoryError, SyntaxError):
        line = parser.stream.current.lineno
        what = "a number or a text in it cannot be read"
        raise TemplateSyntaxError(what, line, parser.name, parser.filename) from None


def refuse_excess(tree: nodes.Node, most: TreeSize, name: str | None = None, filename: str | None = None) -> None:
    """Raise `TemplateSyntaxError` for a tree that is too deep or too large, or that holds huge numbers.

    `a + b + c` is (a + b) + c to the parser: what follows one another like that is one level, up to `_MAX_CHAIN`.
    """
    count = 0
    waiting: list[tuple[nodes.Node, int, int, int, int]] = [(tree, 0, 0, 0, 0)]
    while waiting:
        node, depth, loops, branches, chain = waiting.pop()
        count += 1
        if isinstance(node, nodes.For):
            loops += 1
            if node.recursive:
                raise TemplateSyntaxError("recursive loops are not available", node.lineno, name, filename)
        elif isinstance(node, nodes.If):
            branches += len(node.elif_)
        if depth > most.levels:
            what = f"it is nested more than {most.levels} deep"
            raise TemplateTooLarge(what, "template-depth", node.lineno, name, filename)
        if loops > _MAX_LOOPS:
            what = f"more than {_MAX_LOOPS} loops stand one in the other"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        if branches > _MAX_BRANCHES:
            what = f"more than {_MAX_BRANCHES} 'elif' follow one another; a list or a mapping looked into needs none"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        if isinstance(node, nodes.Const) and not is_number_of_sense(node.value):
            what = f"a number is beyond {MAX_WHOLE:g}"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        first = node.left if isinstance(node, nodes.BinExpr) and chain < _MAX_CHAIN else None
        waiting += [
            (child, depth, loops, branches, chain + 1) if child is first else (child, depth + 1, loops, branches, chain)
            for child in node.iter_child_nodes()
        ]
        if count + len(waiting) > most.parts:
            what, line = f"it has more than {most.parts} parts", waiting[-1][0].lineno if waiting else node.lineno
            raise TemplateTooLarge(what, "template-parts", line, name, filename)


def is_number_of_sense(value: object) -> bool:
    """Return whether a value is finite, and no whole number above 10^15; True for other kinds of values."""
    if isinstance(value, int):
        return abs(value) <= MAX_WHOLE
    return not isinstance(value, float) or math.isfinite(value)


def steps_of(body: nodes.Node | list[nodes.Node]) -> int:
    """Return the steps of running a body once, without its inner loops and macros: those count themselves."""
    parts = letters = 0
    waiting = list(body) if isinstance(body, list) else list(body.iter_child_nodes())
    while waiting:
        node = waiting.pop()
        parts += 1
        if isinstance(node, nodes.TemplateData):
            letters += len(node.data)
        if isinstance(node, nodes.For):
            waiting.append(node.iter)
        elif isinstance(node, nodes.CallBlock):
            waiting.append(node.call)
        elif not isinstance(node, nodes.Macro | nodes.Block):
            waiting += node.iter_child_nodes()
    return parts // _PARTS_OF_A_STEP + letters // _LETTERS_OF_A_STEP


class Hole(NamedTuple):
    """An expression between braces, its start in the text, and the places of its braces."""

    expression: str
    offset: int
    start: int
    end: int


def holes(text: str) -> list[Hole]:
    """Return the expressions of a text in order; unclosed braces are plain text."""
    every: list[Hole] = []
    last = text.rfind("}}")
    end = 0
    while (start := text.find("{{", end, max(last, 0))) >= 0:
        closing = _closing(text, start + 2)
        inner = text[start + 2 : closing]
        end = closing + 2
        every.append(Hole(inner.strip(), start + 2 + len(inner) - len(inner.lstrip()), start, end))
    return every


def fill_holes(text: str, said: Callable[[str, int], str]) -> str:
    """Return a text with each expression replaced by `said(expression, offset)`."""
    parts, end = [], 0
    for hole in holes(text):
        parts += [text[end : hole.start], said(hole.expression, hole.offset)]
        end = hole.end
    return "".join([*parts, text[end:]])


def _closing(text: str, start: int) -> int:
    """Return the place of the braces that close those before `start`, past quoted texts and nested braces.

    Where they do not, it is the first place that closes anything; no place of a text is looked at again and again.
    """
    depth = 0
    for sign in _BRACE_OR_TEXT.finditer(text, start):
        if sign[0] == "{{":
            break
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            if not depth and text.startswith("}}", sign.start()):
                return sign.start()
            depth -= 1
    return text.find("}}", start)


_NOTHING_NAMED, _NO_SUCH = "nothing is named ", "there is no "
_NO_FILTER_OR_TEST = re.compile(r"No (filter|test) named '([^']*)'")
_AT = re.compile(r" at \d+$")  # counted in a whole template
_END = re.compile("'?end of (template|print statement)'?")
_WITHOUT_ELSE = "the inline if-expression"
_PAGE = "docs/expressions.md"


class KnowingUndefined(StrictUndefined):
    """Jinja's strict undefined value, in our words; if it knows the valid names, a second line is the fix."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        holder, name, hint = self._undefined_obj, self._undefined_name, self._undefined_hint
        if hint:
            return hint
        shown = repr(str(name)[:80]) if isinstance(name, str) else f"entry {str(name)[:80]}"
        if holder is missing:
            return f"{_NOTHING_NAMED}{shown}"
        known = [key for key in holder if isinstance(key, str)] if isinstance(holder, Mapping) else []
        return f"{_NO_SUCH}{shown}\n{did_you_mean(str(name), known)}"


class ExpressionError(Mistake):
    """A mistake in an expression.

    `offset` is where in the text it is, None is for the text as a whole; `name` is the unknown name, if it is one.
    """

    def __init__(self, code: str, what: str, fix: str = "", offset: int | None = None, name: str = "") -> None:
        super().__init__(code, what, fix)
        self.offset = offset
        self.name = name


def quoted(text: str) -> str:
    """Return an expression in quotes for a message, cut short."""
    return repr(text if len(text) <= 80 else text[:77] + "...")


def explained(
    error: Exception, profile: Profile, subject: str, names: Mapping[str, object], text: str
) -> ExpressionError:
    """Return an error of Jinja, of Python or of the sandbox as a mistake of `subject`.

    That is the template as a whole, or an expression in quotes; `names` are the values it knows, `text` is the
    expression, or the line of the template, that failed.
    """
    codes, words = profile.codes, str(error)
    if isinstance(error, TemplateTooLarge):
        fix = f"write it more simply; {how_to_raise(error.limit)}"
        return ExpressionError(codes.refused, f"{subject} is refused: {error.message}", fix)
    if isinstance(error, TemplateSyntaxError):
        why, fix = _unreadable(error.message or words, profile)
        return ExpressionError(codes.unreadable, f"{subject} cannot be read: {why}", fix)
    if isinstance(error, UndefinedError):
        return _unknown(words, profile, subject, names)
    if isinstance(error, SecurityError):
        fix = f"{_PAGE} says what can be used, and how much"
        if isinstance(error, OverLimit):
            fix = f"ask for less; {how_to_raise(error.limit)}"
        return ExpressionError(codes.refused, f"{subject} is refused: {words[:200]}", fix)
    why, fix = words[:200] or type(error).__name__, "check the values that it works with"
    if isinstance(error, RecursionError):
        why, fix = "a macro or an include calls itself without end", "let it end"
    elif isinstance(error, ZeroDivisionError):
        why, fix = "it divides by zero", "guard it: a // b if b else 0"
    elif isinstance(error, TypeError) and "NoneType" in words:  # Python's own words, and those of `refuse_none`
        why = _computed_with_none(text, names.get("card"))
        fix = "give the field 'default: 0' where empty means 0, or ask first whether it 'is not none'"
    return ExpressionError(codes.failed, f"{subject} fails: {why}", fix)


def template_line(error: Exception, ending: str) -> Source | None:
    """Return the innermost line of a template in an error's traceback; template files end in `ending`."""
    if isinstance(error, TemplateSyntaxError) and error.filename:
        return Source(error.filename, error.lineno)
    place, trace = None, error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename.endswith(ending):
            place = Source(filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _unreadable(message: str, profile: Profile) -> tuple[str, str]:
    unknown = _NO_FILTER_OR_TEST.match(message)
    if unknown is None:
        why = _END.sub("the end", message).replace("unexpected the end", "it ends too early")
        why = _AT.sub("", why.replace("expected token the end, got", "it should end before"))
        if why.startswith("it should end before '='"):
            return why, "'==' compares, and '>=' and '<=' are at least and at most"
        return why.rstrip(".")[:300], f"correct it; {_PAGE} says what can be written"
    kind, name = unknown.groups()
    known = profile.names(NameKind(kind))
    fix = did_you_mean(name, known) or f"{_PAGE} says what can be written instead"
    return f"there is no {kind} {name[:60]!r} here", fix


def _unknown(message: str, profile: Profile, subject: str, names: Iterable[str]) -> ExpressionError:
    what, _, fix = message.partition("\n")
    name = ""
    if what.startswith(_WITHOUT_ELSE):
        what, fix = f"{subject} gives nothing, as its condition does not hold", "say what it gives then: a if b else c"
    if what.startswith((_NOTHING_NAMED, _NO_SUCH)):
        name = what.removeprefix(_NOTHING_NAMED).removeprefix(_NO_SUCH).strip("'")
        fix = did_you_mean(name, names) if what.startswith(_NOTHING_NAMED) else fix
        what += " here" if subject.startswith("the ") else f" in {subject}"
    return ExpressionError(profile.codes.unknown, what[:300], fix or "check the name", name=name)


def _computed_with_none(text: str, card: object) -> str:
    """Return the words for calculating with None: the names of the card's empty fields in the text."""
    what = "an empty value can be neither calculated with nor compared"
    if not isinstance(card, Mapping):
        return what
    empty = [name for name, value in card.items() if value is None]
    spoken_of = [name for name in empty if name in text] or empty
    return f"{what}: {' or '.join(map(repr, spoken_of))} of card {card.get('id')!r}" if empty else what
