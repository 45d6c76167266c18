"""A closed room for templates: what they may reach and call is listed here, and all of it is counted.

Jinja's own sandbox keeps templates away from Python; it does not keep them from using up the machine (`9**9**9`,
`"a"*10**9`, loops in loops). Every operator, filter, method, loop and call that could grow without end is therefore
counted against a budget or capped in size. Values are plain data only, so that no method of ours can be called.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from operator import add, mul, sub
from types import BuiltinMethodType, CodeType, MethodType
from typing import Any

from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.nodes import Template
from jinja2.runtime import (
    BlockReference,
    Context,
    LoopContext,
    Macro,
    StrictUndefined,
    TemplateReference,
    Undefined,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from duckpress.core.problems import did_you_mean
from duckpress.expressions.none_values import refuse_none
from duckpress.expressions.parsing import MAX_WHOLE, is_number_of_sense, parse_template
from duckpress.expressions.rewriting import (
    BUILT,
    COMPARED,
    HIDDEN,
    JOINED,
    LOOPED,
    MEASURED,
    RAN,
    SEARCHED,
    count_everything,
)
from duckpress.language import Speech
from duckpress.layout.templates.counted_calls import counted_filters, counted_tests
from duckpress.layout.templates.lazy_value import AskingContext
from duckpress.layout.templates.template_budget import Budget
from duckpress.layout.templates.template_words import FixedWords
from duckpress.layout.templates.written_values import Writer

MAX_RANGE = 10_000
_NUMBERS = frozenset((int, float))
_QUICK: dict[str, Callable[[Any, Any], Any]] = {"*": mul, "+": add, "-": sub}

_STRING_METHODS = frozenset(
    (
        "capitalize", "casefold", "count", "endswith", "find", "index", "isalpha", "isdigit", "islower", "isnumeric",
        "isupper", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rpartition", "rstrip", "split",
        "startswith", "strip", "swapcase", "title", "upper",
    )
)  # fmt: skip
_DICT_METHODS = frozenset(("get", "items", "keys", "values"))
_LIST_METHODS = frozenset(("count", "index"))
_LOOP_NAMES = frozenset(
    (
        "cycle", "depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex",
        "revindex0",
    )
)  # fmt: skip
_MACRO_NAMES = frozenset(("arguments", "caller", "catch_kwargs", "catch_varargs", "name"))
_OPEN = (Namespace, TemplateModule, TemplateReference, BlockReference, Undefined)


class KnowingUndefined(StrictUndefined):
    """Jinja's strict undefined value; its message has a second line, the fix, where it knows what there is instead."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        holder, name = self._undefined_obj, self._undefined_name
        if self._undefined_hint or not isinstance(holder, dict):
            return super()._undefined_message
        known = [key for key in holder if isinstance(key, str)]
        return f"there is no {str(name)[:80]!r} here\n{did_you_mean(str(name), known)}"


