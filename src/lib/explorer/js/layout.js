// Where the parts of a figure stand. Their order and size on a wide, a middle and a narrow page are the style sheet's.

/* Rows of panels, as CSS: a row has the share of the room that its tallest panel asks for. `columns` panels a row, a wide
   one takes a row of its own. */
function rowShares(panels, columns) {
  const TITLE = 60; // pixels of a panel around its plot
  const rows = [];
  let free = 0;
  for (const { wide, height } of panels) {
    if (!free || wide) {
      rows.push(0);
      free = wide ? 0 : columns;
    }
    free = Math.max(0, free - 1);
    rows.push(Math.max(rows.pop(), height + TITLE));
  }
  return rows.map((share) => `minmax(0, ${share}fr)`).join(" ");
}

// A figure on one screen gives its panels what room the screen has; each needs a height to share it by.
const oneScreen = (spec) => Boolean(spec.computes) && spec.panels.length <= 4;
const SHARE = 240;

function makeLayout(spec, { controls, panels, time, tools, tour, spoken, narrow }) {
  const columns = spec.columns ?? Math.min(2, panels.length);
  const style = oneScreen(spec) ? `--columns:${columns};--rows:${rowShares(spec.panels.map((p) => ({ wide: p.wide, height: p.height ?? SHARE })), columns)}` : spec.columns ? `--columns:${spec.columns}` : null;
  const grid = html("div", { class: "le-panels", style, "data-columns": spec.columns }, ...panels.map((p) => p.frame.root));
  const title = written(html("div", { class: "le-title" }), spec.title);
  const top = html("div", { class: "le-top" }, title, tour);
  const side = narrow ? null : html("div", { class: "le-side" }, html("div", { class: "le-controls" }, ...controls), tools.acts);
  const foot = html("div", { class: "le-foot" }, time, narrow ? tools.acts : null, tools.takes);
  const body = html("div", { class: `le-body${side ? " le-sided" : ""}${oneScreen(spec) ? " le-screen" : ""}` }, top, spoken, side, grid, foot, tools.code, tools.tables.root);
  if (side && time) time.append(makeDock(body, side));
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, body);
  if (spec.caption) ui.append(written(html("p", { class: "le-caption" }), spec.caption));
  return { ui, grid, top };
}
