// The payload of a static page: `lib/explorer/encode.py` writes it and documents the layout.

async function inflate(bytes) {
  if (typeof DecompressionStream === "undefined") return d3.unzlibSync(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function running(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

async function openStore(base64) {
  const raw = await inflate(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  const size = new DataView(raw.buffer, raw.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + size)));
  const sizes = head.shapes.map((shape) => shape.reduce((a, b) => a * b, 1));
  const totals = { 8: 0, 16: 0, 32: 0 };
  const widths = head.codecs.map(([bits]) => (bits === 0 ? 32 : bits <= 7 ? 8 : 16));
  const codecs = running(head.codec);
  const arrays = running(head.shape).map((shape, i) => {
    const width = widths[codecs[i]];
    const one = { shape: head.shapes[shape], size: sizes[shape], codec: head.codecs[codecs[i]], width, start: totals[width] };
    totals[width] += one.size;
    return one;
  });
  const at8 = 4 + size;
  const at16 = at8 + totals[8];
  const at32 = at16 + 2 * totals[16];
  const atRange = at32 + 4 * totals[32];
  const word = new DataView(new ArrayBuffer(4));

  // Float number i of `count` that start at `from`, stored as four planes of bytes.
  function float(from, count, i) {
    for (let k = 0; k < 4; k++) word.setUint8(k, raw[from + k * count + i]);
    return word.getFloat32(0, true);
  }

  function decode(i) {
    const { shape, size: n, codec, width, start } = arrays[i];
    const out = new Float64Array(n);
    if (width === 32) {
      for (let j = 0; j < n; j++) out[j] = float(at32, totals[32], start + j);
      return { shape, data: out };
    }
    const [bits, log, frames] = codec;
    const low = float(atRange, 2 * arrays.length, i);
    const step = (float(atRange, 2 * arrays.length, arrays.length + i) - low) / (2 ** bits - 2);
    const stride = frames ? Math.max(1, n / shape[0]) : 1;
    const codes = new Int32Array(n);
    for (let j = 0; j < n; j++) {
      const zig = width === 8 ? raw[at8 + start + j] : raw[at16 + start + j] | (raw[at16 + totals[16] + start + j] << 8);
      codes[j] = ((zig >>> 1) ^ -(zig & 1)) + (j >= stride ? codes[j - stride] : 0);
      const value = low + (codes[j] - 1) * step;
      out[j] = codes[j] === 0 ? NaN : log ? 10 ** value : value;
    }
    return { shape, data: out };
  }

  const index = Object.entries(head.index).map(([key, steps]) => [key, running(steps)]);
  const texts = Object.entries(head.texts).map(([kind, [many, steps]]) => [kind, many, running(steps)]);
  return function point(i) {
    return {
      arrays: Object.fromEntries(index.map(([key, ids]) => [key, decode(ids[i])])),
      ...Object.fromEntries(texts.map(([kind, many, ids]) => [kind, many[ids[i]]])),
    };
  };
}
