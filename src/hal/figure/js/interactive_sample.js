// Pictures to poke, on a page and in a notebook. What draws one travels with it, by the `kind` of its spec.

import { html } from "./tools.js";

// Wake what is on the page and what is still to be parsed; what draws them is made from these `tools`.
export function wakePokes(tools) {
  function wakePoke(root) {
    if (root.pokeState) return;
    const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
    globalThis.libPortable[spec.parts[spec.kind]](tools)(root, spec, globalThis.libPokePrograms[spec.name]);
  }
  (globalThis.libPokes ?? []).forEach(wakePoke);
  globalThis.libPokes = { push: wakePoke };
}

// In a notebook: one in a widget's element.
export function renderPoke({ model, el }, program, own) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer lib-poke", "data-poke": spec.name });
  el.append(root);
  own[spec.kind](root, spec, program);
}
