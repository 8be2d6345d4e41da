// The live host: settings go to the kernel, what is drawn comes back. One request is in flight; the newest waits.

function render({ model, el }) {
  const spec = model.get("spec");
  const root = html("div", { class: "lib-explorer le-live", "data-explorer": spec.name });
  el.append(root);
  let flying = false;
  let waiting = null;
  let slow = 0;

  function drawn() {
    const { arrays, ...rest } = model.get("drawn");
    const decoded = {};
    for (const [key, { shape, data }] of Object.entries(arrays)) {
      // A message's bytes need not start at a multiple of four.
      decoded[key] = { shape, data: new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)) };
    }
    return { ...rest, arrays: decoded };
  }

  function send(settings) {
    if (sameSettings(settings, model.get("settings"))) return view.show(drawn());
    flying = true;
    clearTimeout(slow);
    slow = setTimeout(() => view.show({ ...drawn(), remark: "The kernel is still computing, or is gone." }), 8000);
    model.set("settings", { ...settings });
    model.save_changes();
  }

  const host = {
    live: true,
    request(settings) {
      if (flying) waiting = settings;
      else send(settings);
    },
  };
  const view = createView(root, spec, host);

  function arrived() {
    clearTimeout(slow);
    flying = false;
    view.show(drawn());
    const next = waiting;
    waiting = null;
    if (next) send(next);
  }
  // Moved from Python, by linked sliders or by another view of this widget.
  function elsewhere() {
    if (!flying && !waiting) view.set(model.get("settings"), false);
  }
  model.on("change:drawn", arrived);
  model.on("change:settings", elsewhere);
  view.set(model.get("settings"), false);
  view.show(drawn());
  return () => {
    clearTimeout(slow);
    model.off("change:drawn", arrived);
    model.off("change:settings", elsewhere);
    view.dispose();
  };
}

export default { render };
