// Stage 1 of chapter scb as one writes it by hand for speed: flat tables, one loop, the generator's numbers in variables.
// The same sums in the same order as the textbook's, whose start, task and records are used.
// oxlint-disable-next-line no-unused-vars -- the benchmark calls it by its name
const hand = (settings, seed) => {
  const M = portable["lib.models.scb.textbook"];
  const state = M.start(settings, seed);
  const { T, N, batch, stage1, lr } = settings;
  const { mu, P, w, s, K_P, K_Q } = state.task;
  const cells = state.tokens.cells, edges = state.tokens.edges;
  const kept = state.kept;
  const V = new Float64Array(N * N), A = new Float64Array(N * T);
  const gradV = new Float64Array(N * N), gradA = new Float64Array(N * T);
  for (let j = 0; j < N; j++) { V.set(state.V[j], j * N); A.set(state.A[j], j * T); }
  const X = new Int32Array(T), h = new Float64Array(N), r = new Float64Array(N), look = new Float64Array(N);
  const M1 = 4294967087, M2 = 4294944443, NORM = 2.328306549295728e-10, share = 1 / batch;
  const G = state.random;

  const uniform = () => {
    let p = 1403580 * G[1] - 810728 * G[0];
    p -= M1 * Math.floor(p / M1);
    let q = 527612 * G[5] - 1370589 * G[3];
    q -= M2 * Math.floor(q / M2);
    G[0] = G[1]; G[1] = G[2]; G[2] = p; G[3] = G[4]; G[4] = G[5]; G[5] = q;
    const z = p - q;
    return (z - M1 * Math.floor((z - 1) * NORM)) * NORM;
  };
  const draw = (law) => {
    let u = uniform(), n = 0;
    for (const last = law.length - 1; n < last && u >= law[n]; n++) u -= law[n];
    return n;
  };

  while (state.step < stage1 && state.diverged_at < 0) {
    gradV.fill(0);
    gradA.fill(0);
    let loss = 0;
    for (let b = 0; b < batch; b++) {
      let c0 = G[0], c1 = G[1], c2 = G[2], d0 = G[3], d1 = G[4], d2 = G[5];
      for (let t = 0; t < T; ) {
        let p = 1403580 * c1 - 810728 * c0;
        p -= M1 * Math.floor(p / M1);
        let q = 527612 * d2 - 1370589 * d0;
        q -= M2 * Math.floor(q / M2);
        c0 = c1; c1 = c2; c2 = p; d0 = d1; d1 = d2; d2 = q;
        const z = p - q;
        let u = (z - M1 * Math.floor((z - 1) * NORM)) * NORM;
        for (const stop = Math.min(T, t + 4); t < stop; t++) {
          u *= 256;
          const cell = Math.floor(u);
          u -= cell;
          let n = cells[cell];
          if (n < 0) {
            G[0] = c0; G[1] = c1; G[2] = c2; G[3] = d0; G[4] = d1; G[5] = d2;
            const place = (cell + uniform()) / 256;
            c0 = G[0]; c1 = G[1]; c2 = G[2]; d0 = G[3]; d1 = G[4]; d2 = G[5];
            for (n = -1 - n; edges[n] <= place; n++);
          }
          X[t] = n;
        }
      }
      G[0] = c0; G[1] = c1; G[2] = c2; G[3] = d0; G[4] = d1; G[5] = d2;
      const k = draw(mu), row = k * T, label = draw(P[X[s[k][draw(w)]]]);
      h.fill(0);
      for (let t = 0; t < T; t++) h[X[t]] += A[row + t];
      r.fill(0);
      for (let j = 0; j < N; j++) {
        const x = h[j];
        for (let i = 0; i < N; i++) r[i] += x * V[j * N + i];
      }
      r[label] -= 1;
      for (let j = 0; j < N; j++) {
        const x = share * h[j];
        let inner = 0;
        for (let i = 0; i < N; i++) {
          gradV[j * N + i] += x * r[i];
          inner += V[j * N + i] * r[i];
        }
        look[j] = share * inner;
      }
      for (let t = 0; t < T; t++) gradA[row + t] += look[X[t]];
      let square = 0;
      for (let i = 0; i < N; i++) square += r[i] * r[i];
      loss += 0.5 * square;
    }
    state.loss = loss / batch;
    if (!(state.loss <= 1e9)) state.diverged_at = state.step;
    if (state.diverged_at >= 0) break;
    for (let j = 0; j < N; j++) {
      const rate = -(lr / K_Q / mu[j]);
      for (let i = 0; i < N; i++) V[j * N + i] += rate * gradV[j * N + i];
    }
    for (let k = 0; k < N; k++) {
      const rate = -(lr / K_P / mu[k]), end = (k + 1) * T;
      let sum = 0;
      for (let t = k * T; t < end; t++) sum += gradA[t];
      const mean = sum / T;
      for (let t = k * T; t < end; t++) A[t] += rate * (gradA[t] - mean);
    }
    state.step++;
    if (kept.count < kept.due.length && state.step >= kept.due[kept.count]) {
      for (let j = 0; j < N; j++) {
        state.V[j].set(V.subarray(j * N, (j + 1) * N));
        state.A[j].set(A.subarray(j * T, (j + 1) * T));
      }
      while (kept.count < kept.due.length && state.step >= kept.due[kept.count]) M.keep(state);
    }
  }
  return M.read(state);
};
