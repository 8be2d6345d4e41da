// Bands of a function of two numbers on a canvas, and a thin line where two of them meet.

import { ramp } from "./numbers.js";

/* So many bands from the deepest to the highest, each its colour and that of a line at its edge: one blue ramp, deep is dark. */
export function depths(count, dark) {
  const colours = ramp("#0072B2", false, dark);
  const place = (share) => Math.round(44 * (dark ? share : 1 - share));
  return Array.from({ length: count }, (_, k) => k / Math.max(1, count - 1)).map((share) => [[...colours[place(share)], 255], [...colours[place(share) + 12], 255]]);
}

// The function between the points of its grid, `wide` columns and `high` rows, by the four around a place.
export function heightAt(z, wide, high, column, row) {
  const i = Math.min(Math.floor(column), wide - 2);
  const j = Math.min(Math.floor(row), high - 2);
  const at = j * wide + i;
  const below = z[at] + (z[at + 1] - z[at]) * (column - i);
  const above = z[at + wide] + (z[at + wide + 1] - z[at + wide]) * (column - i);
  return below + (above - below) * (row - j);
}

/* `bandAt(i, j)` is the band of a pixel, counted from the top left, -1 where there is none; `shades` has for each band its
   colour and that of a line at its edge, as [red, green, blue, opacity] up to 255. */
export function paintBands(canvas, wide, high, bandAt, shades) {
  [canvas.width, canvas.height] = [wide, high];
  const bands = new Int16Array(wide * high);
  for (let j = 0, p = 0; j < high; j++) for (let i = 0; i < wide; i++, p++) bands[p] = bandAt(i, j);
  const context = canvas.getContext("2d");
  const image = context.createImageData(wide, high);
  const { data } = image;
  for (let j = 0, p = 0; j < high; j++) {
    for (let i = 0; i < wide; i++, p++) {
      const band = bands[p];
      if (band < 0) continue;
      const edge = (i + 1 < wide && bands[p + 1] !== band) || (j + 1 < high && bands[p + wide] !== band);
      const shade = shades[band][edge ? 1 : 0];
      for (let k = 0; k < 4; k++) data[4 * p + k] = shade[k];
    }
  }
  context.putImageData(image, 0, 0);
}
