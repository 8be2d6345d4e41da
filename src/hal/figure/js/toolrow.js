// The buttons: in sight stands what changes the model, or draws anew; all else behind "⋯": another seed, what is held, the
// way back, and what takes something away: a link, the Python that gives the numbers, the data table, the numbers as a file.

import { sameSettings } from "./controls.js";
import { html, put, setText, toolButton, written } from "./tools.js";

// A word in place of the button's own for a moment.
function answer(button, text) {
  const before = (button.dataset.text ??= button.textContent);
  button.textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => (button.textContent = before), 1600);
}

const toolName = (text) => text.toLowerCase().replaceAll(" ", "-");

function makeMenu(takes) {
  const button = html("button", { type: "button", class: "le-more", "aria-label": "More", "aria-expanded": "false", "data-tool": "more" }, "⋯");
  const root = html("div", { class: "le-menu" }, button, takes);
  const open = (wanted) => {
    takes.hidden = !wanted;
    put(button, "aria-expanded", wanted);
  };
  open(false);
  button.addEventListener("click", () => open(takes.hidden));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || takes.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  // It closes when the focus goes elsewhere, by a press or by the Tab key.
  root.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !root.contains(relatedTarget) && open(false));
  return root;
}

// {acts, states, menu, code, tables}: the buttons in sight, those of states, those behind one, and the boxes that two of them open.
export function makeTools(view, host, panels) {
  const code = html("pre", { class: "le-code", hidden: true, tabindex: 0, role: "region", "aria-label": `${view.spec.title}: Python` });
  const tables = makeTables(panels);
  const reset = () => {
    host.choose(null);
    host.reseed(0);
    view.set(view.defaults());
  };
  const writeCode = () => view.drawn && setText(code, host.code());
  const showCode = (button) => {
    Object.assign(code, { hidden: false, tabIndex: 0 }); // the book's theme takes the tab stop of what is hidden
    writeCode();
    copyText(code.textContent).then(() => answer(button, "Copied"));
  };
  const showTable = (button) => button.setAttribute("aria-expanded", tables.toggle());
  const saveTable = () => saveText(`${view.spec.name}.csv`, csvOf(view.spec, view.drawn.arrays));
  const [acts, takes] = ["le-acts", "le-tools"].map((name) => html("div", { class: name }));
  const inSight = ["Change the model", view.spec.small?.again];
  const states = view.spec.buttons.map(([text, settings]) => [settings, toolButton(text, () => view.begin(settings), { "data-tool": "state" })]);
  const behind = view.spec.controls.find(({ more }) => more);
  if (behind) takes.append(toolButton("More settings", () => view.reveal(behind.name, true), { "data-tool": "settings" }));
  for (const [text, action] of Object.entries(host.tools)) (inSight.includes(text) ? acts : takes).append(toolButton(text, action, { "data-tool": toolName(text) }));
  takes.append(toolButton("Reset", reset, { "data-tool": "reset" }));
  if (host.link) takes.append(toolButton("Copy link", (button) => copyText(host.link()).then(() => answer(button, "Copied")), { "data-tool": "link" }));
  if (host.embed) takes.append(toolButton("Copy embed code", (button) => copyText(host.embed()).then(() => answer(button, "Copied")), { "data-tool": "embed" }));
  takes.append(toolButton("Copy Python", showCode, { "data-tool": "python" }));
  takes.append(toolButton("Data table", showTable, { "data-tool": "table", "aria-expanded": "false" }));
  takes.append(toolButton("CSV", saveTable, { "data-tool": "csv" }));
  const drawn = () => {
    tables.refresh();
    for (const [settings, button] of states) put(button, "aria-pressed", sameSettings(settings, view.settings));
    if (!code.hidden) writeCode();
  };
  return { acts, states: states.length ? html("div", { class: "le-states" }, ...states.map(([, button]) => button)) : null, menu: makeMenu(takes), code, tables, drawn };
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard on this page (an insecure address, an old browser): the older way.
    const area = html("textarea", { class: "le-hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

// The data-table view: what the panels draw, as tables.
function makeTables(panels) {
  const root = html("div", { class: "le-tables", hidden: true });
  let waiting = 0;
  function fill() {
    root.replaceChildren();
    for (const panel of panels) {
      const { caption, head, body } = panel.table();
      const table = html("table", {}, written(html("caption", {}), caption));
      table.append(html("thead", {}, html("tr", {}, ...head.map((text) => written(html("th", { scope: "col" }), text)))));
      const rows = body.map(([first, ...rest]) => html("tr", {}, html("th", { scope: "row" }, first), ...rest.map((text) => html("td", {}, text))));
      table.append(html("tbody", {}, ...rows));
      // A wide table scrolls by itself, from the keyboard too.
      root.append(html("div", { class: "le-scroll", tabindex: 0, role: "region", "aria-label": caption }, table));
    }
  }
  return {
    root,
    // Filled when seen, and not at every frame while something moves.
    refresh() {
      if (root.hidden) return;
      clearTimeout(waiting);
      waiting = setTimeout(fill, 60);
    },
    toggle() {
      root.hidden = !root.hidden;
      if (!root.hidden) fill();
      return !root.hidden;
    },
  };
}

// Everything that is drawn as comma-separated values, in full precision: one number a row, so that any program reads it.

const CSV_HEAD = ["panel", "series", "part", "run", "time", "x", "y", "value"];

function csvCell(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Rows [panel, series, part, run, time, x, y, value] of one panel. Runs count from 1; an empty part is the curve itself.
function csvRows(panel, key, arrays) {
  const find = (role) => arrays[`${key}.${role}`];
  const rows = [];
  if (panel.scene) {
    for (const [role, name] of Object.entries(panel.sources)) find(role).data.forEach((v, i) => rows.push([panel.title || "picture", name, "", "", "", i + 1, "", v]));
    return rows;
  }
  if (panel.kind === "heatmap") {
    const { shape, data } = find("z");
    const [height, width] = shape.slice(-2);
    const name = (axis, i) => find(`${axis}ticks`)?.data[i] ?? i;
    for (let i = 0; i < data.length; i++) {
      const cell = i % (height * width);
      const time = shape.length === 3 ? find("t").data[Math.floor(i / (height * width))] : "";
      rows.push([panel.title, panel.clabel, "", "", time, name("x", cell % width), name("y", Math.floor(cell / width)), data[i]]);
    }
    return rows;
  }
  const parts = Object.keys(arrays).map((name) => name.match(/^(\d+)\.([xy])(\d+)(?:\.(.+))?$/)).filter((found) => found && found[1] === key);
  if (panel.kind === "plane") {
    for (const [, , axis, j, part] of parts) {
      const partner = axis === "x" && find(`y${j}${part ? `.${part}` : ""}`);
      if (!partner) continue;
      const { shape, data } = find(`x${j}${part ? `.${part}` : ""}`);
      const length = shape[shape.length - 1];
      const timed = arrays.time?.data.length === length && panel.marks[j].role === "paths" && !part;
      data.forEach((x, i) => rows.push([panel.title, panel.marks[j].label, part, Math.floor(i / length) + 1, timed ? arrays.time.data[i % length] : "", x, partner.data[i], ""]));
    }
    return rows;
  }
  for (const [, , axis, j, part] of parts) {
    if (axis !== "y" || /(^|\.)[xt]$/.test(part ?? "")) continue;
    const { shape, data, run } = find(`y${j}${part ? `.${part}` : ""}`);
    const places = (find(`y${j}${part ? `.${part}` : ""}.x`) ?? find(`y${j}.x`) ?? find("x")).data;
    const framed = panel.frames && shape.length === 2;
    const times = find(`y${j}.${part}.t`) ?? find("t");
    for (let i = 0; i < data.length; i++) {
      const row = Math.floor(i / places.length);
      rows.push([panel.title, panel.series[j].label, part, framed ? "" : (run ?? row + 1), framed ? times.data[row] : "", places[i % places.length], "", data[i]]);
    }
  }
  panel.marks?.forEach((label, j) => rows.push([panel.title, label, "mark", "", "", find(`m${j}`).data[0], "", ""]));
  return rows;
}

function csvOf(spec, arrays) {
  const rows = spec.panels.flatMap((panel, i) => csvRows(panel, String(i), arrays));
  return `${[CSV_HEAD, ...rows].map((row) => row.map(csvCell).join(",")).join("\n")}\n`;
}

// A file of the reader's own, made in the page: nothing is asked of a server.
function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
