// The furniture of a small figure: title and hint, the picture, a pair or three, at most two controls in one line, a sentence;
// link, Python, table and file behind one button.

import { html, written } from "./tools.js";

function smallLayout(spec, { controls, panels, time, tools, spoken }) {
  const hint = written(html("p", { class: "le-hint" }), spec.small.hint);
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), hint, tools.states, tools.menu);
  const acts = tools.acts.childElementCount ? tools.acts : null;
  const row = controls.some(Boolean) || acts ? html("div", { class: "le-row" }, ...controls.filter(Boolean), acts) : null;
  const drawn = panels.map((p) => p.frame.root);
  const beside = spec.panels.some((one) => !one.wide); // strips of the whole width stand under each other
  const picture = drawn.length > 1 ? html("div", { class: !beside ? "le-strips" : drawn.length > 2 ? "le-pair le-three" : `le-pair${evenPair(spec.panels) ? " le-even" : ""}` }, ...drawn) : drawn[0];
  const parts = [top, picture, spec.time.shown ? time : null, row, spoken, tools.code, tools.tables.root];
  const body = html("div", { class: "le-body" }, ...parts.filter(Boolean));
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, body);
  return { ui, top };
}

// The furniture.
// Two of equal weight: arcs beside anything, or two charts or two texts of one kind.
const evenPair = ([one, two]) => two.kind === "arcs" || (one.kind === two.kind && ["lines", "ink", "columns"].includes(two.kind));

export function makeSmall() {
  return { layout: smallLayout };
}
