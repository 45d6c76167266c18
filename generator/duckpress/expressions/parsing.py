"""The one parser: the source of a template or an expression -> its tree, or one mistake at its line.

Jinja's parser, its compiler and Python's own all follow the nesting of a template by calling themselves. What is too
deep for them is refused here, before they see it, and numbers that are too large before anything is computed with them.
Where the expressions in a text with `{{ }}` stand is found without Jinja.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from jinja2 import Environment, nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.parser import Parser

from duckpress.core.limits import limit

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
    """Return the limits of a template's or an expression's size."""
    return TreeSize(limit("template-depth"), limit("template-parts"))


def parse_template(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> nodes.Template:
    """Return the tree of a template. Raises `TemplateSyntaxError`; `TemplateTooLarge` for what is beyond a limit."""
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
    """Raise `TemplateSyntaxError` for a tree that is too deep or too large, or holds numbers beyond all sense.

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
    """Return whether a value is finite, and no whole number beyond 10^15; what is no number is."""
    if isinstance(value, int):
        return abs(value) <= MAX_WHOLE
    return not isinstance(value, float) or math.isfinite(value)


def steps_of(body: nodes.Node | list[nodes.Node]) -> int:
    """Return the steps of running a body once, without the loops and macros within it: those count themselves."""
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
    """An expression between braces, where it begins in the text, and where the braces open and end."""

    expression: str
    offset: int
    start: int
    end: int


def holes(text: str) -> list[Hole]:
    """Return the expressions of a text in order; braces that nothing closes are none."""
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
    """Return a text with each expression replaced by what `said` gives for it and its offset."""
    parts, end = [], 0
    for hole in holes(text):
        parts += [text[end : hole.start], said(hole.expression, hole.offset)]
        end = hole.end
    return "".join([*parts, text[end:]])


def _closing(text: str, start: int) -> int:
    """Return where the braces close that open before `start`, past texts in quotes and braces in braces.

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
