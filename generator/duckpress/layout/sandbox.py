"""A closed room for templates: what they may call, and how much they may do, is listed here.

Jinja's own sandbox keeps templates away from Python; it does not keep them from using up the machine (`9**9**9`,
`"a"*10**9`, loops in loops). Every operator, filter, method, loop and call that could grow without end is therefore
counted against a budget or capped in size. Values are plain data only, so that no method of ours can be called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jinja2 import nodes, pass_eval_context
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.filters import FILTERS
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, LoopContext, Macro, StrictUndefined, Undefined, markup_join, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment

from duckpress.language import Speech
from duckpress.layout.fixedwords import FixedWords
from duckpress.problems import did_you_mean

MAX_TEXT = 200_000  # letters of one value
MAX_RANGE = 10_000
MAX_WHOLE = 10**15
MAX_STEPS = 200_000  # loop turns and calls of one face

_STRING_METHODS = frozenset(
    (
        "capitalize", "casefold", "count", "endswith", "find", "index", "isalpha", "isdigit", "islower", "isnumeric",
        "isupper", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rpartition", "rstrip", "split",
        "startswith", "strip", "swapcase", "title", "upper",
    )
)  # fmt: skip
_DICT_METHODS = frozenset(("get", "items", "keys", "values"))
_LIST_METHODS = frozenset(("count", "index"))
_FILTERS = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby", "int",
    "items", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "safe",
    "select", "selectattr", "sort", "string", "sum", "title", "trim", "truncate", "unique", "upper", "wordcount",
)  # fmt: skip


class TooMuch(SecurityError):
    """A template that asks for more than a face can need; its words are those of a problem."""


class KnowingUndefined(StrictUndefined):
    """Jinja's strict undefined value; its message has a second line, the fix, where it knows what there is instead."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        holder, name = self._undefined_obj, self._undefined_name
        if self._undefined_hint or not isinstance(holder, dict):
            return super()._undefined_message
        known = [key for key in holder if isinstance(key, str)]
        return f"there is no {name!r} here\n{did_you_mean(str(name), known)}"


class TemplateRoom(ImmutableSandboxedEnvironment):
    """Jinja's immutable sandbox with plain values, listed filters and methods, and a budget for every face."""

    intercepted_binops = frozenset(("**", "*", "+", "%"))

    def __init__(self, speech: Speech | None = None, **options: Any) -> None:
        super().__init__(
            undefined=KnowingUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_finalized,
            **options,
        )
        self.steps_left = MAX_STEPS
        self.has_read_version = False
        self._versioned: object = None
        words = FixedWords(speech or Speech(), self.spend)
        self.globals = {"range": self._range, "namespace": self.globals["namespace"], "t": words.t}
        own: dict[str, Callable[..., Any]] = {"join": _join, "replace": _replace, "round": _round, "batch": _batch}
        own["t"], own["number"] = words.t, words.number
        hidden = {"_joined": _joined, "_looped": self._looped, "_measured": self._measured}
        self.filters = {name: FILTERS[name] for name in _FILTERS} | own | hidden

    def begin(self, versioned: object = None) -> None:
        """Give the next face its whole budget; `has_read_version` tells whether it reads the version of `versioned`."""
        self.steps_left = MAX_STEPS
        self.has_read_version = False
        self._versioned = versioned

    def spend(self, steps: int) -> None:
        """Take steps from the budget; raises `TooMuch` once it is used up."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise TooMuch(f"the template takes more than {MAX_STEPS} steps for one face")

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Give `obj.attribute`: a record's field first, then one of the methods listed above."""
        if type(obj) is dict:
            if attribute in obj:
                if obj is self._versioned and attribute == "version":
                    self.has_read_version = True
                return obj[attribute]
            if attribute in _DICT_METHODS:
                return getattr(obj, attribute)
            return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Give `obj[argument]`; what is not an item is looked up as an attribute only under the rules of `getattr`."""
        if isinstance(argument, Undefined):
            return argument
        if obj is self._versioned and argument == "version":
            self.has_read_version = True
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.getattr(obj, argument) if isinstance(argument, str) else self.undefined(obj=obj, name=argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Tell whether a template may have an attribute: pure methods of plain data, Jinja's loop and macros."""
        if attr.startswith("_"):
            return False
        if isinstance(obj, str):
            return attr in _STRING_METHODS
        if isinstance(obj, list | tuple):
            return attr in _LIST_METHODS or (hasattr(obj, "_fields") and attr in obj._fields)
        if isinstance(obj, LoopContext | Macro):
            return True
        if isinstance(obj, int | float | bool | dict | type) or callable(obj):
            return False
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, _value: Any) -> Callable[..., str] | None:
        """Give no way round `is_safe_attribute`, which refuses `format` and `format_map` altogether."""
        return None

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call a macro, a block or a listed method, and count it and what it gives back."""
        __self.spend(1)
        given = super().call(__context, __obj, *args, **kwargs)
        if isinstance(given, str):
            __self._measured(given)
        return given

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Do `**`, `*`, `+` or `%` where the result is a number or text of sensible size."""
        if operator == "%" and isinstance(left, str):
            raise SecurityError("'%' formatting is not available; join texts with '~'")
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                if isinstance(text, str | list | tuple) and isinstance(times, int) and len(text) * times > MAX_TEXT:
                    raise TooMuch(f"'*' would make something {len(text) * times} long")
        if operator == "**" and not _is_small_power(left, right):
            raise TooMuch(f"'{str(left)[:20]} ** {str(right)[:20]}' is too large a number")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int) and abs(result) > MAX_WHOLE:
            raise TooMuch(f"a number above {MAX_WHOLE:g} comes out of '{operator}'")
        if isinstance(result, str | list | tuple):
            self._measured(result)
        return result

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        # Every loop, join and captured block goes through a counting filter.
        template = super()._parse(source, name, filename)
        for loop in list(template.find_all(nodes.For)):
            if loop.recursive:
                raise TemplateSyntaxError("recursive loops are not available", loop.lineno, name, filename)
            loop.iter = _filtered(loop.iter, "_looped")
        for block in list(template.find_all((nodes.AssignBlock, nodes.FilterBlock))):
            assert isinstance(block, nodes.AssignBlock | nodes.FilterBlock)
            block.filter = _filtered(block.filter, "_measured")
        _replace_joins(template)
        return template

    def _looped(self, values: Any) -> Any:
        if isinstance(values, Undefined):
            return values
        values = values if isinstance(values, list | tuple | dict | str | range) else list(values)
        self.spend(len(values))
        return values

    def _measured(self, text: Any) -> Any:
        if len(text) > MAX_TEXT:
            raise TooMuch(f"a text of {len(text)} letters comes out; {MAX_TEXT} are the most")
        self.spend(len(text) // 64)
        return text

    def _range(self, *limits: int) -> range:
        numbers = range(*limits)
        if len(numbers) > MAX_RANGE:
            raise TooMuch(f"range() of {len(numbers)} numbers; {MAX_RANGE} are the most")
        return numbers


def _is_small_power(base: Any, exponent: Any) -> bool:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float):
        return False
    return abs(exponent) <= 64 and abs(base) <= 1e6 and max(abs(base), 1.0) ** abs(exponent) <= MAX_WHOLE


