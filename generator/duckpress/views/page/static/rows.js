// Rows of which only those near the view are in the document: tens of thousands of them scroll like a few.
// Each row is { key, height, fill(element) }; `set` shows other rows and keeps those of the same key where they stand.
"use strict";

duckpress.rows = (root, { scroller = window, role = "list", margin = 700 } = {}) => {
  const shown = new Map();
  let rows = [], tops = [0], waiting = false;
  root.classList.add("rows");
  root.setAttribute("role", role);

  function first(y) { // the first row that ends below y
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tops[middle + 1] > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function paint() {
    waiting = false;
    if (!root.isConnected || root.offsetParent === null && scroller !== window) return;
    const isWindow = scroller === window, box = root.getBoundingClientRect();
    const top = (isWindow ? 0 : scroller.getBoundingClientRect().top) - box.top;
    const height = isWindow ? innerHeight : scroller.clientHeight;
    const near = new Set();
    for (let at = first(top - margin); at < rows.length && tops[at] < top + height + margin; at++) near.add(at);
    const focused = document.activeElement;
    for (const [key, one] of shown)
      if (!near.has(one.at) && !one.element.contains(focused)) {
        one.element.remove();
        shown.delete(key);
      }
    for (const at of near) if (!shown.has(rows[at].key)) put(at);
  }

  function put(at) {
    const element = duckpress.make("div", { class: "row" });
    element.style.transform = `translateY(${tops[at]}px)`;
    element.style.height = `${rows[at].height}px`;
    rows[at].fill(element);
    shown.set(rows[at].key, { at, element });
    // In the order of reading, whatever was scrolled first.
    const after = [...shown.values()].filter(one => one.at > at).sort((one, other) => one.at - other.at)[0];
    root.insertBefore(element, after?.element ?? null);
  }

  const later = () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(paint);
    }
  };
  scroller.addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);

  return {
    set(next) {
      rows = next;
      tops = [0];
      for (const row of rows) tops.push(tops.at(-1) + row.height);
      root.style.height = `${tops.at(-1)}px`;
      const places = new Map(rows.map((row, at) => [row.key, at]));
      for (const [key, one] of shown) {
        const at = places.get(key);
        if (at === undefined) {
          one.element.remove();
          shown.delete(key);
          continue;
        }
        one.at = at;
        one.element.style.transform = `translateY(${tops[at]}px)`;
        one.element.style.height = `${rows[at].height}px`;
        rows[at].fill(one.element);
      }
      paint();
    },
    // Bring a row into the view, and return its element.
    reveal(key) {
      const at = rows.findIndex(row => row.key === key);
      if (at < 0) return null;
      const isWindow = scroller === window, head = isWindow ? duckpress.headHeight() : parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0;
      const y = (isWindow ? scrollY : scroller.scrollTop) - (isWindow ? 0 : scroller.getBoundingClientRect().top) + root.getBoundingClientRect().top;
      const from = isWindow ? scrollY : scroller.scrollTop, high = isWindow ? innerHeight : scroller.clientHeight;
      if (y + tops[at] - head < from) scroller.scrollTo({ top: y + tops[at] - head - 8 });
      else if (y + tops[at + 1] > from + high) scroller.scrollTo({ top: y + tops[at + 1] - high + 8 });
      paint();
      return shown.get(key)?.element ?? null;
    },
    paint: later,
  };
};
duckpress.headHeight = () => [...document.querySelectorAll("body > header, .view:not([hidden]) > .bar")]
  .reduce((sum, one) => sum + (getComputedStyle(one).position === "sticky" ? one.offsetHeight : 0), 0);
