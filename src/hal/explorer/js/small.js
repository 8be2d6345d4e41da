// The furniture of a small figure: title and hint, the picture, a pair or three, at most two controls in one line, a sentence;
// link, Python, table and file behind one button.

import { html, put, written } from "./tools.js";

function makeMenu(takes) {
  const button = html("button", { type: "button", class: "le-more", "aria-label": "Link, Python, table", "aria-expanded": "false", "data-tool": "more" }, "⋯");
  const root = html("div", { class: "le-menu" }, button, takes);
  const open = (wanted) => {
    takes.hidden = !wanted;
    put(button, "aria-expanded", wanted);
  };
  open(false);
  button.addEventListener("click", () => open(takes.hidden));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || takes.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  // It closes when the focus goes elsewhere, by a press or by the Tab key.
  root.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !root.contains(relatedTarget) && open(false));
  return root;
}

function smallLayout(spec, { controls, panels, time, tools, spoken }) {
  const hint = written(html("p", { class: "le-hint" }), spec.small.hint);
  tools.takes.append(tools.acts.querySelector("[data-tool=reset]"));
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), hint, makeMenu(tools.takes));
  const acts = tools.acts.childElementCount ? tools.acts : null;
  const row = controls.some(Boolean) || acts ? html("div", { class: "le-row" }, ...controls.filter(Boolean), acts) : null;
  const drawn = panels.map((p) => p.frame.root);
  const picture = drawn.length > 1 ? html("div", { class: drawn.length > 2 ? "le-pair le-three" : "le-pair" }, ...drawn) : drawn[0];
  const parts = [top, picture, spec.small.timed ? time : null, row, spoken, tools.code, tools.tables.root];
  const body = html("div", { class: "le-body" }, ...parts.filter(Boolean));
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, body);
  // What to do need not be said to one who does it. Its room stays, so that nothing moves.
  const touched = (event) => !event.target.closest(".le-menu") && hint.classList.add("le-done");
  for (const name of ["pointerdown", "keydown", "input"]) ui.addEventListener(name, (event) => event.key !== "Tab" && touched(event), true);
  return { ui, top };
}

// The furniture.
export function makeSmall() {
  return { layout: smallLayout };
}
