// Training of chapter random_walk with the log-loss as one writes it by hand for speed: flat tables, everything in one
// function. The same sums in the same order as the textbook's, whose walks, start and measures are used.
// oxlint-disable-next-line no-unused-vars -- the benchmark calls it by its name
const hand = (settings, seed) => {
  const M = portable["lib.models.random_walk.textbook"];
  const { predicted, divergence, keep } = portable["lib.models.random_walk.textbook_measures"];
  const { exp, log } = portable["lib.portable.numbers"];
  const state = M.start(settings, seed);
  const { K, N, p, n, lr, steps, epsilon, unit } = settings;
  const last = N - 1, rho = 0.5 * (settings.M + 1), share = 1 / n;
  const factor = unit ? 1 / Math.sqrt(rho * (1 + rho)) : 1, ownFactor = unit ? 1 / rho : 1;
  const walks = new Int32Array(n * N), V = new Float64Array(K * K), u = state.u, g = state.g;
  for (let i = 0; i < n; i++) walks.set(state.walks[i], i * N);
  for (let k = 0; k < K; k++) V.set(state.V[k], k * K);
  const gradV = new Float64Array(K * K), gradU = new Float64Array(K), gradG = new Float64Array(N);
  const S = new Float64Array(N), byNode = new Float64Array(K), byPlace = new Float64Array(N);
  const mass = new Float64Array(K), total = new Float64Array(N), output = new Float64Array(K);
  const kept = state.kept;

  for (; state.step <= steps && state.diverged_at < 0; state.step++) {
    gradV.fill(0);
    gradU.fill(0);
    gradG.fill(0);
    total.fill(0);
    let loss = 0, right = 0, apart = 0, node = u[0], place = g[0];
    const due = kept.count < kept.due.length && state.step >= kept.due[kept.count];
    for (let k = 1; k < K; k++) if (u[k] > node) node = u[k];
    for (let j = 1; j < last; j++) if (g[j] > place) place = g[j];
    node *= factor;
    place *= factor;
    const own = ownFactor * g[last], top = own > node + place ? own : node + place;
    for (let k = 0; k < K; k++) byNode[k] = exp(factor * u[k] - node);
    for (let j = 0; j < last; j++) byPlace[j] = exp(factor * g[j] - (top - node));
    byPlace[last] = exp(own - top);
    for (let i = 0; i < n; i++) {
      const walk = i * N;
      let norm = 0;
      for (let j = 0; j < last; j++) {
        const power = byNode[walks[walk + j]] * byPlace[j];
        S[j] = power;
        norm += power;
      }
      norm += byPlace[last];
      const inverse = 1 / norm;
      mass.fill(0);
      for (let j = 0; j < last; j++) {
        const attention = S[j] * inverse;
        S[j] = attention;
        mass[walks[walk + j]] += attention;
      }
      S[last] = byPlace[last] * inverse;
      const row = walks[walk + last] * K;
      let f = 0;
      for (let k = 0; k < K; k++) f += V[row + k] * mass[k];
      const c = -1 / (f + epsilon) / n, pull = factor * c;
      for (let k = 0; k < K; k++) {
        gradV[row + k] += c * mass[k];
        gradU[k] += pull * mass[k] * (V[row + k] - f);
      }
      for (let j = 0; j < last; j++) gradG[j] += pull * S[j] * (V[row + walks[walk + j]] - f);
      gradG[last] -= ownFactor * c * S[last] * f;
      loss += share * -log(f + epsilon);
      if (due) {
        for (let j = 0; j < N; j++) total[j] += share * S[j];
        for (let k = 0; k < K; k++) {
          let sum = 0;
          for (let m = 0; m < K; m++) sum += V[k * K + m] * mass[m];
          output[k] = sum;
        }
        right += predicted(output) === walks[walk + last] ? share : 0;
        apart += share * divergence(output, p, walks[walk + last - 1]);
      }
    }
    if (due) {
      for (let k = 0; k < K; k++) state.V[k].set(V.subarray(k * K, (k + 1) * K));
      keep(kept, state.step, p, loss, right, apart, total, state.V);
    }
    if (!(loss <= 1e9)) {
      state.diverged_at = state.step;
    } else if (state.step < steps) {
      for (let k = 0; k < K * K; k++) V[k] -= lr * gradV[k];
      for (let k = 0; k < K; k++) u[k] -= lr * rho * gradU[k];
      for (let j = 0; j < N; j++) g[j] -= lr * rho * rho * gradG[j];
    }
  }
  return M.read(state);
};
