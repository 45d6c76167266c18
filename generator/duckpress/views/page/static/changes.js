// Changes: before and after, words marked; since a version where the page has one to compare with, and since it was opened.
"use strict";

(() => {
  const { make, say, face, known, opened, filters } = duckpress;
  let root = null, which = "";

  // The words of two texts in order, those of both as they are: the longest row of words that both have.
  function marked(before, now) {
    const [a, b] = [before, now].map(text => text.split(/(\s+)/).filter(Boolean));
    if (a.length * b.length > 250_000) return make("span", {}, make("del", {}, before), " ", make("ins", {}, now));
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--) best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const parts = [];
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) parts.push([a[i++], "", j++][0]);
      else if (i < a.length && (j >= b.length || best[i + 1][j] >= best[i][j + 1])) parts.push(make("del", {}, a[i++]));
      else parts.push(make("ins", {}, b[j++]));
    }
    return make("span", {}, parts);
  }

  const words = value => value === null || value === undefined ? "" : value === true ? say("yes") : value === false ? say("no") : filters.words(value);

  // Cards that differ between what was first taken and what is known: { deck, name, kind, before, now, fields }.
  function sinceOpened() {
    const list = [], old = new Map(opened.cards.decks.flatMap(deck => deck.cards.map(card => [card.anchor, { deck, card }])));
    for (const { deck, card } of filters.all()) {
      const was = old.get(card.anchor);
      old.delete(card.anchor);
      if (!was) list.push({ deck, name: card.name, anchor: card.anchor, kind: "new", now: card, fields: [] });
      else {
        const fields = deck.fields.map((field, at) => {
          const index = was.deck.fields.findIndex(({ name }) => name === field.name);
          return [field.label, words(was.card.values[index]), words(card.values[at])];
        }).concat([[say("copies"), String(was.card.copies), String(card.copies)]]).filter(([, before, now]) => before !== now);
        if (fields.length || was.card.front !== card.front || was.card.back !== card.back) list.push({ deck, name: card.name, anchor: card.anchor, kind: fields.length ? "" : "looks", before: was.card, now: card, fields });
      }
    }
    for (const { deck, card } of old.values()) list.push({ deck, name: card.name, kind: "gone", before: card, fields: [] });
    return { cards: list, lines: [], rules: [] };
  }

  // The same of a version: the page knows its cards by deck and card.
  function sinceVersion() {
    const now = new Map(filters.all().map(one => [`${one.deck.deck}/${one.card.id}`, one]));
    const cards = known.changes.cards.map(({ key, name, kind, before, fields }) => {
      const one = now.get(key);
      return {
        deck: one?.deck ?? before?.shape, name, anchor: one?.card.anchor, kind, before, now: one?.card,
        fields: fields.map(({ label, was, now }) => [label, words(was), words(now)]),
      };
    });
    return { ...known.changes, cards };
  }

  function sides(deck, card, label) {
    const shown = card && deck ? ["front", "back"].filter(side => card[side]).slice(0, 1) : [];
    return make("figure", {}, shown.length ? shown.map(side => face(deck, card[side], label)) : make("div", { class: "no-face" }, "—"), make("figcaption", {}, label));
  }

  function change({ deck, name, anchor, kind, before, now, fields }) {
    return make("li", { class: "change" },
      make("div", { class: "two", style: { "--wide": deck?.width ?? 60 } }, sides(deck, before, say("was")), sides(deck, now, say("now"))),
      make("div", {}, make("h3", {}, anchor ? make("a", { href: duckpress.address("changes", anchor) }, name) : name, kind ? make("small", {}, ` ${say(kind)}`) : ""),
        make("dl", {}, fields.flatMap(([label, was, is]) => [make("dt", {}, label), make("dd", {}, marked(was, is))]))));
  }

  function lay() {
    const hasVersion = Boolean(known.changes), hasOpened = Boolean(duckpress.live);
    if (!which || (which === "version" && !hasVersion)) which = hasVersion ? "version" : "opened";
    const { cards, lines, rules } = which === "version" ? sinceVersion() : sinceOpened();
    const button = (id, label) => make("button", { type: "button", "data-key": id, "aria-pressed": String(which === id), on: { click: () => {
      which = id;
      lay();
    } } }, label);
    const isEmpty = !cards.length && !lines.length && !rules.length;
    root.replaceChildren(
      make("div", { class: "line" }, hasVersion ? button("version", say("since", { version: known.changes.since })) : null, hasOpened || !hasVersion ? button("opened", say("sinceOpened")) : null),
      isEmpty ? make("p", { class: "empty" }, say("same")) : "",
      make("ul", { class: "changes" }, cards.map(change)),
      lines.length ? make("section", {}, make("h2", {}, say("setup")), make("ul", { class: "notes" }, lines.map(line => make("li", {}, line)))) : "",
      rules.length ? make("section", {}, make("h2", {}, say("reading")), rules.map(([was, is]) => make("p", { class: "rules-change" }, marked(was, is)))) : "");
  }

  duckpress.view("changes", {
    needs: ["cards"],
    async start(section) {
      root = make("div", { class: "page-body" });
      section.append(root);
      if (known.game.data.includes("changes")) await duckpress.need("changes").catch(() => {});
      lay();
    },
    show: place => { duckpress.single.show(place, "changes"); },
    update: () => lay(),
  });
})();
