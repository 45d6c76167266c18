"""A closed room for templates: what they may call, and how much they may do, is listed here.

Jinja's own sandbox keeps templates away from Python; it does not keep them from using up the machine (`9**9**9`,
`"a"*10**9`, loops in loops). Every operator, filter, method, loop and call that could grow without end is therefore
counted against a budget or capped in size. Values are plain data only, so that no method of ours can be called.

A step of the budget is a turn of a loop or a call, or about as much work in another way: sixteen parts of a body that
is run, sixty-four letters that are written, eight entries of a list that a filter looks at.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from types import BuiltinMethodType, CodeType, MethodType
from typing import Any

from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.nodes import EvalContext, Template
from jinja2.runtime import (
    BlockReference,
    Context,
    LoopContext,
    Macro,
    StrictUndefined,
    TemplateReference,
    Undefined,
    markup_join,
    str_join,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, pass_context, pass_eval_context
from markupsafe import Markup

from duckpress.language import Speech
from duckpress.layout.counting import counted_filters, counted_tests
from duckpress.layout.fixedwords import FixedWords
from duckpress.layout.later import AskingContext
from duckpress.limits import limit
from duckpress.problems import did_you_mean
from duckpress.sandboxes.parsing import MAX_WHOLE, is_number_of_sense, parse_template
from duckpress.sandboxes.rewriting import count_everything
from duckpress.sandboxes.weighing import CONTAINERS, is_heavy, weight

MAX_RANGE = 10_000
_NUMBERS = frozenset((int, float))
_SHORT = 64  # letters: a step of the budget

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


class TooMuch(SecurityError):
    """A template that asks for more than a limit allows, and the limit's name; its words are those of a problem."""

    def __init__(self, what: str, limit_: str) -> None:
        super().__init__(what)
        self.limit = limit_


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
    intercepted_binops = frozenset(("**", "*", "+", "%"))

    def __init__(self, speech: Speech | None = None, **options: Any) -> None:
        super().__init__(undefined=KnowingUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True, **options)
        self.begin()
        words = FixedWords(speech or Speech(), self.spend)
        self.globals = {"range": self._range, "namespace": self.globals["namespace"], "t": words.t}
        own: dict[str, Callable[..., Any]] = {
            "t": words.t, "number": words.number,
            "_built": self.built, "_compared": self.compare, "_joined": self._joined, "_looped": self._looped,
            "_measured": self._captured, "_ran": self._ran, "_searched": self.search,
        }  # fmt: skip
        filters: Any = counted_filters(self) | own
        tests: Any = counted_tests(self)
        self.filters, self.tests = filters, tests
        self.finalize = self._finalized

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Give what every template has at hand; all of it in one, as every face goes through it."""
        return {**self.globals, **(d or {})}

    def begin(self, versioned: object = None) -> None:
        """Give the next face its whole budget; `has_read_version` tells whether it reads the version of `versioned`."""
        self.steps_left = self._steps = limit("template-steps")
        self._most_text = limit("template-text")
        self._most_value = limit("template-value")
        self.has_read_version = False
        self._versioned = versioned

    def spend(self, steps: int) -> None:
        """Take steps from the budget; raises `TooMuch` once it is used up."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise TooMuch(f"the template takes more than {self._steps} steps for one face", "template-steps")

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
        kind = type(__obj)
        if kind is BuiltinMethodType:
            __self._count_method(__obj.__self__)
        elif kind is MethodType:
            for arg in args:
                __self.compare(arg)
        __self.spend(1 + len(args) // 8)
        given = super().call(__context, __obj, *args, **kwargs)
        if isinstance(given, str):
            __self.measured(given)
        return given

    def _count_method(self, owner: Any) -> None:
        if isinstance(owner, str):
            self.spend(len(owner) // 64)
        elif isinstance(owner, list | tuple):
            self.search(owner)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Do `**`, `*`, `+` or `%` where the result is a number or text of sensible size."""
        if type(left) in _NUMBERS and type(right) in _NUMBERS and operator in ("*", "+"):  # nearly always
            number = left * right if operator == "*" else left + right
            if -MAX_WHOLE <= number <= MAX_WHOLE:
                return number
        if operator == "%" and isinstance(left, str):
            raise SecurityError("'%' formatting is not available; join texts with '~'")
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                if isinstance(text, str | list | tuple) and isinstance(times, int):
                    self.refuse_length(len(text) * times, "'*'")
        if operator == "**" and not _is_small_power(left, right):
            shown = " ** ".join(str(one)[:20] if isinstance(one, int | float) else "..." for one in (left, right))
            raise SecurityError(f"'{shown}' is too large a number")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int | float) and not is_number_of_sense(result):
            raise SecurityError(f"a number above {MAX_WHOLE:g} comes out of '{operator}'")
        if isinstance(result, str | list | tuple):
            self.measured(result)
            self.built(result)
        return result

    def _parse(self, source: str, name: str | None, filename: str | None) -> Template:
        return count_everything(parse_template(self, source, name, filename))

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError, ValueError, SystemError):
            # Python's own compiler knows no line of the template.
            raise TemplateSyntaxError("it is nested too deep or too long to be compiled", 1, None, filename) from None

    # What the filters written in by `count_everything` do; the filters of `counting` use them too.

    def built(self, values: Any) -> Any:
        """Weigh a list, tuple or record that a template made, where it holds more than small values."""
        if type(values) in CONTAINERS:
            for value in values.values() if type(values) is dict else values:
                if is_heavy(value):
                    self._weigh(values)
                    break
        return values

    def compare(self, value: Any) -> Any:
        """Count what comparing a value with another one may take."""
        if type(value) in CONTAINERS:
            self.spend(weight(value, self._most_value) // 16)
        return value

    def search(self, values: Any) -> Any:
        """Count what looking for something in a value may take."""
        if isinstance(values, str):
            self.spend(len(values) // 256)
        return self.compare(values)

    def written(self, value: Any) -> Any:
        """Give a value as it should read: nothing for None, yes and no, and no `.0` behind a whole number."""
        kind = type(value)
        if kind is str or kind is Markup:
            if len(value) > _SHORT:
                self.spend(len(value) // _SHORT)
            return value
        if value is None or kind in (int, bool, float):
            return as_written(value)
        if kind in CONTAINERS or isinstance(value, tuple):
            self._weigh(value)
            return self.measured(str(value))
        if isinstance(value, str | Undefined | range):
            return value
        raise SecurityError(f"a {kind.__name__} cannot be written; write one of its values")

    def number(self, value: Any) -> Any:
        """Give a number back, where it is finite and not beyond all sense."""
        if not is_number_of_sense(value):
            raise SecurityError(f"a number above {MAX_WHOLE:g} comes out")
        return value

    def measured(self, text: Any) -> Any:
        """Give a text or list back, where it is not too long."""
        if len(text) > self._most_text:
            what = f"a text of {len(text)} letters comes out; {self._most_text} are the most"
            raise TooMuch(what, "template-text")
        self.spend(len(text) // 64)
        return text

    def refuse_length(self, length: int, maker: str) -> None:
        """Raise `TooMuch` where something of such a length would come out."""
        if length > self._most_text:
            raise TooMuch(f"{maker} would make something {length} long; {self._most_text} is the most", "template-text")

    def _weigh(self, value: Any) -> None:
        heavy = weight(value, self._most_value)
        if heavy > self._most_value:
            raise TooMuch(f"a list of more than {self._most_value} parts comes out", "template-value")
        self.spend(heavy // 64)

    @pass_eval_context  # so that Jinja does not escape constants, and make them text, before they come here
    def _finalized(self, _context: EvalContext, value: Any) -> Any:
        kind = type(value)
        if kind is int:
            return value
        if kind is float:
            return f"{value:.10g}"
        if (kind is str or kind is Markup) and len(value) <= _SHORT:
            return value
        return self.written(value)

    @pass_eval_context
    def _joined(self, context: EvalContext, parts: Sequence[Any]) -> str:
        words = [self.written(part) for part in parts]
        self.refuse_length(sum(len(word) for word in words if isinstance(word, str)), "'~'")
        return markup_join(words) if context.autoescape else str_join(words)

    # These three look at the context only so that Jinja does not work them out when it compiles a template.

    @pass_context
    def _looped(self, _context: Context, values: Any, steps: int) -> Any:
        if isinstance(values, Undefined):
            return values
        values = values if isinstance(values, list | tuple | dict | str | range) else list(values)
        self.spend(len(values) * steps)
        return values

    @pass_context
    def _captured(self, _context: Context, text: Any) -> Any:
        return self.measured(text)

    @pass_context
    def _ran(self, _context: Context, steps: int) -> str:
        self.spend(steps)
        return ""

    def _range(self, *limits: int) -> range:
        numbers = range(*limits)
        if len(numbers) > MAX_RANGE:
            raise SecurityError(f"range() of {str(len(numbers))[:40]} numbers; {MAX_RANGE} are the most")
        return numbers


def _is_small_power(base: Any, exponent: Any) -> bool:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float):
        return False
    return abs(exponent) <= 64 and abs(base) <= 1e6 and max(abs(base), 1.0) ** abs(exponent) <= MAX_WHOLE


def as_written(value: Any) -> Any:
    """Give a plain value as it should read; texts and whole numbers as they are."""
    if value is None:
        return ""
    if value is True or value is False:
        return "yes" if value else "no"
    if type(value) is float:
        return f"{value:.10g}"
    return value
