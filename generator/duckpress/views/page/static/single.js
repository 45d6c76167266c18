// One card by itself: front beside back, where the cut and the texts are, what it says, what is wrong with it.
"use strict";

duckpress.single = (() => {
  const { make, say, face, settings, filters, placeButton } = duckpress;
  let dialog = null, current = "", view = "cards", beside = settings.get("beside", "") !== "";
  const overlays = new Set(settings.get("overlays", "").split(" ").filter(Boolean));
  const NAMES = ["trim", "bleed", "safe", "boxes"];

  const cards = () => duckpress.shownCards?.some(({ card }) => card.anchor === current) ? duckpress.shownCards : filters.all();
  const find = anchor => filters.all().find(({ card }) => card.anchor === anchor);

  // Around the trim as much as its bleed is wide, where that is shown; over it the lines that were asked for.
  function side(deck, card, which) {
    const picture = face(deck, card[which], which === "back" ? say("backOf", { name: card.name }) : card.name);
    const share = (length, of) => `${100 * length / of}%`, { width, height, bleed, safe } = deck;
    const inset = by => ({ left: share(by, width), right: share(by, width), top: share(by, height), bottom: share(by, height) });
    const lines = [["trim", 0], ["safe", safe], ["bleed", -bleed]].filter(([name]) => overlays.has(name)).map(([name, by]) =>
      make("span", { class: `line-${name}`, style: inset(by) }));
    const shown = overlays.has("boxes") ? (duckpress.known.boxes?.[card[which]] ?? []) : [];
    const texts = shown.map(([x, y, wide, high, words, field]) => {
      const at = deck.fields.findIndex(({ name }) => name === field), where = (at >= 0 && card.places[at]) || card.at;
      return make("button", {
        type: "button", class: "line-box", title: `${words}\n${where}`, "aria-label": `${words} ${where}`,
        style: { left: share(x, width), top: share(y, height), width: share(wide, width), height: share(high, height) },
        on: { click: () => duckpress.open(where) },
      });
    });
    const words = which === "front" ? say("front") : say("back");
    return make("figure", {
      class: `side ${overlays.has("bleed") ? "bleeding" : ""}`,
      style: { "--ratio": `${width} / ${height}`, "--wide": width, "--high": height, "--bleed-x": bleed / width, "--bleed-y": bleed / height },
    }, make("div", { class: "sheet-of-card" }, picture, lines, texts), make("figcaption", {}, words));
  }

  const written = value => value === true ? "✓" : value === false ? "–" : filters.words(value);

  function facts(deck, card) {
    return make("dl", {}, [[say("deck"), deck.title, deck.at], [say("copies"), String(card.copies), card.at]].concat(
      deck.fields.map((field, at) => [field.label, written(card.values[at]), card.places[at]]).filter(([, value]) => value),
    ).flatMap(([label, value, where]) => [make("dt", {}, label), make("dd", {}, where
      ? make("button", { type: "button", class: "value", title: where, on: { click: () => duckpress.open(where) } }, value) : value)]));
  }

  // The card in another language (`lang=fr`) or ink (`ink=low`): as it was last, until what it is now is there.
  const pairs = new Map();
  async function pairOf({ anchor }, name) {
    const pair = duckpress.live?.ask ? await duckpress.live.ask("beside", { card: anchor, in: name }) : (await duckpress.need("beside")).cards[anchor]?.[name];
    pairs.set(`${anchor} ${name}`, pair);
  }

  function called(name) {
    const [kind, what] = name.split("=");
    if (kind === "ink") return say(what);
    try { return new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(what); } catch { return what; }
  }

  function others(deck, card) {
    return make("div", { class: "beside" }, duckpress.known.game.beside.map(name => {
      const shown = make("div", { class: "pair" }), put = () => {
        const pair = pairs.get(`${card.anchor} ${name}`), back = words => say("backOf", { name: words });
        shown.replaceChildren(...(pair ?? [null]).map((picture, at) => (picture || !at) && face(deck, picture, at ? back(card.name) : card.name)).filter(Boolean));
      };
      if (pairs.has(`${card.anchor} ${name}`)) put();
      pairOf(card, name).catch(() => {}).then(put);
      return make("figure", { "data-name": name }, shown, make("figcaption", {}, called(name)));
    }));
  }

  async function switched(name, input) {
    if (input.checked) overlays.add(name);
    else overlays.delete(name);
    settings.set("overlays", [...overlays].join(" "));
    if (name === "boxes" && input.checked) await duckpress.need("boxes").catch(() => {});
    draw();
    dialog.querySelector(`[data-line="${name}"]`)?.focus();
  }

  function draw() {
    const one = find(current);
    if (!one) return;
    const { deck, card } = one, list = cards(), at = list.findIndex(other => other.card.anchor === current);
    const canBeside = duckpress.known.game.beside.length > 0;
    const had = document.activeElement?.dataset?.key, [back, on] = duckpress.isMirrored() ? "→←" : "←→";
    const button = (key, words, sign, act) => make("button", { type: "button", "data-key": key, "aria-label": words, title: words, on: { click: act } }, sign);
    dialog.classList.toggle("wrong", filters.findingsOf(deck, card).length > 0);
    dialog.replaceChildren(
      make("div", { class: "single-head" },
        button("before", say("before"), back, () => step(-1)), make("span", { class: "number" }, `${at + 1} / ${list.length}`),
        button("next", say("next"), on, () => step(1)),
        make("h2", { id: "single-name" }, card.name, card.copies === 1 ? "" : make("small", {}, ` ×${card.copies}`)),
        button("close", say("close"), "✕", () => duckpress.go(view))),
      make("div", { class: "single-body" },
        make("div", { class: "stage" }, side(deck, card, "front"), card.back ? side(deck, card, "back") : null, canBeside && beside ? others(deck, card) : null),
        make("aside", {},
          make("p", { class: "where" }, `${deck.deck}/${card.id} `, card.code ? make("code", {}, card.code) : "", placeButton(card.at)),
          duckpress.findingList(filters.findingsOf(deck, card).map(({ of, at, group }) => ({ ...group, what: of, at }))), facts(deck, card),
          make("fieldset", { class: "toggles" }, make("legend", {}, say("lines")), NAMES.filter(name => name !== "boxes" || duckpress.known.game.data.includes("boxes"))
            .filter(name => name !== "bleed" || deck.bleed)
            .map(name => make("label", { class: `toggle of-${name}` }, make("input", { type: "checkbox", checked: overlays.has(name), "data-line": name, on: {
              change: event => switched(name, event.target),
            } }), say(name)))),
          canBeside ? make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: beside, "data-key": "beside", on: {
            change: event => {
              beside = event.target.checked;
              settings.set("beside", beside ? "yes" : "");
              draw();
            },
          } }), say("beside")) : null)));
    if (had) dialog.querySelector(`[data-key="${had}"]`)?.focus();
  }

  document.addEventListener("duckpress-shown", () => beside && dialog?.open && draw()); // a translation alone may have changed

  function step(by) {
    const list = cards(), at = list.findIndex(({ card }) => card.anchor === current), next = list[at + by];
    if (next) duckpress.go(view, next.card.anchor, { replace: true });
  }

  // Over a view, to which closing leads back; gives the card that was left where there is none to be shown.
  function show(anchor, over) {
    if (!find(anchor)) return close();
    current = anchor;
    view = over;
    if (!dialog) {
      dialog = make("dialog", { id: "single", "aria-labelledby": "single-name" });
      document.body.append(dialog);
      dialog.addEventListener("cancel", event => {
        event.preventDefault();
        duckpress.go(view);
      });
      dialog.addEventListener("keydown", event => {
        if (event.target.matches("input, select")) return;
        const by = duckpress.stepOf(event);
        if (by) step(by);
      });
      dialog.addEventListener("click", event => event.target === dialog && duckpress.go(view));
      if (overlays.has("boxes")) duckpress.need("boxes").then(draw, () => {});
    }
    draw();
    if (!dialog.open) {
      dialog.showModal();
      dialog.querySelector("[data-key=next]").focus();
    }
  }

  function close() {
    const left = current;
    if (dialog?.open) dialog.close();
    current = "";
    return left;
  }

  return { show, close, update: () => dialog?.open && draw() };
})();
