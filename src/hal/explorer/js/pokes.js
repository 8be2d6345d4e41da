// Pictures to poke, on a page and in a notebook: of each kind what makes it, by the `kind` of its spec.

import { makeRegression } from "./regression.js";
import { makeSample } from "./sample.js";
import { makeSphere } from "./sphere.js";
import { html } from "./tools.js";

const KINDS = { sample: makeSample, sphere: makeSphere, regression: makeRegression };

// Wake what is on the page and what is still to be parsed; their programs travel in the page, and what draws some of them,
// which is made from these `tools`.
export function wakePokes(tools) {
  function wakePoke(root) {
    if (root.pokeState) return;
    const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
    const make = KINDS[spec.kind] ?? globalThis.libPortable[spec.parts[spec.kind]](tools);
    make(root, spec, globalThis.libPokePrograms[spec.name]);
  }
  (globalThis.libPokes ?? []).forEach(wakePoke);
  globalThis.libPokes = { push: wakePoke };
}

// In a notebook: one in a widget's element.
export function renderPoke({ model, el }, program, own = {}) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer lib-poke", "data-poke": spec.name });
  el.append(root);
  (KINDS[spec.kind] ?? own[spec.kind])(root, spec, program);
}
