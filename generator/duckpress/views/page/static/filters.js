// Which cards are shown: a deck, words, values of fields, what is wrong, what has changed. Cards and Table share it.
"use strict";

duckpress.filters = (() => {
  const { make, say, fold, known } = duckpress;
  const chosen = { deck: "", words: "", wrong: false, changed: false, fields: {} };
  const listeners = new Set(), bars = new Set();
  const folded = new WeakMap();
  let wrong = new Map(), marked = null;
  const FEW = 24, LONG = 32;
  const ABOUT = /^card '.*?' \(.*?\): /; // beside the card itself it need not be said which it is

  const all = () => known.cards.decks.flatMap(deck => deck.cards.map(card => ({ deck, card })));
  const hasChanges = () => known.game.data.includes("changes") || Boolean(duckpress.live);
  const keyOf = (deck, card) => `${deck.deck}/${card.id}`;

  function findingsOf(deck, card) {
    if (marked !== known.findings) {
      marked = known.findings;
      wrong = new Map();
      for (const group of marked?.groups ?? [])
        if (group.level !== "note") for (const finding of group.findings)
          for (const key of finding.cards) wrong.set(key, [...(wrong.get(key) ?? []), { ...finding, of: finding.what.replace(ABOUT, ""), group }]);
    }
    return wrong.get(keyOf(deck, card)) ?? [];
  }

  // What is wrong with a card, in a line or a few: the first of several, and how many there are.
  const why = (found, kind) => make("span", { class: kind, lang: "en", title: found.map(({ of }) => of).join("\n") },
    found.length > 1 ? make("small", { class: `mark ${found[0].group.level}` }, String(found.length)) : "", found[0].of);

  // Changed: since the version that the page compares with, or since the page was opened.
  const since = new WeakMap();
  function isChanged(deck, card) {
    const before = duckpress.opened.cards, { changes } = known;
    if (changes && !since.has(changes)) since.set(changes, new Set(changes.cards.map(({ key }) => key)));
    if (changes && since.get(changes).has(keyOf(deck, card))) return true;
    if (!since.has(before)) since.set(before, new Map(before.decks.flatMap(({ cards }) => cards.map(one => [one.anchor, one]))));
    const old = since.get(before).get(card.anchor);
    return !old || old.front !== card.front || old.back !== card.back || old.copies !== card.copies;
  }

  const words = value => Array.isArray(value) ? value.map(words).join(" ") : value && typeof value === "object" ? Object.values(value).map(words).join(" ") : String(value ?? "");
  function searched(deck, card) {
    if (!folded.has(card)) folded.set(card, fold([card.name, card.words, card.id, card.code, deck.deck, deck.title, ...card.values.map(words)].join(" ")));
    return folded.get(card);
  }

  function matches(deck, card) {
    if (chosen.deck && deck.id !== chosen.deck) return false;
    if (chosen.wrong && !findingsOf(deck, card).length) return false;
    if (chosen.changed && !isChanged(deck, card)) return false;
    const text = chosen.words ? searched(deck, card) : "";
    if (!fold(chosen.words).split(/\s+/).every(word => text.includes(word))) return false;
    return Object.entries(chosen.fields).every(([name, wanted]) => {
      const at = deck.fields.findIndex(field => field.name === name), value = card.values[at];
      if (at < 0) return false;
      if (typeof wanted === "string") return words(value) === wanted;
      return typeof value === "number" && (wanted.least === "" || value >= +wanted.least) && (wanted.most === "" || value <= +wanted.most);
    });
  }

  // The fields of the decks shown that cards can be chosen by: few different words, or numbers.
  function usable() {
    const fields = new Map();
    for (const deck of known.cards.decks) {
      if (chosen.deck && deck.id !== chosen.deck) continue;
      deck.fields.forEach((field, at) => {
        const one = fields.get(field.name) ?? { ...field, values: new Map(), cards: 0 };
        for (const card of deck.cards) {
          const value = words(card.values[at]);
          if (value) one.cards++;
          if (value && one.values.size <= FEW) one.values.set(value, (one.values.get(value) ?? 0) + 1);
        }
        fields.set(field.name, one);
      });
    }
    return [...fields.values()].filter(({ kind, values, cards }) => ["whole", "number"].includes(kind) ? values.size > 1
      : kind !== "image" && values.size > 1 && values.size <= FEW && (kind !== "text" || values.size <= cards / 2)
        && [...values.keys()].every(value => value.length <= LONG));
  }

  function reset(deck = "") {
    Object.assign(chosen, { deck, words: "", wrong: false, changed: false, fields: {} });
    told();
  }

  // In place of the cards, where none is as was chosen: the way back to all of them.
  const none = more => make("p", { class: "empty", ...more }, say("nothing"), make("br"), make("button", { type: "button", on: { click: () => reset() } }, say("clear")));

  function told() {
    for (const update of bars) update();
    for (const listen of listeners) listen();
  }

  const inputs = (field, set) => {
    if (["whole", "number"].includes(field.kind)) {
      const wanted = () => typeof chosen.fields[field.name] === "object" ? chosen.fields[field.name] : { least: "", most: "" };
      return ["least", "most"].map(end => make("input", {
        type: "number", "aria-label": say(end === "least" ? "from" : "to", { name: field.label }), placeholder: end === "least" ? "≥" : "≤", value: wanted()[end],
        on: { input: event => {
          const next = { ...wanted(), [end]: event.target.value };
          set(next.least === "" && next.most === "" ? undefined : next);
        } },
      }));
    }
    return make("select", { "aria-label": field.label, on: { change: event => set(event.target.value || undefined) } },
      make("option", { value: "" }, say("any")),
      [...field.values].sort().map(([value, count]) => make("option", { value, selected: chosen.fields[field.name] === value }, `${value} (${count})`)));
  };

  // The bar over a view: decks, search, filters, and what the view adds to it.
  function bar(root, ...more) {
    const decks = make("div", { class: "decks", role: "group", "aria-label": say("deck") });
    const search = make("input", { type: "search", class: "search", placeholder: say("search"), "aria-label": say("search"), value: chosen.words, on: {
      input: event => { chosen.words = event.target.value; told(); },
    } });
    const fields = make("div", { class: "fields" });
    const summary = make("summary", {}, say("filters"));
    const toggle = name => make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: chosen[name], "data-name": name, on: {
      change: event => {
        chosen[name] = event.target.checked;
        told();
        if (name === "changed" && known.game.data.includes("changes")) duckpress.need("changes").catch(() => {});
      },
    } }), say(name));
    const toggles = [known.game.isGiven ? null : toggle("wrong"), hasChanges() ? toggle("changed") : null].filter(Boolean);
    const clear = make("button", { type: "button", on: { click: () => {
      fields.dataset.of = "";
      reset(chosen.deck);
    } } }, say("clear"));
    const details = duckpress.box("", summary, fields, make("div", { class: "line" }, toggles), clear);
    const count = make("output", { class: "count" });
    root.append(make("div", { class: "bar" }, decks, make("div", { class: "line" }, search, details, ...more, count)));

    function update() {
      const titles = known.cards.decks.map(({ title }) => title);
      const buttons = [["", say("allDecks"), titles.length && all().length], ...known.cards.decks.map(deck =>
        [deck.id, titles.filter(title => title === deck.title).length > 1 ? `${deck.title} · ${deck.piece}` : deck.title, deck.cards.length])];
      decks.hidden = known.cards.decks.length < 2;
      duckpress.refill(decks, buttons.map(([id, title, number]) => make("button", {
        type: "button", "data-key": id || "/", "aria-pressed": String(chosen.deck === id), on: { click: () => {
          Object.assign(chosen, { deck: id, fields: {} });
          told();
        } },
      }, make("span", { title }, title), make("small", {}, String(number)))));
      const usables = usable(), of = JSON.stringify([chosen.deck, usables.map(field => [field.name, [...field.values]])]);
      if (fields.dataset.of !== of) {
        fields.dataset.of = of;
        fields.replaceChildren(...usables.map(field => make("div", { class: "field" }, make("span", {}, field.label), inputs(field, wanted => {
          if (wanted === undefined) delete chosen.fields[field.name];
          else chosen.fields[field.name] = wanted;
          told();
        }))));
      }
      for (const input of details.querySelectorAll("[data-name]")) input.checked = chosen[input.dataset.name];
      if (search !== document.activeElement || !chosen.words) search.value = chosen.words;
      const number = Object.keys(chosen.fields).length + chosen.wrong + chosen.changed;
      summary.replaceChildren(say("filters"), number ? make("small", { class: "mark" }, String(number)) : "");
      const some = all(), fitting = some.filter(({ deck, card }) => matches(deck, card));
      count.textContent = `${fitting.length} / ${some.length}`;
    }
    bars.add(update);
    update();
    return update;
  }

  return { chosen, all, matches, findingsOf, why, hasChanges, isChanged, words, bar, none, listen: act => listeners.add(act), told };
})();
