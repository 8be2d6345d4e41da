// What a figure computes and keeps: theory at once, at every move; then runs, one after the other, drawn as they grow; and
// states that the reader holds under the next ones.

import { bindArrays, spelt } from "./binding.js";
import { makeFitting, refusalOf, saidFitted, sameSettings } from "./controls.js";
import { factsOf, infiniteIn, middleRun, saidDivergence, saidInfinite, sayAll } from "./facts.js";
import { number } from "./numbers.js";
import { pythonOf } from "./python.js";
import { asJson, html } from "./tools.js";
import { makeEngine, unpacked } from "./trainer.js";

const NO_ENGINE = { start() {}, stop() {}, rest() {}, dispose() {}, place: () => "page" };
const CHANGED = "Your version of the model. Pale curves are the book’s, and theory is theory of the book’s.";
const AT_REST = 600; // ms after the last move, when axes may shrink
const A_PAUSE = 120; // ms after the last move, when what is slow is computed

const nameOf = (text) => text.match(/^([A-Za-z_]\w*): /)?.[1];

// Whether the same runs are drawn at two settings: what differs, if anything, is an axis.
const sameRuns = (controls, a, b) => controls.every(({ name, axis }) => axis || String(a[name]) === String(b[name]));

export function makeComputing(root, spec, program, host) {
  const { run, textbook, own, runs: wanted } = spec.computes;
  const portable = program();
  const [mine, model] = [portable[own], portable[run]];
  const first = (spec.computes.first ?? []).map((arrays) => finishedRun(unpacked(arrays)));
  const initial = Object.fromEntries(spec.controls.map((c) => [c.name, c.stops[c.default]]));
  let jobs = 0;
  let dragging = false;
  let seed = 0;
  let chosen = null; // place of the run that the reader wants to see
  let now = null; // {settings, seed, given: the run's own settings, theory, runs, drawn: the run that is drawn as it grows, ghost, remark}
  let remark = "";
  let trouble = "";
  let frame = 0; // asked for, to draw what has come
  let later = 0;
  let seen = 0; // finished runs that are drawn
  let view = null;
  let pressed = false; // a slider or a handle is being dragged
  let grasped = false; // and nothing has moved yet
  let movedAt = -Infinity;
  let settling = 0;
  let catching = 0;
  const fitted = makeFitting(spec.controls);
  const holds = makeHolds(root, spec, () => now && show());
  let theirs = null; // {engine, extra}: a reader's version of the model, over the book's

  function finishedRun(readings) {
    return { readings, finished: true, lost: readings.diverged_at[0] >= 0, infinite: infiniteIn(spec.panels, readings) };
  }

  // A figure without a run is theory alone.
  const make = run ? (host.engine ?? ((arrived) => makeEngine(program, run, spec.computes.probe, arrived))) : () => NO_ENGINE;
  const engine = make((message) => now && hear(message, now.book ?? now.runs));

  function hear(message, runs) {
    if (!now || message.job !== jobs) return;
    if (message.error) {
      trouble = `The run stopped: ${message.error}`;
      if (theirs?.good.length) now.runs = theirs.good;
    } else runs[message.run] = message.finished ? finishedRun(message.readings) : { readings: message.readings, finished: false, lost: false };
    // The first run is drawn as it grows and the last when it is done; those between a few times a second, so that the
    // sliders stay light.
    if (message.run === now.drawn || message.error || finishedCount() === wanted) soon();
    else later ||= setTimeout(soon, 120);
  }

  function soon() {
    clearTimeout(later);
    later = 0;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  }

  // What a run before was about to draw is out of date.
  function forget() {
    clearTimeout(later);
    cancelAnimationFrame(frame);
    [later, frame] = [0, 0];
  }

  // Drawn once more at rest, since what came while something moved was drawn on axes that held still.
  function settleLater() {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (pressed) settleLater();
      else if (!view.refused) show();
    }, AT_REST + 20);
  }

  // Theory at these settings, as far as it is wanted at once; of the rest the last stays until a pause, and `pending` has
  // its names.
  function addTheory(theory, given, names, moving) {
    const pending = [];
    for (const name of names) {
      if (moving && spec.computes.deferred.includes(name)) {
        pending.push(name);
        for (const [key, values] of Object.entries(now.theory)) if (key.startsWith(`${name}.`)) theory[key] = values;
      } else for (const [key, values] of Object.entries(mine[name](given, seed))) theory[`${name}.${key}`] = values;
    }
    return pending;
  }

  function catchUp() {
    if (!now?.pending.length) return;
    now.pending = addTheory(now.theory, now.given, now.pending, false);
    if (!view.refused) soon();
  }

  // `known`: the book's runs at these settings, where they are there already.
  function request(asked, known = null) {
    if (theirs && !known) theirs.good = []; // they were at other settings
    const moving = now && (pressed || dragging || performance.now() - movedAt < AT_REST);
    if (now) {
      movedAt = performance.now();
      settleLater();
    }
    let refused = refusalOf(spec.controls, asked);
    const settings = refused ? asked : fitted(asked);
    const said = [remark, refused ? "" : saidFitted(spec.controls, asked, settings)].filter(Boolean).join(" ");
    if (!sameSettings(settings, asked)) {
      view.set(settings, false);
      host.fitted?.(settings);
    }
    remark = "";
    const axis = now && seed === now.seed && !sameSettings(now.settings, settings) && sameRuns(spec.controls, now.settings, settings);
    const initially = seed === 0 && sameRuns(spec.controls, initial, settings) ? first : [];
    const standing = [...(known?.length > initially.length ? known : initially)];
    let given = null;
    let pending = [];
    const theory = {};
    if (!refused) {
      try {
        given = mine[spec.computes.settings](...spec.controls.map((c) => (c.weights ? Float64Array.from(settings[c.name]) : settings[c.name])));
        if (!axis) train(given, standing); // beside what the page computes
        model?.start(given, seed);
        theory[spec.time.key] = textbook ? portable[textbook].steps_of(given) : Float64Array.of(0);
        pending = addTheory(theory, given, spec.computes.theory, Boolean(now));
        host.over?.(theory, settings);
      } catch (error) {
        refused = [nameOf(error.message), error.message];
        halt();
      }
    }
    if (refused) return view.refuse(...refused, said);
    trouble = "";
    clearTimeout(catching);
    forget();
    // Another axis of the same runs: nothing is trained.
    if (axis) {
      Object.assign(now, { settings, given, theory, pending, ghost: null, remark: said }); // a ghost is of the axis before
      root.classList.add("le-morph");
      setTimeout(() => root.classList.remove("le-morph"), 900);
      return show();
    }
    // What stood, and was seen, before the reader's hand began to move stays as a ghost.
    const ghost = (view.secret || (moving && !grasped) ? null : ghostOf(now?.runs ?? [])) ?? now?.ghost ?? null;
    grasped = false;
    const drawn = theirs ? 0 : standing.length;
    if (pending.length) catching = setTimeout(catchUp, A_PAUSE);
    now = { settings, seed, given, theory, pending, runs: theirs ? [] : standing, book: theirs && standing, drawn, ghost, remark: said };
    show();
  }

  function halt() {
    jobs += 1;
    engine.stop();
    theirs?.engine.stop();
  }

  // While a handle is dragged theory follows; a run starts when it is let go.
  function train(given, standing) {
    halt();
    if (dragging) return;
    theirs?.engine.start({ id: jobs, settings: { ...given, ...theirs.extra }, seed, run: 0, runs: wanted });
    if (standing.length < wanted) engine.start({ id: jobs, settings: given, seed, run: standing.length, runs: wanted });
  }

  function ghostOf(runs) {
    const whole = runs.filter((one) => one.finished && !one.lost);
    return whole.length ? { theory: now.theory, runs: [whole.includes(runs[now.shown]) ? runs[now.shown] : whole[0]] } : null;
  }

  // A reader's version trains in place of the book's model, whose runs stay behind it; null is the book's again.
  // `next`: {engine(arrived), extra}, the trainer of `js/change.js` and settings that the version has besides the book's.
  function change(next) {
    view.tell();
    view.tour?.close();
    if (view.tour) view.tour.root.hidden = Boolean(next); // it is told of the book's model
    const here = now && now.seed === seed && sameSettings(now.settings, view.settings);
    const known = here ? (now.book || now.runs).filter((one) => one.finished) : [];
    theirs?.engine.dispose();
    // `good`: the runs that are drawn if the next version stops
    const good = here ? now.runs.filter((one) => one.finished) : [];
    theirs = next && { extra: next.extra, good: good.length ? good : theirs?.good ?? [], engine: next.engine((message) => now && hear(message, now.runs)) };
    rest(); // the new one does not know yet
    request(view.settings, known);
  }

  // Other runs, from this seed on; a host that keeps the seed elsewhere hears of it.
  function reseed(value) {
    seed = value;
    host.seeded?.(value);
    host.touched?.(view.settings);
    request(view.settings);
  }

  // Another run is shown, or none in particular.
  function choose(place) {
    chosen = place;
    host.touched?.(view.settings);
    if (now) show();
  }

  // The run that is shown where one is: the reader's, else the middle one. It changes when all runs are there, not with
  // each that comes.
  function pick() {
    now.chosen = chosen !== null && now.runs[chosen] ? chosen : undefined;
    const known = finishedCount() >= wanted ? now.runs : now.runs.slice(0, Math.max(1, now.drawn));
    now.shown = now.chosen ?? middleRun(known, spec.computes.middle);
  }

  // Of every run the places and the values of a reading, by the names of both; none of what is no reading.
  const curves = (place, name) => (now.theory[name] ? [] : now.runs.map(({ readings }) => [now.theory[place] ?? readings[spelt(place, now.theory)], readings[name]]));

  const finishedCount = () => now.runs.filter((one) => one.finished).length;

  // A reader's run may hold less than the figure measures; then the figure says so, and knows what theory says.
  function measured() {
    try {
      return factsOf(spec.computes, mine, now.theory, now.runs);
    } catch (error) {
      trouble ||= `The figure cannot measure this run: ${error.message}`;
      return factsOf(spec.computes, mine, now.theory, []);
    }
  }

  function show() {
    const lost = now.runs.filter((one) => one.lost).map((one) => one.readings.diverged_at[0]);
    const done = finishedCount();
    seen = done;
    holds.say(now.settings);
    pick();
    now.facts = measured();
    view.show({
      settings: now.settings,
      seed: now.seed,
      arrays: bindArrays(spec, now, { ghost: now.book ? ghostOf(now.book) : now.ghost, held: holds.states() }),
      facts: now.facts,
      // what the figure says, and its theory, are of the book's model
      reading: theirs ? CHANGED : sayAll(spec.computes.reading, now.facts),
      readingAt: spec.computes.clock ? (place) => sayAll(spec.computes.reading, factsOf(spec.computes, mine, now.theory, [], place)) : null,
      notice: [saidDivergence(lost, done), saidInfinite(now.runs), trouble].filter(Boolean).join(" "),
      remark: now.remark,
      count: done >= wanted || trouble ? "" : wanted > 1 ? `${done} of ${wanted} runs` : spec.caption ? "training" : "",
      computing: done < wanted && !trouble,
      pending: now.pending.length > 0,
      waits: now.pending.length > 0, // all of it is of the settings before
      curves,
      runs: now.runs.length,
      chosen: now.chosen,
      shown: now.shown,
    });
    host.shown?.(now);
  }

  // A page that is not seen does not compute.
  let inSight = true;
  const rest = () => [engine, theirs?.engine].forEach((one) => one?.rest(document.hidden || !inSight));
  const sight = new IntersectionObserver((entries) => {
    inSight = entries.at(-1).isIntersecting;
    rest();
  }, { rootMargin: "200px" });
  sight.observe(root);
  document.addEventListener("visibilitychange", rest);
  rest();
  const press = () => (pressed = grasped = true);
  const release = () => (pressed = false);
  root.addEventListener("pointerdown", press);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, release);

  // What panels ask of the figure: whether something moves, so that axes hold still; and how their handles set settings.
  function attach(made) {
    view = made;
    view.moving = () => pressed || performance.now() - movedAt < AT_REST;
    view.drag = (settings) => {
      dragging = true;
      view.set(settings);
    };
    view.settle = () => {
      dragging = false;
      request(view.settings);
    };
  }

  Object.assign(host, {
    request,
    code: () => pythonOf(spec, now, Math.max(1, finishedCount())),
    seed: () => seed,
    run: () => (chosen === null ? 0 : chosen + 1), // as a reader counts them
    choose,
    reseed,
    change,
    given: () => ({ ...now.given, ...theirs?.extra }),
    remark: (text) => (remark = text), // said with what is asked for next
    // A figure of one run has nothing random in it.
    tools: spec.small
      ? spec.small.again ? { [spec.small.again]: () => reseed(seed + 1) } : {}
      : { ...(wanted > 1 ? { "Another seed": () => reseed(seed + wanted) } : {}), Hold: () => now && (catchUp(), holds.add(now)) },
    state: () => ({
      seed,
      run: host.run(),
      shown: (now?.shown ?? 0) + 1,
      trainer: engine.place(),
      resting: document.hidden || !inSight,
      count: seen,
      runs: now?.runs.map(({ readings, finished, lost }) => ({ finished, lost, get readings() {
        return Object.fromEntries(Object.entries(readings).map(([k, v]) => [k, asJson(v)]));
      } })),
      theory: now && Object.fromEntries(Object.entries(now.theory).map(([k, v]) => [k, Array.from(v, (x) => (Number.isFinite(x) ? x : String(x)))])),
    }),
  });
  return {
    attach,
    setSeed(value, shown) {
      seed = value;
      chosen = shown ? shown - 1 : null;
    },
    dispose() {
      forget();
      clearTimeout(settling);
      clearTimeout(catching);
      engine.dispose();
      theirs?.engine.dispose();
      sight.disconnect();
      document.removeEventListener("visibilitychange", rest);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, release);
    },
  };
}

