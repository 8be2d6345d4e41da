// A sample to poke in a notebook: the browser draws the samples there too.

function render({ model, el }) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer lib-poke le-live", "data-poke": spec.name });
  el.append(root);
  pokeKinds[spec.kind](root, spec, PROGRAM);
}

export default { render };
