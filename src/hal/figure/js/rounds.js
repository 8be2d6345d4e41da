// A guessing game without a page: what the players do, and what is said of it.

export const RACE_STRIP = 20; // answers of a player on the board

export const raceHits = (right) => right.reduce((sum, one) => sum + (one ? 1 : 0), 0);
export const raceShare = (right) => (right.length ? `${Math.floor((100 * raceHits(right)) / right.length + 0.5)}%` : "–");

// What a screen reader hears after an answer: "Right, d. You 5 of 6, The layer 1 of 6."
export function raceHeard(letters, label, answer, players) {
  const verdict = answer === label ? `Right, ${letters[label]}.` : `No, it was ${letters[label]}.`;
  const counts = players.map(({ name, right }) => `${name} ${raceHits(right.slice(-RACE_STRIP))} of ${Math.min(right.length, RACE_STRIP)}`);
  return `${verdict} ${counts.join(", ")}.`;
}

// After so many rounds: what the reader and the layer have, and what the best possible would have had.
export function raceCard({ rounds, best }, mine, layer, most) {
  const could = Math.floor(best * rounds + 0.5);
  const record = most > raceHits(mine) ? ` Your best on this page: ${most}.` : "";
  return `You ${raceHits(mine)} of ${rounds}, the layer ${raceHits(layer)} of its last ${rounds}, best possible ${could}.${record}`;
}

// How many right answers in a row, where they open a level.
export function raceRow({ opened, open, level }, streak) {
  if (opened) return ` ${streak} in a row: level ${open} is open.`;
  return streak > 2 && level + 1 === open ? ` ${streak} in a row.` : "";
}

// What stands in the cell that asks: a kind, or the mark of a game in which none does.
export const raceAsker = ({ letters, mark }, { query }) => mark || letters[query];

export function raceRevealed(spec, sample) {
  const { letters, answers, reveal } = spec;
  const place = sample.right.indexOf(Math.max(...sample.right));
  const facts = { query: raceAsker(spec, sample), place: place + 1, found: letters[sample.cells[place]], label: answers[sample.label] };
  return reveal.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));
}

// Everything that is known, without a page: players answer before they are told.
export function raceGame(spec, portable) {
  const call = ([module, name]) => portable[module][name];
  const levels = spec.levels ?? [{}];
  const game = { task: 0, number: 0, blind: false, open: 1, mine: [] };
  const layer = spec.players.findIndex((one) => one.trains);
  const meet = (player, sample) => {
    player.last = call(player.spec.answer)(player.state, sample);
    player.right.push(player.last === sample.label);
    call(player.spec.learn)(player.state, sample);
  };
  game.begin = (task) => {
    const level = task % levels.length;
    Object.assign(game, { task, level, rules: { ...spec, ...levels[level] }, number: 0, answer: -1, mine: [], known: new Set() });
    game.players = spec.players.map((one) => ({ spec: one, name: one.name, state: call(one.start)(task), right: [], last: -1 }));
    game.layer = game.players[layer];
    game.sample = call(spec.sample)(task, 0);
  };
  // The task that comes next on a level.
  game.after = (level) => game.task - game.level + levels.length + level;
  game.streak = () => game.mine.length - 1 - game.mine.lastIndexOf(false);
  game.give = (answer) => {
    game.answer = answer;
    game.mine.push(answer === game.sample.label);
    game.opened = game.streak() >= spec.streak && game.level + 1 === game.open && game.open < levels.length;
    if (game.opened) game.open += 1;
    const { cells, query, right } = game.sample;
    if (!game.blind) (spec.looks ? [query] : cells.filter((_, i) => right[i] > 0)).forEach((kind) => game.known.add(kind));
    game.players.forEach((player) => meet(player, game.sample));
  };
  game.next = () => {
    game.number += 1;
    game.answer = -1;
    game.sample = call(spec.sample)(game.task, game.number);
  };
  // Samples that the layer alone sees.
  game.watch = (count) => {
    for (let i = 0; i < count; i++) {
      game.number += 1;
      meet(game.layer, call(spec.sample)(game.task, game.number));
    }
  };
  game.looks = () => (spec.looks ? call(spec.looks)(game.layer.state) : call(spec.report)(game.task, game.layer.state)).attention;
  game.facts = () => {
    const found = call(spec.report)(game.task, game.layer.state);
    const facts = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
    const { right } = game.layer;
    return { ...facts, seen: right.length, recent: right.length < RACE_STRIP ? NaN : raceHits(right.slice(-RACE_STRIP)) };
  };
  return game;
}