@pass_eval_context  # so that Jinja does not escape constants, and thereby make them text, before they come here
def _finalized(_context: EvalContext, value: Any) -> Any:
    return as_written(value)


def as_written(value: Any) -> Any:
    """Give a value as it should read: nothing for None, yes and no, and no `.0` behind a whole number."""
    if value is None:
        return ""
    if value is True or value is False:
        return "yes" if value else "no"
    if type(value) is float:
        return f"{value:.10g}"
    return value


def _filtered(inner: nodes.Node | None, name: str) -> nodes.Filter:
    lineno = getattr(inner, "lineno", 1)
    return nodes.Filter(inner, name, [], [], None, None, lineno=lineno, environment=getattr(inner, "environment", None))


def _replace_joins(node: nodes.Node) -> None:
    """Send every `a ~ b` below a node through the filter `_joined`, which looks at the length first."""
    for field, value in list(node.iter_fields()):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, nodes.Node):
                _replace_joins(child)
        if isinstance(value, list):
            setattr(node, field, [_joined_node(child) if isinstance(child, nodes.Concat) else child for child in value])
        elif isinstance(value, nodes.Concat):
            setattr(node, field, _joined_node(value))


def _joined_node(concat: nodes.Concat) -> nodes.Filter:
    parts = nodes.List(concat.nodes, lineno=concat.lineno, environment=concat.environment)
    return _filtered(parts, "_joined")


@pass_eval_context
def _joined(context: EvalContext, parts: Sequence[Any]) -> str:
    parts = [as_written(part) for part in parts]
    if sum(len(part) for part in parts if isinstance(part, str)) > MAX_TEXT:
        raise TooMuch(f"'~' would make a text of more than {MAX_TEXT} letters")
    return markup_join(parts) if context.autoescape else str_join(parts)


@pass_eval_context
def _join(context: EvalContext, values: Iterable[Any], separator: str = "", attribute: str | int | None = None) -> str:
    """Join values with a separator between them, as Jinja's own `join` does."""
    parts = list(values)
    if len(separator) * len(parts) > MAX_TEXT:
        raise TooMuch("'join' would make too long a text")
    joined: str = FILTERS["join"](context, [as_written(part) for part in parts], separator, attribute)
    return joined


@pass_eval_context
def _replace(context: EvalContext, text: str, old: str, new: str, count: int | None = None) -> str:
    """Replace a part of a text, as Jinja's own `replace` does."""
    if len(str(text)) + str(text).count(str(old)) * len(str(new)) > MAX_TEXT:
        raise TooMuch("'replace' would make too long a text")
    replaced: str = FILTERS["replace"](context, text, old, new, count)
    return replaced


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    """Round a number to at most ten decimals."""
    rounded: float = FILTERS["round"](value, max(-10, min(10, int(precision))), method)
    return rounded


def _batch(values: Iterable[Any], size: int, fill: Any = None) -> list[list[Any]]:
    """Give the values in rows of a size, the last one filled up where `fill` is given."""
    if not 1 <= size <= MAX_RANGE:
        raise TooMuch(f"batch({size}): the size of a row is 1 to {MAX_RANGE}")
    return list(FILTERS["batch"](values, size, fill))
