// Labelled points on a circle or a sphere, and a query to drag: lines of attention, the answer, the map of decisions.

import { arcMark, pointMark, sceneText } from "./marks.js";
import { sampleSlider } from "./sample_tools.js";
import { dress, html, isDark, svg, toolButton, watchTheme, written } from "./tools.js";

const SPHERE_SIZE = 440; // units of the drawing, a square
const SPHERE_RADIUS = 165;
const SPHERE_RING = 34; // width of a circle's map
const BOLD = 'text-anchor="middle" font-weight="600"';
const SPHERE_QUERY = 1.361; // radians: where the query of a circle stands at first

// The slider is finer where little is much: places 0 to 1 of the track to the cube of them.
const sharpnessOf = (place, largest) => largest * place ** 3;
const placeOfSharpness = (value, largest) => Math.cbrt(value / largest);

// Red, green and blue of "#0072B2".
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const unit = (v) => v.map((one) => one / (Math.hypot(...v) || 1));
// Three rows of a turn: right, up, towards the reader.
const turned = (turn, v) => turn.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const turnedBack = (turn, [a, b, c]) => [0, 1, 2].map((i) => a * turn[0][i] + b * turn[1][i] + c * turn[2][i]);

// The turn after a drag of dx radians to the right and dy down: what is in front goes along.
function draggedTurn([right, up, out], dx, dy) {
  const mix = (a, p, b, q) => unit(a.map((one, i) => p * one + q * b[i]));
  const [r, o] = [mix(right, Math.cos(dx), out, Math.sin(dx)), mix(out, Math.cos(dx), right, -Math.sin(dx))];
  const o2 = mix(o, Math.cos(dy), up, Math.sin(dy));
  return [r, cross(o2, r), o2];
}

// What is said of an answer: f, the label of the nearest point, its share of the attention.
function sphereSaid({ answer, label, share, own, sharpness }) {
  const signed = (value, digits) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
  const right = answer * label > 0;
  const verdict = right ? "the sign is right" : answer === 0 ? "no sign at all" : "the sign is wrong";
  const percent = (part) => `${Math.floor(100 * part + 0.5)}%`;
  if (own !== undefined) return `The query gives itself ${percent(own)} of its attention, and the nearest point ${percent(share)}. The answer is ${signed(answer, 2)}; its nearest point is labelled ${signed(label, 0)}.`;
  const rule = sharpness === 0 ? " At t = 0 every point counts equally." : "";
  return `The answer is ${signed(answer, 2)}, and the nearest point is labelled ${signed(label, 0)}: ${verdict}. The nearest point gets ${percent(share)} of the attention.${rule}`;
}

