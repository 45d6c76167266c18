"""Reading a template's source: the tree of it, or one mistake at its line where it is too deep, too long or too large.

Jinja's parser, its compiler and Python's own all follow the nesting of a template by calling themselves. What is too
deep for them is refused here, before they see it, and numbers that are too large before anything is computed with them.
"""

from __future__ import annotations

import math

from jinja2 import Environment, nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.parser import Parser

from duckpress.core.limits import limit

MAX_WHOLE = 10**15  # all whole numbers up to it are exact as floats, too
_MAX_LOOPS = 15  # one in the other: Python knows at most twenty blocks
_MAX_BRANCHES = 1_000  # to Python's compiler each `elif` lies in the one before; how deep it goes differs by version
_PARTS_OF_A_STEP = 16
_LETTERS_OF_A_STEP = 64


class TooLarge(TemplateSyntaxError):
    """A template beyond a limit; `limit` is its name."""

    def __init__(self, what: str, limit_: str, lineno: int, name: str | None, filename: str | None) -> None:
        super().__init__(what, lineno, name, filename)
        self.limit = limit_


def parse_template(
    environment: Environment, source: str, name: str | None = None, filename: str | None = None
) -> nodes.Template:
    """Give the tree of a template. Raises `TemplateSyntaxError`, for what is beyond a limit `TooLarge`, and no more."""
    parser = Parser(environment, source, name, filename)
    try:
        tree = parser.parse()
    except TemplateSyntaxError as error:
        error.filename = error.filename or filename  # what is never closed does not know it
        raise
    except RecursionError:
        line = parser.stream.current.lineno
        raise TooLarge("it is nested too deep", "template-depth", line, name, filename) from None
    except (ArithmeticError, ValueError, MemoryError, SyntaxError):
        line = parser.stream.current.lineno
        raise TemplateSyntaxError("a number or a text in it cannot be read", line, name, filename) from None
    refuse_excess(tree, name, filename)
    return tree


def refuse_excess(tree: nodes.Template, name: str | None = None, filename: str | None = None) -> None:
    """Raise `TemplateSyntaxError` for a tree that is too deep or too large, or holds numbers beyond all sense."""
    deepest, most = limit("template-depth"), limit("template-parts")
    count = 0
    waiting: list[tuple[nodes.Node, int, int, int]] = [(tree, 0, 0, 0)]
    while waiting:
        node, depth, loops, branches = waiting.pop()
        count += 1
        if isinstance(node, nodes.For):
            loops += 1
            if node.recursive:
                raise TemplateSyntaxError("recursive loops are not available", node.lineno, name, filename)
        elif isinstance(node, nodes.If):
            branches += len(node.elif_)
        if depth > deepest:
            raise TooLarge(f"it is nested more than {deepest} deep", "template-depth", node.lineno, name, filename)
        if loops > _MAX_LOOPS:
            what = f"more than {_MAX_LOOPS} loops stand one in the other"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        if branches > _MAX_BRANCHES:
            what = f"more than {_MAX_BRANCHES} 'elif' follow one another; a list or a mapping looked into needs none"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        if isinstance(node, nodes.Const) and not is_number_of_sense(node.value):
            what = f"a number is beyond {MAX_WHOLE:g}"
            raise TemplateSyntaxError(what, node.lineno, name, filename)
        waiting += [(child, depth + 1, loops, branches) for child in node.iter_child_nodes()]
        if count + len(waiting) > most:
            what, line = f"it has more than {most} parts", waiting[-1][0].lineno if waiting else node.lineno
            raise TooLarge(what, "template-parts", line, name, filename)


def is_number_of_sense(value: object) -> bool:
    """Tell whether a value is finite, and no whole number beyond 10^15; what is no number is."""
    if isinstance(value, int):
        return abs(value) <= MAX_WHOLE
    return not isinstance(value, float) or math.isfinite(value)


def steps_of(body: nodes.Node | list[nodes.Node]) -> int:
    """Give what running a body once counts as, without the loops and macros within it: those count themselves."""
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
