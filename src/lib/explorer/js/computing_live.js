// A computing figure in a notebook: ipywidgets sliders set the settings, the browser computes and draws.

function render({ model, el }) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer le-live le-computes", "data-explorer": spec.name });
  el.append(root);
  const host = { hidden: true };
  const computing = makeComputing(root, spec, PROGRAM, host);
  host.touched = (settings) => {
    if (sameSettings(settings, model.get("settings"))) return;
    model.set("settings", { ...settings });
    model.save_changes();
  };
  host.reseed = (seed) => {
    model.set("seed", seed);
    model.save_changes();
    moved();
  };
  const view = createView(root, spec, host);
  computing.attach(view);
  function moved() {
    computing.setSeed(model.get("seed"));
    view.set(model.get("settings"), false);
    host.request(view.settings);
  }
  model.on("change:settings", moved);
  model.on("change:seed", moved);
  moved();
  return () => {
    model.off("change:settings", moved);
    model.off("change:seed", moved);
    computing.dispose();
    view.dispose();
  };
}

export default { render };
