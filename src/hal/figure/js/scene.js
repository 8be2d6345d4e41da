// What scenes have in common: a drawing without axes at the width it has, the frame at the cursor, handles, a table.

import { lastAt, NONE } from "./curves.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { clamp, html, isDark, put, svg, written } from "./tools.js";

const NARROWEST = 160; // pixels; a page that is being laid out may ask for less

/* `paint(scene)` gives the markup of one frame to `scene.write`; `table(scene)` gives {caption, head, body};
   `hover(scene, x, y)` gives [title, rows] of what is there, or null. */
export function makeScene(spec, view, { paint, table, hover, theme }) {
  const ink = svg("g");
  const catcher = svg("rect", { class: "le-catcher" });
  const chart = svg("svg", { class: "le-chart", role: "img", "aria-label": spec.alt }, ink, catcher);
  const plot = html("div", { class: "le-plot le-scene" }, chart);
  const title = spec.title && (!view.spec.small || spec.kind === "ink") ? html("div", { class: "le-panel-title" }, written(html("span", {}), spec.title)) : null;
  const root = html("section", { class: `le-panel${spec.wide ? " le-wide" : ""}` }, ...[title, plot].filter(Boolean));
  plot.style.setProperty("--high", `${spec.height}px`);
  plot.style.flex = "none";
  const frame = { root, plot, chart, catcher, width: 0, height: spec.height, left: 0, top: 0, w: 0, h: spec.height };
  let arrays = null;
  let key = "";
  const layers = []; // [group, its markup]
  const scene = { frame, ink, spec, view };

  // The picture, one layer over the other. A browser reads a layer anew only where it has changed: most moves of a slider
  // leave most of them.
  scene.write = (...texts) => {
    while (layers.length < texts.length) layers.push([ink.appendChild(svg("g")), ""]);
    layers.forEach((layer, i) => {
      const text = texts[i] ?? "";
      if (layer[1] !== text) layer[0].innerHTML = text;
      layer[1] = text;
    });
  };

  scene.all = (role) => arrays[`${key}.${role}`]?.data ?? null;
  // The part of an array at the cursor, so many numbers; all of it where it stands still.
  scene.now = (role, size) => {
    const values = scene.all(role) ?? NONE;
    const count = Math.floor(values.length / size);
    if (!spec.frames || count < 2) return values.subarray(0, size);
    const at = clamp(lastAt(arrays.time.data, view.now()), 0, count - 1);
    return values.subarray(at * size, (at + 1) * size);
  };
  scene.atEnd = () => !spec.frames || view.now() >= arrays.time.data.at(-1);
  scene.one = (role) => scene.now(role, 1)[0];
  scene.sizes = (role) => scene.all(role)?.[0] ?? spec[role];
  scene.dark = () => isDark(root);
  const tip = hover ? makeTooltip(frame) : null;
  if (hover) {
    pointer(frame, {
      hover(x, y) {
        const found = arrays && frame.width && hover(scene, x, y);
        if (found) tip.show(x, y, ...found);
        else tip.hide();
      },
      out: tip.hide,
      drag: null,
    });
  }
  // A handle of one setting or two; a quiet one is seen by what it moves. `ends(name)` are those of its slider.
  scene.handle = (label, act, quiet = false) => {
    const made = makeHandle(frame, label, { ...act, done: () => view.settle() });
    plot.lastElementChild.classList.toggle("le-quiet", quiet);
    return made;
  };
  // What a click anywhere in the picture does, at its place.
  scene.clicked = (act) => {
    catcher.style.cursor = "pointer";
    catcher.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      act(event.clientX - box.left, event.clientY - box.top);
      view.settle();
    });
  };
  scene.ends = (name) => view.spec.controls.find((c) => c.name === name);
  scene.set = (name, value) => {
    const { low, high, integer } = scene.ends(name);
    return { [name]: clamp(integer ? Math.round(value) : Number(value.toPrecision(3)), low, high) };
  };

  function repaint() {
    if (!arrays || frame.width < NARROWEST) return;
    Object.assign(frame, { w: frame.width, h: frame.height });
    for (const [name, value] of [["viewBox", `0 0 ${frame.width} ${frame.height}`], ["width", frame.width], ["height", frame.height]]) put(chart, name, value);
    for (const side of ["width", "height"]) put(catcher, side, frame[side]);
    paint(scene);
  }

  return {
    frame,
    draw(given, number) {
      [arrays, key] = [given, String(number)];
      repaint();
    },
    paint: repaint,
    cursor: () => spec.frames && repaint(),
    table: () => table(scene),
    theme() {
      theme?.();
      repaint();
    },
  };
}
