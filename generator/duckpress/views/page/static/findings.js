// Findings: what is wrong, grouped as on the terminal, with the cards it is about; a click on a place opens it.
"use strict";

(() => {
  const { make, say, face, filters, placeButton, said, known } = duckpress;
  const MOST_CARDS = 12, MOST_FINDINGS = 5;
  let root = null;
  const open = new Set();

  function cardsOf(findings) {
    const wanted = new Set(findings.flatMap(({ cards }) => cards)), shown = new Map();
    for (const one of filters.all()) {
      const key = `${one.deck.deck}/${one.card.id}`;
      if (wanted.has(key) && !shown.has(key)) shown.set(key, one);
    }
    return [...shown.values()];
  }

  function group({ level, code, fixes, findings }) {
    const cards = cardsOf(findings), isOpen = open.has(`${code} ${findings[0].at}`);
    const told = isOpen ? findings : findings.slice(0, MOST_FINDINGS), more = findings.length - told.length;
    return make("li", { class: `group ${level}` },
      make("div", { class: "group-head" }, make("strong", { class: "level" }, level), make("code", {}, code), findings.length > 1 ? make("small", {}, `×${findings.length}`) : null),
      make("ul", {}, told.map(({ what, at }) => make("li", {}, make("span", {}, said(what)), placeButton(at)))),
      more > 0 ? make("button", { type: "button", "data-key": findings[MOST_FINDINGS].at, on: { click: () => {
        open.add(`${code} ${findings[0].at}`);
        lay();
      } } }, `+ ${more}`) : null,
      fixes.length ? make("p", { class: "fix" }, fixes.slice(0, MOST_FINDINGS).map(fix => make("span", {}, `→ ${fix}`))) : null,
      cards.length ? make("div", { class: "thumbs" }, cards.slice(0, MOST_CARDS).map(({ deck, card }) => make("a", {
        href: duckpress.address("findings", card.anchor), "data-key": card.anchor, title: card.name, style: { "--thumb": `${Math.min(110, 110 * deck.width / deck.height)}px` },
      }, face(deck, card.front, card.name))), cards.length > MOST_CARDS ? make("button", { type: "button", on: { click: () => {
        filters.chosen.wrong = true;
        filters.told();
        duckpress.go("cards");
      } } }, `+ ${cards.length - MOST_CARDS}`) : null) : null);
  }

  function lay() {
    const groups = known.findings.groups, count = level => groups.filter(one => one.level === level).reduce((sum, { findings }) => sum + findings.length, 0);
    duckpress.refill(root, [
      groups.length ? make("p", { class: "tally", lang: "en" }, [["error", "errors"], ["warning", "warnings"], ["note", "notes"]].map(([one, many]) => {
        const number = count(one);
        return number ? make("span", { class: one }, `${number} ${number === 1 ? one : many}`) : null;
      })) : make("p", { class: "empty" }, say("fine")),
      make("ul", { class: "groups", lang: "en" }, groups.map(group))]);
  }

  duckpress.view("findings", {
    needs: ["cards", "findings"],
    isThere: () => !known.game.isGiven,
    start(section) {
      root = make("div", { class: "page-body" });
      section.append(root);
      lay();
    },
    show: place => { duckpress.single.show(place, "findings"); },
    update: () => lay(),
  });
})();
