"""Content streams read back: lines into operators, operators into items, items held against what was asked for."""
