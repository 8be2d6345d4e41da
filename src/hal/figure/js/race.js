// A guessing game: the reader and players that learn from the same samples; the page's side of `Race`.

import { sayAll } from "./facts.js";
import { arcMark, inkMark, pointMark } from "./marks.js";
import { number } from "./numbers.js";
import { RACE_STRIP, raceAsker, raceCard, raceGame, raceHeard, raceHits, raceRevealed, raceRow, raceShare } from "./rounds.js";
import { dress, html, setText, svg, toolButton, written } from "./tools.js";

const RACE_WATCHED = 10; // samples from picture to picture while the layer watches
const RACE_WAYS = ["show me where", "labels only"];

// A row of choices of which one is chosen, by a click or with the arrow keys.
function raceSwitch(label, names, pick) {
  const buttons = names.map((text, i) => {
    const button = html("button", { type: "button", role: "radio", class: "le-choice" }, text);
    button.addEventListener("click", () => pick(i));
    button.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      const to = (i + (event.key === "ArrowLeft" || event.key === "ArrowUp" ? names.length - 1 : 1)) % names.length;
      pick(to);
      buttons[to].focus();
    });
    return button;
  });
  return [html("div", { class: "le-choices le-race-ways", role: "radiogroup", "aria-label": label }, ...buttons), buttons];
}

const raceChosen = (buttons, chosen) => buttons.forEach((button, i) => dress(button, { "aria-checked": String(i === chosen), tabindex: i === chosen ? 0 : -1 }, []));

