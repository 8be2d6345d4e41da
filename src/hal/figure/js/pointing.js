// What a pointer does over a plot: the read-out under it, the gesture that moves the time cursor, and handles that move
// settings, by arrow keys too.

import { makeLens } from "./lens.js";
import { clamp, html, put, written } from "./tools.js";

export function makeTooltip(frame) {
  const box = html("div", { class: "le-tip", hidden: true });
  frame.plot.append(box);
  return {
    // Rows are [colour or null, label, value].
    show(x, y, title, rows) {
      box.replaceChildren(written(html("div", { class: "le-tip-title" }), title));
      for (const [colour, label, value] of rows) {
        const chip = colour ? html("i", { style: `background:${colour}` }) : null;
        box.append(html("div", { class: "le-tip-row" }, chip, written(html("span", {}), label), html("b", {}, value)));
      }
      box.hidden = false;
      const right = x + 14 + box.offsetWidth > frame.width;
      box.style.left = `${Math.max(0, right ? x - 14 - box.offsetWidth : x + 14)}px`;
      box.style.top = `${clamp(y - box.offsetHeight / 2, 0, Math.max(0, frame.height - box.offsetHeight))}px`;
    },
    hide() {
      box.hidden = true;
    },
  };
}

/* hover(x, y) while the pointer is over the plot, out() when it leaves or presses, drag(x) while it is pressed. `pick(x, y)` gives what
   a click there would do, or nothing: where there is something a press that does not move is that click. */
export function pointer(frame, { hover, out, drag, pick }) {
  const { catcher } = frame;
  const place = (event) => {
    const box = frame.chart.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const SLIP = 4; // pixels that a click may move
  let pressed = false;
  let click = null;
  catcher.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const act = pick?.(...place(event));
    click = act ? { act, from: place(event) } : null;
    if (!act && !drag) return;
    catcher.setPointerCapture(event.pointerId);
    if (act) return;
    pressed = true;
    out();
    drag(...place(event));
  });
  catcher.addEventListener("pointermove", (event) => {
    const [px, py] = place(event);
    if (click && Math.hypot(px - click.from[0], py - click.from[1]) > SLIP) {
      click = null;
      pressed = Boolean(drag);
    }
    if (pressed) drag(px, py);
    else hover(px, py);
    if (pick) catcher.style.cursor = pressed || !pick(px, py) ? "" : "pointer";
  });
  catcher.addEventListener("pointerup", () => {
    click?.act();
    click = null;
  });
  catcher.addEventListener("pointercancel", () => (click = null));
  for (const name of ["pointerup", "pointercancel"]) {
    catcher.addEventListener(name, (event) => {
      pressed = false;
      if (event.pointerType !== "mouse") out();
    });
  }
  catcher.addEventListener("pointerleave", () => !pressed && out());
  if (drag) catcher.classList.add("le-draggable");
}

// A number as screen readers take it: with no exponent.
const decimal = (value) => (String(value).includes("e-") ? value.toFixed(20) : value);

/* `move(x, y)` gets the place in the plot while it is dragged, clamped to the plot; `step(right, up, large)` -1, 0 or 1
   at an arrow key, `large` with Shift; `done()` when it is let go. */
export function makeHandle(frame, label, { vertical = false, move, step, done }) {
  const node = html("div", { class: "le-handle", role: "slider", tabindex: 0, "aria-label": label, "aria-orientation": vertical ? "vertical" : null, "data-lm-suppress-shortcuts": "true" });
  frame.plot.append(node);
  const at = (event) => {
    const box = frame.chart.getBoundingClientRect();
    return [clamp(event.clientX - box.left, frame.left, frame.left + frame.w), clamp(event.clientY - box.top, frame.top, frame.top + frame.h)];
  };
  let pressed = false;
  let lens = null; // while a finger covers the handle
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = true;
    if (event.pointerType === "touch") lens = makeLens(frame);
    lens?.show(...at(event));
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (!pressed) return;
    move(...at(event));
    lens?.show(...at(event));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    node.addEventListener(name, () => {
      lens?.remove();
      lens = null;
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
      for (const [name, value] of [["min", low], ["max", high], ["now", now]]) put(node, `aria-value${name}`, decimal(value));
      put(node, "aria-valuetext", text);
    },
    remove: () => node.remove(),
  };
}
