"""Text files -> `Game`: YAML and CSV read with every field's place, typed, with all problems of form at once.

`load_game` is the front door. `read_yaml` and `Reader` read any other YAML file of a workspace (themes, fonts,
releases) in the same strict way. `translations` gives a game in another of its languages; it is imported when needed.
"""

from duckpress.content.game.ids import ID
from duckpress.content.game.loading import load_game
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, read_yaml

__all__ = ["ID", "Entry", "Mapping", "Node", "Reader", "Scalar", "Sequence", "load_game", "read_yaml"]
