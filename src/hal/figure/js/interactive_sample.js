// Interactive samples, on a page and in a notebook. What draws one travels with it, by the `kind` of its spec.

import { html } from "./tools.js";

// Wake what is on the page and what is still to be parsed; what draws them is made from these `tools`.
export function wakeSamples(tools) {
  function wakeSample(root) {
    if (root.sampleState) return;
    const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
    globalThis.libPortable[spec.parts[spec.kind]](tools)(root, spec, globalThis.libSamplePrograms[spec.name]);
  }
  (globalThis.libSamples ?? []).forEach(wakeSample);
  globalThis.libSamples = { push: wakeSample };
}

// In a notebook: one in a widget's element.
export function renderSample({ model, el }, program, own) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer lib-sample", "data-sample": spec.name });
  el.append(root);
  own[spec.kind](root, spec, program);
}