class TemplateRoom(ImmutableSandboxedEnvironment):
    """Jinja's immutable sandbox with plain values, listed filters, tests and methods, and a budget for every face."""

    context_class = AskingContext
    intercepted_binops = frozenset(("**", "*", "+", "-", "%"))

    def __init__(self, speech: Speech | None = None, **options: Any) -> None:
        super().__init__(undefined=KnowingUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True, **options)
        self.budget = budget = Budget()
        self.begin()
        writer = Writer(budget)
        words = FixedWords(speech or Speech(), budget)
        self.globals = {"range": self._range, "namespace": self.globals["namespace"], "t": words.t}
        own: dict[str, Callable[..., Any]] = {
            "t": words.t, "number": words.number,
            BUILT: budget.built, COMPARED: budget.compared, JOINED: writer.joined, LOOPED: budget.looped,
            MEASURED: budget.captured, RAN: budget.ran, SEARCHED: budget.searched,
        }  # fmt: skip
        filters: Any = counted_filters(self, budget, writer) | own
        tests: Any = counted_tests(budget)
        self.filters, self.tests = filters, tests
        self.finalize = writer.finalized

    def call_filter(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a filter that a template names in a text, as `map` does: none of those that count."""
        if name.startswith(HIDDEN):
            raise SecurityError(f"there is no filter {name[:40]!r}")
        return super().call_filter(name, *args, **kwargs)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Give what every template has at hand; all of it in one, as every face goes through it."""
        return {**self.globals, **(d or {})}

    def begin(self, versioned: object = None) -> None:
        """Give the next face its whole budget; `has_read_version` tells whether it reads the version of `versioned`."""
        self.budget.begin()
        self.has_read_version = False
        self._versioned = versioned

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
        if not isinstance(argument, str | int | float | None):
            raise SecurityError(f"a {type(argument).__name__} names no entry of anything")
        try:
            return obj[argument]
        except (TypeError, LookupError):
            if isinstance(argument, str):
                return self.getattr(obj, argument)
            return self.undefined(obj=obj, name=argument)  # type: ignore[arg-type]  # a number's name is the number

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Tell whether a template may have an attribute: pure methods of plain data, Jinja's loop and macros."""
        if attr.startswith("_"):
            return False
        if isinstance(obj, str):
            return attr in _STRING_METHODS
        if isinstance(obj, list | tuple):
            return attr in _LIST_METHODS or (hasattr(obj, "_fields") and attr in obj._fields)
        if isinstance(obj, LoopContext):
            return attr in _LOOP_NAMES
        if isinstance(obj, Macro):
            return attr in _MACRO_NAMES
        return isinstance(obj, _OPEN) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, _value: Any) -> Callable[..., str] | None:
        """Give no way round `is_safe_attribute`, which refuses `format` and `format_map` altogether."""
        return None

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call a macro, a block or a listed method, and count it and what it gives back."""
        kind, budget = type(__obj), __self.budget
        if kind is BuiltinMethodType or kind is MethodType:
            budget.count_method(__obj.__self__, args)
        budget.spend(1 + (len(args) + len(kwargs)) // 8)
        given = super().call(__context, __obj, *args, **kwargs)
        if isinstance(given, str):
            budget.measured(given)
        return given

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Do `**`, `*`, `+`, `-` or `%` where the result is a number or text of sensible size."""
        if type(left) in _NUMBERS and type(right) in _NUMBERS and operator in _QUICK:  # nearly always
            number = _QUICK[operator](left, right)
            if -MAX_WHOLE <= number <= MAX_WHOLE:
                return number
        refuse_none(left, right)
        if operator == "%" and isinstance(left, str):
            raise SecurityError("'%' formatting is not available; join texts with '~'")
        if operator == "-" and not all(isinstance(one, int | float | Undefined) for one in (left, right)):
            raise SecurityError("'-' needs numbers on both sides")
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                if isinstance(text, str | list | tuple) and isinstance(times, int):
                    self.budget.refuse_length(len(text) * times, "'*'")
        if operator == "**" and not _is_small_power(left, right):
            shown = " ** ".join(str(one)[:20] if isinstance(one, int | float) else "..." for one in (left, right))
            raise SecurityError(f"'{shown}' is too large a number")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int | float) and not is_number_of_sense(result):
            raise SecurityError(f"a number above {MAX_WHOLE:g} comes out of '{operator}'")
        if isinstance(result, str | list | tuple):
            self.budget.measured(result)
            self.budget.built(result)
        return result

    def _parse(self, source: str, name: str | None, filename: str | None) -> Template:
        return count_everything(parse_template(self, source, name, filename))

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError, ValueError, SystemError):
            # Python's own compiler knows no line of the template.
            raise TemplateSyntaxError("it is nested too deep or too long to be compiled", 1, None, filename) from None

    def _range(self, *limits: int) -> range:
        numbers = range(*limits)
        if len(numbers) > MAX_RANGE:
            raise SecurityError(f"range() of {str(len(numbers))[:40]} numbers; {MAX_RANGE} are the most")
        return numbers


def _is_small_power(base: Any, exponent: Any) -> bool:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float):
        return False
    return abs(exponent) <= 64 and abs(base) <= 1e6 and max(abs(base), 1.0) ** abs(exponent) <= MAX_WHOLE
