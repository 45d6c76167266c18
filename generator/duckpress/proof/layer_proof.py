"""The layers of a file: their titles, and whether they show and are printed. Source: ISO 32000-1, 8.11.4."""

from __future__ import annotations

from typing import Any


def layer_faults(layer: Any, root: Any, title: str | None, *, is_printed: bool) -> list[str]:
    """Return everything that is wrong with a layer: one that is not to be printed says so, and an event asks it."""
    properties = root.get("/OCProperties", {})
    default, usage, name = properties.get("/D", {}), layer.get("/Usage", {}), str(layer.get("/Name", ""))
    events = [event for event in default.get("/AS", []) if "/Print" in map(str, event.Category)]
    asks = any(str(event.Event) == "/Print" and _holds(event, "/OCGs", layer) for event in events)
    states = default.get("/BaseState", "/ON"), usage.get("/View", {}).get("/ViewState", "/ON")
    says_off = str(usage.get("/Print", {}).get("/PrintState", "/ON")) == "/OFF"
    faults = {
        f"is called {name!r} in the file, not {title!r}": title not in (None, name),
        "is not in the list of layers": not (_holds(properties, "/OCGs", layer) and _holds(default, "/Order", layer)),
        "does not show on a screen": {*map(str, states)} != {"/ON"} or _holds(default, "/OFF", layer),
        f"should {'be printed' if is_printed else 'be left out in print'}": (asks and says_off) is is_printed,
    }
    return [what for what, is_wrong in faults.items() if is_wrong]


def _holds(owner: Any, key: str, layer: Any) -> bool:
    return any(group.objgen == layer.objgen for group in owner.get(key, []))
