// Points: labelled points of a plane, lines through them, a query.

import { sayAll } from "./facts.js";
import { freeHeight, pointMark, sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped, richSvg } from "./tools.js";

export function makePoints(spec, view) {
  let at = null; // {x(v), y(v), invert(px, py), left, top, wide, high}
  let handle = null;

  function layout(scene) {
    const { width, height } = scene.frame;
    const [left, top] = [40, spec.ylabel ? 22 : 8];
    const room = [width - left - 8, height - top - 24];
    const [[x0, x1], [y0, y1]] = [spec.xlim, spec.ylim];
    const even = Math.min(room[0] / (x1 - x0), room[1] / (y1 - y0));
    const [wide, high] = spec.equal ? [even * (x1 - x0), even * (y1 - y0)] : room;
    const from = left + (room[0] - wide) / 2;
    const x = spec.xlog ? (v) => from + (Math.log(v / x0) / Math.log(x1 / x0)) * wide : (v) => from + ((v - x0) / (x1 - x0)) * wide;
    const y = (v) => top + ((y1 - v) / (y1 - y0)) * high;
    return { x, y, invert: (px, py) => [x0 + ((px - from) / wide) * (x1 - x0), y1 - ((py - top) / high) * (y1 - y0)], left: from, top, wide, high };
  }

  const heightsOf = (scene) => scene.now("y", scene.all("x").length);
  const kindOf = (scene, i) => scene.all("kinds")?.[i] ?? 0;
  const queryOf = (scene) => (scene.all("at_x") ? [scene.all("at_x")[0], scene.all("at_y")[0]] : null);
  const nameOf = (scene, i) => [spec.kind_names[kindOf(scene, i)], spec.signs[kindOf(scene, i)]].find(Boolean) ?? `point ${i + 1}`;
  const point = (px, py) => `${px.toFixed(1)},${py.toFixed(1)}`;

  const inside = (v, [low, high]) => v >= low && v <= high;

  // The last place of a line that is in the picture.
  function lastInside(xs, ys) {
    for (let i = xs.length - 1; i > 0; i--) {
      for (let k = 0; k < 20; k++) {
        const place = [xs, ys].map((values) => values[i] + (k && ((values[i - 1] - values[i]) * k) / 20)); // beyond a gap, the place itself
        if (inside(place[0], spec.xlim) && inside(place[1], spec.ylim)) return place;
      }
    }
    return null;
  }

  function lines(scene) {
    const taken = [];
    return spec.marks.map(({ colour, theory, label: text }, j) => {
      const label = sayAll([[{ text, when: [] }]], view.drawn.facts);
      const places = Math.min(...["x", "y"].map((side) => scene.all(`${side}${j}`).length));
      const [xs, ys] = ["x", "y"].map((side) => scene.now(`${side}${j}`, places));
      let pen = "M";
      const d = Array.from(xs, (v, i) => {
        const whole = !(theory && view.secret) && Number.isFinite(v + ys[i]);
        const part = whole ? `${pen}${point(at.x(v), at.y(ys[i]))}` : "";
        pen = whole ? "L" : "M";
        return part;
      }).join("");
      const end = label && d && lastInside(xs, ys);
      const [low, high] = [at.top + 12, at.top + at.high - 4];
      const right = end && Math.max(at.x(end[0]) - 8, at.left + (spec.large ? 8.5 : 7) * label.length);
      const name = end ? `<text class="le-words le-haloed${spec.large ? " le-large" : ""}" style="--c:${colour}" x="${right.toFixed(1)}" y="${freeHeight(taken, right - 7 * label.length, right, clamp(at.y(end[1]) - 8, low, high), [low, high]).toFixed(1)}" text-anchor="end">${richSvg(label)}</text>` : "";
      const look = j < spec.marks.length - spec.faint ? "" : 'stroke-opacity="0.3"';
      return [`<path class="${theory ? "le-theory" : "le-bold"}" ${look} style="--c:${colour}" d="${d}"/>`, name];
    });
  }

  // Words on both sides of the first line, as far as there is room.
  function sides(scene) {
    const px = spec.sides.length ? at.x(scene.now("x0", Math.min(...["x0", "y0"].map((role) => scene.all(role).length)))[0]) : NaN;
    if (!(px > at.left && px < at.left + at.wide)) return "";
    const [[before, after], end] = [spec.sides, at.left + at.wide];
    const text = (x, words, anchor) => sceneText(x, at.top + 12, escaped(words), `text-anchor="${anchor}" font-weight="600"`, "le-haloed");
    return text(Math.max(px - 8, at.left + 7.5 * before.length), before, "end") + (px + 8 + 7.5 * after.length < end ? text(px + 8, after, "start") : "");
  }

  function marks(scene) {
    const [xs, ys] = [scene.all("x"), heightsOf(scene)];
    const [outside, under] = [[], []];
    const drawn = Array.from(xs, (v, i) => {
      if (!Number.isFinite(v + ys[i])) return "";
      if (!inside(v, spec.xlim) || !inside(ys[i], spec.ylim)) {
        outside.push(nameOf(scene, i));
        return "";
      }
      const [px, py] = [at.x(v), at.y(ys[i])];
      const mark = pointMark(px, py, spec.signs[kindOf(scene, i)] ? 9 : xs.length > 100 ? 4 : 5, spec.colours[kindOf(scene, i)], escaped(spec.signs[kindOf(scene, i)] ?? ""));
      if (!spec.pale.includes(kindOf(scene, i))) return mark;
      under.push(`<g opacity="0.25">${mark}</g>`);
      return "";
    });
    drawn.unshift(...under);
    const many = outside.length > 0 && xs.length > 100; // too many to have names
    const said = many || new Set(outside).size < outside.length ? `${outside.length} point${outside.length > 1 ? "s" : ""}` : outside.join(", ");
    return said ? [...drawn, sceneText(at.left + at.wide - 4, at.top + at.high - 6, `outside: ${escaped(said)}`, 'text-anchor="end"', "le-haloed")] : drawn;
  }

  function paint(scene) {
    at = layout(scene);
    const { left, top, wide, high } = at;
    const crossed = spec.ends && spec.ylim[0] < 0 && spec.ylim[1] > 0;
    const axes = [spec.ends ? `M${left},${top}V${top + high}H${left + wide}` : "", crossed ? `M${left},${at.y(0).toFixed(1)}H${left + wide}` : ""].join("");
    const ends = spec.ends ? [...spec.ylim.map((v) => sceneText(left - 5, at.y(v) + (v === spec.ylim[1] ? 10 : 0), number(v, 2), 'text-anchor="end"')), 7 * spec.xlabel.length < wide - 56 ? sceneText(left, top + high + 16, number(spec.xlim[0], 2)) : "", sceneText(left + wide, top + high + 16, `${spec.xlabel ? `${escaped(spec.xlabel)} → ` : ""}${number(spec.xlim[1], 2)}`, 'text-anchor="end"')] : [];
    if (spec.xticks.length) ends.splice(2, 2, ...spec.xticks.map(([v, name]) => sceneText(at.x(v), top + high + 16, name, 'text-anchor="middle"')), sceneText(left + wide, top + high + 16, `${escaped(spec.xlabel)} →`, 'text-anchor="end"', "le-haloed"));
    if (spec.ylabel) ends.push(sceneText(0, 13, `↑ ${escaped(spec.ylabel)}`));
    const [drawn, dots, from] = [lines(scene), marks(scene), queryOf(scene)];
    const asks = from ? [`<circle class="le-walker" cx="${at.x(from[0]).toFixed(1)}" cy="${at.y(from[1]).toFixed(1)}" r="6"/>`, sceneText(at.x(from[0]) + 11, at.y(from[1]) + 19, escaped(spec.query_is), 'font-weight="600"', "le-haloed")] : [];
    const column = (pairs, k) => pairs.map((pair) => pair[k] ?? "");
    const within = `<svg x="${left}" y="${top}" width="${wide}" height="${high}" viewBox="${left} ${top} ${wide} ${high}">${column(drawn, 0).join("")}</svg>`;
    const grid = spec.yticks.map(([v, name]) => `<path class="le-grid" d="M${left},${at.y(v).toFixed(1)}h${wide}"/>${sceneText(left - 5, at.y(v) + 4, name, 'text-anchor="end"')}`);
    scene.write([...grid, within, `<path class="le-base" fill="none" d="${axes}"/>`, ...dots, ...column(drawn, 1), sides(scene), ...asks, ...ends].join(""));
    if (spec.query) placeHandle(scene);
  }

  function placeHandle(scene) {
    const set = (values) => view.drag(Object.assign({}, ...spec.query.map((name, k) => scene.set(name, values[k]))));
    const now = () => spec.query.map((name) => view.settings[name]);
    handle ??= scene.handle(spec.query.map((name) => scene.ends(name).label).join(", "), {
      move: (px, py) => set(at.invert(px, py)),
      step: (right, up, large) => set(now().map((v, k) => {
        const { low, high, integer } = scene.ends(spec.query[k]);
        return v + [right, up][k] * (large ? 10 : 1) * (integer ? 1 : (high - low) / 100);
      })),
    });
    const [qx, qy] = now();
    const { low, high } = scene.ends(spec.query[0]); // of the two it says one; the text has both
    handle.place(at.x(qx), at.y(qy), { low, high, now: qx, text: `${spec.xlabel || "x"} ${number(qx, 3)}, ${spec.ylabel || "y"} ${number(qy, 3)}` });
  }

  function hover(scene, px, py) {
    const ys = heightsOf(scene);
    const far = Array.from(scene.all("x"), (v, i) => Math.hypot(at.x(v) - px, at.y(ys[i]) - py));
    const i = far.indexOf(Math.min(...far));
    if (!(far[i] < 16)) return null;
    return [`${nameOf(scene, i)}: ${number(scene.all("x")[i], 3)}, ${number(ys[i], 3)}`, []];
  }

  function table(scene) {
    const body = Array.from(scene.all("x"), (v, i) => [nameOf(scene, i), number(v, 3), number(heightsOf(scene)[i], 3)]);
    return { caption: spec.alt, head: ["point", spec.xlabel || "x", spec.ylabel || "y"], body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
