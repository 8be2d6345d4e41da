// What of a figure is in sight, and what waits folded: settings under "More settings", panels under "More curves". On a
// phone panels are folded until the figure is short.

import { html, setText, written } from "./tools.js";

const PHONE = "(max-width: 599px)";
const TALLEST = 1180; // pixels of a figure on a phone: 1.4 screens of 844, and a little less

function makeFold(kind, words, content) {
  const count = html("span", { class: "le-fold-count" });
  const summary = html("summary", { "data-lm-suppress-shortcuts": "true" }, written(html("span", {}), words), count);
  const root = html("details", { class: `le-fold ${kind}` }, summary, content);
  return { root, count, words: summary.firstChild };
}

/* `list` and `grid` get what is in sight. `side`, which holds the list, is null where something else has the sliders. */
export function makeFolds(spec, { controls, panels, list, grid, side, acts, ui }) {
  const all = spec.controls.map(({ name, more, label }, i) => ({ name, more, label, root: controls[i] })).filter(({ root }) => root);
  const behind = html("div", { class: "le-controls" });
  const settings = makeFold("le-more-settings", "More settings", behind);
  const below = html("div", { class: "le-panels", style: grid.getAttribute("style"), "data-columns": spec.columns });
  const curves = makeFold("le-more-curves", "More curves", below);
  const small = matchMedia(PHONE);
  let seen = panels.length - (spec.collapsed ?? 0); // panels in sight
  let fitted = false; // whether the panels of a phone are chosen

  function placePanels() {
    panels.forEach(({ frame }, i) => (i < seen ? grid : below).append(frame.root));
    const titles = panels.slice(seen).map((_, i) => spec.panels[seen + i].title);
    written(curves.words, `More curves: ${titles.join(", ")}`);
    if (titles.length) grid.after(curves.root);
    else curves.root.remove();
  }

  // Wide, and as a phone has it.
  function arrange() {
    seen = panels.length - (spec.collapsed ?? 0);
    fitted = false;
    placePanels();
    if (!side) return;
    ui.classList.toggle("le-phone", small.matches);
    list.replaceChildren(...all.filter(({ more }) => !more).map(({ root }) => root));
    behind.replaceChildren(...all.filter(({ more }) => more).map(({ root }) => root));
    side.append(list, ...(behind.childElementCount ? [settings.root] : []), acts);
  }

  // Once it is drawn it is known how long a figure is on a phone.
  function fit() {
    if (fitted || !small.matches || !side || !ui.offsetWidth) return;
    fitted = !ui.classList.contains("le-secret"); // until the reader plays, runs that come make its sentence longer
    while (seen > 1 && !curves.root.open && ui.offsetHeight > TALLEST) {
      seen -= 1;
      placePanels();
    }
  }

  small.addEventListener("change", arrange);
  return {
    arrange,
    fit,
    dispose: () => small.removeEventListener("change", arrange),
    // How many of the folded settings are off their default.
    tell(off) {
      const many = all.filter(({ name, more }) => more && off.includes(name)).length;
      setText(settings.count, many ? `${many} moved` : "");
      settings.root.classList.toggle("le-moved", many > 0);
    },
    // Brings into sight what something else than the reader's own hand set, or points at: a setting by its name, a panel
    // by its number.
    reveal(what, focus = false) {
      if (typeof what === "number") curves.root.open ||= what >= seen;
      else if (all.some(({ name, more }) => more && name === what)) settings.root.open = true;
      if (focus) settings.words.parentNode.focus();
    },
  };
}
