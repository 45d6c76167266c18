"""The options that commands share: the formats of their values, and shell completion.

Only what names need is read for a shell: the folders of games, and `game.yaml` of those whose pieces or languages are
asked for. What cannot be read completes nothing: a shell has no place for messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click

from duckpress.core import sizes
from duckpress.core.backs import FINISHES, INKS, Backs
from duckpress.core.printer_profile import Printer
from duckpress.core.problems import MachineError, did_you_mean, has_errors
from duckpress.files.workspace import Refused, Workspace, open_workspace
from duckpress.press.request import Request

EVERY_LANGUAGE = "all"
MAX_SEED_LENGTH = 40  # it has to fit on the host's pages
BEGIN = "`duckpress new my-game` begins one"

Complete = Callable[[click.Context, click.Parameter, str], list[str]]
Names = Callable[[click.Context], Iterable[str]]


def one_of(names: Names) -> Complete:
    """Return a completion of one name."""
    return lambda ctx, _parameter, begun: [name for name in names(ctx) if name.startswith(begun)]


def some_of(names: Names) -> Complete:
    """Return a completion of the last name in a list with commas."""

    def complete(ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        before, comma, last = begun.rpartition(",")
        there = before.split(",")
        return [f"{before}{comma}{name}" for name in names(ctx) if name.startswith(last) and name not in there]

    return complete


def listed(module: str, table: str) -> Names:
    """Return a function that gives the names in a module's table, imported only then."""
    return lambda _ctx: cast(Iterable[str], getattr(import_module(f"duckpress.{module}"), table))


def known_games(ctx: click.Context) -> list[str]:
    """Return the games that are not named yet."""
    named = _named(ctx)
    try:
        return [name for name in _workspace_around(ctx).games() if name not in named]
    except MachineError:
        return []


def _written(key: str) -> Names:
    """Return a function that gives the ids or words of a list in `game.yaml` of the named games, or of all."""

    def words_of(ctx: click.Context) -> Iterable[str]:
        from duckpress.content.yaml.nodes import Mapping as Node
        from duckpress.content.yaml.nodes import Scalar, Sequence
        from duckpress.content.yaml.yaml_file import read_yaml

        words: dict[str, None] = {}
        try:
            workspace = _workspace_around(ctx)
            for game in _named(ctx) or workspace.games():
                path = f"content/{game}/game.yaml"
                node = read_yaml(path, workspace.read(path)).value
                entry = node.entries.get(key) if isinstance(node, Node) else None
                for item in entry.value.items if entry is not None and isinstance(entry.value, Sequence) else ():
                    id_ = item.entries.get("id") if isinstance(item, Node) else None
                    named = id_.value if id_ is not None else item
                    words |= {named.text: None} if isinstance(named, Scalar) else {}
        except (Refused, MachineError):
            pass
        return words

    return words_of


def _named(ctx: click.Context) -> tuple[str, ...]:
    # Before an option whose value is being typed, click has not told arguments apart yet.
    value: Any = ctx.params.get("games") or ctx.params.get("game") or ctx.args
    return (value,) if isinstance(value, str) else tuple(value)


def _workspace_around(ctx: click.Context) -> Workspace:
    return open_workspace(Path(ctx.find_root().params.get("folder") or Path.cwd()).resolve())


