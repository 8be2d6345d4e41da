// A ring: nodes on a circle, a walker with its last steps winding inwards, attention on the steps.

import { pointMark, sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const TAIL = 8; // steps
const INNERMOST = 0.2; // radius of the oldest step, beside the ring's

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
  const point = (node, radius) => on(node, radius).map((v) => v.toFixed(1)).join(",");
  const nameOf = (node) => spec.names[node] ?? String(node + 1);
  const hereOf = (scene) => scene.all("walk").length - 1;
  // How far a step leads around the ring, the shorter way.
  const turn = (from, to) => ((((to - from) % at.n) + 1.5 * at.n) % at.n) - at.n / 2;

  const winding = (age) => at.r * (0.78 - ((0.78 - INNERMOST) * age) / TAIL);

  // From place to place of the walk, along the ring where the step leads to a neighbour, straight where it does not.
  function tail(scene, here) {
    const walk = scene.all("walk");
    const looks = scene.all("attention") ? scene.now("attention", walk.length) : null;
    let line = `M${point(walk[here], at.r)}`;
    const dots = [];
    for (let i = here; i >= Math.max(0, here - TAIL); i--) {
      const age = here - i;
      if (age === 0) line += `L${point(walk[i], winding(0))}`;
      else {
        const back = turn(walk[i + 1], walk[i]);
        const parts = Math.abs(back) <= 1 ? 6 : 1;
        for (let k = 1; k <= parts; k++) line += `L${point(walk[i + 1] + (back * k) / parts, winding(age - 1 + k / parts))}`;
      }
      const [x, y] = on(walk[i], winding(age));
      const look = looks && Number.isFinite(looks[i]) ? Math.abs(looks[i]) : 0;
      dots.push(pointMark(x, y, 3 + 10 * Math.sqrt(Math.min(1, look)), looks ? (looks[i] < 0 ? spec.negative : spec.idea) : "var(--le-faint)"));
      if (look >= 0.08) dots.push(sceneText(x, y + (y < at.cy ? 17 : -7) + Math.sign(at.cy - y) * 10 * Math.sqrt(look), number(looks[i], 2), 'text-anchor="middle" font-weight="600"', "le-haloed"));
    }
    return [`<path class="le-thread" d="${line}"/>`, ...dots.toReversed()];
  }

  // The last step, outside the ring, with its head.
  function lastStep(scene, here) {
    if (!here) return "";
    const walk = scene.all("walk");
    const step = turn(walk[here - 1], walk[here]);
    if (!step || Math.abs(step) > 1) return "";
    const out = at.r + at.size + 6;
    const path = Array.from({ length: 9 }, (_, k) => `${k ? "L" : "M"}${point(walk[here - 1] + step * (0.15 + (0.7 * k) / 8), out)}`).join("");
    const end = walk[here - 1] + step * 0.85;
    const head = `M${point(end + (step * 9 * at.n) / (2 * Math.PI * out), out)}L${point(end, out - 4.5)}L${point(end, out + 4.5)}Z`;
    return `<path class="le-thread" d="${path}"/><path class="le-walker" d="${head}"/>`;
  }

  function nodes(scene, from) {
    const fill = scene.all("fill") ? scene.now("fill", at.n) : [];
    const most = Math.max(...Array.from(fill, (v) => (Number.isFinite(v) ? v : 0)), 1e-12);
    const inside = at.size >= 10;
    const every = Math.max(1, Math.ceil((16 * at.n) / (2 * Math.PI * at.r)));
    return Array.from({ length: at.n }, (_, i) => {
      const [x, y] = on(i, at.r);
      const circle = (look, more = "") => `<circle class="${look}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${at.size.toFixed(1)}" ${more}/>`;
      const share = clamp((fill[i] || 0) / most, 0, 1);
      const parts = [circle("le-node")];
      if (share > 0.004) parts.push(circle("le-ink", `style="--c:${spec.fill_colour}" fill-opacity="${share.toFixed(3)}"`));
      if (scene.all("marked")?.[i]) parts.push(circle("le-outline"));
      if (i === from) parts.push(`<circle class="le-walker" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${Math.max(4, at.size - 3).toFixed(1)}"/>`);
      const look = i === from || share > 0.7 ? "le-on-ink" : "le-on-paper";
      const [nx, ny] = inside ? [x, y] : on(i, at.r + at.size + 11);
      const name = inside || i % every === 0 ? sceneText(nx, ny + 4, escaped(nameOf(i)), 'text-anchor="middle"', inside ? look : "") : "";
      return parts.join("") + name;
    });
  }

  // A black dot inside each node, its area a share, and in the middle what ink and dots are.
  function shares(scene) {
    const middle = (dy, text) => sceneText(at.cx, at.cy + dy, escaped(text), 'text-anchor="middle"');
    return [
      ...Array.from(scene.all("dots"), (share, i) => (share > 0.002 ? pointMark(...on(i, at.r - at.size - 11), 9 * Math.sqrt(share), "var(--le-fg)") : "")),
      middle(-8, `blue: ${spec.fill_is}`),
      middle(12, `dots: ${spec.dots_are}`),
    ];
  }

  function paint(scene) {
    at = layout(scene);
    const here = hereOf(scene);
    const from = scene.all("walk")[here];
    const thread = here < (spec.dots_are ? 1 : 0) ? [] // a run has a walk once it has begun
      : [...tail(scene, here), lastStep(scene, here)];
    scene.write([`<circle class="le-round" cx="${at.cx}" cy="${at.cy}" r="${at.r}"/>`, ...thread, ...nodes(scene, from), ...(spec.dots_are ? shares(scene) : [])].join(""));
  }

  const nearestNode = (px, py) => Math.round((Math.atan2(px - at.cx, at.cy - py) * at.n) / (2 * Math.PI) + at.n) % at.n;

  const saying = (scene, i) => (spec.fill ? [[spec.fill_colour, spec.fill_is, number(scene.now("fill", at.n)[i], 3)]] : []);

  function hover(scene, px, py) {
    const i = nearestNode(px, py);
    return Math.abs(Math.hypot(px - at.cx, py - at.cy) - at.r) > at.size + 8 ? null : [nameOf(i), saying(scene, i)];
  }

  function table(scene) {
    const [walk, here] = [scene.all("walk"), hereOf(scene)];
    const looks = spec.attention ? scene.now("attention", walk.length) : [];
    const ago = (age) => (age ? `${age} ${age > 1 ? "steps" : "step"} ago` : "the walker");
    const steps = Array.from(walk.subarray(0, here + 1), (node, i) => [ago(here - i), nameOf(node), spec.attention ? number(looks[i], 3) : "–"]).toReversed();
    const after = Array.from({ length: at.n }, (_, i) => saying(scene, i).map(([, what, value]) => [what, nameOf(i), value])).flat();
    return { caption: spec.alt, head: ["", "node", spec.attention ? "attention or number" : "number"], body: [...steps, ...after] };
  }

  return makeScene(spec, view, { paint, table, hover });
}
