// Arcs: a row of tokens and the one that asks; attention as arcs, width by weight.

import { onePerPixel, strip } from "./dense.js";
import { arcMark, sceneText } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const MOST_ARCS = 200; // arcs that are drawn; the rest is one grey comb
const LEVELS = 64; // widths that are told apart, up to 10 pixels
const LONG = 128; // tokens from which on the smallest become the comb

export function makeArcs(spec, view) {
  let at = null; // {n, cell, place(i): [x, y], to: [x, y], up, walks}
  let handle = null;
  const weightsOf = (scene) => scene.now("weights", at.n);

  function layout(scene) {
    const { width, height } = scene.frame;
    const n = scene.all("tokens").length;
    const cell = Math.min(36, (width - 62) / n);
    const left = (width - 62 - n * cell) / 2;
    const base = height - (spec.follows ? 58 : 40);
    return { n, cell, place: (i) => [left + (i + 0.5) * cell, base], to: [left + n * cell + 38, base], up: base - 34, walks: !scene.all("asks") };
  }

  const riseOf = (x, tx) => at.up * (0.42 + 0.9 * ((tx - x) / (at.n * at.cell + 40)));

  // From a place to the one that asks, over the row.
  function arcPath(i) {
    const [x, y] = at.place(i);
    const [tx, ty] = at.to;
    const top = y - (at.cell > 14 ? 17 : at.cell / 2 + 3);
    const rise = riseOf(x, tx);
    return `M${x.toFixed(1)},${top.toFixed(1)}C${x.toFixed(1)},${(top - rise).toFixed(1)} ${tx.toFixed(1)},${(ty - 20 - rise).toFixed(1)} ${tx.toFixed(1)},${(ty - 20).toFixed(1)}`;
  }

  // The numbers of the widest arcs, or the walker's visits to one node, a little way along their curves, where they have not met: of the first in the row on
  // its outside, of the others on their inside, and none where two would lie over each other.
  function numbersOf(told, said) {
    const [along, bend] = [0.16, 3 * 0.16 ** 2 - 2 * 0.16 ** 3];
    const taken = [];
    return told.sort((a, b) => a - b).map((i, k) => {
      const [x, y] = at.place(i);
      const [tx] = at.to;
      const outside = k === 0 && x > 44;
      const px = x + (tx - x) * bend + (outside ? -6 : 9);
      const py = y - 17 - 3 * along * (1 - along) * riseOf(x, tx);
      if (taken.some(([ox, oy, side]) => side === outside && Math.abs(ox - px) < 34 && Math.abs(oy - py) < 14)) return "";
      taken.push([px, py, outside]);
      const anchor = outside ? "end" : "start";
      return sceneText(px, py, said(i), `text-anchor="${anchor}" font-weight="600"`, "le-haloed");
    }).join("");
  }

  function arcs(scene, weights) {
    const order = Array.from(weights, (w, i) => i).filter((i) => Number.isFinite(weights[i]));
    order.sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]));
    const [drawn, most] = [at.n > LONG ? order.slice(0, MOST_ARCS) : order, Math.abs(weights[order[0]]) || 1];
    const whole = spec.largest ?? Math.max(most, at.walks ? 3 / at.n : 0.25); // so that even attention is thin
    // Arcs of nearly one weight are one path, from the least on: hundreds of paths take a browser a frame.
    const alike = new Map();
    for (const i of drawn.filter((one) => Math.abs(weights[one]) > 0.002 * most).toReversed()) {
      const [share, kind] = [Math.min(1.2, Math.abs(weights[i]) / whole), Math.floor((LEVELS * weights[i]) / whole)];
      alike.set(kind, { share, sign: weights[i], path: (alike.get(kind)?.path ?? "") + arcPath(i) });
    }
    const parts = Array.from(alike.values(), ({ share, sign, path }) => arcMark(sign < 0 ? spec.negative : spec.idea, Math.max(0.6, (at.walks ? 5 : 10) * share), 0.16 + 0.74 * Math.min(1, share), path));
    const rest = order.slice(drawn.length);
    if (rest.length) {
      const teeth = onePerPixel(rest, at).map((i) => `M${at.place(i)[0].toFixed(1)},${(at.place(i)[1] - at.cell / 2 - 3).toFixed(1)}v-9`).join("");
      const share = rest.reduce((sum, i) => sum + weights[i], 0);
      parts.unshift(`<path class="le-comb" d="${teeth}"/>`, sceneText(0, 14, `${number(rest.length)} others share ${Math.abs(share) < 1e-5 ? "about 0" : number(100 * share, 2)}%`));
    }
    const told = drawn.filter((i) => Math.abs(weights[i]) >= 0.08).slice(0, at.walks ? 8 : 3);
    const tokens = Array.from(scene.all("tokens"));
    const visits = at.walks && told.length > 1 && told.every((i) => tokens[i] === tokens[told[0]]);
    return parts.join("") + numbersOf(told, (i) => (visits ? `visit ${number(tokens.slice(0, i + 1).filter((one) => one === tokens[i]).length)}` : number(weights[i], 2)));
  }

  function cells(scene) {
    const kinds = scene.all("tokens");
    if (at.n > LONG) return strip(kinds, at, spec.tints);
    const lettered = at.cell >= 12;
    const size = at.cell - Math.min(3, 0.2 * at.cell);
    return Array.from(kinds, (kind, i) => {
      const [x, y] = at.place(i);
      const black = i === at.n - 1 && lettered && !scene.all("asks"); // where the walker stands
      const box = `<rect class="${black ? "le-walker" : "le-cell"}" style="--c:${spec.tints[kind % spec.tints.length]}" x="${(x - size / 2).toFixed(1)}" y="${(y - Math.min(size, 28) / 2).toFixed(1)}" width="${size.toFixed(1)}" height="${Math.min(size, 28).toFixed(1)}" rx="${Math.min(4, size / 4)}"/>`;
      return box + (lettered ? sceneText(x, y + 4.5, escaped(spec.letters[kind]), 'text-anchor="middle"', black ? "le-on-ink" : "") : "");
    }).join("");
  }

  function paint(scene) {
    at = layout(scene);
    const weights = weightsOf(scene);
    const asks = scene.all("asks")?.[0];
    const known = !spec.spoils || scene.atEnd() ? scene.all("answer") ?? [] : [];
    const [x, y] = at.to;
    const answer = Array.from(known, (w, i) => (w ? `<path class="le-theory le-thin-arc" d="${arcPath(i)}"/>` : "")).join("");
    const ring = `<circle class="le-asks" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="18"${asks === undefined ? "" : ` style="--c:${spec.tints[asks % spec.tints.length]}"`}/>`;
    const letter = sceneText(x, y + 5, asks === undefined ? "?" : escaped(spec.letters[asks]), 'text-anchor="middle" font-weight="700"');
    const next = spec.follows && Array.from(weights, (w, i) => (w ? sceneText(i ? at.place(i)[0] : 0, scene.frame.height - 6, `${spec.letters[scene.all("tokens")[i]]} → ${spec.follows[scene.all("tokens")[i]]}`, `text-anchor="${i ? "middle" : "start"}" style="--c:${spec.follows_idea}"`, "le-word le-next") : "")).join("");
    const ends = (next ? "" : sceneText(at.place(0)[0] - at.cell / 2, scene.frame.height - 6, "position 1")) + sceneText(x + 18, scene.frame.height - 6, asks === undefined ? "what comes next?" : "last token", 'text-anchor="end"');
    scene.write(arcs(scene, weights), answer, cells(scene), ring + letter + ends, next);
    if (spec.pick) placeHandle(scene);
  }

  const nearestPlace = (px) => {
    const far = (i) => Math.abs(at.place(i)[0] - px);
    return Array.from({ length: at.n }, (_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best), 0);
  };

  function placeHandle(scene) {
    if (!handle) {
      const go = (i) => view.drag(scene.set(spec.pick, clamp(i, 0, at.n - 1) + 1));
      handle = scene.handle(scene.ends(spec.pick).label, {
        move: (px) => go(nearestPlace(px)),
        step: (right, up, large) => go(view.settings[spec.pick] - 1 + (right + up) * (large ? 10 : 1)),
      });
      scene.clicked((px) => go(nearestPlace(px)));
    }
    const i = clamp((view.settings[spec.pick] || Math.ceil(at.n / 2)) - 1, 0, at.n - 1); // in the middle where none is picked
    const [x, y] = at.place(i);
    handle.place(x, y + 24, { low: 1, high: at.n, now: i + 1, text: said(scene, i).join(": ") });
  }

  const said = (scene, i) => [`place ${i + 1}`, spec.letters[scene.all("tokens")[i]], number(weightsOf(scene)[i], 3)];

  function hover(scene, px, py) {
    const i = nearestPlace(px);
    const [[x, y], [place, letter, weight]] = [at.place(i), said(scene, i)];
    return Math.abs(px - x) > at.cell || Math.abs(py - y) > 30 ? null : [`${place}: ${letter}`, [[spec.idea, "attention", weight]]];
  }

  function table(scene) {
    const weights = weightsOf(scene);
    return { caption: `${spec.alt} The largest weight is ${number(span([weights])?.[1] ?? 0, 3)}.`, head: ["place", "token", "weight"], body: Array.from(weights, (w, i) => [String(i + 1), spec.letters[scene.all("tokens")[i]], number(w, 3)]) };
  }

  return makeScene(spec, view, { paint, table, hover });
}
