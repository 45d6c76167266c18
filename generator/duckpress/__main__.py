"""`python -m duckpress`: hands over to the command line."""


def main() -> None:
    """Run the command line; the import is late so that nothing else pays for it."""
    from duckpress.cli import run

    run()


if __name__ == "__main__":
    main()
