// Sheets: what comes out of the printer, side by side; from a server for any paper, way of backs, ink and printer that was
// measured, and printed from here.
"use strict";

(() => {
  const { make, say, refill } = duckpress;
  const SVG = "http://www.w3.org/2000/svg", CHOICES = ["paper", "backs", "ink", "printer"];
  let root = null, controls = null, report = null, shown = null, wanted = {}, piece = "", isPrinting = false, isAsked = false, asked = 0;

  function drawn(tag, attributes, words = "") {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = words;
    return element;
  }

  function side({ width, height, reach }, { faces, lines, dark, words }, label) {
    const share = (length, of) => `${100 * length / of}%`;
    const marks = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    marks.append(drawn("path", { d: lines, class: "marks" }), drawn("path", { d: dark, class: "dark" }), ...words.map(([x, y, size, long, turn, text]) => drawn("text", {
      x, y, "font-size": size, textLength: long, lengthAdjust: "spacingAndGlyphs", transform: `rotate(${turn} ${x} ${y})`,
    }, text)));
    if (reach) marks.append(drawn("rect", { x: reach[0], y: reach[1], width: reach[2], height: reach[3], class: "reach" }));
    return make("figure", { class: "paper-side" }, make("div", { class: "paper", style: { "--ratio": `${width}/${height}` } },
      faces.map(([picture, x, y, wide, high, turn, bleed, left, top, right, bottom]) => {
        // What is shown of the bleed is told in the directions of the page: here they turn with the face.
        const shownOf = [top, right, bottom, left], quarter = turn / 90, [a, b, c, d] = [0, 1, 2, 3].map(at => bleed - shownOf[(at + quarter) % 4]);
        const wider = wide + 2 * bleed, higher = high + 2 * bleed;
        return make("img", { src: picture, alt: "", loading: "lazy", style: {
          left: share(x - bleed, width), top: share(y - bleed, height), width: share(wider, width), height: share(higher, height),
          transform: turn ? `rotate(${turn}deg)` : "none",
          "clip-path": `inset(${share(a, higher)} ${share(b, wider)} ${share(c, higher)} ${share(d, wider)})`,
        } });
      }), marks), make("figcaption", {}, label));
  }

  // Sheets of what is wanted, where they are not those that are shown; the newest choice counts, whatever comes first.
  async function choose() {
    const number = ++asked;
    if (CHOICES.some(name => wanted[name] !== shown[name])) {
      root.setAttribute("aria-busy", "true");
      const data = await duckpress.live.ask("sheets", wanted).catch(() => null);
      if (number !== asked) return;
      if (data) shown = data;
      else wanted = Object.fromEntries(CHOICES.map(name => [name, shown[name]]));
    }
    root.removeAttribute("aria-busy");
    lay();
  }

  // Build what is shown: the piece alone, or with all others.
  async function print(isAll) {
    if (isPrinting) return;
    const { print: { lang, piece: pieces }, id } = duckpress.known.game, { paper, backs, ink, printer } = wanted;
    isPrinting = true;
    tell(say("printing"));
    try {
      const told = await duckpress.live.print({
        paper: [paper], backs, ink, ...printer && { printer }, ...lang && { lang }, ...!isAll ? { piece: [piece] } : pieces.length && { piece: pieces },
      });
      const [{ files = [], folder = id } = {}] = told.games;
      if (files.length) tell(say("printed", { what: folder }), files.map(name => make("a", { href: `printed/${name}`, target: "_blank", rel: "noopener", "data-key": name }, name)));
      else tell(say("unprinted"), told.said ? [make("span", { lang: "en" }, told.said)] : [make("a", { href: duckpress.address("findings"), "data-key": "findings" }, say("findings"))]);
    } catch (error) {
      tell(error.message);
    }
    isPrinting = false;
  }
  function start() {
    if (isAsked) print(true);
    isAsked = false;
  }
  const tell = (words, more = []) => refill(report, [make("span", {}, words), more]);

  function lay() {
    const { files } = shown, game = duckpress.known.game, isLive = Boolean(duckpress.live?.ask);
    if (!files.some(file => file.piece === piece)) piece = files[0]?.piece ?? "";
    const select = (name, label, options, value, act) => make("label", {}, make("span", {}, label), make("select", { name, "data-key": name, on: { change: event => act(event.target.value) } },
      options.map(([id, words]) => make("option", { value: id, selected: id === value }, words))));
    const choice = (name, label, options) => isLive ? select(name, label, options, wanted[name], value => {
      wanted = { ...wanted, [name]: value };
      choose();
    }) : make("span", {}, label, make("output", {}, (options.find(([id]) => id === shown[name]) ?? [])[1]));
    refill(controls, [
      select("piece", say("sheets"), files.map(({ piece: id, title, sheets }) => [id, `${title} (${sheets.length})`]), piece, value => {
        piece = value;
        lay();
      }),
      choice("paper", say("paper"), game.papers),
      choice("backs", say("sides"), game.backs.map(name => [name, say(name)])),
      choice("ink", say("ink"), game.inks.map(name => [name, say(name)])),
      game.printers.length ? choice("printer", say("printer"), [["", say("any")], ...game.printers.map(name => [name, name])]) : null,
      duckpress.live?.print ? make("button", { type: "button", "data-key": "print", on: { click: () => print(false) } }, say("print")) : null,
    ]);
    const file = files.find(one => one.piece === piece);
    refill(root, [shown.errors.length ? make("details", { class: "rest", open: !file },
      make("summary", { "data-key": "errors" }, say("findings"), make("small", { class: "mark" }, String(shown.errors.length))), duckpress.findingList(shown.errors)) : null, file?.sheets.some(({ reach }) => reach) ? make("p", { class: "about" }, say("reach")) : null,
      file?.sheets.map((sheet, at) => make("section", { class: "pair-of-sides", style: { "--ratio": sheet.width / sheet.height }, "aria-label": `${at + 1} / ${file.sheets.length}` },
        sheet.sides.map((one, which) => side(sheet, one, `${at + 1} / ${file.sheets.length} · ${say(which ? "back" : "front")}`)))),
      file ? null : make("p", { class: "empty" }, say("nothing"))]);
  }

  duckpress.view("sheets", {
    needs: ["cards", "sheets"],
    start(section) {
      shown = duckpress.known.sheets;
      wanted = Object.fromEntries(CHOICES.map(name => [name, shown[name]]));
      controls = make("div", { class: "line controls" });
      report = make("p", { class: "line report", role: "status" });
      root = make("div", { class: "page-body sheets" });
      section.append(make("div", { class: "bar" }, controls, report), root);
      lay();
    },
    show: start,
    update(name) {
      if (name !== "sheets") return;
      shown = duckpress.known.sheets;
      choose();
    },
  });

  // All pieces, from any view: where the files are is told here.
  duckpress.print = () => {
    isAsked = true;
    if (root && !root.closest(".view").hidden) start();
    else duckpress.go("sheets");
  };
})();
