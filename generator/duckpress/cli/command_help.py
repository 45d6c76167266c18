"""How commands present themselves: by what a designer wants to do, each in full words and with examples."""

from __future__ import annotations

from collections.abc import Mapping

import click

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Begin a game": ("new", "import", "pull"),
    "See whether it works": ("check", "table", "odds", "playtest", "stats"),
    "Look at cards": ("list", "show", "find", "preview"),
    "Print": ("build", "watch", "deal", "calibrate", "printer"),
    "Hand it on": ("edition", "export", "bundle", "release", "changes", "update"),
    "Look things up": ("docs", "schema", "licences", "limits"),
}
"""Every command, below what it is for, in the order of `--help`."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "": ("duckpress new my-game", "duckpress build my-game", "duckpress --limit image-pixels=80M build my-game"),
    "build": (
        "duckpress build my-game",
        "duckpress build duck-blind --piece bonus --paper letter --turn short",
        "duckpress build my-game --ink low --cover --gang",
    ),
    "bundle": ("duckpress bundle my-game", "duckpress bundle --check my-game-0.1.zip"),
    "calibrate": ("duckpress calibrate --paper a4", "duckpress calibrate --printer office"),
    "changes": ("duckpress changes my-game", "duckpress changes my-game --since 0.1 --picture changes.png"),
    "check": ("duckpress check", "duckpress check my-game --players 4", "duckpress check my-game --doubt"),
    "deal": ("duckpress deal blind-mans-draft --seed 7", "duckpress deal my-game --players 3 --seed friday"),
    "docs": ("duckpress docs", "duckpress docs content", "duckpress docs layouts --path"),
    "edition": (
        "duckpress edition my-game --for people.csv --seed friday",
        "duckpress edition my-game --count 1000 --seed friday --paper letter",
    ),
    "export": (
        "duckpress export my-game --to png --dpi 150",
        "duckpress export my-game --to tts --piece cards",
        "duckpress export my-game --for mpc",
    ),
    "find": ("duckpress find mallard", 'duckpress find "at night" duck-blind'),
    "import": ("duckpress import cards.xlsx", "duckpress import cards.xlsx --sheet Items --deck items --game my-game"),
    "licences": ("duckpress licences", "duckpress licences --format json"),
    "limits": ("duckpress limits", "duckpress limits --format json"),
    "list": ("duckpress list", "duckpress list --format json"),
    "new": ("duckpress new my-game", 'duckpress new my-game --title "The Harvest Moon"'),
    "odds": ("duckpress odds duck-blind --players 4", "duckpress odds duck-blind --chart odds.svg"),
    "playtest": ("duckpress playtest duck-blind", "duckpress playtest duck-blind --players 4 --runs 5000"),
    "preview": ("duckpress preview my-game", "duckpress preview my-game --piece cards --ink grey"),
    "printer": ("duckpress printer add office --offset-x 0.5 --margin 5", "duckpress printer list"),
    "printer add": ("duckpress printer add office --offset-x 0.5 --offset-y -1 --scale 99.6",),
    "printer list": ("duckpress printer list",),
    "printer remove": ("duckpress printer remove office",),
    "pull": ("duckpress pull", "duckpress pull my-game --format json"),
    "release": ("duckpress release my-game",),
    "schema": ("duckpress schema", "duckpress schema deck", "duckpress schema --into schemas"),
    "show": ("duckpress show A17", "duckpress show cards/mallard --game my-game --png mallard.png"),
    "stats": ("duckpress stats my-game", "duckpress stats my-game --ink-estimate"),
    "table": ("duckpress table my-game", "duckpress table duck-blind --format json"),
    "update": ("duckpress update my-game --since 0.1", "duckpress update my-game --paper letter"),
    "watch": ("duckpress watch my-game", "duckpress watch my-game --piece cards --paper letter"),
}
"""By command, lines that can be typed as they are; `` is the program itself."""


def with_examples(name: str, command: click.Command) -> click.Command:
    """Return a command whose help ends with its examples, and with those of the commands in it."""
    if examples := EXAMPLES.get(name):
        command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
    for inner, one in command.commands.items() if name and isinstance(command, click.Group) else ():
        with_examples(f"{name} {inner}", one)
    return command


def summary(command: click.Command) -> str:
    """Return the first paragraph of a command's help, in full."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


class HelpfulGroup(click.Group):
    """Commands whose list stands in `GROUPS`, and is never cut short."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, below what they are for."""
        for heading, names in GROUPS.items():
            commands = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name, summary(command)) for name, command in commands if command is not None]
            with formatter.section(heading):
                formatter.write_dl(rows)


class HelpfulSubgroup(click.Group):
    """Commands of a command, each in full words."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(self.commands[name])) for name in self.list_commands(ctx)])
