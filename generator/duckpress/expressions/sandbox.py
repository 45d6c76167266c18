"""The one sandbox: Jinja's, over plain data, with every unbounded operation counted or capped.

Jinja's own sandbox keeps templates away from Python; it does not keep them from using up the machine (`9**9**9`,
`"a"*10**9`, loops in loops). Every operator, filter, method, loop and call that could is therefore counted against a
budget or capped in size. Values are plain data only, so that no method of ours can be called.

Who uses it gives a profile, which says what names there are, a budget, and functions and filters of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from functools import cached_property, partial
from itertools import islice
from operator import add, mul, sub
from types import BuiltinMethodType, CodeType, MethodType
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import Template, TemplateModule
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, missing

from duckpress.core.limits import limit
from duckpress.expressions.budget import Budget, OverLimit
from duckpress.expressions.counted_names import HIDDEN, CountedNames, count_everything, refuse_none
from duckpress.expressions.kept_code import Codes, code_once
from duckpress.expressions.parsing import (
    MAX_WHOLE,
    KnowingUndefined,
    is_number_of_sense,
    most_size,
    parse_template,
)
from duckpress.expressions.profiles import NameKind, Profile, Where

MAX_POWER = 64
_CHUNKS = 500
_PIECES_OF_A_STEP = 2
_NUMBERS = frozenset((int, float))
_QUICK: dict[str, Callable[[Any, Any], Any]] = {"*": mul, "+": add, "-": sub}
_NAMES = {  # that a template may look at
    LoopContext: "cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0",
    Macro: "arguments caller catch_kwargs catch_varargs name",
}
_OPEN = (Namespace, TemplateModule, TemplateReference, BlockReference, Undefined)


class LazyValue:
    """A value that is made at its first use: for example all cards of all decks, which few templates use."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def value(self) -> Any:
        return self._make()


class LazyContext(Context):
    """Jinja's context of a template, with lazy values."""

    def resolve_or_missing(self, key: str) -> Any:
        """Return the value of a name, or Jinja's `missing`."""
        value = self.vars[key] if key in self.vars else self.parent.get(key, missing)
        return value.value if isinstance(value, LazyValue) else value


