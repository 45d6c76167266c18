// Changes: before and after, words marked; since a version where the page has one to compare with, and since it was opened.
"use strict";

(() => {
  const { make, say, face, known, opened, filters } = duckpress;
  const OPENED = "";
  let root = null, which = null, shown = null; // a version, or since the page was opened; what differs from that version

  // The words of two texts in order, those of both as they are: the longest row of words that both have. In scripts
  // without spaces every letter is a word.
  function marked(before, now) {
    const [a, b] = [before, now].map(text => text.split(/(\s+|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])/).filter(Boolean));
    if (a.length * b.length > 250_000) return make("span", {}, make("del", {}, before), " ", make("ins", {}, now));
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--) best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const parts = [];
    let went = "", came = "", blank = "", i = 0, j = 0; // words that differ in one row are marked in one piece, blanks between them too
    const mark = () => {
      const words = [["del", went.trim()], ["ins", came.trim()]].filter(([, text]) => text).flatMap(([kind, text], at) => [at ? " " : "", make(kind, {}, text)]);
      const edge = pattern => [went, came].map(text => pattern.exec(text)[0]).find(Boolean) ?? "";
      parts.push(...words.length ? [edge(/^\s*/), ...words, edge(/\s*$/)] : [went || came], blank);
      went = came = blank = "";
    };
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        if ((went || came) && !a[i].trim()) blank += a[i];
        else {
          mark();
          parts.push(a[i]);
        }
        i++;
        j++;
        continue;
      }
      went += blank;
      came += blank;
      blank = "";
      if (i < a.length && (j >= b.length || best[i + 1][j] >= best[i][j + 1])) went += a[i++];
      else came += b[j++];
    }
    mark();
    return make("span", {}, parts);
  }

  const words = value => value === null || value === undefined ? "" : value === true ? say("yes") : value === false ? say("no") : filters.words(value);

  // What differs between what was first taken and what is known, as `since` a version gives it (`data/changes.js`).
  function sinceOpened() {
    const cards = [], old = new Map(opened.cards.decks.flatMap(deck => deck.cards.map(card => [card.anchor, { deck, card }])));
    const had = one => one && one.card.front && { ...one.deck, ...one.card };
    for (const { deck, card } of filters.all()) {
      const was = old.get(card.anchor), key = `${deck.deck}/${card.id}`, sides = ["front", "back"].filter(side => was && was.card[side] !== card[side]);
      old.delete(card.anchor);
      const fields = was ? deck.fields.map((field, at) => {
        const index = was.deck.fields.findIndex(({ name }) => name === field.name);
        return { label: field.label, was: words(was.card.values[index]), now: words(card.values[at]) };
      }).filter(({ was, now }) => was !== now) : [];
      const copies = was && was.card.copies !== card.copies ? [was.card.copies, card.copies] : [];
      if (was && !fields.length && !sides.length && !copies.length) continue;
      const kind = !was ? "new" : fields.length || copies.length ? "" : "looks";
      cards.push({ key, deck: deck.title, name: card.name, kind, sides: sides.length ? sides : ["front"], before: had(was), words: was?.card.name, copies, fields });
    }
    for (const one of old.values()) cards.push({ key: "", deck: one.deck.title, name: one.card.name, kind: "gone", sides: ["front"], before: had(one), words: one.card.name, copies: [], fields: [] });
    return { told: "", cards, lines: [], rules: [] };
  }

  // A side of a card before or now, `shape` being of that time; words where it cannot be shown.
  function half(shape, picture, label, words) {
    return make("figure", {}, picture ? face(shape, picture, label)
      : make("div", { class: "no-face", style: { "--ratio": `${shape?.width ?? 63}/${shape?.height ?? 88}` } }, words), make("figcaption", {}, label));
  }

  function change({ key, deck, name, kind, sides, before, words, copies, fields }, now, hasDecks) {
    const card = now.get(key), pairs = sides.map(side => {
      const label = word => side === "back" ? `${say(word)} · ${say("back")}` : say(word), shape = card?.deck ?? before;
      const isWide = (shape?.width ?? 1) > 1.1 * (shape?.height ?? 1);
      return make("div", { class: `two ${isWide ? "wide-ones" : ""}` }, half(before ?? shape, before?.[side], label("was"), kind === "new" ? "—" : words), half(shape, card?.card[side], label("now"), kind === "gone" ? "—" : name));
    });
    const numbers = copies.length ? [{ label: say("copies"), was: String(copies[0]), now: String(copies[1]) }] : [];
    return make("li", { class: "change" }, make("div", { class: "pairs" }, pairs),
      make("div", {}, make("h3", {}, card ? make("a", { href: duckpress.address("changes", card.card.anchor) }, name) : name,
        kind ? make("small", { class: `kind ${kind}` }, say(kind)) : "", hasDecks ? make("small", {}, deck) : ""),
      make("dl", {}, [...fields, ...numbers].flatMap(({ label, was, now }) => [make("dt", {}, label), make("dd", {}, marked(was, now))]))));
  }

  // The first version is among the data; a server has the others, too.
  async function choose(version) {
    which = version;
    if (version !== OPENED) {
      const data = await duckpress.need("changes").catch(() => null);
      shown = data && version !== data.since ? await duckpress.live.ask("changes", { since: version }).catch(() => data) : data;
    }
    if (which === version) lay();
  }

  function lay() {
    const isVersion = which !== OPENED && shown, { told, cards, lines, rules } = isVersion ? shown : sinceOpened();
    const choices = [...(known.changes?.versions ?? []).map(version => [version, say("since", { version })]), ...duckpress.live ? [[OPENED, say("sinceOpened")]] : []];
    const now = new Map(filters.all().map(one => [`${one.deck.deck}/${one.card.id}`, one]));
    const isEmpty = !told && !cards.length && !lines.length && !rules.length, hasDecks = new Set(cards.map(({ deck }) => deck)).size > 1;
    duckpress.refill(root, [
      make("div", { class: "line" }, choices.length > 1 ? make("select", { "data-key": "since", "aria-label": say("changes"), on: { change: event => choose(event.target.value) } },
        choices.map(([version, words]) => make("option", { value: version, selected: version === which }, words))) : make("h2", {}, choices[0][1]),
      make("output", { class: "count" }, cards.length ? String(cards.length) : "")),
      told ? make("p", { class: "empty", lang: "en", dir: "ltr" }, told) : isEmpty ? make("p", { class: "empty" }, say("same")) : "",
      make("ul", { class: "changes" }, cards.map(one => change(one, now, hasDecks))),
      lines.length ? make("section", {}, make("h2", {}, say("setup")), make("ul", { class: "notes" }, lines.map(line => make("li", {}, line)))) : "",
      rules.length ? make("section", {}, make("h2", {}, say("reading")), rules.map(([was, is]) => make("p", { class: "rules-change" }, marked(was, is)))) : ""]);
  }

  duckpress.view("changes", {
    also: ["changes"],
    isThere: filters.hasChanges,
    start(section) {
      root = make("div", { class: "page-body" });
      section.append(root);
      if (known.game.data.includes("changes")) duckpress.need("changes").then(({ since }) => choose(since), () => choose(OPENED));
      else choose(OPENED);
    },
    show: place => { duckpress.single.show(place, "changes"); },
    update: () => choose(which ?? OPENED),
  });
})();
