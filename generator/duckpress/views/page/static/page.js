// The shell of the page: what is known, which views there are, and where in them the reader is.
//
// `data/<name>.js` calls `duckpress.take(name, data)`; taking data again brings the open view up to date where it stands.
// A view is a script that calls `duckpress.view(name, { needs, also, isThere(), start(root), show(place), update(name) })`:
// `needs` are the data that are loaded before it starts, `also` others that it shows once they are there, `place` is what
// follows its name in the address (#cards/cards-duck-teal).
// What a game says becomes text, never markup: nothing here sets innerHTML.
//
// A page from a server also loads `live.js`, which may set
//   duckpress.live = { open(place), ask(kind, options), actions: [[label, act], ...] }
// `open` shows a place (file:line:column) in the designer's editor, `ask` promises data that are not among the files (a deal
// of any seed, the sheets of any paper). After a change it calls `duckpress.reload(names)` or `duckpress.take` itself.
"use strict";

const duckpress = (() => {
  const known = {}, opened = {}, loading = {}, views = new Map(), last = {}, scrolled = {};
  let current = null, loads = 0;

  const at = id => document.getElementById(id);

  // An element with attributes, listeners (`on`), custom properties (`style`) and children: elements and texts.
  function make(tag, more = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(more)) {
      if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (name === "style") for (const [property, one] of Object.entries(value)) element.style.setProperty(property, one);
      else if (name === "value" || name === "checked") element[name] = value;
      else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(3).filter(child => child !== undefined && child !== null && child !== false));
    return element;
  }

  // Other children for an element: the one of the same `data-key` has the focus again, and `otherwise` where there is none.
  function refill(root, children, otherwise = () => null) {
    const had = root.contains(document.activeElement) ? document.activeElement.dataset.key ?? "" : null;
    root.replaceChildren(...[children].flat(3).filter(child => child !== undefined && child !== null && child !== false));
    if (had !== null) ((had && root.querySelector(`[data-key="${CSS.escape(had)}"]`)) || otherwise())?.focus({ preventScroll: true });
  }

  // A box that opens below its button; Escape, a click elsewhere and the focus elsewhere close it.
  function box(kind, summary, ...inside) {
    const details = make("details", { class: `filters ${kind}` }, summary, make("div", { class: "sheet" }, inside));
    document.addEventListener("click", event => details.contains(event.target) || (details.open = false));
    details.addEventListener("focusout", ({ relatedTarget: next }) => next && !details.contains(next) && (details.open = false));
    details.addEventListener("keydown", event => {
      if (event.key !== "Escape") return;
      details.open = false;
      summary.focus();
    });
    return details;
  }

  // How many steps an arrow key goes on: to the left is back, but where lines begin at the right.
  const isMirrored = () => document.dir === "rtl";
  const stepOf = ({ key }) => ({ ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0) * (isMirrored() ? -1 : 1);

  const say = (word, values = {}) =>
    (known.game?.words[word] ?? word).replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
  const fold = text => text.normalize("NFD").replace(/[\p{M}*_{}=]/gu, "").toLowerCase();

  // What the reader has set is kept by the browser, where it keeps anything for files.
  const settings = {
    get(name, otherwise) {
      try { return localStorage.getItem(`duckpress-${name}`) ?? otherwise; } catch { return otherwise; }
    },
    set(name, value) {
      try { localStorage.setItem(`duckpress-${name}`, value); } catch { /* not kept, then */ }
    },
  };

  const TOLD_MS = 4000;
  function tell(...words) {
    at("told").replaceChildren(...words);
    clearTimeout(tell.timer);
    tell.timer = setTimeout(hush, TOLD_MS);
  }
  function hush() { // not while one of its links is about to be followed
    if (at("told").matches(":hover, :focus-within")) tell.timer = setTimeout(hush, TOLD_MS);
    else at("told").replaceChildren();
  }

  // Which cards look different now, are new or gone: what was saved is often out of view.
  const MOST_NAMES = 3;
  function tellChanged(before, now) {
    const sides = ({ front, back, copies }) => [front, back, copies].join(), cards = ({ decks }) => decks.flatMap(deck => deck.cards);
    const old = new Map(cards(before).map(card => [card.anchor, card])), changed = [];
    for (const card of cards(now)) {
      const was = old.get(card.anchor);
      old.delete(card.anchor);
      if (!was || sides(was) !== sides(card)) changed.push([address("cards", card.anchor), card.name, was ? "" : "new"]);
    }
    changed.unshift(...[...old.values()].map(({ name }) => [address("changes"), name, "gone"]));
    if (!changed.length) return;
    const links = changed.slice(0, MOST_NAMES).flatMap(([href, name, kind], number) =>
      [number ? ", " : " ", make("a", { href }, name), kind ? ` (${say(kind)})` : ""]);
    tell(`${say("changed")}:`, ...links, changed.length > MOST_NAMES ? ` + ${changed.length - MOST_NAMES}` : "");
  }

  function take(name, data) {
    if (name === "cards" && known.cards && !known.cards.begun) tellChanged(known.cards, data);
    if (!opened[name] || opened[name].begun) opened[name] = data;
    known[name] = data;
    if (name === "findings") stale();
    for (const [id, view] of views) {
      if (!view.started || ![...view.needs, ...view.also].includes(name)) continue;
      if (id === current) view.update(name);
      else view.late.add(name);
    }
    if (current) {
      duckpress.single.update();
      bar();
    }
  }

  // Over all views, while the game cannot be drawn: why, and where.
  function stale() {
    const { stale: isStale, groups } = known.findings;
    at("stale").hidden = !isStale;
    document.body.classList.toggle("stale", Boolean(isStale));
    refill(at("stale"), isStale ? [say("stale"), groups.slice(0, 1).map(({ fixes, findings: [{ what, at: where }] }) =>
      [make("span", { lang: "en" }, what), placeButton(where), fixes.length ? make("span", { lang: "en" }, `→ ${fixes[0]}`) : null])] : []);
  }

  function load(name) {
    return new Promise((done, failed) => {
      const script = make("script", { src: `data/${name}.js${loads++ && document.readyState === "complete" ? `?${loads}` : ""}` });
      script.addEventListener("load", () => { script.remove(); done(known[name]); });
      script.addEventListener("error", () => { script.remove(); failed(new Error(name)); });
      document.head.append(script);
    });
  }
  const need = name => name in known ? Promise.resolve(known[name]) : loading[name] ??= load(name);
  const reload = names => Promise.allSettled(names.filter(name => name in known).map(load));

  function view(id, { needs = ["cards"], also = [], isThere = () => true, start, show = () => {}, update = () => {} }) {
    views.set(id, { needs, also, isThere, start, show, update, late: new Set(), started: false, root: null });
  }

  // The address: `#cards/cards-duck-teal`; of a card alone, `#cards-duck-teal`.
  function place() {
    let words = location.hash.slice(1);
    try { words = decodeURIComponent(words); } catch { /* as it stands */ }
    const [id, ...rest] = words.split("/");
    if (views.has(id) && isThere(id)) return [id, rest.join("/")];
    return ["cards", words];
  }
  const address = (id, rest = "") => `#${encodeURIComponent(id)}${rest ? `/${rest.split("/").map(encodeURIComponent).join("/")}` : ""}`;
  function go(id, rest = "", { replace = false } = {}) {
    if (replace) {
      history.replaceState(null, "", address(id, rest));
      follow();
    } else location.hash = address(id, rest);
  }
  const isThere = id => views.get(id).isThere() && views.get(id).needs.every(name => name in known || known.game.data.includes(name));

  async function follow() {
    const [id, rest] = place(), one = views.get(id), isOther = id !== current;
    if (isOther && current) scrolled[current] = scrollY;
    if (isOther) duckpress.single.close();
    last[id] = location.hash;
    current = id;
    bar();
    if (!one.root) {
      one.root = make("section", { id: `view-${id}`, class: "view", "aria-label": say(id), tabindex: -1 });
      at("main").append(one.root);
    }
    for (const [other, { root }] of views) if (root) root.hidden = other !== id;
    try {
      await Promise.all(one.needs.map(need));
    } catch {
      one.root.replaceChildren(make("p", { class: "empty" }, say("nothing")));
      return;
    }
    if (current !== id) return;
    if (!one.started) {
      one.started = true;
      one.start(one.root);
    }
    for (const name of one.late) one.update(name);
    one.late.clear();
    one.show(rest, isOther);
    if (isOther) scrollTo(0, scrolled[id] ?? 0);
    keepClear();
  }

  // Views that have no room beside the title have a line of their own. What has the focus is not scrolled below the bars that stay.
  function keepClear() {
    const header = document.querySelector("body > header"), views = at("views"), room = `${innerWidth} ${views.textContent}`;
    if (room !== keepClear.room) {
      header.classList.remove("tall");
      header.classList.toggle("tall", views.scrollWidth > views.clientWidth);
      keepClear.room = room;
    }
    document.documentElement.style.scrollPaddingTop = `${duckpress.headHeight() + 8}px`;
  }

  function bar() {
    const groups = (known.findings?.groups ?? []).filter(one => one.level !== "note"), marks = { findings: groups.reduce((sum, { findings }) => sum + findings.length, 0) };
    const level = groups.some(one => one.level === "error") ? "error" : "warning";
    refill(at("views"), [...views.keys()].filter(isThere).map(id => make("a", {
      href: last[id] || address(id), "data-key": id, "aria-current": id === current ? "page" : undefined,
    }, say(id), marks[id] ? make("small", { class: `mark ${level}` }, String(marks[id])) : null)));
    keepClear();
    at("views").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function look(next) {
    const looks = ["auto", "light", "dark"];
    let now = settings.get("look", "auto");
    if (next) settings.set("look", now = looks[(looks.indexOf(now) + 1) % 3]);
    document.documentElement.dataset.look = now;
    return { auto: "◐", light: "○", dark: "●" }[now];
  }

  // A place in a file: in the editor where the page is live, else copied. A page that is given to others knows none.
  function open(where) {
    if (duckpress.live?.open) duckpress.live.open(where);
    else navigator.clipboard?.writeText(where).then(() => tell(say("copied", { what: where })), () => tell(where)) ?? tell(where);
  }
  const placeButton = where => where && make("button", { type: "button", class: "place", "data-key": where, on: { click: () => open(where) } }, where);
  // What a finding says: a place in it is one to open, as where the card of an overflow is written.
  const said = what => what.split(/(?<=\()([^()]+:\d+:\d+)(?=\))/).map((part, number) => number % 2 ? placeButton(part) : part);
  const findingList = findings => make("ul", { class: "findings", lang: "en" }, findings.map(({ level, what, at, fixes }) =>
    make("li", { class: level }, make("span", {}, said(what)), placeButton(at), fixes.map(fix => make("small", {}, fix)))));

  // A side of a card: its picture has its bleed, which its trim hides.
  function face(deck, picture, name, more = {}) {
    const { width, height, bleed, radius } = deck;
    const image = picture
      ? make("img", { src: picture, alt: name, decoding: "async", draggable: "false" })
      : known.cards.begun ? "" : make("span", { class: "missing", role: "img", "aria-label": name }, "?");
    return make("span", {
      ...more, class: `face ${deck.hex ? `hex-${deck.hex}` : ""} ${more.class ?? ""}`,
      style: {
        "--ratio": `${width}/${height}`, "--round": `${100 * radius / width}%/${100 * radius / height}%`,
        "--across": bleed / width, "--down": bleed / height,
      },
    }, image);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = make("button", { type: "button", class: "quiet", title: say("look"), "aria-label": say("look"), on: {
      click: () => button.textContent = look(true),
    } }, look());
    at("tools").append(...(duckpress.live?.actions ?? []).map(([label, act]) =>
      make("button", { type: "button", on: { click: act } }, label)), button);
    at("views").setAttribute("aria-label", say("menu"));
    addEventListener("hashchange", follow);
    addEventListener("resize", keepClear);
    history.scrollRestoration = "manual";
    follow();
  });

  return {
    at, make, refill, box, isMirrored, stepOf, say, fold, settings, tell, take, need, reload, view, go, address, open, placeButton, said, findingList, face, known, opened, live: null,
  };
})();
