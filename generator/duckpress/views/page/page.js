// The page of all cards. `cards.js` has said `duckpress`: what is shown, as data. What a game says becomes text, never
// markup: nothing here sets innerHTML. A card's words and pictures are in the document only while it is near the view.
"use strict";

const at = id => document.getElementById(id);
const made = (tag, words = "", more = {}) => Object.assign(document.createElement(tag), { textContent: words }, more);
const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const cards = []; // of all decks, in order: what is known of each, its folded words, and its place on the page

for (const [number, deck] of duckpress.decks.entries()) {
  const section = made("section"), grid = made("div", "", { className: deck.is_large ? "cards large" : "cards" });
  const title = made("h2", `${deck.title} `, { id: `deck-${number + 1}` });
  title.append(made("small", deck.count));
  grid.style.setProperty("--wide", `${deck.width}mm`);
  for (const card of deck.cards) {
    const place = made("figure", "", { id: card.anchor, className: card.findings.length ? "wrong" : "" });
    shape(place, card);
    place.style.setProperty("--share", card.width / deck.width);
    cards.push({ card, place, section, words: fold(card.words) });
    grid.append(place);
  }
  section.append(title, grid);
  at("cards").append(section);
  at("decks").append(made("a", deck.title, { href: `#deck-${number + 1}` }));
}
at("decks").hidden = duckpress.decks.length < 2;
const byPlace = new Map(cards.map((one, number) => [one.place, { ...one, number }]));

function shape(element, card) {
  element.style.setProperty("--ratio", `${card.width}/${card.height}`);
  element.style.setProperty("--round", `${100 * card.radius / card.width}%/${100 * card.radius / card.height}%`);
}

function picture(card, side) {
  const name = side === "back" ? card.back_name : card.name;
  return card[side] ? made("img", "", { src: card[side], alt: name, decoding: "async" }) : made("span", "?", { className: "missing" });
}

function findings(list, card) {
  list.replaceChildren(...card.findings.map(words => made("li", words)));
  list.hidden = !card.findings.length;
}

function fill(place) {
  if (place.firstChild) return;
  const { card, number } = byPlace.get(place);
  const button = made("button", "", { type: "button", title: card.id }), words = made("figcaption", card.name);
  button.append(picture(card, at("backs").checked && card.back ? "back" : "front"));
  button.addEventListener("click", () => single(number));
  if (card.copies !== 1) words.append(made("small", ` ×${card.copies}`));
  const list = made("ul", "", { className: "findings", lang: "en" });
  findings(list, card);
  words.append(list);
  place.append(button, words);
  place.classList.add("near");
}

function empty(place) {
  if (place.contains(document.activeElement)) return;
  place.replaceChildren();
  place.classList.remove("near");
}

const view = new IntersectionObserver(seen => {
  for (const { target, isIntersecting } of seen) (isIntersecting ? fill : empty)(target);
}, { rootMargin: "600px 0px" });
for (const { place } of cards) view.observe(place);

function show() {
  const wanted = fold(at("search").value).split(/\s+/).filter(Boolean);
  const alive = new Set();
  let count = 0;
  for (const { card, place, section, words } of cards) {
    place.hidden = !wanted.every(word => words.includes(word)) || (at("wrong")?.checked && !card.findings.length);
    if (!place.hidden) alive.add(section);
    count += place.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll("section")) section.hidden = !alive.has(section);
  at("shown").textContent = `${count} / ${cards.length}`;
}

// One card by itself, both of its sides beside each other; the arrow keys go on to its neighbours.
let current = 0;
function single(number) {
  const { card } = cards[number], dialog = at("single"), sides = dialog.querySelector(".sides");
  current = number;
  sides.replaceChildren(picture(card, "front"), ...(card.back ? [picture(card, "back")] : []));
  shape(sides, card);
  at("single-name").textContent = card.copies === 1 ? card.name : `${card.name} ×${card.copies}`;
  findings(dialog.querySelector(".findings"), card);
  dialog.classList.toggle("wrong", card.findings.length > 0);
  if (!dialog.open) dialog.showModal();
}

function neighbour(number, step) {
  for (let next = number + step; next >= 0 && next < cards.length; next += step)
    if (!cards[next].place.hidden) return next;
  return number;
}

function go(place) {
  fill(place);
  place.scrollIntoView({ block: "nearest" });
  place.querySelector("button").focus({ preventScroll: true });
}

// In the grid the arrow keys go from card to card, up and down by a row.
at("cards").addEventListener("keydown", event => {
  const place = event.target.closest("figure");
  if (!place) return;
  const start = byPlace.get(place).number, row = place.getBoundingClientRect();
  const keys = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
  const step = keys[event.key];
  if (!step) return;
  event.preventDefault();
  let next = neighbour(start, step);
  if (event.key === "ArrowUp" || event.key === "ArrowDown")
    for (let last = start; next !== last; last = next, next = neighbour(next, step)) {
      const box = cards[next].place.getBoundingClientRect();
      if (step * (box.top - row.top) > 0 && (step > 0 ? box.right > row.left : box.left <= row.left)) break;
    }
  go(cards[next].place);
});
at("single").addEventListener("keydown", event => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) single(neighbour(current, step));
});
at("before").addEventListener("click", () => single(neighbour(current, -1)));
at("next").addEventListener("click", () => single(neighbour(current, 1)));
at("close").addEventListener("click", () => at("single").close());
at("single").addEventListener("click", event => event.target === at("single") && at("single").close());
at("single").addEventListener("close", () => go(cards[current].place));

at("search").addEventListener("input", show);
at("wrong")?.addEventListener("change", show);
at("size").addEventListener("input", event => document.documentElement.style.setProperty("--size", event.target.value));
at("backs").addEventListener("change", () => {
  for (const { place } of cards)
    if (place.firstChild) {
      place.replaceChildren();
      fill(place);
    }
});
show();
const linked = cards.findIndex(({ card }) => `#${card.anchor}` === location.hash);
if (linked >= 0) single(linked);