export function makeSphere(root, spec, program) {
  const functions = program()[spec.module];
  let [d, number, N, sharpness] = [2, 0, spec.points, spec.start];
  let turn = [[1, 0, 0], [0, 0.94, 0.342], [0, -0.342, 0.94]];
  let query = null;
  let points = null;
  let shown = null;
  let frame = 0;

  const circle = toolButton("Circle", () => reset(2, number), { "aria-pressed": "true" });
  const ball = toolButton("Sphere", () => reset(3, number), { "aria-pressed": "false" });
  const sharp = sampleSlider(spec.name, spec.sharpness, { min: 0, max: 1, step: 0.001, value: placeOfSharpness(spec.start, spec.largest) }, (place) => {
    stop();
    sharpen(place);
  });
  const sharpen = (place) => {
    sharpness = sharpnessOf(place, spec.largest);
    ask();
  };
  // Play sharpens evenly along the slider, from its start to its end in six seconds.
  let film = 0;
  const stop = () => {
    cancelAnimationFrame(film);
    film = 0;
    play.textContent = "Play";
  };
  const play = toolButton("Play", () => {
    if (film) return stop();
    const [now, begun] = [Number(sharp.input.value), performance.now()];
    const from = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : now < 0.999 ? now : 0;
    play.textContent = "Pause";
    film = requestAnimationFrame(function next(time) {
      const place = Math.min(1, from + Math.max(0, time - begun) / 6000);
      sharpen((sharp.input.value = place));
      if (place < 1) film = requestAnimationFrame(next);
      else stop();
    });
  }, { class: "le-tool le-sphere-play" });
  const many = sampleSlider(spec.name, "Points N", { min: spec.fewest, max: spec.most, step: 1, value: N }, (value) => {
    N = value;
    reset(d, number);
  });
  const map = html("canvas", { class: "le-sphere-map", "aria-hidden": "true" });
  const rays = svg("g", { "aria-hidden": "true" });
  const dots = svg("g", { "aria-hidden": "true" });
  const labels = svg("g", { "aria-hidden": "true" });
  const ring = svg("circle", { class: "le-round", cx: SPHERE_SIZE / 2, cy: SPHERE_SIZE / 2, r: SPHERE_RADIUS, "aria-hidden": "true" });
  const handle = svg("g", { class: "le-sphere-query", tabindex: 0, role: "slider", "aria-label": "The query: drag it, or move it with the arrow keys", "aria-valuemin": -180, "aria-valuemax": 180, "data-lm-suppress-shortcuts": "true" }, svg("circle", { r: 22, class: "le-sphere-touch" }), svg("path", { d: "M0,-12L12,0L0,12L-12,0Z" }));
  const scene = svg("svg", { viewBox: `0 0 ${SPHERE_SIZE} ${SPHERE_SIZE}`, class: "le-chart le-sphere-scene", role: "group", "aria-label": spec.title }, ring, labels, rays, dots, handle);
  const said = html("p", { class: "le-sample-answer", role: "status" });
  const bars = html("ol", { class: "le-sphere-bars", "aria-label": "attention, from the nearest point to the farthest" });
  const hint = html("p", { class: "le-sample-learned" });
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), html("div", { class: "le-sphere-kinds", role: "group", "aria-label": "where the points lie" }, ...(spec.ball ? [circle, ball] : [])));
  const side = html("div", { class: "le-sphere-side" }, play, sharp.root, many.root, said, bars, html("div", { class: "le-acts" }, toolButton("Other points", () => reset(d, number + 1))), hint);
  root.append(html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, top, html("div", { class: "le-sphere-body" }, html("div", { class: "le-sphere-plot" }, map, scene), side)));

  function reset(kind, next) {
    const fresh = !query || kind !== d;
    [d, number] = [kind, next];
    circle.setAttribute("aria-pressed", String(d === 2));
    ball.setAttribute("aria-pressed", String(d === 3));
    const found = functions[spec.prompt](number, N, d);
    points = { at: found.points, labels: found.labels };
    if (fresh) query = d === 2 ? [Math.cos(SPHERE_QUERY), Math.sin(SPHERE_QUERY), 0] : turnedBack(turn, unit([0.25, 0.35, 1]));
    hint.textContent = d === 2 ? "Drag the diamond along the ring." : "Drag the diamond, or turn the sphere by dragging it elsewhere. Points behind it are faint.";
    ask();
  }

  const ask = () => (frame ||= requestAnimationFrame(draw));
  const answerAt = (v) => functions[spec.answer](points.at, points.labels, v[0], v[1], v[2], sharpness);
  const pointOf = (j) => [points.at[3 * j], points.at[3 * j + 1], points.at[3 * j + 2]];
  const seen = (v) => (d === 2 ? v : turned(turn, v));
  const placed = ([x, y]) => [SPHERE_SIZE / 2 + SPHERE_RADIUS * x, SPHERE_SIZE / 2 - SPHERE_RADIUS * y];

  const hueOf = (label) => spec.signs[label > 0 ? 1 : 0];
  const signOf = (label) => (label > 0 ? "+" : "−");

  // The colour of an answer from -1 to 1, through the card's own colour at 0.
  function inkOf(f, ground) {
    const hue = channels(hueOf(f));
    const share = 0.85 * Math.min(1, Math.abs(f));
    return hue.map((one, i) => ground[i] + share * (one - ground[i]));
  }

  function drawMap() {
    const ground = isDark(root) ? [40, 46, 55] : [238, 240, 243];
    const wide = d === 2 ? 440 : 220;
    Object.assign(map, { width: wide, height: wide });
    const ink = map.getContext("2d");
    if (d === 2) {
      const parts = 720;
      ink.lineWidth = SPHERE_RING;
      for (let k = 0; k < parts; k++) {
        const at = (2 * Math.PI * (k + 0.5)) / parts;
        ink.strokeStyle = `rgb(${inkOf(answerAt([Math.cos(at), Math.sin(at), 0]).answer[0], ground)})`;
        ink.beginPath();
        ink.arc(wide / 2, wide / 2, SPHERE_RADIUS + SPHERE_RING / 2 + 13, -(at + 0.006), -(at - 0.006));
        ink.stroke();
      }
      return;
    }
    const image = ink.createImageData(wide, wide);
    const radius = (SPHERE_RADIUS * wide) / SPHERE_SIZE;
    for (let row = 0; row < wide; row++) {
      for (let column = 0; column < wide; column++) {
        const [x, y] = [(column + 0.5 - wide / 2) / radius, (wide / 2 - row - 0.5) / radius];
        const left = 1 - x * x - y * y;
        if (left < 0) continue;
        const f = answerAt(turnedBack(turn, [x, y, Math.sqrt(left)])).answer[0];
        image.data.set([...inkOf(f, ground), 255], 4 * (row * wide + column));
      }
    }
    ink.putImageData(image, 0, 0);
  }

  // What a query would be told, written on the ring along the longest arc of each kind; a lonely one looks at itself.
  function ringLabels(xi1) {
    const [centre, far, parts, at] = [SPHERE_SIZE / 2, SPHERE_RADIUS + SPHERE_RING / 2 + 13, 120, (k) => (2 * Math.PI * k) / 120];
    const kinds = Array.from({ length: parts }, (_, k) => {
      const { attention, answer } = answerAt([Math.cos(at(k)), Math.sin(at(k)), 0]);
      if (!spec.ball && attention[N] > 0.5) return "lonely: too far from every point";
      return answer[0] > 0.35 ? "answer +" : answer[0] < -0.35 ? "answer −" : "undecided";
    });
    const found = {}; // the longest run of each: [its middle, its length]
    const first = Math.max(0, kinds.findIndex((kind, k) => kind !== kinds.at(k - 1)));
    for (let k = 0, run = 0; k < parts; k++) {
      const kind = kinds[(first + k) % parts];
      run = k && kind === kinds[(first + k - 1) % parts] ? run + 1 : 1;
      if (run > (found[kind]?.[1] ?? 3)) found[kind] = [run === parts ? SPHERE_QUERY : at(first + k - (run - 1) / 2), run];
    }
    const on = (radius, a) => `${(centre + radius * Math.cos(a)).toFixed(1)},${(centre - radius * Math.sin(a)).toFixed(1)}`;
    const clear = Object.entries(found).sort((a, b) => b[1][1] - a[1][1]).filter(([, [one]], i, all) => all.slice(0, i).every(([, [other]]) => Math.cos(one - other) < 0.9));
    const text = clear.map(([kind, [middle, run]], i) => {
      const sense = Math.sin(middle) > 0 ? 1 : -1; // below the centre it is written from left to right, too
      const [half, radius, edge, low, high] = [1.2 * sense, far - 5 * sense, far + SPHERE_RING / 2 + 5, middle - at(run / 2), middle + at(run / 2)];
      const bracket = kind.length > 9 ? `<path class="le-outline" fill="none" d="M${on(edge - 5, low)}L${on(edge, low)}A${edge},${edge} 0 ${run > parts / 2 ? 1 : 0} 0 ${on(edge, high)}L${on(edge - 5, high)}"/>` : "";
      return `${bracket}<path id="${spec.name}-ring-${i}" fill="none" d="M${on(radius, middle + half)}A${radius},${radius} 0 0 ${sense > 0 ? 1 : 0} ${on(radius, middle - half)}"/><text class="le-words le-haloed" font-weight="600" text-anchor="middle"><textPath href="#${spec.name}-ring-${i}" startOffset="50%">${kind}</textPath></text>`;
    });
    const words = xi1 ? ["sharpness of attention", `ξ₁ = ${xi1[0].toFixed(xi1[0] < 10 ? 1 : 0)}`] : [];
    return [...text, ...words.map((line, i) => sceneText(centre, centre + 24 * i, line, BOLD, "le-haloed"))].join("");
  }

  // Attention of a query of a circle on itself: a loop that leaves it and comes back.
  function selfLoop(share) {
    const to = (a, b) => [0, 1].map((i) => SPHERE_SIZE / 2 + (SPHERE_RADIUS - a) * [query[0], -query[1]][i] + b * [query[1], query[0]][i]);
    const loop = arcMark(spec.idea, 2 + 6 * share, 0.25 + 0.75 * share, `M${to(12, 6)}C${to(95, 75)} ${to(95, -75)} ${to(22, -10)}`);
    return `${loop}<path class="le-dot" style="--c:${spec.idea}" fill-opacity="${share}" d="M${to(8, -3)}L${to(30, -4)}L${to(20, -21)}Z"/>${sceneText(...to(92, 0), `${Math.floor(100 * share + 0.5)}% on itself`, BOLD, "le-haloed")}`;
  }

  function draw() {
    frame = 0;
    const { attention, answer, xi1 } = answerAt(query);
    const closeness = Array.from({ length: N }, (_, j) => pointOf(j).reduce((sum, one, i) => sum + one * query[i], 0));
    const order = closeness.map((_, j) => j).sort((a, b) => closeness[b] - closeness[a]);
    const nearest = order[0];
    shown = { answer: answer[0], label: points.labels[nearest], share: attention[nearest], own: spec.ball ? undefined : attention[N], sharpness };
    drawMap();
    const [qx, qy] = placed(seen(query));
    rays.innerHTML = order.map((j) => {
      const [x, y] = placed(seen(pointOf(j)));
      return arcMark(spec.idea, 14 * attention[j], Math.min(0.9, 0.25 + attention[j]), `M${qx.toFixed(1)},${qy.toFixed(1)}L${x.toFixed(1)},${y.toFixed(1)}`);
    }).join("");
    if (shown.own > 0.03) rays.innerHTML += selfLoop(shown.own);
    labels.innerHTML = d === 2 ? ringLabels(xi1) : "";
    dots.innerHTML = order.toReversed().map((j) => {
      const v = seen(pointOf(j));
      const [x, y] = placed(v);
      const around = j === nearest ? `<circle class="le-outline" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="15"/>` : "";
      return `<g${d === 3 && v[2] < 0 ? ' opacity="0.35"' : ""}>${around}${pointMark(x, y, 11, hueOf(points.labels[j]), signOf(points.labels[j]))}</g>`;
    }).join("");
    handle.setAttribute("transform", `translate(${qx.toFixed(1)} ${qy.toFixed(1)})`);
    handle.setAttribute("style", `--c:rgb(${inkOf(answer[0], [250, 250, 250]).map(Math.round)})`);
    const angle = (180 / Math.PI) * Math.atan2(query[1], query[0]);
    dress(handle, { "aria-valuenow": angle.toFixed(0), "aria-valuetext": `at ${angle.toFixed(0)} degrees; answer ${answer[0].toFixed(2)}` }, []);
    sharp.output.textContent = sharpness < 10 ? sharpness.toFixed(1) : Math.round(sharpness).toLocaleString("en");
    sharp.input.setAttribute("aria-valuetext", sharp.output.textContent);
    many.output.textContent = String(N);
    said.textContent = sphereSaid(shown);
    const rows = shown.own === undefined ? order : [N, ...order];
    bars.replaceChildren(...rows.slice(0, 3).map((j) => html("li", { style: `--c:${spec.idea};--share:${(100 * attention[j]).toFixed(1)}%` }, html("b", {}, j === N ? "◆" : signOf(points.labels[j])), html("span", {}), html("i", {}, `${Math.floor(100 * attention[j] + 0.5)}%`))));
  }

  // The place of the sphere under the pointer; beyond the rim the nearest of the rim.
  function under(event) {
    const box = scene.getBoundingClientRect();
    const scale = SPHERE_SIZE / box.width;
    const x = ((event.clientX - box.left) * scale - SPHERE_SIZE / 2) / SPHERE_RADIUS;
    const y = (SPHERE_SIZE / 2 - (event.clientY - box.top) * scale) / SPHERE_RADIUS;
    const far = Math.hypot(x, y);
    if (d === 2) return far > 0.05 ? [x / far, y / far, 0] : query;
    return turnedBack(turn, far < 1 ? [x, y, Math.sqrt(1 - far * far)] : [x / far, y / far, 0]);
  }

  let held = ""; // "query" or "turn"
  let last = null;
  scene.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = handle.contains(event.target) || d === 2 ? "query" : "turn";
    last = [event.clientX, event.clientY];
    scene.setPointerCapture(event.pointerId);
    if (held === "query") {
      query = under(event);
      handle.focus({ preventScroll: true });
    }
    event.preventDefault();
    ask();
  });
  scene.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (held === "query") query = under(event);
    else {
      const scale = SPHERE_SIZE / scene.getBoundingClientRect().width / SPHERE_RADIUS;
      turn = draggedTurn(turn, (event.clientX - last[0]) * scale, (event.clientY - last[1]) * scale);
      last = [event.clientX, event.clientY];
    }
    ask();
  });
  for (const name of ["pointerup", "pointercancel"]) scene.addEventListener(name, () => (held = ""));
  handle.addEventListener("keydown", (event) => {
    const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    if (!dx && !dy) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 0.2 : 0.03;
    if (d === 2) {
      const at = Math.atan2(query[1], query[0]) - size * (dx - dy);
      query = [Math.cos(at), Math.sin(at), 0];
    } else {
      const [x, y, z] = turned(turn, query);
      query = turnedBack(turn, unit([x + size * dx, y + size * dy, z]));
    }
    ask();
  });
  root.sampleState = () => ({ d, number, N, sharpness, query: [...query], turn, shown, attention: Array.from(answerAt(query).attention) });
  reset(2, 0);
  watchTheme(ask);
  root.classList.add("le-awake");
}
