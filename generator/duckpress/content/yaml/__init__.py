"""YAML files -> nodes with sources, and typed values by key."""
