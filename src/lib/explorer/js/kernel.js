// Runs in the kernel, in place of the browser's trainer.

const numbersOf = (text) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const unpacked = (arrays) => Object.fromEntries(Object.entries(arrays).map(([name, text]) => [name, numbersOf(text)]));

// Settings as a message carries them.
const plain = (settings) => Object.fromEntries(Object.entries(settings).map(([name, v]) => [name, ArrayBuffer.isView(v) ? Array.from(v) : v]));

// The trainer of a figure whose run is in the kernel: it asks for one slice after the other, and for no other before
// the answer is there. `slow` hears whether an answer is overdue.
function makeKernelEngine(model, arrived, slow) {
  let current = null;
  let flying = false;
  let resting = false;
  let timer = 0;
  function go() {
    if (flying || resting || !current) return;
    flying = true;
    timer = setTimeout(() => slow(true), 8000);
    model.send({ job: { ...current, settings: plain(current.settings) } });
  }
  function answered(message) {
    flying = false;
    clearTimeout(timer);
    slow(false);
    if (current && message.job === current.id) {
      if (message.error || (message.finished && message.run + 1 >= current.runs)) current = null;
      else if (message.finished) current = { ...current, run: message.run + 1 };
      arrived(message.error ? message : { ...message, readings: unpacked(message.readings) });
    }
    go();
  }
  model.on("msg:custom", answered);
  return {
    start(job) {
      current = job;
      go();
    },
    stop() {
      current = null;
    },
    rest(wanted) {
      resting = wanted;
      go();
    },
    place: () => "kernel",
    dispose() {
      current = null;
      clearTimeout(timer);
      model.off("msg:custom", answered);
    },
  };
}