def names(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in a list with commas between them, each once."""
    if isinstance(value, tuple):
        return value
    given = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not given:
        raise click.BadParameter("name at least one")
    return given


def ink_names(value: str) -> tuple[str, ...]:
    """Return the inks in a list with commas between them."""
    inks = tuple(dict.fromkeys(name.lower() for name in names(value)))
    for name in inks:
        if name not in INKS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(INKS)}")
    return inks


def papers(value: str) -> tuple[str, ...]:
    """Return the papers in a list with commas between them: names, or sizes such as `320x450mm`."""
    chosen = {name: sizes.paper_named(name) for name in names(value)}
    for name, paper in chosen.items():
        if paper is None:
            known = ", ".join(sizes.PAPERS)
            raise click.BadParameter(f"{name!r} is none of {known}, and no size such as 320x450mm or 13x19in")
    return tuple(dict.fromkeys(paper.name for paper in chosen.values() if paper is not None))


def sleeve(value: str) -> sizes.Sleeve:
    """Return the sleeve of a name, or of an inside such as `66x91`."""
    chosen = sizes.sleeve_named(value)
    if chosen is None:
        raise click.BadParameter(f"{value!r} is none of {', '.join(sizes.SLEEVES)}, and no inside such as 66x91 (mm)")
    return chosen


def seed(value: str) -> str:
    """Return a seed as written: any text or number that can be printed and typed again."""
    if not value.strip() or len(value) > MAX_SEED_LENGTH or not value.isprintable():
        raise click.BadParameter(f"a seed is a text or a number of 1 to {MAX_SEED_LENGTH} letters on one line")
    return value


class _GameName(click.types.StringParamType):
    """The name of a game; if it is missing, the message lists the games."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        context = ctx or click.get_current_context()
        known = known_games(context)
        bundled = "" if _workspace_around(context).has_own_games else f"; {BEGIN}"
        return f"It may be: {', '.join(known)}{bundled}." if known else f"{BEGIN}."


def settings_folder() -> Path:
    """Return the user's settings folder (printers, the key of the cache), as the system defines it."""
    return Path(click.get_app_dir("duckpress"))


def stored_printers() -> dict[str, Printer]:
    """Return the stored printers by name; none if their file cannot be read."""
    from duckpress.store.printer_file import read_printers

    try:
        return read_printers(settings_folder())[0]
    except MachineError:
        return {}


def known_printer(name: str) -> Printer:
    """Return a stored printer; exits with status 2 for an unknown name."""
    from duckpress.store.printer_file import FILE, read_printers

    folder = settings_folder()
    printers, problems = read_printers(folder)
    if has_errors(problems):
        words = "\n".join(map(str, problems))
        raise click.UsageError(f"the printers' file cannot be used:\n{words}")
    if name not in printers:
        hint = did_you_mean(name, printers) if printers else "measure it with `duckpress calibrate`"
        raise click.UsageError(f"no printer {name!r} in {folder / FILE}; {hint}")
    return printers[name]


def choice_of(choices: Iterable[str]) -> click.Choice[str]:
    return click.Choice(list(choices), case_sensitive=False)


FORMAT = click.option("--format", "form", type=choice_of(("text", "json")), default="text", help="How to report.")
COMPLETE_GAME = one_of(known_games)
GAMES = click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=COMPLETE_GAME)
GAME = click.argument("game", type=_GameName(), shell_complete=COMPLETE_GAME)
COMPLETE_INKS = some_of(lambda _ctx: INKS)
COMPLETE_PRINTER = one_of(lambda _ctx: stored_printers())
JOBS = click.option("--jobs", type=click.IntRange(1, 64), help="Processes that work; without it one for each core.")
NOTES = click.option("--notes", is_flag=True, help="Show notes and what is not translated, not only their number.")
FINISH = click.option("--finish", type=choice_of(FINISHES), help="Faces without codes, or with; else as the game.")
PIECES = click.option(
    "--piece", "pieces", type=names, default=(), help="Only these pieces.", shell_complete=some_of(_written("pieces"))
)
SINCE = click.option(
    "--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it."
)
OUT = click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/."
)


def paper_option(default: str) -> Callable[[Any], Any]:
    """Return `--paper` with its default papers."""
    more: dict[str, Any] = {"show_default": True, "shell_complete": some_of(lambda _ctx: sizes.PAPERS)}
    return click.option("--paper", "papers", type=papers, default=default, help="Papers to print on.", **more)


def choice_option(name: str, choices: Iterable[str], default: str, words: str) -> Callable[[Any], Any]:
    """Return an option for one of these values, with a default."""
    return click.option(name, type=choice_of(choices), default=default, show_default=True, help=words)


def language_option(what: str) -> Callable[[Any], Any]:
    """Return `--lang`, with a help text that says what is in that language."""
    words = f"{what}; without it the game's first."
    return click.option("--lang", "language", help=words, shell_complete=one_of(_written("languages")))


TURN = choice_option("--turn", ("long", "short"), "long", "Edge to flip.")
# Names as in `impose.sheets`, which is not read before there is something to print.
GAPS = ("auto", "always", "never")
CUTS = ("marks", "lines", "none")
_WAYS = (
    choice_option("--backs", [one.value for one in Backs], "duplex", "Where the backs go."),
    TURN,
    choice_option("--gaps", GAPS, "auto", "Room between cards."),
    choice_option("--cut", CUTS, "marks", "What shows the cuts."),
    choice_option("--cut-print", ("yes", "no"), "yes", "Print them."),
    choice_option("--ink", INKS, "color", "Inks."),
    FINISH,
    click.option("--printer", help="Correct the pages for this printer.", shell_complete=COMPLETE_PRINTER),
    click.option(
        "--sleeve",
        type=sleeve,
        help="Cards must slide into this sleeve: a name, or its inside as 66x91.",
        shell_complete=one_of(lambda _ctx: sizes.SLEEVES),
    ),
    choice_option("--sleeve-by", ("trim", "scale"), "trim", "How."),
    click.option("--players", type=click.IntRange(1, 100), help="Print what this player count needs."),
    click.option("--variant", help="The variant that is dealt."),
    PIECES,
)


def printed_so(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the options for printing."""
    for option in reversed(_WAYS):
        command = option(command)
    return command


def request_of(options: Mapping[str, Any]) -> Request:
    """Return the request from the options of a command: those named as its fields, and those with other values."""
    given = {name: value for name, value in options.items() if name in Request.__struct_fields__ and value is not None}
    if "backs" in given:
        given["backs"] = Backs(given["backs"])
    if "printer" in given:
        given["printer"] = known_printer(given["printer"])
    if given.get("variant") == "base":
        del given["variant"]
    if "sleeve_by" in options:
        given |= {"prints_cuts": options["cut_print"] == "yes", "is_scaled_for_sleeve": options["sleeve_by"] == "scale"}
    return Request(**given)
