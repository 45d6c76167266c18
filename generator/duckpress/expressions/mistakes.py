"""What is wrong with an expression or a template: the same words and the same way out, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError
from jinja2.runtime import StrictUndefined
from jinja2.utils import missing

from duckpress.core.limits import how_to_raise
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.budget import OverLimit
from duckpress.expressions.parsing import TemplateTooLarge
from duckpress.expressions.profiles import NameKind, Profile

_NOTHING_NAMED, _NO_SUCH = "nothing is named ", "there is no "
_NO_FILTER_OR_TEST = re.compile(r"No (filter|test) named '([^']*)'")
_AT = re.compile(r" at \d+$")  # counted in a whole template
_END = re.compile("'?end of (template|print statement)'?")
_WITHOUT_ELSE = "the inline if-expression"
_PAGE = "docs/expressions.md"


class KnowingUndefined(StrictUndefined):
    """Jinja's strict undefined value, in our words; a second line of them is the fix, where it knows what there is."""

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


class ExpressionError(Exception):
    """A mistake in an expression: the `code`, `what` and `fix` of its problem; whoever knows the place makes it one.

    `offset` is where in the text it is, None is for the text as a whole; `name` is the unknown name, if it is one.
    """

    def __init__(self, code: str, what: str, fix: str = "", offset: int | None = None, name: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.fix = fix
        self.offset = offset
        self.name = name

    def problem(self, source: Source) -> Problem:
        """Return the mistake as a problem at a place."""
        return Problem(self.code, source, self.what, self.fix)


def quoted(text: str) -> str:
    """Return an expression in quotes for a message, cut short."""
    return repr(text if len(text) <= 80 else text[:77] + "...")


def explained(
    error: Exception, profile: Profile, subject: str, names: Mapping[str, object], text: str
) -> ExpressionError:
    """Return an error of Jinja's, of Python's or of the sandbox as a mistake of `subject`.

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
    """Return the innermost line of a template that an error comes from; the files of templates end like this."""
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
    """Return what is wrong with a text that computes with none: the empty fields of the card that it speaks of."""
    what = "an empty value can be neither calculated with nor compared"
    if not isinstance(card, Mapping):
        return what
    empty = [name for name, value in card.items() if value is None]
    spoken_of = [name for name in empty if name in text] or empty
    return f"{what}: {' or '.join(map(repr, spoken_of))} of card {card.get('id')!r}" if empty else what
