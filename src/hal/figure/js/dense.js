// Rows of thousands of tokens. `at` is how the row is laid out: {cell, place(i): [x, y]}.

// Of these places one for each pixel of the row: more there is not to see.
export const onePerPixel = (places, at) => (at.cell < 1 ? [...new Map(places.map((i) => [Math.round(at.place(i)[0]), i])).values()] : places);

// A row that is too dense for letters, as one path a kind.
export function strip(kinds, at, tints) {
  const paths = new Map();
  for (const i of onePerPixel(Array.from(kinds, (_, k) => k), at)) {
    const [x, y] = at.place(i);
    const tint = tints[kinds[i] % tints.length];
    paths.set(tint, `${paths.get(tint) ?? ""}M${x.toFixed(1)},${(y - at.cell / 2 - 2).toFixed(1)}v${(at.cell + 4).toFixed(1)}`);
  }
  const wide = Math.max(1, 0.8 * at.cell).toFixed(1);
  return Array.from(paths, ([tint, path]) => `<path class="le-tokens" style="--c:${tint}" stroke-width="${wide}" d="${path}"/>`).join("");
}
