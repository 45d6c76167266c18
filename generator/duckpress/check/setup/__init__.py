"""The steps of a setup run at every player count and variant: with counts, or with real cards."""
