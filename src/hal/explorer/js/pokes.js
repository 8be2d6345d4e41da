// Pictures to poke, on a page and in a notebook: of each kind what makes it, by the `kind` of its spec.

import { makeGroups } from "./groups.js";
import { makeRegression } from "./regression.js";
import { makeSample } from "./sample.js";
import { makeSphere } from "./sphere.js";
import { html } from "./tools.js";

const KINDS = { sample: makeSample, sphere: makeSphere, groups: makeGroups, regression: makeRegression };

function wakePoke(root) {
  if (root.pokeState) return;
  const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
  KINDS[spec.kind](root, spec, globalThis.libPokePrograms[spec.name]);
}

// Wake what is on the page and what is still to be parsed; their programs travel in the page.
export function wakePokes() {
  (globalThis.libPokes ?? []).forEach(wakePoke);
  globalThis.libPokes = { push: wakePoke };
}

// In a notebook: one in a widget's element.
export function renderPoke({ model, el }, program) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer lib-poke", "data-poke": spec.name });
  el.append(root);
  KINDS[spec.kind](root, spec, program);
}
