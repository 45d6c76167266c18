// Sheets: what comes out of the printer, side by side; from a server for any paper and way of backs, and printed from here.
"use strict";

(() => {
  const { make, say } = duckpress;
  const SVG = "http://www.w3.org/2000/svg";
  let root = null, choices = null, shown = null, piece = 0;

  function drawn(tag, attributes, words = "") {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = words;
    return element;
  }

  function side({ width, height }, { faces, lines, words }, label) {
    const share = (length, of) => `${100 * length / of}%`;
    const marks = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    marks.append(drawn("path", { d: lines, class: "marks" }), ...words.map(([x, y, size, text]) => drawn("text", { x, y, "font-size": size }, text)));
    return make("figure", { class: "paper-side" }, make("div", { class: "paper", style: { "--ratio": `${width}/${height}` } },
      faces.map(([picture, x, y, wide, high, turn, bleed, left, top, right, bottom]) => {
        // What is shown of the bleed is told in the directions of the page: here they turn with the face.
        const shownOf = [top, right, bottom, left], quarter = turn / 90, [a, b, c, d] = [0, 1, 2, 3].map(at => bleed - shownOf[(at + quarter) % 4]);
        const wider = wide + 2 * bleed, higher = high + 2 * bleed;
        return make("img", { src: picture, alt: "", loading: "lazy", style: {
          left: share(x - bleed, width), top: share(y - bleed, height), width: share(wider, width), height: share(higher, height),
          transform: turn ? `rotate(${turn}deg)` : "none",
          "clip-path": `inset(${share(a, higher)} ${share(b, wider)} ${share(c, higher)} ${share(d, wider)})`,
        } });
      }), marks), make("figcaption", {}, label));
  }

  async function choose(more = {}) {
    const paper = choices.querySelector("[name=paper]")?.value ?? shown.paper, backs = choices.querySelector("[name=backs]")?.value ?? shown.backs;
    if (duckpress.live?.ask) shown = await duckpress.live.ask("sheets", { paper, backs, ...more }).catch(() => shown);
    lay();
  }

  function lay() {
    const { files } = shown;
    piece = Math.min(piece, files.length - 1);
    const select = (name, label, options, value, act) => make("label", {}, make("span", {}, label), make("select", { name, on: { change: act } },
      options.map(([id, words]) => make("option", { value: id, selected: id === value }, words))));
    const game = duckpress.known.game, isLive = Boolean(duckpress.live?.ask);
    choices.replaceChildren(...[
      select("piece", say("sheets"), files.map(({ title, sheets }, at) => [String(at), `${title} (${sheets.length})`]), String(piece), event => {
        piece = Number(event.target.value);
        lay();
      }),
      isLive ? select("paper", say("paper"), game.papers.map(name => [name, name]), shown.paper, () => choose()) : make("span", {}, `${say("paper")}: ${shown.paper}`),
      isLive ? select("backs", say("sides"), game.backs.map(name => [name, say(name)]), shown.backs, () => choose()) : make("span", {}, `${say("sides")}: ${say(shown.backs)}`),
      make("span", {}, `${say("ink")}: ${say(shown.ink)}`),
      duckpress.live?.print ? make("button", { type: "button", on: { click: () => duckpress.live.print({ paper: [shown.paper], backs: shown.backs, ink: shown.ink }) } }, say("print")) : null,
    ].filter(Boolean));
    const file = files[piece];
    root.replaceChildren(...(file?.sheets ?? []).map((sheet, at) => make("section", { class: "pair-of-sides", "aria-label": `${at + 1} / ${file.sheets.length}` },
      sheet.sides.map((one, which) => side(sheet, one, `${at + 1} / ${file.sheets.length} · ${say(which ? "back" : "front")}`)))),
    ...(file ? [] : [make("p", { class: "empty" }, say("nothing"))]));
  }

  duckpress.view("sheets", {
    needs: ["cards", "sheets"],
    start(section) {
      shown = duckpress.known.sheets;
      choices = make("div", { class: "line controls" });
      root = make("div", { class: "page-body sheets" });
      section.append(make("div", { class: "bar" }, choices), root);
      lay();
    },
    update(name) {
      if (name !== "sheets") return;
      const { paper, backs } = shown;
      shown = duckpress.known.sheets;
      if (duckpress.live?.ask && (paper !== shown.paper || backs !== shown.backs)) choose({ paper, backs });
      else lay();
    },
  });
})();
