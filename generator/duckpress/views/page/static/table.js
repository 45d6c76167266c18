// Table: the same cards as rows, sorted by any field, with small charts of how values are spread over the columns.
"use strict";

(() => {
  const { make, say, face, filters } = duckpress;
  const ROW = 58, BARS = 12, MOST_FIELDS = 40;
  let rows = null, table = null, head = null, update = null, sort = { name: "", down: false };

  // The columns: what every card has, and the fields of the decks that are shown.
  function columns(list) {
    const fields = new Map();
    for (const deck of new Set(list.map(one => one.deck)))
      deck.fields.forEach(field => fields.has(field.name) || fields.set(field.name, field));
    const own = [...fields.values()].map(field => ({
      name: field.name, label: field.label, kind: field.kind,
      value: ({ deck, card }) => card.values[deck.fields.findIndex(({ name }) => name === field.name)] ?? null,
    })).filter(({ value }) => !list.every(one => [null, one.card.name].includes(value(one)))).slice(0, MOST_FIELDS);
    return [
      { name: "/name", label: say("name"), kind: "text", value: ({ card }) => card.name, wide: true },
      ...filters.chosen.deck ? [] : [{ name: "/deck", label: say("deck"), kind: "choice", value: ({ deck }) => deck.title }],
      { name: "/copies", label: say("copies"), kind: "whole", value: ({ card }) => card.copies },
      ...own,
    ];
  }

  const isNumber = ({ kind }) => kind === "whole" || kind === "number";
  const narrow = ({ label }) => Math.max(5, Math.min(9, 1 + 0.6 * Math.max(...label.split(/\s/).map(word => word.length)))); // no word of the head is broken
  const written = value => value === true ? "✓" : value === false ? "–" : filters.words(value);
  const order = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true });

  function compare(column) {
    return (one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      if ((a === null || a === "") !== (b === null || b === "")) return a === null || a === "" ? 1 : -1;
      const by = typeof a === "number" && typeof b === "number" ? a - b : order.compare(written(a), written(b));
      return sort.down ? -by : by;
    };
  }

  // How values are spread, copies included: bars of numbers in steps, of words by how often they are there.
  function chart(column, list) {
    const counts = new Map();
    for (const one of list) {
      const value = column.value(one);
      if (value !== null && value !== "") counts.set(typeof value === "number" ? value : written(value), (counts.get(typeof value === "number" ? value : written(value)) ?? 0) + one.card.copies);
    }
    if (counts.size < 2 || (!isNumber(column) && (counts.size > BARS || [...counts.keys()].some(words => words.length > 32)))) return make("span", { class: "chart" });
    let bars = [...counts].sort(([a], [b]) => typeof a === "number" && typeof b === "number" ? a - b : order.compare(a, b));
    if (bars.length > BARS) {
      const least = bars[0][0], step = (bars.at(-1)[0] - least) / BARS;
      const steps = Array.from({ length: BARS }, (_, at) => [`${+(least + at * step).toFixed(1)}–${+(least + (at + 1) * step).toFixed(1)}`, 0]);
      for (const [value, count] of bars) steps[Math.min(BARS - 1, Math.floor((value - least) / step))][1] += count;
      bars = steps;
    }
    const most = Math.max(...bars.map(([, count]) => count));
    const told = bars.map(([value, count]) => `${value}: ${count}`).join("\n");
    return make("span", { class: "chart", role: "img", "aria-label": told.replaceAll("\n", ", "), title: told },
      bars.map(([, count]) => make("i", { style: { "--share": count / most } })));
  }

  function lay() {
    let list = filters.all().filter(({ deck, card }) => filters.matches(deck, card));
    const shown = columns(list), by = shown.find(({ name }) => name === sort.name);
    if (by) list = list.map((one, at) => [one, at]).sort(([a, i], [b, j]) => compare(by)(a, b) || i - j).map(([one]) => one);
    duckpress.shownCards = list;
    const width = column => column.wide ? "min(12rem, 36vw)" : isNumber(column) || column.kind === "yes-no" ? `${narrow(column)}rem` : column.kind === "text" || column.kind === "list" ? "18rem" : "8rem";
    table.style.setProperty("--columns", `56px ${shown.map(width).join(" ")}`);
    duckpress.refill(head, [make("span", { role: "columnheader" }), shown.map(column => make("span", {
      role: "columnheader", "aria-sort": column === by ? (sort.down ? "descending" : "ascending") : "none",
    }, make("button", { type: "button", "data-key": column.name, on: { click: () => {
      sort = { name: column.name, down: column.name === sort.name && !sort.down };
      lay();
    } } }, column.label, column === by ? make("small", { "aria-hidden": "true" }, sort.down ? " ▼" : " ▲") : ""), chart(column, list)))]);
    table.parentElement.style.scrollPaddingTop = `${head.offsetHeight + 8}px`;
    table.setAttribute("aria-rowcount", list.length + 1);
    rows.set(list.map((one, at) => ({ key: one.card.anchor, height: ROW, fill: element => fill(element, one, at, shown) })));
    table.parentElement.querySelector(".empty").hidden = list.length > 0;
  }

  function fill(element, { deck, card }, at, shown) {
    const found = filters.findingsOf(deck, card);
    element.className = `row line-of-table ${found.length ? found.some(({ group }) => group.level === "error") ? "error" : "warning" : ""}`;
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", at + 2);
    const had = element.contains(document.activeElement), portrait = deck.height >= deck.width;
    const link = make("a", { href: duckpress.address("table", card.anchor), class: "thumb", "aria-label": card.name, style: {
      "--thumb": portrait ? `${50 * deck.width / deck.height}px` : "50px",
    } }, face(deck, card.front, card.name));
    element.replaceChildren(make("span", { role: "cell", class: "thumb-cell" }, link), ...shown.map(column => make("span", {
      role: "cell", class: isNumber(column) ? "figure" : "", title: written(column.value({ deck, card })),
    }, make("span", {}, written(column.value({ deck, card })), column.wide && found.length ? filters.why(found, "why") : ""))));
    if (had) link.focus({ preventScroll: true });
  }

  duckpress.view("table", {
    needs: ["cards", "findings"],
    also: ["changes"],
    start(section) {
      update = filters.bar(section);
      head = make("div", { role: "row", class: "head-of-table" });
      const body = make("div", {}), scroller = make("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": say("table") });
      table = make("div", { class: "table", role: "table", "aria-label": say("table") }, head, body);
      scroller.append(table, filters.none({ hidden: true }));
      section.append(scroller);
      rows = duckpress.rows(body, { scroller, role: "rowgroup" });
      filters.listen(() => section.hidden || lay());
      scroller.addEventListener("keydown", event => {
        const row = event.target.closest?.(".line-of-table"), by = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
        if (!row || !by) return;
        event.preventDefault();
        row[by]?.querySelector("a").focus();
      });
    },
    show(place, isOther) {
      if (isOther) lay();
      const left = duckpress.single.show(place, "table");
      if (left) rows.reveal(left)?.querySelector("a").focus({ preventScroll: true });
    },
    update() {
      update();
      lay();
    },
  });
})();
