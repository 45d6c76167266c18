"""The layers of a file: their titles, and whether they show and are printed. Source: ISO 32000-1, 8.11.4."""

from __future__ import annotations

from typing import Any

from duckpress.proof.expected import Expected


def layer_faults(layer: Any, root: Any, title: str | None, expected: Expected) -> list[str]:
    """Return everything that is wrong with a layer which pages use.

    One that is not to be printed says so itself, and an event asks it.
    """
    properties = root.get("/OCProperties", {})
    default, usage = properties.get("/D", {}), layer.get("/Usage", {})
    asks = any(
        str(event.get("/Event")) == "/Print" and "/Print" in map(str, event.Category) and _holds(event, "/OCGs", layer)
        for event in default.get("/AS", [])
    )
    is_listed = _holds(properties, "/OCGs", layer) and _holds(default, "/Order", layer)
    is_hidden = str(usage.get("/View", {}).get("/ViewState", "/ON")) != "/ON" or _holds(default, "/OFF", layer)
    is_left_out = asks and str(usage.get("/Print", {}).get("/PrintState", "/ON")) == "/OFF"
    name = str(layer.get("/Name", ""))
    faults = {
        f"is called {name!r} in the file, not {title!r}": title not in (None, name),
        "is not in the document's list of layers": not is_listed,
        "does not show on a screen": is_hidden or str(default.get("/BaseState", "/ON")) != "/ON",
        f"should {'be printed' if expected.prints_layers else 'be left out in print'}": (
            is_left_out is expected.prints_layers
        ),
    }
    return [what for what, is_wrong in faults.items() if is_wrong]


def _holds(owner: Any, key: str, layer: Any) -> bool:
    return any(group.objgen == layer.objgen for group in owner.get(key, []))