export function makeRace(root, spec, program) {
  const game = raceGame(spec, program());
  const letters = [...spec.letters];
  const names = [...spec.answers];
  const style = (kind) => `--c:${spec.tints[kind % spec.tints.length]}`;
  const cellsBox = html("div", { class: "le-race-cells" });
  const asks = html("span", { class: "le-race-cell le-race-asks" });
  const row = html("div", { class: "le-race-row", role: "img" }, cellsBox, asks);
  const question = html("span", {}, spec.question);
  const tint = (i) => (spec.answers === spec.letters ? style(i) : "--c:var(--le-muted)"); // of an answer that is no kind
  const answers = names.map((name, i) => toolButton(name, () => answerWith(i), { class: "le-race-answer", style: tint(i), "aria-keyshortcuts": name.toLowerCase() }));
  const verdict = html("p", { class: "le-race-verdict", role: "status" });
  const board = html("div", { class: "le-race-board" });
  const line = html("p", { class: "le-race-line" });
  const grid = svg("svg", { class: "le-chart le-race-grid", role: "img" }, svg("g"));
  const looked = "what the layer looks at";
  const looks = html("details", { class: "le-race-looks" }, html("summary", {}, spec.looks ? "where the layer looks" : looked), grid);
  const sentence = html("p", { class: "le-race-say" });
  const card = html("div", { class: "le-race-card", role: "group", "aria-label": "after the rounds", hidden: true });
  const on = toolButton("Next", () => next(), { class: "le-tool le-race-next", hidden: true });
  const watch = toolButton(`Let the layer watch ${spec.more} more`, () => watchMore());
  const [ways, choices] = raceSwitch("what you are told", RACE_WAYS, (i) => choose(i === 1));
  const [steps, heights] = raceSwitch("level", (spec.levels ?? []).map(({ name }) => name), (i) => i < game.open && i !== game.level && begin(game.after(i)));
  const another = toolButton("Another task", () => begin(game.after(game.level)));
  const hint = html("p", { class: "le-hint" });
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), ...(spec.levels ? [steps] : []), hint);
  const asked = html("div", { class: "le-race-asked" }, question, html("div", { class: "le-race-answers" }, ...answers), on, verdict);
  const two = html("div", { class: "le-race-two" }, html("div", {}, board, line), looks);
  const play = html("div", { class: "le-race-play" }, row, asked, two, sentence, html("div", { class: "le-acts" }, watch, ways, another), card);
  root.append(html("div", { class: "le-ui" }, html("div", { class: "le-body" }, top, play)));
  const most = []; // the reader's best in a game of this page, by level
  let film = 0;

  // The row of cells and what asks; the arc after an answer, to one who is told where.
  function drawRow() {
    const { cells, query, right } = game.sample;
    const seen = game.answer >= 0 && !game.blind;
    const plain = (told) => (told ? `--c:${game.layer.spec.colour}` : "--c:var(--le-muted)"); // where colours would say nothing
    const hue = (kind, told) => (spec.answers === spec.letters ? style(kind) : plain(told));
    const cell = (kind, i) => html("span", { class: `le-race-cell${seen && right[i] > 0 ? " le-race-right" : ""}`, style: hue(kind, seen && right[i] > 0) }, letters[kind]);
    cellsBox.replaceChildren(...Array.from(cells, cell));
    setText(asks, raceAsker(spec, game.sample));
    asks.setAttribute("style", spec.mark ? "--c:var(--le-muted)" : style(query));
    row.querySelector(".le-race-arcs")?.remove();
    row.setAttribute("aria-label", `${Array.from(cells, (kind) => letters[kind]).join(" ")}; ${spec.asks} ${raceAsker(spec, game.sample)}`);
    if (seen && spec.looks) drawArcs();
  }

  function drawArcs() {
    const home = row.getBoundingClientRect();
    const above = (node) => {
      const box = node.getBoundingClientRect();
      return [box.left + box.width / 2 - home.left, box.top - home.top];
    };
    const [x2, y2] = above(asks);
    const parts = Array.from(game.sample.right, (weight, i) => [weight, i]).filter(([weight]) => weight > 0).map(([weight, i]) => {
      const [x, y] = above(cellsBox.children[i]);
      const high = Math.min(y, y2) - 30;
      return arcMark(game.layer.spec.colour, 1 + 3 * weight, 1, `M${x},${y - 2}C${x},${high} ${x2},${high} ${x2},${y2 - 2}`);
    });
    const drawing = svg("svg", { class: "le-chart le-race-arcs", "aria-hidden": "true" }, svg("g"));
    drawing.firstChild.innerHTML = parts.join("");
    row.append(drawing);
  }

  const shown = () => [{ name: "You", right: game.mine, colour: "var(--le-fg)" }, ...game.players.filter((one) => game.blind || !one.spec.blind).map((one) => ({ name: one.name, right: one.right, colour: one.spec.colour }))];

  function drawBoard() {
    const rows = shown().flatMap(({ name, right, colour }) => {
      const recent = right.slice(-RACE_STRIP);
      const squares = Array.from({ length: RACE_STRIP }, (_, i) => html("i", { class: i < recent.length ? (recent[i] ? "le-race-hit" : "le-race-miss") : null }));
      return [html("span", {}, name), html("span", { class: "le-race-strip", style: `--c:${colour}`, role: "img", "aria-label": `${name}: ${raceHits(recent)} of the last ${recent.length} right` }, ...squares), html("b", {}, raceShare(recent))];
    });
    if (spec.meters.length) {
      const facts = game.facts();
      const meter = ([words, fact, hue]) => [html("span", {}, words), html("span", { class: "le-race-meter", style: `--c:${hue};--share:${facts[fact]}%` }), html("b", {}, `${number(facts[fact], 2)}%`)];
      return board.replaceChildren(...rows, ...spec.meters.flatMap(meter));
    }
    const axis = svg("svg", { class: "le-chart le-race-axis", role: "img", "aria-label": `by chance ${number(100 * spec.chance, 2)}%, best possible ${number(100 * game.rules.best, 2)}%` }, svg("g"));
    board.replaceChildren(...rows, html("span", {}), axis);
    const wide = axis.getBoundingClientRect().width || 238;
    dress(axis, { viewBox: `0 0 ${wide} 34` }, []);
    const at = (share) => (4 + (wide - 8) * share).toFixed(1);
    const ends = [["chance", spec.chance, spec.chance < 0.35 ? "middle" : "start"], [spec.chance < 0.35 && wide > 240 ? "best possible" : "best", game.rules.best, "end"]];
    const parts = ends.map(([text, share, anchor]) => `<path class="le-theory le-thin-arc" d="M${at(share)},0v18"/><text class="le-words" x="${anchor === "end" ? wide - 4 : anchor === "start" ? 4 : at(share)}" y="31" text-anchor="${anchor}">${text} ${number(100 * share, 2)}%</text>`);
    const marks = shown().filter(({ right }) => right.length).toReversed().map(({ right, colour }) => pointMark(Number(at(raceHits(right.slice(-RACE_STRIP)) / Math.min(right.length, RACE_STRIP))), 9, 6, colour));
    axis.firstChild.innerHTML = `<path class="le-base" d="M4,9H${wide - 4}"/>${parts.join("")}${marks.join("")}`;
    const counts = shown().map(({ name, right }) => `${name.replace(/^The /, "the ")} ${raceHits(right.slice(-RACE_STRIP))} of ${Math.min(RACE_STRIP, right.length)}`);
    setText(line, `${counts.join(" · ")} · best possible ${number(100 * game.rules.best, 2)}%, chance ${number(100 * spec.chance, 2)}%`);
  }

  // A column for each kind, as high as the attention on it; colour and frame say which kinds have decided so far.
  function drawKinds(facts) {
    const attention = game.looks();
    const [wide, high, tallest] = [(grid.getBoundingClientRect().width || 340) / letters.length, 52, Math.max(0.4, ...attention)];
    dress(grid, { viewBox: `0 0 ${wide * letters.length} ${high + 36}` }, []);
    const parts = letters.map((letter, k) => {
      const [x, tall] = [k * wide + 5, (high * attention[k]) / tallest];
      const known = !game.blind && game.known.has(k) && facts.frames[k];
      const frame = known ? `<rect class="le-outline" x="${k * wide + 1.5}" y="${high + 18}" width="${wide - 3}" height="17" rx="4"/>` : "";
      const middle = `x="${(k + 0.5) * wide}" text-anchor="middle"`;
      return `<rect class="le-ink" style="--c:${known ? game.layer.spec.colour : "var(--le-muted)"}" x="${x}" y="${(16 + high - tall).toFixed(1)}" width="${wide - 10}" height="${tall.toFixed(1)}" rx="2"/><text class="le-words" ${middle} y="${(12 + high - tall).toFixed(1)}">${number(100 * attention[k], 2)}%</text>${frame}<text class="le-words" ${middle} y="${high + 31}">${letter}</text>`;
    });
    grid.firstChild.innerHTML = `${parts.join("")}<path class="le-base" d="M0,${high + 16}H${wide * letters.length}"/>`;
    grid.setAttribute("aria-label", `${looked}. ${letters.map((letter, k) => `${letter}: ${number(100 * attention[k], 2)}%`).join("; ")}`);
  }

  // Frames stand only where the reader has been shown the place.
  function drawLooks(facts) {
    if (!spec.looks) return drawKinds(facts);
    const attention = game.looks();
    const rows = spec.mark ? [spec.mark] : letters; // one where no kind asks, known as -1
    const places = game.sample.cells.length;
    const [left, high] = [18, 22];
    const cell = ((grid.getBoundingClientRect().width || 340) - left) / places;
    looks.hidden = spec.meters.length > 0 && Math.max(...attention.map(Math.abs)) < 0.1;
    const strongest = Math.max(0.25, ...attention.map(Math.abs));
    dress(grid, { viewBox: `0 0 ${left + cell * places} ${high * rows.length}` }, []);
    const parts = rows.map((letter, k) => {
      const boxes = Array.from({ length: places }, (_, t) => {
        const value = attention[k * places + t];
        const box = `x="${left + t * cell + 1}" y="${k * high + 1}" width="${cell - 2}" height="${high - 2}" rx="3"`;
        const strength = Math.max(0, Math.abs(value) - 1 / places) / strongest;
        const ink = strength > 0.004 ? inkMark(game.layer.spec.colour, Math.min(1, strength), box) : "";
        const framed = !game.blind && game.known.has(spec.mark ? -1 : k) && facts.frames[k * places + t] ? `<rect class="le-outline" ${box}/>` : "";
        return `<rect class="le-sheet" ${box}/>${ink}${framed}`;
      });
      return `<text class="le-words" x="2" y="${(k + 0.5) * high + 4}">${letter}</text>${boxes.join("")}`;
    });
    grid.firstChild.innerHTML = parts.join("");
    const said = rows.map((letter, k) => {
      const own = attention.slice(k * places, (k + 1) * places);
      const best = own.indexOf(Math.max(...own));
      return `${letter}: most at position ${best + 1}, ${number(own[best], 2)}`;
    });
    grid.setAttribute("aria-label", `where the layer looks, by ${spec.asks}. ${said.join("; ")}`);
    return null;
  }

  function tell() {
    const facts = game.facts();
    drawBoard();
    drawLooks(facts);
    setText(sentence, sayAll([spec.say], facts));
    const seen = game.answer >= 0;
    answers.forEach((button, i) => {
      button.classList.toggle("le-race-label", seen && i === game.sample.label);
      button.classList.toggle("le-race-lost", seen && i === game.answer && i !== game.sample.label);
      if (seen) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    });
    on.hidden = !seen;
    raceChosen(choices, game.blind ? 1 : 0);
    raceChosen(heights, game.level);
    heights.forEach((button, i) => {
      if (i < game.open) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
      button.title = i < game.open ? "" : `opens after ${spec.streak} correct answers in a row on level ${i}`;
    });
  }

  function draw() {
    drawRow();
    tell();
  }

  function answerWith(i) {
    if (game.answer >= 0) return next();
    game.give(i);
    draw();
    const where = game.blind ? "" : ` ${raceRevealed(game.rules, game.sample)}`;
    const layer = `The layer said ${names[game.layer.last]}.`;
    verdict.replaceChildren(html("span", { class: "le-race-heard" }, raceHeard(names, game.sample.label, i, shown())), `${i === game.sample.label ? "Right." : `It was ${names[game.sample.label]}.`} ${layer}${where}`, spec.levels ? raceRow(game, game.streak()) : "");
    if (game.mine.length % spec.rounds === 0) showCard();
    return null;
  }

  function showCard() {
    const recent = (right) => right.slice(-spec.rounds);
    most[game.level] = Math.max(most[game.level] ?? 0, raceHits(recent(game.mine)));
    const other = toolButton(game.blind ? "Told where" : "Labels only, as the layer", () => choose(!game.blind));
    const up = game.level + 1 < game.open ? [toolButton("Next level", () => begin(game.after(game.level + 1)))] : [];
    const go = toolButton("Another task", () => begin(game.after(game.level)));
    const stay = toolButton("Go on", () => next());
    card.replaceChildren(html("p", {}, raceCard(game.rules, recent(game.mine), recent(game.layer.right), most[game.level])), ...up, other, go, stay);
    card.hidden = false;
  }

  function next() {
    cancelAnimationFrame(film);
    fresh(() => game.next());
  }

  // Another sample; a hand that was on what goes away stays in the game.
  function fresh(change) {
    const held = card.contains(document.activeElement) || document.activeElement === on;
    card.hidden = true;
    change();
    setText(verdict, matchMedia("(pointer: coarse)").matches ? "Tap your answer." : "Click your answer, or press its letter.");
    draw();
    if (held) answers[0].focus({ preventScroll: true });
  }

  function watchMore() {
    cancelAnimationFrame(film);
    if (game.answer < 0) game.number -= 1; // the sample in sight is not yet anybody's
    let left = spec.more;
    const some = matchMedia("(prefers-reduced-motion: reduce)").matches ? left : RACE_WATCHED;
    const step = () => {
      game.watch(Math.min(some, left));
      left -= Math.min(some, left);
      if (left > 0) {
        tell();
        film = requestAnimationFrame(step);
        return;
      }
      card.hidden = true;
      game.next();
      draw();
      setText(verdict, `The layer has watched ${spec.more} more: ${raceShare(game.layer.right.slice(-RACE_STRIP))} of its last ${RACE_STRIP} answers are right.`);
    };
    step();
  }

  // Told another way the task goes on; labels only begins anew, so that nothing is known that was shown.
  function choose(blind) {
    if (blind === game.blind) return;
    game.blind = blind;
    looks.open = !blind && !root.matches(".le-race-narrow");
    begin(game.after(game.level));
  }

  function begin(task) {
    cancelAnimationFrame(film);
    fresh(() => game.begin(task));
    setText(hint, game.rules.hint);
  }

  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const i = names.findIndex((name) => name.toLowerCase() === event.key.toLowerCase());
    if (i >= 0 && game.answer < 0) answerWith(i);
    else if (event.key === "Enter" && game.answer >= 0 && !event.target.closest(".le-race-card, .le-acts, summary")) next();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  row.addEventListener("click", () => game.answer >= 0 && next());
  root.sampleState = () => ({
    task: game.task, number: game.number, answer: game.answer, blind: game.blind, mine: [...game.mine], sentence: sentence.textContent,
    sample: { ...game.sample, cells: Array.from(game.sample.cells), right: Array.from(game.sample.right) },
    players: game.players.map(({ name, right, last }) => ({ name, right: [...right], last })), attention: Array.from(game.looks()),
  });
  new ResizeObserver(() => {
    const narrow = play.clientWidth < 560;
    if (narrow !== root.classList.contains("le-race-narrow")) looks.open = !narrow && !game.blind;
    root.classList.toggle("le-race-narrow", narrow);
    draw();
  }).observe(play);
  root.tabIndex = -1;
  root.classList.add("lib-race", ...(spec.meters.length ? ["le-race-metered"] : []));
  looks.open = true;
  begin(0);
  root.classList.add("le-awake");
}
