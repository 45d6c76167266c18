// Rules and boards: what is read, and what is larger than cards, as pages beside each other or one below the other.
"use strict";

(() => {
  const { make, say, face, filters, known } = duckpress;
  const LARGE_MM = 120;
  let root = null;

  const boards = () => known.cards.decks.filter(({ width, height }) => Math.max(width, height) > LARGE_MM);

  function lay() {
    const parts = [
      ...known.cards.reading.map(({ id, title, at, pages }) => ({ id, title, at, faces: pages.map((page, number) => ({
        anchor: page.anchor, name: `${title} ${number + 1}`, deck: { ...page, bleed: 0, radius: 0 }, picture: page.picture, label: String(number + 1),
      })) })),
      ...boards().map(deck => ({ id: deck.id, title: deck.title, at: deck.at, faces: deck.cards.flatMap(card =>
        ["front", "back"].filter(side => card[side]).map(side => ({
          anchor: card.anchor, name: card.name, deck, picture: card[side], label: side === "back" ? say("backOf", { name: card.name }) : card.name, href: duckpress.address("reading", card.anchor),
        }))) })),
    ];
    const seen = new Set();
    duckpress.refill(root, [
      parts.length > 1 ? make("nav", { class: "contents", "aria-label": say("reading") }, parts.map(({ id, title }) =>
        make("a", { href: duckpress.address("reading", id), "data-key": id }, title))) : "",
      parts.map(({ id, title, at, faces }) => make("section", { id: `reading-${id}`, class: "part", tabindex: -1 },
        make("h2", {}, title, " ", duckpress.placeButton(at)),
        make("div", { class: "leaves" }, faces.filter(({ picture }) => !seen.has(`${id} ${picture}`) && seen.add(`${id} ${picture}`)).map(({ deck, picture, name, label, href }) => {
          const shown = face(deck, picture, name);
          shown.querySelector("img")?.setAttribute("loading", "lazy");
          return make("figure", { class: "leaf", style: { "--wide": deck.width } }, href ? make("a", { href, "data-key": href }, shown) : shown, make("figcaption", {}, label));
        })))),
      parts.length ? "" : make("p", { class: "empty" }, say("nothing"))]);
  }

  duckpress.view("reading", {
    needs: ["cards"],
    isThere: () => known.cards.reading.length > 0 || boards().length > 0,
    start(section) {
      root = make("div", { class: "page-body" });
      section.append(root);
      lay();
    },
    show: place => {
      duckpress.single.show(place, "reading");
      root.querySelector(`#${CSS.escape(`reading-${place}`)}`)?.scrollIntoView();
    },
    update: () => lay(),
  });
})();
