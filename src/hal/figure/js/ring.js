// A ring: nodes on a circle, the walker on one of them and what it votes for, and at each node a share or a tally.

import { arcMark, pointMark, sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

// How often answers are right, in words.
function rightly(share) {
  const one = Math.round(1 / share);
  if (!Number.isFinite(share)) return "";
  return one === 1 && share > 0.999 ? "always right" : Math.abs(share * one - 1) < 1e-9 ? `right 1 in ${one}` : `right ${number(100 * share, 3)}%`;
}

export function makeRing(spec, view) {
  let at = null; // {n, r, size, cx, cy}

  function layout(scene) {
    const { width, height } = scene.frame;
    const n = scene.sizes("nodes");
    const r = Math.min(width, height) / 2 - 36;
    const size = Math.min(n <= 8 ? 17 : n <= 16 ? 11 : 6, (Math.PI * r) / n - 1);
    return { n, r, size, cx: width / 2, cy: height / 2 };
  }

  const on = (node, radius) => {
    const angle = (2 * Math.PI * node) / at.n;
    return [at.cx + radius * Math.sin(angle), at.cy - radius * Math.cos(angle)];
  };
  const nameOf = (node) => spec.names[node] ?? String(node + 1);
  const walker = (scene) => scene.all("walk").at(-1);
  // The ink of each node, which is given from the walker's node on.
  function fillOf(scene) {
    const [fill, from] = [scene.all("fill") ? scene.now("fill", at.n) : [], walker(scene)];
    return Array.from({ length: at.n }, (_, i) => fill[(i - from + at.n) % at.n] || 0);
  }

  function nodes(scene, from) {
    const fill = fillOf(scene);
    const most = Math.max(...fill, 1e-12);
    const inside = at.size >= 10;
    return fill.map((ink, i) => {
      const [x, y] = on(i, at.r);
      const circle = (look, more = "") => `<circle class="${look}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${at.size.toFixed(1)}" ${more}/>`;
      const share = clamp(Math.abs(ink) / most, 0, 1);
      const parts = [circle("le-node")];
      if (share > 0.004) parts.push(circle("le-ink", `style="--c:${ink < 0 ? spec.negative : spec.fill_colour}" fill-opacity="${share.toFixed(3)}"`));
      const disc = i === from && !spec.dots_are; // beside dots a black one would look like a target
      if (i === from) parts.push(`<circle class="${disc ? "le-walker" : "le-outline"}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(disc ? Math.max(4, at.size - 3) : at.size + 2).toFixed(1)}"/>`);
      const look = disc || share > 0.7 ? "le-on-ink" : "le-on-paper";
      const named = inside;
      return parts.join("") + (named ? sceneText(x, y + 4, escaped(nameOf(i)), 'text-anchor="middle"', look) : "");
    });
  }

  const middle = (dy, text, more = "") => sceneText(at.cx, at.cy + dy, escaped(text), `text-anchor="middle"${more}`, "le-haloed");

  // A black dot inside each node, its area a share; at the two largest the share, and outside the ink; the sum in the middle.
  function shares(scene, from) {
    const [dots, fill] = [Array.from(scene.all("dots")), fillOf(scene)];
    const told = dots.map((share, i) => [share, i]).filter(([share]) => share > 0.002).toSorted(([a], [b]) => b - a).slice(0, 2).map(([, i]) => i);
    const words = (i, radius, text, more = "") => sceneText(on(i, radius)[0], on(i, radius)[1] + 4, escaped(text), `text-anchor="middle"${more}`, "le-haloed");
    return dots.map((share, i) => {
      const outside = [i === from ? "token" : "", told.includes(i) ? number(fill[i], 2) : ""].join(" ").trim();
      const inner = told.includes(i) ? words(i, at.r - at.size - 34, `${number(100 * share, 2)}%`) : "";
      return (share > 0.002 ? pointMark(...on(i, at.r - at.size - 11), 9 * Math.sqrt(share), "var(--le-fg)") : "") + inner + words(i, at.r + at.size + 16, outside, ' font-weight="700"');
    }).concat(middle(-4, `${spec.dots_are} × ${spec.fill_is}`), middle(15, `= ${number(dots.reduce((all, share, i) => all + share * fill[i], 0), 2)}`, ' style="font-size:15px;font-weight:700"'));
  }

  const arrowIsNamed = (fill) => at.n <= 8 && fill.filter((v) => v >= 0.05).length === 1; // where there is room beside it
  // From the walker's node to those that it votes for, as wide as the vote.
  function arrows(scene, from) {
    const [fill, a] = [fillOf(scene), on(from, at.r)];
    return fill.map((share, i) => {
      if (i === from || share < 0.05) return "";
      const b = on(i, at.r);
      const bend = [0, 1].map((k) => 0.35 * (a[k] + b[k]) + 0.3 * [at.cx, at.cy][k]);
      const towards = (p, by) => [0, 1].map((k) => p[k] + (by * (bend[k] - p[k])) / Math.hypot(bend[0] - p[0], bend[1] - p[1]));
      const wide = 1 + 3 * share;
      const tip = towards(b, at.size + 3);
      const neck = towards(b, at.size + 6 + 2 * wide);
      const wing = (side) => [neck[0] + 0.6 * side * (tip[1] - neck[1]), neck[1] + 0.6 * side * (neck[0] - tip[0])];
      const joined = (points, by) => points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(by);
      const named = arrowIsNamed(fill) ? sceneText(...on(from + ((i - from + at.n) % at.n) / 2, at.r + 12), escaped(spec.fill_is), `text-anchor="${bend[0] < at.cx ? "end" : "start"}" style="--c:${spec.fill_colour}"`, "le-word") : "";
      return named + arcMark(spec.fill_colour, wide, 0.3 + 0.7 * share, `M${joined([towards(a, at.size + 2)], "")}Q${joined([bend, neck], " ")}`) + `<path class="le-ink" style="--c:${spec.fill_colour}" fill-opacity="${(0.3 + 0.7 * share).toFixed(2)}" d="M${joined([tip, wing(1), wing(-1)], "L")}Z"/>`;
    });
  }

  // How often each node was visited, one visit more in bold; in the middle how often the layer is right.
  function tallies(scene) {
    const tally = scene.all("tally");
    const bold = (v) => (v === Math.min(...tally) + 1 && v === Math.max(...tally) ? ' style="font-size:24px;font-weight:800;fill:var(--le-fg)"' : "");
    return [
      ...Array.from(tally, (v, i) => {
        const [x, y] = on(i, at.r + at.size + 15);
        return sceneText(x, y + 5, number(v), `text-anchor="middle"${bold(v)}`);
      }),
      ...(tally.every((v) => v === tally[0]) && Math.abs(scene.one("right") * at.n - 1) < 1e-9 ? [middle(25, `${number(tally[0])} each: nothing`), middle(40, "to tell apart")] : []),
      middle(5, rightly(scene.one("right")), ' style="font-size:15px;font-weight:700"'),
      sceneText(0, 14, `${number(tally.reduce((sum, v) => sum + v, 0))} nodes seen`),
      fillOf(scene).some((v) => v >= 0.05) && !arrowIsNamed(fillOf(scene)) ? sceneText(0, scene.frame.height - 4, `blue: ${escaped(spec.fill_is)}s`) : "",
    ];
  }

  function paint(scene) {
    at = layout(scene);
    const from = walker(scene);
    const round = `<circle class="le-round" cx="${at.cx}" cy="${at.cy}" r="${at.r}"/>`;
    scene.write([round, ...nodes(scene, from), ...(spec.dots_are ? shares(scene, from) : [...arrows(scene, from), ...tallies(scene)])].join(""));
  }

  const nearestNode = (px, py) => Math.round((Math.atan2(px - at.cx, at.cy - py) * at.n) / (2 * Math.PI) + at.n) % at.n;

  const saying = (scene, i) => [
    [spec.fill_colour, spec.fill_is, number(fillOf(scene)[i], 3)],
    ...(scene.all("tally") ? [[null, "visits", number(scene.all("tally")[i])]] : []),
  ];

  function hover(scene, px, py) {
    const i = nearestNode(px, py);
    return Math.abs(Math.hypot(px - at.cx, py - at.cy) - at.r) > at.size + 8 ? null : [nameOf(i), saying(scene, i)];
  }

  function table(scene) {
    const body = Array.from({ length: at.n }, (_, i) => saying(scene, i).map(([, what, value]) => [what, nameOf(i), value])).flat();
    return { caption: spec.alt, head: ["", "node", "number"], body: [["the walker", nameOf(walker(scene)), "–"], ...body] };
  }

  return makeScene(spec, view, { paint, table, hover });
}
