// Setup: what each number of players takes and gets, with switches for variants and modules, and how likely things are.
"use strict";

(() => {
  const { make, say, known } = duckpress;
  let root = null, chosen = new Set(), rounds = new Map();

  const wayOf = names => {
    const wanted = [...names].sort().join();
    return Object.keys(known.setup.ways).find(way => way.split(",").filter(Boolean).sort().join() === wanted);
  };
  const cell = value => value === null ? "—" : value === true ? say("yes") : value === false ? say("no") : String(value);

  function switches() {
    const { parts } = known.setup, variants = parts.filter(one => !one.module), modules = parts.filter(one => one.module);
    const choose = next => {
      if (wayOf(next) === undefined) return;
      chosen = next;
      lay();
    };
    const without = names => new Set([...chosen].filter(name => !names.includes(name)));
    const plain = without(variants.map(({ id }) => id));
    const button = (id, words, about, next, isOn) => make("button", {
      type: "button", "data-key": id, title: about, "aria-pressed": String(isOn), disabled: !isOn && wayOf(next) === undefined, on: { click: () => choose(next) },
    }, words);
    return make("div", { class: "line switches" },
      variants.length ? button("/", say("basic"), "", plain, !variants.some(({ id }) => chosen.has(id))) : null,
      variants.map(({ id, title, about }) => button(id, title, about, new Set([...plain, id]), chosen.has(id))),
      modules.map(({ id, title, about }) => button(id, `${chosen.has(id) ? "✓" : "+"} ${title}`, about, chosen.has(id) ? without([id]) : new Set([...chosen, id]), chosen.has(id))));
  }

  function table({ title, columns, rows, notes }) {
    return [
      make("h2", {}, title, " ", known.setup.at ? duckpress.placeButton(known.setup.at) : ""),
      make("div", { class: "wide" }, make("table", { class: "numbers" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("players")), columns.map(column => make("th", { scope: "col" }, column.title)))),
        make("tbody", {}, rows.map(({ players, cells }) => make("tr", {}, make("th", { scope: "row" }, String(players)), columns.map(({ key }) => make("td", {}, cell(cells[key])))))))),
      make("ul", { class: "notes" }, notes.map(note => make("li", {}, note))),
    ];
  }

  // Bars of shares: a group for each name, in it one for each number of players.
  function bars(title, names, series) {
    const most = Math.max(0.001, ...Object.values(series).flatMap(shares => names.map(name => shares[name] ?? 0)));
    return make("figure", { class: "bars" }, make("figcaption", {}, title), make("div", { class: "plot", role: "img", "aria-label": Object.entries(series).map(([players, shares]) =>
      `${say("players")} ${players}: ${names.map(name => `${name} ${Math.round(shares[name] ?? 0)} %`).join(", ")}`).join("; ") },
    names.map(name => make("div", { class: "group-of-bars" }, make("div", { class: "pair-of-bars" }, Object.entries(series).map(([players, shares], at) => make("i", {
      class: `series-${at % 6}`, title: `${say("players")} ${players}: ${(shares[name] ?? 0).toFixed(1)} %`, style: { "--share": (shares[name] ?? 0) / most },
    }))), make("small", {}, name)))),
    Object.keys(series).length > 1 ? make("p", { class: "legend" }, Object.keys(series).map((players, at) => make("span", {}, make("i", { class: `series-${at % 6}` }), ` ${players}`))) : null);
  }

  function chances(way) {
    const odds = Object.entries(known.chances?.odds[way] ?? {}).filter(([, by]) => Object.keys(by).length);
    const parts = [];
    if (odds.length) {
      const counts = [...new Set(odds.flatMap(([, by]) => Object.keys(by)))].sort((a, b) => a - b);
      parts.push(make("h2", {}, say("odds")), make("div", { class: "wide" }, make("table", { class: "numbers odds" },
        make("thead", {}, make("tr", {}, make("th", {}), counts.map(count => make("th", { scope: "col" }, count)))),
        make("tbody", {}, odds.map(([name, by]) => make("tr", {}, make("th", { scope: "row" }, name), counts.map(count => make("td", {}, by[count] === undefined ? "" : [
          make("span", {}, `${(100 * by[count]).toFixed(1)} %`), make("meter", { min: 0, max: 1, value: by[count], "aria-hidden": "true" })]))))))));
    }
    if (known.game.rounds && duckpress.live?.ask) {
      const played = rounds.get(way);
      parts.push(make("h2", {}, say("rounds")), played ? played.names?.length ? bars("", played.names, played.shares) : make("p", { class: "empty" }, say("nothing"))
        : make("button", { type: "button", "data-key": "play", on: { click: async event => {
          event.target.disabled = true;
          rounds.set(way, await duckpress.live.ask("rounds", { way }).catch(() => ({})));
          lay();
        } } }, say("play")));
    }
    return parts;
  }

  function findings() {
    const groups = known.findings.groups.filter(({ level, findings }) => level !== "note" && findings.some(({ at }) => at.split(":")[0] === known.setup.at.split(":")[0]));
    return duckpress.findingList(groups.flatMap(({ level, fixes, findings }) => findings.map(({ what, at }) => ({ level, what, at, fixes }))));
  }

  function lay() {
    if (wayOf(chosen) === undefined) chosen = new Set();
    const way = wayOf(chosen);
    const abouts = known.setup.parts.filter(({ id, about }) => chosen.has(id) && about);
    duckpress.refill(root, [switches(), abouts.map(({ about }) => make("p", { class: "about" }, about)), findings(), table(known.setup.ways[way]), chances(way)]);
  }

  duckpress.view("setup", {
    needs: ["cards", "findings", "setup"],
    start(section) {
      root = make("div", { class: "page-body" });
      section.append(root);
      lay();
      if (known.game.data.includes("chances")) duckpress.need("chances").then(lay, () => {});
    },
    update(name) {
      if (name === "setup") rounds = new Map();
      lay();
    },
  });
})();
