// The data-table view: what the panels draw, as tables.

function thinned(count, most) {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}

function makeTables(panels) {
  const root = html("div", { class: "le-tables", hidden: true });
  let waiting = 0;
  function fill() {
    root.replaceChildren();
    for (const panel of panels) {
      const { caption, head, body } = panel.table();
      const table = html("table", {}, written(html("caption", {}), caption));
      table.append(html("thead", {}, html("tr", {}, ...head.map((text) => written(html("th", { scope: "col" }), text)))));
      const rows = body.map(([first, ...rest]) => html("tr", {}, html("th", { scope: "row" }, first), ...rest.map((text) => html("td", {}, text))));
      table.append(html("tbody", {}, ...rows));
      // A wide table scrolls by itself, from the keyboard too.
      root.append(html("div", { class: "le-scroll", tabindex: 0, role: "region", "aria-label": caption }, table));
    }
  }
  return {
    root,
    // Filled when seen, and not at every frame while something moves.
    refresh() {
      if (root.hidden) return;
      clearTimeout(waiting);
      waiting = setTimeout(fill, 60);
    },
    toggle() {
      root.hidden = !root.hidden;
      if (!root.hidden) fill();
      return !root.hidden;
    },
  };
}
