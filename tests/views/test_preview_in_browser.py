"""The page of a preview in a real browser, from the disk: a headless Chromium, where there is one."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duckpress.cli.commands import main

CHROMIUM = "/usr/bin/chromium"
COUNT = 150
HOSTILE = "<script>document.title='run'</script><img src=x onerror=document.title='run'>"
POND = {
    "game.yaml": f"title: {json.dumps(HOSTILE)}\nversion: '0.1'\ndesigner: Nobody\nplayers: 2\ntheme: base\n"
    "languages: [en]\npieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nback: back\nfields: {name: text}\ncards:\n"
    + f"  - {{id: bad, name: {json.dumps(HOSTILE)}}}\n"
    + "".join(f"  - {{id: duck-{number}, copies: 2, name: Duck {number}}}\n" for number in range(COUNT))
    + f"  - {{id: long, name: {'Merganser ' * 200}}}\n",
    "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50" min="4">{{ card.id }}'
    '{{ card.name if card.id == "long" }}</text></face>',
    "layouts/back.xml": '<face><ground fill="#808080"/></face>',
}
DRIVER = """
const facts = {}, wait = (time = 150) => new Promise(done => setTimeout(done, time));
const press = (key, place) => place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const one = words => document.querySelector(words), every = words => [...document.querySelectorAll(words)];
const shown = () => one(".view:not([hidden]) .count").textContent;
const go = async address => { location.hash = address; await wait(300); };
facts.blocked = [];
document.addEventListener("securitypolicyviolation", event => facts.blocked.push(event.violatedDirective));
addEventListener("error", event => facts.error = event.message);
addEventListener("unhandledrejection", event => facts.error = String(event.reason));
const inline = document.createElement("script");
inline.textContent = "facts.ran = true";
document.documentElement.append(inline);
async function drive() {
  await wait(300);
  facts.all = shown();
  facts.filled = every(".card").length;
  await Promise.allSettled(every(".card img").map(image => image.decode()));
  facts.loaded = every(".card img").some(image => image.naturalWidth > 20);
  facts.first = one(".card .name").textContent;
  const links = every(".card a");
  links[1].focus();
  press("ArrowRight", document.activeElement);
  facts.right = document.activeElement.title;
  press("ArrowDown", document.activeElement);
  facts.down = document.activeElement.getBoundingClientRect().top > links[2].getBoundingClientRect().top;
  links[1].click();
  await wait();
  const dialog = one("dialog");
  facts.open = [dialog.open, dialog.querySelectorAll(".side img").length, one("#single-name").textContent];
  press("ArrowRight", dialog);
  await wait();
  facts.next = [one("#single-name").textContent, location.hash];
  dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
  await wait();
  facts.closed = [dialog.open, document.activeElement.title];
  const search = one(".search");
  search.value = "DUCK 14";
  search.dispatchEvent(new Event("input"));
  facts.search = shown();
  search.value = "";
  search.dispatchEvent(new Event("input"));
  one("[data-name=wrong]").click();
  facts.wrong = [shown(), one(".card .finding").textContent];
  one("[data-name=wrong]").click();
  scrollTo(0, document.documentElement.scrollHeight);
  await wait();
  facts.last = [every(".card").at(-1).dataset.anchor, every(".card").length];
  duckpress.take("cards", structuredClone(duckpress.known.cards));
  facts.kept = scrollY > 1000 && every(".card").at(-1).dataset.anchor;
  facts.width = [document.documentElement.scrollWidth, innerWidth];
}
addEventListener("load", () => drive().catch(error => facts.error = error.stack).finally(() => {
  const told = document.createElement("pre");
  told.id = "facts";
  told.textContent = JSON.stringify({ ...facts, title: document.title });
  document.body.append(told);
}));
"""


@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}")
@pytest.mark.parametrize("width", [pytest.param(500, id="telephone", marks=pytest.mark.soak), 1200])
def test_the_page_works_from_the_disk_and_a_hostile_game_runs_nothing(tmp_path: Path, width: int) -> None:
    for name, text in POND.items():
        path = tmp_path / "content/pond" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    CliRunner().invoke(main, ["--workspace", str(tmp_path), "preview", "pond", "--dpi", "40"])
    folder = tmp_path / "output/pond/preview"
    page = folder / "index.html"
    (folder / "driver.js").write_text(DRIVER, "utf-8")
    page.write_text(page.read_text("utf-8").replace("</body>", '<script src="driver.js"></script></body>'), "utf-8")
    facts = driven(page, tmp_path / "profile", width)
    assert (facts.get("error"), facts.pop("blocked"), facts.get("ran")) == (None, ["script-src-elem"], None)
    assert facts["title"] == f"{HOSTILE} 0.1"
    assert facts["first"] == HOSTILE
    assert facts["all"] == f"{COUNT + 2} / {COUNT + 2}"
    assert 4 < facts["filled"] < COUNT // 2, "only what is near the view is in the document"
    assert facts["loaded"]
    assert (facts["right"], facts["down"]) == ("duck-1", True)
    assert facts["open"] == [True, 2, "Duck 0 ×2"]
    assert facts["next"] == ["Duck 1 ×2", "#cards/cards-duck-duck-1"]
    assert facts["closed"] == [False, "duck-1"], "the focus is on the card that was left"
    assert facts["search"] == f"16 / {COUNT + 2}"  # 14, 114, 140 to 149, and four of the codes
    assert facts["wrong"][0] == f"1 / {COUNT + 2}"
    assert "over its box" in facts["wrong"][1]
    assert facts["last"][0] == facts["kept"] == "cards-duck-long", "what is taken again keeps its place"
    assert facts["last"][1] < COUNT // 2
    assert facts["width"][0] <= facts["width"][1], "nothing has to be scrolled sideways"


def driven(page: Path, profile: Path, width: int) -> dict[str, Any]:
    """Return what the driver tells of a page."""
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
        f"--window-size={width},700", "--virtual-time-budget=60000", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    for _ in range(4):  # on a busy machine Chromium sometimes tells what it has before the driver is through
        done = subprocess.run(command, capture_output=True, timeout=120, check=True)
        shutil.rmtree(profile, ignore_errors=True)
        told = re.search(r'<pre id="facts">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
        if told is not None:
            break
    assert told is not None, done.stderr.decode()[-2000:]
    facts: dict[str, Any] = json.loads(html.unescape(told[1]))
    return facts
