// How far the medians of the figure's finished runs lie from those of the fast library: [name, distance, width of the
// figure's own band at that place].
function mediansApart(bands, runs) {
  return Object.entries(bands).map(([name, { middle }]) => {
    const [low, own, high] = bandOf(rowsOf(runs, name, middle.length), middle.length);
    let [most, width] = [-1, NaN];
    for (let i = 0; i < middle.length; i++) {
      const distance = Math.abs(own.data[i] - middle[i]);
      if (distance > most) [most, width] = [distance, high.data[i] - low.data[i]];
    }
    return [name, most, width];
  });
}
