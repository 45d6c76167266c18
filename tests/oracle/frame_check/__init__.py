"""Finished frames held against what the filled template asked for, read a second time and by other code."""
