"""The sandbox that expressions run in: Jinja's, over plain data, with no calls but ours and with every result bounded.

An expression comes from a file that somebody else may have written. It is read once, refused unless every part of it
is arithmetic, a comparison or a call of a known function, and only then compiled. Numbers stay below a million
million, texts below two thousand letters, so no expression can be made to run for long or to fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from duckpress.check.expression_errors import Trouble
from duckpress.expressions.none_values import FIX, computed_with_none, is_about_none

if TYPE_CHECKING:
    from jinja2 import Template, TemplateError, Undefined, nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

SPEND = "_spend"  # no name of an expression's own: what takes steps from the budget of whoever computes it
MAX_NUMBER = 10**12
MAX_POWER = 40
MAX_TEXT_LENGTH = 2_000

_MOST_LOOKED_AT = 10**6
_TESTS = ("divisibleby", "even", "odd", "none")
_MATHS = ("+", "-", "*", "/", "//", "%", "**")


def parse(text: str) -> nodes.Expr:
    """Give the tree of an expression. Raises `Trouble`: `bad-expression` for what is not one, or not allowed."""
    from jinja2 import TemplateError
    from jinja2.parser import Parser

    try:
        parser = Parser(_environment(), text, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise _bad(text, f"it should end before {str(parser.stream.current.value)!r}")
    except TemplateError as error:
        raise _bad(text, _in_our_words(str(error.message))) from error
    except (ArithmeticError, MemoryError, RecursionError, SyntaxError, ValueError) as error:
        raise _bad(text, "it is nested too deep or holds a number too large") from error
    _refuse_unknown_parts(text, tree)
    return tree


def compile_tree(text: str, tree: nodes.Expr) -> Callable[[Mapping[str, object]], object]:
    """Give the function that computes an expression from the names it uses. Raises `Trouble`: `bad-expression`.

    This is Jinja's `compile_expression`, for a tree that is read already.
    """
    from jinja2 import TemplateError, nodes

    from duckpress.expressions.rewriting import count_expressions

    environment = _environment()
    try:
        tree.set_environment(environment)
        body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store"), tree, lineno=1)]
        whole = nodes.Template(body, lineno=1)
        count_expressions(whole)
        whole.set_environment(environment)
        template = environment.from_string(whole)
    except (TemplateError, ArithmeticError, MemoryError, RecursionError, SyntaxError, ValueError) as error:
        raise _bad(text, "it is nested too deep or holds a number too large") from error
    return lambda names: _computed(text, template, names)


def _computed(text: str, template: Template, names: Mapping[str, object]) -> object:
    template_error, undefined = _kinds()
    try:
        # There are no globals to add to the names, and no other template to share them with.
        context = template.new_context(dict(names), shared=True)
        for _ in template.root_render_func(context):
            pass
        result: object = context.vars["result"]
    except ZeroDivisionError as error:
        raise Trouble("bad-expression", f"{text!r} divides by zero", "guard it: a // b if b else 0") from error
    except template_error as error:
        what = f"{text!r} cannot be computed: {str(error.message)[:200]}"
        raise Trouble("bad-expression", what, "check its parts") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        is_none = is_about_none(error)
        why = computed_with_none(text, names.get("card")) if is_none else str(error)[:200]
        fix = FIX if is_none else "check its parts"
        raise Trouble("bad-expression", f"{text!r} cannot be computed: {why}", fix) from error
    if isinstance(result, undefined):
        raise Trouble("bad-expression", f"{text!r} gives nothing", "say what it gives otherwise: a if b else c")
    return _bounded(result)


@cache
def _kinds() -> tuple[type[TemplateError], type[Undefined]]:
    from jinja2 import TemplateError, Undefined

    return TemplateError, Undefined


def _bounded(result: object) -> object:
    if isinstance(result, bool | None):
        return result
    if isinstance(result, int | float):
        if not abs(result) <= MAX_NUMBER:  # not "greater": that would let NaN through
            raise Trouble("bad-expression", "a number larger than a million million", "make it smaller")
        return result
    if isinstance(result, str):
        if len(result) > MAX_TEXT_LENGTH:
            raise Trouble("bad-expression", f"a text of {len(result)} letters", "make it shorter")
        return str(result)
    if isinstance(result, tuple | list):
        return tuple(_bounded(item) for item in result[:MAX_TEXT_LENGTH])
    if isinstance(result, Mapping):
        return result
    raise Trouble("bad-expression", "the expression gives neither a number nor a text", "compare or count something")


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import StrictUndefined, pass_context
    from jinja2.compiler import CodeGenerator, Frame
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    from duckpress.expressions.rewriting import BUILT, COMPARED, JOINED, SEARCHED
    from duckpress.expressions.weighing import weight

    @pass_context
    def looked_at(context: Any, value: Any) -> Any:
        spend = context.get(SPEND)
        if spend is not None:
            if isinstance(value, str):
                spend(len(value) // 256)
            elif isinstance(value, tuple | list | Mapping):
                spend(weight(value, _MOST_LOOKED_AT) // 8)
        return value

    @pass_context
    def joined(_context: Any, parts: Any) -> str:
        return str(_bounded("".join(map(_as_text, parts))))

    class Sandbox(ImmutableSandboxedEnvironment):
        """Jinja's sandbox in which data is only data and arithmetic is bounded."""

        # What is intercepted is not computed at compile time either, so `9 ** 9 ** 9` costs nothing.
        intercepted_binops = frozenset(_MATHS)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            _refuse_odd_operands(operator, left, right)
            return _bounded(super().call_binop(context, operator, left, right))

        def getattr(self, obj: Any, attribute: str) -> Any:
            # `card.items` is the card's field of that name, never a method of the mapping that holds it.
            return self.getitem(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            if isinstance(obj, Mapping) and isinstance(argument, str | int):
                return obj[argument] if argument in obj else self.undefined(obj=obj, name=str(argument)[:60])
            if isinstance(obj, tuple) and isinstance(argument, int):
                return obj[argument]
            shown = str(argument)[:60] if isinstance(argument, str | int | float) else type(argument).__name__
            return self.undefined(obj=obj, name=shown)

    class Generator(CodeGenerator):
        """Makes tuples of lists, so that a list written out equals one of a fact."""

        def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802  # Jinja's name
            self.visit_Tuple(node, frame)  # type: ignore[arg-type]  # both have `items`

    environment = Sandbox(undefined=StrictUndefined, optimized=False, autoescape=False)
    environment.code_generator_class = Generator
    environment.globals.clear()
    environment.filters = {
        BUILT: looked_at, COMPARED: looked_at, JOINED: joined, SEARCHED: looked_at
    }  # fmt: skip
    return environment


def _as_text(value: object) -> str:
    if isinstance(value, tuple | list | Mapping):
        raise TypeError("a list is no text")
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        value = _bounded(value)
    return str(value)  # raises for an undefined value, with the name that is unknown


def _refuse_odd_operands(operator: str, left: object, right: object) -> None:
    both = (left, right)
    if operator == "+" and all(isinstance(value, str) for value in both):
        return
    for value in both:
        if not isinstance(value, int | float):
            shown = repr(value[:60]) if isinstance(value, str) else f"a {type(value).__name__}"
            raise TypeError(f"{shown} is not a number")
        if abs(value) > MAX_NUMBER:
            raise OverflowError("a number larger than a million million")
    if operator == "**" and not (isinstance(right, int | float) and 0 <= right <= MAX_POWER):
        raise OverflowError(f"a power must lie between 0 and {MAX_POWER}")


def _refuse_unknown_parts(text: str, tree: nodes.Expr) -> None:
    """Raise `Trouble` for any part of a tree that is not plain arithmetic, comparison, data or a call by name."""
    for node in walk(tree):
        kind = type(node).__name__
        if kind not in _PARTS:
            raise _bad(text, f"{_SPOKEN.get(kind, kind)} cannot be used here")
        if kind == "Const" and isinstance(node.value, int | float) and abs(node.value) > MAX_NUMBER:
            raise _bad(text, "it holds a number larger than a million million")
        if kind == "Call" and (type(node.node).__name__ != "Name" or node.dyn_args or node.dyn_kwargs):
            raise _bad(text, "only the functions of the setup can be called")
        if kind == "Test" and node.name not in _TESTS:
            raise _bad(text, f"'is {node.name}' cannot be used here")


def walk(tree: nodes.Node) -> list[Any]:
    """Give every node of a tree, parents first."""
    found: list[Any] = [tree]
    for node in found:
        found.extend(node.iter_child_nodes())
    return found


_PARTS = frozenset(
    (
        *("Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow", "Neg", "Pos", "Concat"),
        *("And", "Or", "Not", "Compare", "Operand", "CondExpr", "Test"),
        *("Const", "Name", "Getattr", "Getitem", "List", "Tuple", "Call", "Keyword"),
    )
)
_SPOKEN = {"Filter": "a filter (|)", "Slice": "a slice ([a:b])", "Dict": "a mapping ({...})"}


def _in_our_words(message: str) -> str:
    return message.replace("'end of template'", "end").replace("template", "expression")


def _bad(text: str, reason: str) -> Trouble:
    shown = text if len(text) <= 80 else text[:77] + "..."
    return Trouble("bad-expression", f"{shown!r} is not an expression: {reason.rstrip('.')}", "see docs/checks.md")
