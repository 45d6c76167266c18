"""Where a person's settings lie: printers, and the key of the cache."""

from pathlib import Path

import click


def settings_folder() -> Path:
    """Return the folder with the person's settings, as the system has it."""
    return Path(click.get_app_dir("duckpress"))
