"""YAML files -> nodes that know their place, and typed values asked for key by key."""
