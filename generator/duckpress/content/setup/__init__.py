"""`setup.yaml` -> the steps, amounts, seats and geometry of a setup."""
