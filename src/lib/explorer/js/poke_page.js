// Samples to poke on a static page: their programs travel in the page.

function wakePoke(root) {
  if (root.pokeState) return;
  const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
  pokeKinds[spec.kind](root, spec, globalThis.libPokePrograms[spec.name]);
}

(globalThis.libPokes ?? []).forEach(wakePoke);
globalThis.libPokes = { push: wakePoke };
