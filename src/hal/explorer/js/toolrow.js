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
  if (panel.kind === "heatmap") {
    const { shape, data } = find("z");
    const [height, width] = shape.slice(-2);
    const name = (axis, i) => panel[`${axis}ticks`]?.[i] ?? find(`${axis}ticks`)?.data[i] ?? i;
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
    const { shape, data } = find(`y${j}${part ? `.${part}` : ""}`);
    const places = (find(`y${j}${part ? `.${part}` : ""}.x`) ?? find(`y${j}.x`) ?? find("x")).data;
    const framed = panel.frames && shape.length === 2;
    const times = find(`y${j}.${part}.t`) ?? find("t");
    for (let i = 0; i < data.length; i++) {
      const row = Math.floor(i / places.length);
      rows.push([panel.title, panel.series[j].label, part, framed ? "" : row + 1, framed ? times.data[row] : "", places[i % places.length], "", data[i]]);
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