// States that a reader keeps under the next ones: up to three, each named by the settings in which they differ.
const MOST_HELD = 3;

// Names of states: the settings that are not the same in all of them.
function namesOfStates(controls, states) {
  const differ = controls.filter(({ name }) => new Set(states.map((one) => String(one[name]))).size > 1);
  const named = ({ texts, stops }, v) => texts?.[stops.indexOf(v)];
  const text = (v) => (Array.isArray(v) ? v.map((w) => number(w, 2)).join("/") : typeof v === "number" ? number(v) : String(v));
  return states.map((one) => differ.map((c) => `${c.name} = ${named(c, one[c.name]) ?? text(one[c.name])}`).join(", ") || "the same settings");
}

function makeHolds(root, spec, changed) {
  const list = html("span", { class: "le-holds" });
  let held = [];
  let said = "";

  // One button a state, with its number and its name among the held ones and the present one; it lets go of it.
  function say(present) {
    const names = namesOfStates(spec.controls, [...held.map((one) => one.settings), present]);
    const texts = held.map((_, k) => `${k + 1}: ${names[k]} ×`);
    if (texts.join() === said) return;
    said = texts.join();
    list.replaceChildren(...held.map((one, k) => {
      const button = html("button", { type: "button", class: "le-tool le-held-name", title: "Let go of these curves" }, texts[k]);
      button.addEventListener("click", () => {
        held = held.filter((other) => other !== one);
        changed();
      });
      return button;
    }));
  }

  return {
    // The oldest makes room for a fourth.
    add({ settings, theory, runs, facts, shown }) {
      held = [...held, { settings, theory, facts, shown, runs: runs.filter((one) => one.finished) }].slice(-MOST_HELD);
      if (!list.isConnected) root.querySelector(".le-acts").append(list);
      changed();
    },
    states: () => held,
    say,
  };
}
