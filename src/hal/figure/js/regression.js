// A prompt of labelled points: the reader guesses the query's label, sees the lines of all rules, and drags the points.

import { sceneText } from "./marks.js";
import { sampleSlider } from "./sample_tools.js";
import { clamp, dress, html, svg, toolButton, written } from "./tools.js";

const signed = (value, digits = 2) => value.toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");

// What is said when the hidden label is shown: the label, the reader's miss, and the rule that came nearest.
function regressionSaid({ label, guess, names, predictions }) {
  const misses = predictions.map((one) => Math.abs(one - label));
  const best = misses.indexOf(Math.min(...misses));
  return `The hidden label is ${signed(label)}. ${guess ? `You missed it by ${Math.abs(guess - label).toFixed(2)}; the` : "The"} nearest rule, ${names[best]}, ${guess ? "" : "misses "}by ${misses[best].toFixed(2)}.`;
}

// Half the height of the axis: the smallest of 4, 8, 16 and so on that holds all labels.
function regressionReach(labels) {
  let reach = 4;
  while (labels.some((label) => Math.abs(label) > 0.95 * reach)) reach *= 2;
  return reach;
}

export function makeRegression(root, spec, program) {
  const functions = program()[spec.module];
  let [number, count, mean, sigma, guess, shown] = [0, spec.start, spec.mean, spec.sigma, 0, false];
  let [prompt, high, now, rounds, misses] = [null, 4, null, 0, spec.rules.map(() => 0)];
  const X = (x) => (spec.width / 2) * (1 + x / spec.reach);
  const Y = (y) => (spec.height / 2) * (1 - y / high);
  const inside = (x) => clamp(x, -0.97 * spec.reach, 0.97 * spec.reach);
  const held = (y) => clamp(y, -0.97 * high, 0.97 * high);

  const scale = svg("g", { "aria-hidden": "true" });
  const prior = svg("g", { "aria-hidden": "true" });
  const lines = svg("g", { "aria-hidden": "true" });
  const dots = svg("g");
  const truth = svg("g", { "aria-hidden": "true" });
  const asking = svg("path", { class: "le-theory le-thin-arc" });
  const handle = svg("g", { class: "le-regression-guess", tabindex: 0, role: "slider", "aria-orientation": "vertical", "data-lm-suppress-shortcuts": "true" }, svg("circle", { r: 22, class: "le-sphere-touch" }), svg("path", { d: "M0,-11L11,0L0,11L-11,0Z" }));
  const scene = svg("svg", { viewBox: `0 0 ${spec.width} ${spec.height}`, class: "le-chart le-regression-scene", role: "group", "aria-label": "examples, feature to the right and label upwards" }, scale, svg("g", {}, asking), prior, lines, truth, dots, handle);
  const said = html("p", { class: "le-sample-answer", role: "status" });
  const rules = html("div", { class: "le-regression-rules" });
  const centre = sampleSlider(spec.name, "Prior mean β*", { min: -4, max: 4, step: 0.05, value: mean }, (value) => ((mean = value), moved()));
  const noise = sampleSlider(spec.name, "Noise σ", { min: 0.1, max: 3, step: 0.05, value: sigma }, (value) => ((sigma = value), moved()));
  const show = toolButton("Show the label", reveal);
  const fewer = toolButton("Remove an example", () => examples(count - 1));
  const more = toolButton("Add an example", () => examples(count + 1));
  const next = toolButton("Next prompt", () => draw(number + 1));
  const head = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title));
  const side = html("div", { class: "le-regression-side" }, said, rules, html("div", { class: "le-acts" }, show, next, fewer, more), centre.root, noise.root);
  root.append(html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, head, html("p", { class: "le-sample-question" }, spec.question), html("div", { class: "le-regression-body" }, html("div", { class: "le-regression-plot" }, scene), side)));

  // Fresh points of a prompt; the slope of the task moves with the prior mean, its labels with the noise.
  function place() {
    const { x, y, query } = functions[spec.prompt](number, mean, sigma);
    prompt = { x: Array.from(x, inside), y: Array.from(y), query: Array.from(query) };
    prompt.y = prompt.y.map((label, i) => (x[i] === prompt.x[i] ? label : (label * prompt.x[i]) / x[i]));
    high = regressionReach([...prompt.y, prompt.query[1], guess]);
    const [across, up] = [spec.width / 2, spec.height / 2];
    const marked = [-0.5, 0.5].flatMap((share) => [sceneText(across + 5, Y(share * high) + 4, signed(share * high, 0)), sceneText(X(4 * share), up + 15, signed(4 * share, 0), 'text-anchor="middle"')]);
    const words = [sceneText(spec.width - 4, up - 6, "feature x", 'text-anchor="end"'), sceneText(across - 6, 14, "label y", 'text-anchor="end"')];
    scale.innerHTML = [`<path class="le-base" d="M0,${up}H${spec.width}M${across},0V${spec.height}"/>`, ...marked, ...words].join("");
  }

  function draw(to) {
    [number, guess, shown] = [to, 0, false];
    place();
    paint();
  }

  function moved() {
    if (!shown) place(); // a prompt that has been judged stays: only what the rules believe moves
    paint();
  }

  function examples(to) {
    count = clamp(to, 1, spec.most);
    paint();
  }

  function reveal() {
    if (shown) return;
    [shown, rounds] = [true, rounds + 1];
    misses = misses.map((sum, i) => sum + Math.abs(now.predictions[i] - now.label));
    paint();
    said.textContent = regressionSaid(judged());
    handle.blur();
  }

  function judged() {
    const slopes = Array.from(functions[spec.answers](Float64Array.from(prompt.x.slice(0, count)), Float64Array.from(prompt.y.slice(0, count)), mean, sigma).slopes);
    return { label: prompt.query[1], guess, names: spec.rules.map((rule) => rule.name), predictions: slopes.map((slope) => slope * prompt.query[0]), slopes };
  }

  function paint() {
    now = judged();
    const [ask, label] = prompt.query;
    dress(asking, { d: `M${X(ask).toFixed(1)},0V${spec.height}` }, []);
    const top = Math.min(spec.reach, high / Math.max(Math.abs(mean), 1e-9));
    const far = ask < 0 ? top : -top; // its name stands on the side where no rule is drawn
    prior.innerHTML = `<path class="le-theory le-thin-arc" d="M${X(-top)},${Y(-top * mean)}L${X(top)},${Y(top * mean)}"/>` + sceneText(X(far) + (far > 0 ? -18 : 18), clamp(Y(far * mean) + (far * mean > 0 ? -8 : 18), 14, spec.height - 6), "prior mean β*", `text-anchor="${far > 0 ? "end" : "start"}"`, "le-haloed");
    rules.innerHTML = listed(label);
    lines.innerHTML = shown ? answered(ask, label) : "";
    truth.replaceChildren(...(shown ? [svg("circle", { cx: X(ask), cy: Y(held(label)), r: 9, class: "le-outline" })] : []));
    handle.setAttribute("transform", `translate(${X(ask).toFixed(1)} ${Y(guess).toFixed(1)})`);
    dress(handle, { "aria-label": "Your guess of the query's label", "aria-valuemin": -high, "aria-valuemax": high, "aria-valuenow": guess.toFixed(2), "aria-valuetext": `${guess.toFixed(2)} at the feature ${ask.toFixed(2)}`, "aria-disabled": String(shown) }, []);
    while (dots.childNodes.length > count) dots.lastChild.remove();
    while (dots.childNodes.length < count) dots.append(point(dots.childNodes.length));
    dots.childNodes.forEach((dot, i) => {
      dot.setAttribute("transform", `translate(${X(prompt.x[i]).toFixed(1)} ${Y(held(prompt.y[i])).toFixed(1)})`);
      dress(dot, { "aria-valuemin": -high, "aria-valuemax": high, "aria-valuenow": prompt.y[i].toFixed(2), "aria-valuetext": `feature ${prompt.x[i].toFixed(2)}, label ${prompt.y[i].toFixed(2)}` }, []);
    });
    for (const [one, value] of [[centre, mean], [noise, sigma]]) {
      one.output.textContent = signed(value);
      one.input.setAttribute("aria-valuetext", signed(value));
    }
    [show.disabled, fewer.disabled, more.disabled] = [shown, count === 1, count === spec.most];
    said.textContent = shown ? "Drag the points, turn the prior mean and the noise, add examples: all lines follow." : `${count} examples. Drag the diamond to the label that you expect there.`;
  }

  // Every rule's line on the query's side; beside the query a bar for each miss, from the label's height.
  function answered(ask, label) {
    const [way, level] = [ask < 0 ? -1 : 1, Y(held(label)).toFixed(1)];
    const out = Math.abs(ask) < 2.2 ? way : -way; // where there is room
    return spec.rules.map((rule, i) => ({ ...rule, i })).sort((a, b) => way * (now.slopes[b.i] - now.slopes[a.i])).map(({ colour, i }, k) => {
      const [end, bar] = [way * spec.reach, `M${(X(ask) + out * (18 + 11 * k)).toFixed(1)},${level}V${Y(held(now.predictions[i])).toFixed(1)}`];
      return `<path class="le-bold" style="--c:${colour};stroke-width:2" d="M${X(0)},${Y(0)}L${X(end)},${Y(end * now.slopes[i]).toFixed(1)}"/><path class="le-bold" style="--c:${colour};stroke-width:9;stroke-linecap:butt" d="${bar}"/>`;
    }).join("") + `<path class="le-base" d="M${X(ask)},${level}h${out * 58}"/>`;
  }

  // The rules by name; of a judged prompt how far each is off, and on average over the prompts judged so far.
  function listed(label) {
    const off = (i) => `: off by ${Math.abs(now.predictions[i] - label).toFixed(2)}, mean ${(misses[i] / rounds).toFixed(2)}`;
    return spec.rules.map(({ name, colour }, i) => `<span class="le-regression-rule" style="--c:${colour}">${name}${shown ? off(i) : ""}</span>`).join("");
  }

  function point(i) {
    const dot = svg("g", { class: "le-regression-point", tabindex: 0, role: "slider", "aria-label": `example ${i + 1}`, "data-lm-suppress-shortcuts": "true" }, svg("circle", { r: 16, class: "le-sphere-touch" }), svg("circle", { r: 6, class: "le-dot", style: "--c:var(--le-fg)" }));
    grip(dot, () => [prompt.x[i], prompt.y[i]], (x, y) => ([prompt.x[i], prompt.y[i]] = [inside(x), held(y)]));
    return dot;
  }

  // Mouse, touch and arrow keys move what is gripped.
  function grip(node, where, to) {
    let down = false;
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      down = true;
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      event.preventDefault();
    });
    node.addEventListener("pointermove", (event) => {
      if (!down) return;
      const box = scene.getBoundingClientRect();
      to(((event.clientX - box.left) / box.width - 0.5) * 2 * spec.reach, (0.5 - (event.clientY - box.top) / box.height) * 2 * high);
      paint();
    });
    for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (down = false));
    node.addEventListener("keydown", (event) => {
      const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
      if (!dx && !dy) return;
      event.preventDefault();
      event.stopPropagation();
      const [x, y] = where();
      const size = event.shiftKey ? 0.05 : 0.01;
      to(x + 2 * spec.reach * size * dx, y + 2 * high * size * dy);
      paint();
    });
  }

  grip(handle, () => [0, guess], (_, y) => (guess = shown ? guess : held(y)));
  root.sampleState = () => ({ number, count, mean, sigma, guess, shown, prompt, ...now });
  draw(0);
  root.classList.add("le-awake");
}
