"""The files of a game -> its parts: game.yaml, decks with their cards and fields, rules sheets."""