class _TupleGenerator(CodeGenerator):
    """Compiles list literals to tuples, so that a list in a setup equals a fact's list."""

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802  # Jinja's name
        self.visit_Tuple(node, frame)  # type: ignore[arg-type]  # both have `items`


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's immutable sandbox with plain values, the names of a profile, and a budget.

    `functions` and `filters` are those of whoever uses it, by name; `options` are Jinja's.
    """

    context_class = LazyContext
    codes: Codes | None = None  # for who compiles templates and fills none
    intercepted_binops = frozenset(("**", "*", "+", "-", "%"))

    def __init__(
        self,
        profile: Profile,
        budget: Budget,
        functions: Mapping[str, Any] | None = None,
        filters: Mapping[str, Callable[..., Any]] | None = None,
        **options: Any,
    ) -> None:
        # Not optimized: what is constant would be worked out again at every level of what it stands in.
        super().__init__(
            undefined=KnowingUndefined, autoescape=profile.where is Where.LAYOUT, optimized=False, trim_blocks=True,
            lstrip_blocks=True, **options,
        )  # fmt: skip
        self.profile, self.budget = profile, budget
        if profile.where is Where.SETUP:
            self.code_generator_class = _TupleGenerator
        counted = CountedNames(self, budget)
        self.globals = counted.functions() | dict(functions or {})
        named: Any = counted.filters() | dict(filters or {}), counted.tests()
        self.filters, self.tests = named
        self.finalize = budget.finalized
        self._methods = {
            str: profile.names(NameKind.OF_TEXT),
            list: profile.names(NameKind.OF_LIST),
            dict: profile.names(NameKind.OF_RECORD),
        }
        self.begin()

    def fill(self, template: Template, values: Mapping[str, Any], most_letters: str) -> str:
        """Return a template filled; `most_letters` is the name of a limit.

        Raises `OverLimit`, or whatever the template does wrong, with its own lines in the traceback.
        """
        most, length = limit(most_letters), 0
        written: list[str] = []
        try:
            chunks = iter(template.root_render_func(template.new_context(values)))  # type: ignore[arg-type]  # read only
            while length <= most and (some := list(islice(chunks, _CHUNKS))):
                length += sum(map(len, some))
                written += some
        except MemoryError:
            raise
        except Exception:
            self.handle_exception()  # rewrites the traceback so that it shows the template's own lines
        if length > most:
            raise OverLimit(f"more than {most} letters are written {self.profile.spent}", most_letters)
        return "".join(written)

    def begin(self, watched: object = None, *keys: str) -> None:
        """Begin again with the whole budget; `was_read` then tells whether a key of `watched` has been read."""
        self.budget.begin()
        self.was_read = False
        self._watched, self._keys = watched, keys

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of every template in one dict, for speed."""
        return {**self.globals, **(d or {})}

    def compile(  # type: ignore[override]  # never `raw`
        self, source: Any, name: str | None = None, filename: str | None = None
    ) -> CodeType:
        """Return the code of a template, cached for all sandboxes with the same names."""
        if not isinstance(source, str):
            return super().compile(source, name, filename)
        names = self.profile.where, *map(tuple, (self.filters, self.tests)), most_size()
        key = type(self).__name__, names, source, name, filename
        return code_once(key, self.codes, partial(super().compile, source, name, filename))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = parse_template(self, source, name, filename)
        self.look_at(tree)
        count_everything(tree)
        return tree.set_environment(self)  # type: ignore[return-value]  # it returns itself

    def look_at(self, tree: nodes.Template) -> None:
        """Look at the tree of a template, before it is rewritten and compiled."""

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        try:
            return super()._generate(source, name, filename, defer_init)
        except RecursionError:
            raise _too_deep(filename) from None

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError, ValueError, SystemError):
            raise _too_deep(filename) from None

    def call_filter(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a filter that is named in a text, as `map` does, but not an internal one."""
        if name.startswith(HIDDEN):
            raise SecurityError(f"there is no filter {name[:40]!r}")
        return super().call_filter(name, *args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`: a record's field first, then one of the profile's methods."""
        if type(obj) is dict:
            if attribute in obj:
                if obj is self._watched and attribute in self._keys:
                    self.was_read = True
                value = obj[attribute]
                return value.value if isinstance(value, LazyValue) else value
            if attribute in self._methods[dict]:
                return getattr(obj, attribute)
            return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`; a missing item is looked up as an attribute, under the rules of `getattr`."""
        if isinstance(argument, Undefined):
            return argument
        if obj is self._watched and argument in self._keys:
            self.was_read = True
        if not isinstance(argument, str | int | float | None):
            raise SecurityError(f"a {type(argument).__name__} names no entry of anything")
        try:
            value = obj[argument]
            return value.value if isinstance(value, LazyValue) else value
        except (TypeError, LookupError):
            if isinstance(argument, str):
                return self.getattr(obj, argument)
            return self.undefined(obj=obj, name=argument)  # type: ignore[arg-type]  # a number's name is the number

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether an attribute may be used: pure methods of plain data, Jinja's loop and macros."""
        if attr.startswith("_"):
            return False
        if isinstance(obj, str):
            return attr in self._methods[str]
        if isinstance(obj, list | tuple):
            return attr in self._methods[list] or (hasattr(obj, "_fields") and attr in obj._fields)
        for kind, names in _NAMES.items():
            if isinstance(obj, kind):
                return attr in names.split()
        return isinstance(obj, _OPEN) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, _value: Any) -> Callable[..., str] | None:
        """Return None: `is_safe_attribute` refuses `format` and `format_map` altogether."""
        return None

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call a macro, a block, a function or a listed method; count the call and its result."""
        kind, budget = type(__obj), __self.budget
        if kind is BuiltinMethodType or kind is MethodType:
            budget.count_method(__obj.__self__, args)
        budget.work(1 + (len(args) + len(kwargs)) // 8)
        result = super().call(__context, __obj, *args, **kwargs)
        if isinstance(result, str):
            budget.measured(result)
        elif type(result) is list:  # a text cut into pieces takes far more room than the text
            budget.work(len(result) // _PIECES_OF_A_STEP)
        return result

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute `**`, `*`, `+`, `-` or `%` if the result has a sensible size."""
        if type(left) in _NUMBERS and type(right) in _NUMBERS and operator in _QUICK:  # nearly always
            number = _QUICK[operator](left, right)
            if -MAX_WHOLE <= number <= MAX_WHOLE:
                return number
        refuse_none(left, right)
        if operator == "%" and isinstance(left, str):
            raise SecurityError("'%' formatting is not available; join texts with '~'")
        if operator == "-" and not all(isinstance(operand, int | float | Undefined) for operand in (left, right)):
            raise SecurityError("'-' needs numbers on both sides")
        if operator == "*":
            for text, times in ((left, right), (right, left)):
                if isinstance(text, str | list | tuple) and isinstance(times, int):
                    self.budget.refuse_length(len(text) * times, "'*'")
        if operator == "**" and not _is_small_power(left, right):
            operands = (str(operand)[:20] if isinstance(operand, int | float) else "..." for operand in (left, right))
            raise SecurityError(f"'{' ** '.join(operands)}' is too large a number, or none")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int | float) and not is_number_of_sense(result):
            raise SecurityError(f"a number above {MAX_WHOLE:g} comes out of '{operator}'")
        if isinstance(result, str | list | tuple):
            self.budget.measured(result)
            self.budget.built(result)
        return result


def _too_deep(filename: str | None) -> TemplateSyntaxError:
    # Neither Jinja's compiler nor Python's own tells the line of the template.
    return TemplateSyntaxError("it is nested too deep or too long to be compiled", 1, None, filename)


def _is_small_power(base: Any, exponent: Any) -> bool:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float) or abs(exponent) > MAX_POWER:
        return False
    try:
        return max(abs(base), 1) ** abs(exponent) <= MAX_WHOLE and not isinstance(base**exponent, complex)
    except OverflowError:
        return False
