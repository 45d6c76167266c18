"""Templates filled in a sandbox, and the XML that comes of them read."""
