"""Text files -> `Game`: typed values from YAML and CSV, each with its source, and all problems of form at once.

`load_game` is the front door. `read_yaml` and `read_shape` read any other YAML file of a workspace (themes, fonts) in
the same strict way. `translations` gives a game in another of its languages; it is imported when needed.
"""

from duckpress.content.game.naming import ID
from duckpress.content.loading import load_game
from duckpress.content.yaml.declared_shapes import Shape, read_shape
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.content.yaml.yaml_file import read_yaml
