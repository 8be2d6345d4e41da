// Which run is shown: its number, the way to the next one, and back to none in particular.

import { html, put, setText, toolButton } from "./tools.js";

export function makeChooser(spec, view) {
  const wanted = spec.computes.runs;
  if (wanted < 2) return null;
  let now = null; // what is drawn
  // From where none is chosen the first step leads to a neighbour of the run that is shown.
  const go = (by) => now?.runs && view.choose((now.shown + by + now.runs) % now.runs);
  const text = html("span", { role: "status" });
  const back = toolButton("✕", () => view.choose(null), { "aria-label": "No run in particular", "data-run": "none" });
  const root = html("div", { class: "le-chooser", role: "group", "aria-label": "Run" }, toolButton("‹", () => go(-1), { "aria-label": "Previous run", "data-run": "previous" }), text, toolButton("›", () => go(1), { "aria-label": "Next run", "data-run": "next" }), back);
  return {
    root,
    // `one`: whether some panel shows one run alone.
    show(drawn, one) {
      now = drawn;
      const chosen = drawn.chosen !== undefined;
      setText(text, chosen || one ? `run ${drawn.shown + 1} of ${wanted}` : `all ${wanted} runs`);
      // It keeps its room, and the focus the button that had it.
      put(back, "aria-disabled", !chosen);
    },
  };
}
