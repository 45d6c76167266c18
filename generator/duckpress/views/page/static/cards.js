// Cards: all of them by decks, from thumbnails to their true size on the screen.
"use strict";

(() => {
  const { make, say, face, settings, filters } = duckpress;
  const GAP = 18, BANK_CARD_MM = 85.6, CSS_PX = 96 / 25.4; // ISO/IEC 7810 ID-1: 85.60 x 53.98 mm
  const SMALL = 0.7, LARGE = 8; // pixels for a millimetre
  const FINDING = 68; // four lines below a card
  let rows = null, list = [], columnsOf = [], chips = null, root = null, sameName = new Set(); // those that several cards of a deck have
  let scale = Number(settings.get("scale", innerWidth < 600 ? 2.5 : 2.9)), sides = settings.get("sides", "fronts");
  const trueScale = () => Number(settings.get("true", CSS_PX));

  const back = (deck, card) => face(deck, card.back, say("backOf", { name: card.name }));
  const faces = (deck, card) => [
    sides === "backs" && card.back ? null : face(deck, card.front, card.name),
    sides !== "fronts" && card.back ? back(deck, card) : null,
  ];

  function fill(cell, at) {
    const { deck, card } = list[at], found = filters.findingsOf(deck, card);
    const level = found.some(({ group }) => group.level === "error") ? "error" : found.length ? "warning" : "";
    const hadFocus = cell.contains(document.activeElement);
    cell.className = `card ${level}`;
    cell.dataset.anchor = card.anchor;
    cell.setAttribute("aria-posinset", at + 1);
    cell.setAttribute("aria-setsize", list.length);
    const next = make("a", {
      href: duckpress.address("cards", card.anchor), class: "faces", title: card.id, "data-at": at, draggable: "false",
    }, faces(deck, card));
    keep(cell.querySelector(".faces"), next);
    cell.replaceChildren(next, make("span", { class: "name" }, card.name, sameName.has(`${deck.id} ${card.name}`) ? make("small", {}, ` ${card.id}`) : "", card.copies === 1 ? "" : make("small", {}, ` ×${card.copies}`)),
      found.length ? filters.why(found, "finding") : "");
    if (hadFocus) next.focus({ preventScroll: true });
  }

  // A picture that is there already stays in the document, and a new one takes its place when it has come.
  function keep(before, next) {
    const old = before ? [...before.querySelectorAll("img")] : [];
    next.querySelectorAll("img").forEach((image, at) => {
      const same = old[at];
      if (!same) return;
      same.alt = image.alt;
      if (same.getAttribute("src") !== image.getAttribute("src")) {
        const source = image.getAttribute("src");
        same.dataset.wanted = source;
        image.decode().catch(() => {}).then(() => same.dataset.wanted === source && same.setAttribute("src", source));
      }
      image.replaceWith(same);
    });
  }

  function lay() {
    const width = root.querySelector(".grid").clientWidth, next = [];
    list = [];
    columnsOf = [];
    const names = duckpress.known.cards.decks.flatMap(deck => deck.cards.map(({ name }) => `${deck.id} ${name}`)), met = new Set();
    sameName = new Set(names.filter(name => met.has(name) || !met.add(name)));
    for (const deck of duckpress.known.cards.decks) {
      const cards = deck.cards.filter(card => filters.matches(deck, card));
      if (!cards.length) continue;
      const both = sides === "both" && cards.some(card => card.back);
      const across = Math.min(width, deck.width * scale * (both ? 2 : 1) + (both ? 6 : 0));
      const columns = Math.max(1, Math.floor((width + GAP) / (Math.max(across, 64) + GAP)));
      const gap = columns > 1 ? Math.min(2.2 * GAP, (width - columns * across) / (columns - 1)) : GAP;
      const high = (across - (both ? 6 : 0)) / (both ? 2 : 1) * deck.height / deck.width;
      next.push({ key: `deck ${deck.id}`, height: 58, fill: element => {
        element.replaceChildren(make("h2", {}, deck.title, " ", make("small", {}, `${deck.piece === deck.title ? "" : `${deck.piece} · `}${deck.copies}`)));
        element.setAttribute("role", "presentation");
      } });
      for (let from = 0; from < cards.length; from += columns) {
        const start = list.length, some = cards.slice(from, from + columns);
        list.push(...some.map(card => ({ deck, card })));
        columnsOf.push(...some.map(() => columns));
        next.push({ key: `${deck.id} ${columns} ${from}`, height: high + (across < 90 ? 26 : 34) + (some.some(card => filters.findingsOf(deck, card).length) ? FINDING : 0) + GAP, fill: element => {
          element.setAttribute("role", "presentation");
          element.className = "row cells";
          element.style.setProperty("--wide", `${across}px`);
          element.style.setProperty("--gap", `${gap}px`);
          while (element.children.length > some.length) element.lastChild.remove();
          some.forEach((_, column) => {
            if (!element.children[column]) element.append(make("div", { role: "listitem" }));
            fill(element.children[column], start + column);
          });
        } });
      }
    }
    rows.set(next);
    root.querySelector(".empty").hidden = list.length > 0;
    duckpress.shownCards = list;
  }

  const rowOf = at => {
    const { deck } = list[at], first = list.findIndex(one => one.deck === deck), columns = columnsOf[at];
    return `${deck.id} ${columns} ${Math.floor((at - first) / columns) * columns}`;
  };
  function focus(at) {
    const element = rows.reveal(rowOf(at));
    element?.querySelector(`[data-at="${at}"]`)?.focus({ preventScroll: true });
  }

  function sizes() {
    const slider = make("input", {
      type: "range", min: 0, max: 100, step: 1, "aria-label": say("size"), title: say("size"),
      on: { input: event => resize(SMALL * (LARGE / SMALL) ** (event.target.value / 100)) },
    });
    const resize = next => {
      const middle = list.length && [...root.querySelectorAll("[data-at]")].find(one => one.getBoundingClientRect().bottom > innerHeight / 3);
      const at = middle ? Number(middle.dataset.at) : -1;
      scale = next;
      settings.set("scale", scale);
      slider.value = 100 * Math.log(scale / SMALL) / Math.log(LARGE / SMALL);
      lay();
      if (at > 0) rows.reveal(rowOf(at));
    };
    const frame = make("div", { class: "bank-card" });
    const measure = make("input", { type: "range", min: 2, max: 9, step: 0.01, value: trueScale(), "aria-label": say("calibrate"), on: {
      input: event => {
        settings.set("true", event.target.value);
        show();
        resize(Number(event.target.value));
      },
    } });
    const show = () => {
      frame.style.width = `${BANK_CARD_MM * trueScale()}px`;
      frame.style.height = `${53.98 * trueScale()}px`;
    };
    show();
    const details = duckpress.box("calibrate", make("summary", { on: { click: () => resize(trueScale()) } }, say("trueSize")),
      make("p", {}, say("calibrate")), measure, frame);
    slider.value = 100 * Math.log(scale / SMALL) / Math.log(LARGE / SMALL);
    return [make("span", { class: "size" }, slider), details];
  }

  function whichSides() {
    const select = make("select", { "aria-label": say("both"), on: { change: event => {
      sides = event.target.value;
      settings.set("sides", sides);
      lay();
    } } }, ["fronts", "backs", "both"].map(name => make("option", { value: name, selected: name === sides }, say(name))));
    return select;
  }

  duckpress.view("cards", {
    needs: ["cards", "findings"],
    also: ["changes"],
    start(section) {
      chips = filters.bar(section, whichSides(), ...sizes());
      root = make("div", { class: "grid" });
      const empty = filters.none({ hidden: true });
      section.append(make("div", { class: "grid-outer" }, root, empty));
      root = section.querySelector(".grid-outer");
      rows = duckpress.rows(section.querySelector(".grid"));
      filters.listen(() => section.hidden || lay());
      let width = 0;
      new ResizeObserver(() => {
        if (root.clientWidth && root.clientWidth !== width) {
          width = root.clientWidth;
          lay();
        }
      }).observe(root);
      section.addEventListener("keydown", event => {
        const from = event.target.dataset?.at;
        if (from === undefined) return;
        const step = { ArrowUp: -columnsOf[from], ArrowDown: columnsOf[from], Home: -from, End: list.length - 1 - from }[event.key] ?? duckpress.stepOf(event);
        if (!step) return;
        event.preventDefault();
        focus(Math.max(0, Math.min(list.length - 1, Number(from) + step)));
      });
    },
    show(place, isOther) {
      if (isOther) lay();
      const left = duckpress.single.show(place, "cards"), at = list.findIndex(({ card }) => card.anchor === left);
      if (at >= 0) focus(at);
    },
    update() {
      chips();
      lay();
    },
  });
})();
