// Labelled examples of several groups: the reader picks the one that decides, then sees what was picked by learning.

import { sceneText } from "./marks.js";
import { scoredGuess } from "./sample_tools.js";
import { clamp, html, svg, toolButton, written } from "./tools.js";

const most = (shares) => shares.indexOf(Math.max(...shares));

// What is said after a guess: which group decides, and what the layer and an ideal player would have said.
function groupsSaid({ guess, right, attention, best }) {
  const bet = (shares) => `group ${most(shares) + 1} (${Math.floor(100 * shares[most(shares)] + 0.5)}%)`;
  const verdict = guess === right ? "Right" : `No, not group ${guess + 1}`;
  return `${verdict}: group ${right + 1} decides. After the same examples the layer looks most at ${bet(attention)}; the best bet is ${bet(best)}.`;
}

export function makeGroups(root, spec, program) {
  const examples = program()[spec.module][spec.examples];
  let [number, n, guess, now] = [0, spec.counts[Math.min(1, spec.counts.length - 1)], -1, null];
  let points = { tries: 0, hits: 0, luck: 0 };
  let others = [0, 0]; // hits of the layer and of an ideal player
  const row = html("div", { class: "le-groups-row", role: "group", "aria-label": "the groups" });
  const answer = html("p", { class: "le-sample-answer", role: "status" });
  const score = html("p", { class: "le-sample-score" });
  const many = spec.counts.map((count) => toolButton(`${count} examples`, () => draw(number, count)));
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), html("div", { class: "le-sphere-kinds", role: "group", "aria-label": "how many examples" }, ...many));
  const key = html("p", { class: "le-groups-key" }, html("b", { style: `--c:${spec.signs[1]}` }, "+"), " label +1", html("b", { style: `--c:${spec.signs[0]}` }, "−"), " label −1");
  root.append(html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, top, html("p", { class: "le-sample-question" }, spec.question), key, row, answer, html("div", { class: "le-acts" }, toolButton("Other examples", () => draw(number + 1, n)), score)));

  function picture(j, D) {
    const half = spec.size / 2;
    const marks = Array.from(now.labels, (label, i) => {
      const at = [0, 1].map((a) => clamp((now.points[2 * (D * i + j) + a] / spec.reach) * half, 5 - half, half - 5));
      return sceneText(half + at[0], half - at[1] + 5, label > 0 ? "+" : "−", `style="--c:${spec.signs[label > 0 ? 1 : 0]}" text-anchor="middle"`, "le-word");
    });
    const ink = svg("g");
    ink.innerHTML = `<path class="le-base" d="M0,${half}H${spec.size}M${half},0V${spec.size}"/>${marks.join("")}`;
    return svg("svg", { viewBox: `0 0 ${spec.size} ${spec.size}`, class: "le-chart", "aria-hidden": "true" }, ink);
  }

  const bar = (colour, words, share) => html("span", { class: "le-groups-bar", style: `--c:${colour};--share:${(100 * share).toFixed(1)}%` }, html("i", {}, `${words} ${Math.floor(100 * share + 0.5)}%`));

  function draw(nextNumber, count) {
    [number, n, guess] = [nextNumber, count, -1];
    now = examples(number, n);
    many.forEach((one, i) => one.setAttribute("aria-pressed", String(spec.counts[i] === n)));
    const D = now.right.length;
    row.replaceChildren(...Array.from({ length: D }, (_, j) => {
      const cell = html("button", { type: "button", class: "le-groups-cell", "aria-label": `group ${j + 1}` }, picture(j, D), html("span", { class: "le-groups-name" }, `group ${j + 1}`), html("span", { class: "le-groups-told" }));
      cell.addEventListener("click", () => choose(j));
      return cell;
    }));
    answer.textContent = "Click the group that you think decides the label.";
    tell();
  }

  const tell = () => (score.textContent = points.tries ? `After ${points.tries} ${points.tries === 1 ? "round" : "rounds"}: you ${points.hits} · layer ${others[0]} · best bet ${others[1]} · chance ${Math.floor(points.luck * 100 + 0.5) / 100}` : "");

  function choose(j) {
    if (guess >= 0) return;
    guess = j;
    const right = Array.from(now.right).indexOf(1);
    points = scoredGuess(points, now.right, j);
    others = [now.attention, now.best].map((shares, k) => others[k] + (most(shares) === right ? 1 : 0));
    row.childNodes.forEach((cell, k) => {
      cell.classList.toggle("le-sample-right", k === right);
      cell.classList.toggle("le-sample-wrong", k === j && k !== right);
      cell.setAttribute("aria-disabled", "true");
      cell.querySelector(".le-base").remove();
      cell.childNodes[1].append(k === right ? ": decides" : k === j ? ": you" : "");
      cell.lastChild.replaceChildren(bar(spec.idea, "layer", now.attention[k]), bar("var(--le-muted)", "best bet", now.best[k]));
    });
    const [half, [x, y]] = [spec.size / 2, now.line];
    const line = `M${half - spec.size * y},${half - spec.size * x}L${half + spec.size * y},${half + spec.size * x}`;
    const side = (sign) => `<path class="le-groups-side" style="--c:${spec.signs[sign > 0 ? 1 : 0]}" d="${line}l${sign * spec.size * x},${-sign * spec.size * y}l${-2 * spec.size * y},${-2 * spec.size * x}Z"/>`;
    row.childNodes[right].querySelector("g").insertAdjacentHTML("afterbegin", `${side(1)}${side(-1)}<path class="le-theory" d="${line}"/>`);
    answer.textContent = groupsSaid({ ...now, guess, right });
    tell();
  }

  root.sampleState = () => ({ number, n, guess, points, sample: Object.fromEntries(Object.entries(now).map(([name, values]) => [name, Array.from(values)])) });
  draw(0, n);
  root.classList.add("le-awake");
}
