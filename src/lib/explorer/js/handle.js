// Settings that are moved in a panel: a handle over its plot, for mouse, touch and arrow keys.

/* `move(x, y)` gets the place in the plot while it is dragged, clamped to the plot; `step(right, up, large)` -1, 0 or 1
   at an arrow key, `large` with Shift; `done()` when it is let go. */
function makeHandle(frame, label, { vertical = false, move, step, done }) {
  const node = html("div", { class: "le-handle", role: "slider", tabindex: 0, "aria-label": label, "aria-orientation": vertical ? "vertical" : null, "data-lm-suppress-shortcuts": "true" });
  frame.plot.append(node);
  const at = (event) => {
    const box = frame.chart.getBoundingClientRect();
    return [clamp(event.clientX - box.left, frame.left, frame.left + frame.w), clamp(event.clientY - box.top, frame.top, frame.top + frame.h)];
  };
  let pressed = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = true;
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => pressed && move(...at(event)));
  for (const name of ["pointerup", "pointercancel"]) {
    node.addEventListener(name, () => {
      if (pressed) done();
      pressed = false;
    });
  }
  const keys = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  node.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    step(...keys[event.key], event.shiftKey);
  });
  node.addEventListener("keyup", (event) => event.key in keys && done());
  return {
    place(px, py, { low, high, now, text }) {
      node.style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px)`;
      dress(node, { "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": now, "aria-valuetext": text }, []);
    },
    remove: () => node.remove(),
  };
}

// A setting without a track, in the place of a slider.
function makeHidden(spec) {
  return { root: null, set() {}, refuse() {}, initial: spec.stops[spec.default] };
}
