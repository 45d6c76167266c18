// Deal: the game set up as its steps say, on a table: draw, turn, move, shuffle, count, undo. No rules are enforced.
// The address holds the deal: #deal/4/<way>/<seed>. Cards keep the numbers of the deal, so that undoing is going back.
"use strict";

(() => {
  const { make, say, face, filters, tell } = duckpress;
  const MOST_ERRORS = 5;
  let root = null, board = null, bar = null, chosen = { players: 0, way: "", seed: "1" }, dealt = null, words = ""; // of the address
  let piles = [], past = [], picked = null; // a pile: { id, name, what, seat, open, cards: [{ key, number, up }] }

  const found = key => cardsByKey().get(key);
  let keyed = null, keyedOf = null;
  function cardsByKey() {
    if (keyedOf !== duckpress.known.cards) {
      keyedOf = duckpress.known.cards;
      keyed = new Map();
      for (const one of filters.all()) {
        const key = `${one.deck.deck}/${one.card.id}`;
        if (!keyed.has(key)) keyed.set(key, one);
      }
    }
    return keyed;
  }

  // Why nothing can be dealt now, where that is so: what lies on the table stays there meanwhile.
  const errors = () => duckpress.known.deals.errors;

  async function deal(isNew) {
    const { players, way, seed } = chosen, deals = duckpress.known.deals, asked = chosen;
    let next = deals.deals[`${players}/${way}/${seed}`] ?? null;
    if (!next && duckpress.live?.ask) next = await duckpress.live.ask("deal", { players, way, seed }).catch(() => null);
    if (asked !== chosen) return;
    if (errors() || !isNew && JSON.stringify(next) === JSON.stringify(dealt)) return draw();
    dealt = next;
    picked = null;
    past = [];
    let number = 0;
    piles = (dealt?.places ?? []).map((place, at) => ({
      id: at, name: place.name, what: place.what, seat: place.seat, number: place.number, open: ["hand", "row", "slot"].includes(place.kind) && !place.what,
      cards: place.cards.map(index => ({ key: dealt.cards[index], number: number++, up: ["hand", "row", "slot"].includes(place.kind) })),
    }));
    if (piles.length) piles.push({ id: piles.length, name: say("tabletop"), what: "table", seat: 0, number: 0, open: true, cards: [] });
    draw();
  }

  function act(change, words) {
    past.push(JSON.stringify(piles));
    change();
    draw();
    if (words) tell(words);
  }
  function undo() {
    if (!past.length) return;
    piles = JSON.parse(past.pop());
    picked = null;
    draw();
  }

  const pileOf = card => piles.find(({ cards }) => cards.some(({ number }) => number === card));
  const title = pile => [pile.name, pile.number ? ` ${pile.number}` : "", pile.what === "removed" ? ` (${say("gone")})` : ""].join("");
  const nameOf = card => found(card.key)?.card.name ?? card.key;

  function move(card, to) {
    const from = pileOf(card);
    if (!from || from.id === to) return;
    act(() => {
      const [one] = from.cards.splice(from.cards.findIndex(({ number }) => number === card), 1), pile = piles.find(({ id }) => id === to);
      if (pile.open) {
        one.up = true;
        pile.cards.push(one);
      } else {
        one.up = false;
        pile.cards.unshift(one);
      }
      picked = pile.open ? one.number : null;
    }, `→ ${title(piles.find(({ id }) => id === to))}`);
  }
  const turn = card => act(() => {
    const one = pileOf(card).cards.find(({ number }) => number === card);
    one.up = !one.up;
  });
  const shuffle = pile => act(() => { // only here is chance the browser's own
    for (let last = pile.cards.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [pile.cards[last], pile.cards[other]] = [pile.cards[other], pile.cards[last]];
    }
  }, `${say("shuffle")}: ${title(pile)}`);
  const spread = pile => act(() => { pile.open = !pile.open; });
  const tableOf = () => piles.find(({ what }) => what === "table").id;

  function card(one, pile, { small = false } = {}) {
    const known = found(one.key);
    if (!known) return null;
    const { deck, card } = known, isUp = one.up || !card.back;
    return make("button", {
      type: "button", class: `playing ${picked === one.number ? "picked" : ""}`, draggable: "true", "data-number": one.number, "data-key": `card ${one.number}`, "aria-pressed": String(picked === one.number),
      "aria-label": isUp ? card.name : say("backOf", { name: title(pile) }), style: { "--wide": `${Math.min(small ? 74 : 96, deck.width * 1.5)}px` },
      on: {
        click: () => {
          picked = picked === one.number ? null : one.number;
          draw();
        },
        dblclick: () => turn(one.number),
        dragstart: event => event.dataTransfer.setData("text/plain", String(one.number)),
      },
    }, face(deck, isUp ? card.front : card.back, ""));
  }

  function pileElement(pile) {
    const isOpen = pile.open, top = pile.cards[0];
    const button = (word, act) => make("button", { type: "button", class: "small", "data-key": `${pile.id} ${word}`, on: { click: act } }, say(word));
    return make("section", {
      class: `pile ${isOpen ? "open" : ""} ${pile.what}`, "data-pile": pile.id, "aria-label": `${title(pile)}, ${pile.cards.length}`,
      on: {
        dragover: event => event.preventDefault(),
        drop: event => {
          event.preventDefault();
          move(Number(event.dataTransfer.getData("text/plain")), pile.id);
        },
      },
    },
    make("h3", {}, title(pile), make("small", {}, ` ${pile.cards.length}`)),
    make("div", { class: "cards-of-pile" }, isOpen ? pile.cards.map(one => card(one, pile, { small: pile.seat > 0 })) : top ? card(top, pile) : make("span", { class: "place-of-cards" })),
    make("div", { class: "acts" },
      !isOpen && top ? button("draw", () => move(top.number, tableOf())) : null,
      pile.cards.length > 1 ? button("shuffle", () => shuffle(pile)) : null,
      pile.cards.length > 1 ? button(isOpen ? "stack" : "spread", () => spread(pile)) : null));
  }

  function draw() {
    const groups = new Map();
    for (const pile of piles) groups.set(pile.seat, [...(groups.get(pile.seat) ?? []), pile]);
    const seats = [...groups].sort(([a], [b]) => (a || 0) - (b || 0));
    const shared = groups.get(0) ?? [], order = what => ["table", "", "left", "removed"].indexOf(what);
    duckpress.refill(board, [
      errors() ? make("section", { class: "group error" }, make("p", {}, say("undealt")), duckpress.findingList(errors().slice(0, MOST_ERRORS)),
        make("a", { href: duckpress.address("findings"), "data-key": "findings" }, say("findings"))) : dealt ? null : make("p", { class: "empty" }, say("noSeed")),
      make("div", { class: "shared" }, shared.filter(({ what }) => what !== "left" && what !== "removed").sort((a, b) => order(a.what) - order(b.what)).map(pileElement)),
      seats.filter(([seat]) => seat).map(([seat, some]) => make("div", { class: "seat" }, make("h2", {}, `${say("player")} ${seat}`), make("div", { class: "shared" }, some.filter(({ what }) => what !== "left").map(pileElement)))),
      piles.some(({ what }) => what === "left" || what === "removed") ? make("details", { class: "rest", open: board.querySelector(".rest")?.open }, make("summary", {}, say("rest")),
        make("div", { class: "shared" }, piles.filter(({ what }) => what === "left" || what === "removed").map(pileElement))) : ""], focusable);
    const pile = picked === null ? null : pileOf(picked);
    const one = pile?.cards.find(({ number }) => number === picked);
    duckpress.refill(bar, one ? [
      make("strong", {}, one.up ? nameOf(one) : "—"),
      make("button", { type: "button", "data-key": "turn", on: { click: () => turn(picked) } }, say("turn")),
      make("span", { id: "move-to" }, say("move")),
      make("div", { class: "targets", role: "group", "aria-labelledby": "move-to" }, piles.filter(({ id }) => id !== pile.id).map(other => make("button", {
        type: "button", class: "small", "data-key": `to ${other.id}`, on: { click: () => move(picked, other.id) },
      }, other.seat ? `${title(other)} · ${say("player")} ${other.seat}` : title(other)))),
    ] : [], focusable);
    bar.hidden = !one;
    root.querySelector("[data-key=undo]")?.setAttribute("aria-disabled", String(!past.length));
  }
  // Where the focus goes when what had it is gone: to the card in hand, else to the first of the table.
  const focusable = () => board.querySelector(picked === null ? "button" : `[data-key="card ${picked}"]`);

  function controls() {
    const deals = duckpress.known.deals, ways = deals.ways.filter(({ players }) => players.includes(Number(chosen.players)));
    const change = more => duckpress.go("deal", [more.players ?? chosen.players, more.way ?? chosen.way, more.seed ?? chosen.seed].join("/"));
    const select = (label, options, value, act) => make("label", {}, make("span", {}, label), make("select", { "data-key": label, on: { change: event => act(event.target.value) } },
      options.map(([id, words]) => make("option", { value: id, selected: String(id) === String(value) }, words))));
    return [
      select(say("players"), deals.players.map(count => [count, count]), chosen.players, players => change({ players })),
      deals.ways.length > 1 ? select(say("setup"), ways.map(({ id, title }) => [id, title || say("basic")]), chosen.way, way => change({ way })) : null,
      make("label", {}, make("span", {}, say("seed")), make("input", { class: "seed", "data-key": "seed", value: chosen.seed, on: { change: event => change({ seed: event.target.value.trim() || "1" }) } })),
      make("button", { type: "button", "data-key": "another", on: { click: () => change({ seed: String(duckpress.live?.ask ? 1 + Math.floor(Math.random() * 1e6)
        : deals.seeds[(deals.seeds.indexOf(chosen.seed) + 1) % deals.seeds.length]) }) } }, say("another")),
      make("button", { type: "button", "data-key": "undo", on: { click: undo } }, say("undo")),
      make("button", { type: "button", "data-key": "link", on: { click: () => navigator.clipboard?.writeText(location.href).then(() => tell(say("copied", { what: location.hash })), () => tell(location.href)) ?? tell(location.href) } }, say("link")),
    ];
  }

  duckpress.view("deal", {
    needs: ["cards", "deals"],
    start(section) {
      root = section;
      board = make("div", { class: "board" });
      bar = make("div", { class: "picked-bar", role: "group", hidden: true });
      section.append(make("div", { class: "bar" }, make("div", { class: "line controls" })), board, bar);
      section.addEventListener("keydown", event => {
        if (event.target.matches("input, select")) return;
        const at = event.target.dataset?.number;
        const isHeld = event.ctrlKey || event.metaKey || event.altKey;
        if (isHeld ? event.key.toLowerCase() === "z" : event.key === "u") undo();
        else if (isHeld) return;
        else if (at !== undefined && event.key === "t") turn(Number(at));
        else if (at !== undefined && event.key === "d") move(Number(at), tableOf());
        else if (at !== undefined && event.key === "s") shuffle(pileOf(Number(at)));
        else if (at !== undefined && duckpress.stepOf(event)) {
          const all = [...board.querySelectorAll("[data-number]")];
          all[all.indexOf(event.target) + duckpress.stepOf(event)]?.focus();
        } else return;
        event.preventDefault();
      });
    },
    show: place => show(place),
    update: name => name === "deals" ? show(words, true) : draw(),
  });

  function show(place, isNews = false) {
    words = place;
    if (errors()) return draw();
    const deals = duckpress.known.deals, [players, way, ...seed] = place.split("/");
    const next = { players: deals.players.includes(Number(players)) ? players : String(deals.players.find(count => count > 1) ?? deals.players[0]), way: way ?? "", seed: seed.join("/") || "1" };
    if (!deals.ways.some(({ id, players }) => id === next.way && players.includes(Number(next.players)))) next.way = deals.ways.find(({ players }) => players.includes(Number(next.players)))?.id ?? "";
    const isSame = dealt && JSON.stringify(next) === JSON.stringify(chosen);
    if (!isSame) chosen = next;
    duckpress.refill(root.querySelector(".controls"), controls());
    if (!isSame || isNews) deal(!isSame);
  }
})();
