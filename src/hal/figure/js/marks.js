// Marks that pictures of objects share, as markup; `small.css` says how they look.

// Markup of a text in a scene: never below 12 pixels.
export const sceneText = (x, y, text, more = "", look = "") => `<text class="le-words ${look}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${text}</text>`;

/* Where a name from one x to another may stand: at a height, or as near above or below as no other name is. `taken` has those
   that stand, [from, to, y], and takes this one. */
export function freeHeight(taken, from, to, y, [top, bottom] = [12, Infinity]) {
  const free = (at) => at >= top && at <= bottom && !taken.some(([a, b, other]) => a < to && from < b && Math.abs(at - other) < 15);
  const found = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((k) => y - 15 * k).find(free) ?? y;
  taken.push([from, to, found]);
  return found;
}

// Attention from one place to another: a path, as wide and as strong as it is.
export const arcMark = (colour, width, opacity, path) => `<path class="le-arc" style="--c:${colour}" stroke-width="${width.toFixed(2)}" stroke-opacity="${opacity.toFixed(2)}" d="${path}"/>`;

// A point: a disc of its kind's colour, or, with a sign, a paler one that holds it.
export function pointMark(x, y, size, colour, sign = "") {
  const disc = `<circle class="${sign ? "le-cell" : "le-dot"}" style="--c:${colour}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${size.toFixed(1)}"/>`;
  return disc + (sign && sceneText(x, y + 4.5, sign, 'text-anchor="middle" font-weight="700"', "le-on-paper"));
}

// A cell of a matrix: ink of its number's colour, as strong as the number is large; `box` is the markup of its place.
export const inkMark = (colour, strength, box) => `<rect class="le-ink" style="--c:${colour}" fill-opacity="${strength.toFixed(3)}" ${box}/>`;
