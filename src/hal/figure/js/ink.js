// Ink: sequences of words in lines, each as large and as dark as the attention that it has beside the mean.

import { sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const INK_SIZE = 17; // pixels of a word of mean attention; the smallest has 12
const INK_WIDTH = 0.66; // of a letter of a wide font, beside its height
const INK_LINE = 27; // pixels from line to line, at least

export function makeInk(spec, view) {
  let at = null; // {n, rows, long, shown, columns, slot, line, left, tops}
  let handle = null;
  let lit = -1; // the kind under the pointer

  // Lines of one length, with room for the longest tenth of the words at the smallest size; if it can be, at the largest.
  function layout(scene) {
    const { width, height } = scene.frame;
    const [n, rows] = [scene.all("tokens").length, scene.sizes("rows")];
    const long = n / rows;
    const left = spec.row_names.length ? 14 + 8 * Math.max(...spec.row_names.map((one) => one.length)) : 4;
    const lengths = Array.from(scene.all("tokens"), (kind) => spec.words[kind].length).toSorted((a, b) => a - b);
    const narrowest = INK_WIDTH * INK_SIZE * Math.max(0.72 * lengths.at(-1), lengths[Math.floor(0.9 * (n - 1))]) + 5;
    const most = Math.max(1, Math.floor((width - left) / narrowest));
    const fit = (foot) => Math.max(1, Math.floor((height - foot) / rows / INK_LINE));
    const foot = spec.group_names.length || Math.ceil(long / most) > fit(0) ? 24 : 0;
    const easy = (width - left) / (INK_WIDTH * INK_SIZE * 1.7 * lengths[Math.floor(0.9 * (n - 1))] + 5);
    const lines = Math.min(fit(foot), Math.ceil(long / (lengths.at(-1) > 3 ? clamp(Math.floor(easy), 1, most) : most)));
    const columns = Math.min(most, Math.ceil(long / lines));
    const [slot, block] = [Math.min((width - left) / columns, 1.8 * narrowest), (height - foot) / rows];
    const line = Math.min(block / lines, 36);
    const tops = Array.from({ length: rows }, (_, row) => row * block + (block - lines * line) / 2);
    return { n, rows, long, shown: Math.min(long, columns * lines), columns, slot, line, left, tops, foot, often: lengths[Math.floor(0.9 * (n - 1))] };
  }

  const placeOf = (i) => {
    const [row, j] = [Math.floor(i / at.long), Math.min(i % at.long, at.shown - 1)];
    return [at.left + ((j % at.columns) + 0.5) * at.slot, at.tops[row] + (Math.floor(j / at.columns) + 0.5) * at.line];
  };

  const kindOf = (scene, i) => scene.all("tokens")[i];
  const groupAt = (scene, i) => scene.now("groups", at.n)[i] ?? 0; // groups may move
  const hueOf = (scene, i) => spec.colours[groupAt(scene, i)];
  const wordOf = (scene, i) => spec.words[kindOf(scene, i)];
  const groupOf = (scene, i) => spec.group_names[groupAt(scene, i)] ?? "";

  // Attention to each word; where it is given by kind, that of one of the kind's words in its sequence.
  function weightsOf(scene) {
    const [places, chances] = [scene.all("places"), scene.all("chances")];
    if (!places) return scene.now("weights", at.n);
    const kinds = scene.now("weights", scene.all("size")[0]);
    const own = Float64Array.from(places, (k, i) => kinds[k] / chances[i]);
    const sums = Array.from({ length: at.rows }, (_, row) => own.subarray(row * at.long, (row + 1) * at.long).reduce((sum, w) => sum + w, 0));
    return own.map((w, i) => w / sums[Math.floor(i / at.long)]);
  }

  // The word that pays the attention: framed, of ordinary size.
  function asking(word, x, y) {
    const [wide, high] = [at.slot - 2, Math.min(at.line - 2, 28)];
    const size = Math.min(INK_SIZE, Math.max(12, (wide - 6) / (INK_WIDTH * word.length)));
    const frame = `<rect class="le-asks" rx="5" x="${(x - wide / 2).toFixed(1)}" y="${(y - high / 2).toFixed(1)}" width="${wide.toFixed(1)}" height="${high.toFixed(1)}"/>`;
    return frame + sceneText(x, y + size * 0.34, escaped(word), `text-anchor="middle" font-weight="600" style="font-size:${size.toFixed(1)}px"`, "le-on-paper");
  }

  const roomOf = (letters) => (at.slot - 4) / (1.06 * INK_WIDTH * INK_SIZE * letters);

  function wordsOf(scene, weights, row) {
    const own = weights.subarray(row * at.long, (row + 1) * at.long).filter(Number.isFinite);
    const mean = own.reduce((sum, w) => sum + w, 0) / own.length || 1e-300;
    // Above the mean, size and darkness are shared out so that only the most attended word has all of both.
    const most = (spec.full ?? Math.max(...own)) / mean;
    const above = (q, end) => (q > 1 ? 1 + (q - 1) * Math.min(1, (end - 1) / (most - 1)) : q);
    const widest = Math.min(1.7, at.line / INK_SIZE, roomOf(at.often));
    return Array.from({ length: at.shown }, (_, j) => {
      const i = row * at.long + j;
      const q = Number.isFinite(weights[i]) ? weights[i] / mean : 0;
      const told = spec.percent !== null && weights[i] >= spec.percent ? `<tspan style="font-size:12px" fill-opacity="1"> ${Math.round(100 * weights[i])}%</tspan>` : "";
      const word = wordOf(scene, i);
      const size = INK_SIZE * clamp(0.45 + 0.55 * above(q, (widest - 0.45) / 0.55), 0.72, Math.max(0.72, Math.min(widest, roomOf(word.length) * (told ? 1.25 : 1))));
      const [x, y] = placeOf(i);
      if (spec.asks && j === at.long - 1) return asking(word, x, y);
      const same = kindOf(scene, i) === lit || (spec.pick && kindOf(scene, i) === kindOf(scene, picked()));
      const under = same ? `<path class="le-under" d="M${(x - at.slot * 0.36).toFixed(1)},${(y + at.line * 0.36).toFixed(1)}h${(at.slot * 0.72).toFixed(1)}"/>` : "";
      return `${under}<text class="le-word" style="--c:${hueOf(scene, i)};font-size:${size.toFixed(1)}px" fill-opacity="${Math.min(1, 0.45 + 0.25 * above(q, 1.48) ** 2).toFixed(3)}" x="${x.toFixed(1)}" y="${(y + size * 0.34).toFixed(1)}" text-anchor="middle">${escaped(word)}${told}</text>`;
    }).join("");
  }

  function paint(scene) {
    at = layout(scene);
    const weights = weightsOf(scene);
    const parts = spec.row_names.map((name, row) => sceneText(0, at.tops[row] + at.line / 2 + 5, escaped(name), 'font-weight="600"'));
    at.tops.forEach((_, row) => parts.push(wordsOf(scene, weights, row)));
    const foot = scene.frame.height - 5;
    let x = at.left;
    spec.group_names.forEach((name, k) => {
      parts.push(`<circle class="le-ink" style="--c:${spec.colours[k]}" cx="${x + 5}" cy="${foot - 4}" r="4.5"/>`, sceneText(x + 14, foot, escaped(name)));
      x += 7.4 * name.length + 30;
    });
    if (at.shown < at.long) parts.push(sceneText(scene.frame.width, foot, `the first ${at.shown} of ${number(at.long)}`, 'text-anchor="end"'));
    scene.write(parts.join(""));
    if (spec.pick) placeHandle(scene);
  }

  function nearestWord(px, py) {
    const row = at.tops.reduce((best, top, k) => (py >= top ? k : best), 0);
    const deep = clamp(Math.floor((py - at.tops[row]) / at.line), 0, Math.ceil(at.shown / at.columns) - 1);
    const across = clamp(Math.floor((px - at.left) / at.slot), 0, at.columns - 1);
    return row * at.long + Math.min(deep * at.columns + across, at.shown - 1);
  }

  const picked = () => clamp(view.settings[spec.pick] - 1, 0, at.n - 1);
  const said = (scene, i) => `place ${(i % at.long) + 1}, ${wordOf(scene, i)}: attention ${number(weightsOf(scene)[i], 3)}`;

  function placeHandle(scene) {
    if (!handle) {
      const go = (i) => view.drag(scene.set(spec.pick, clamp(i, 0, at.n - 1) + 1));
      const step = (right, up, large) => go(picked() + right * (large ? 10 : 1) - up * at.columns);
      handle = scene.handle(scene.ends(spec.pick).label, { move: (px, py) => go(nearestWord(px, py)), step }, true);
      scene.clicked((px, py) => go(nearestWord(px, py)));
    }
    handle.place(...placeOf(picked()), { low: 1, high: at.n, now: picked() + 1, text: said(scene, picked()) });
  }

  function hover(scene, px, py) {
    const i = nearestWord(px, py);
    const [x, y] = placeOf(i);
    const kind = Math.abs(px - x) > at.slot || Math.abs(py - y) > at.line ? -1 : kindOf(scene, i);
    if (kind !== lit) {
      lit = kind;
      paint(scene);
    }
    if (kind < 0) return null;
    const weights = weightsOf(scene);
    const copies = Array.from({ length: at.long }, (_, j) => i - (i % at.long) + j).filter((j) => kindOf(scene, j) === kind);
    const all = copies.reduce((sum, j) => sum + weights[j], 0);
    const several = copies.length > 1 ? [[null, `its ${copies.length} copies`, number(all, 3)]] : [];
    return [[wordOf(scene, i), groupOf(scene, i)].filter(Boolean).join(", "), [[hueOf(scene, i), "attention", number(weights[i], 3)], ...several]];
  }

  function table(scene) {
    const [weights, several] = [weightsOf(scene), at.rows > 1];
    const head = [...(several ? ["sequence"] : []), "place", "word", ...(spec.group_names.length ? ["kind"] : []), "attention"];
    const body = Array.from(weights, (w, i) => {
      const row = Math.floor(i / at.long);
      return [...(several ? [spec.row_names[row] ?? String(row + 1)] : []), String((i % at.long) + 1), wordOf(scene, i), ...(spec.group_names.length ? [groupOf(scene, i)] : []), number(w, 3)];
    });
    return { caption: spec.alt, head, body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
