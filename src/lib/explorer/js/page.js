// The static host: figures come alive when they near the viewport; their data is one script file each.

const BASE = document.currentScript?.src.replace(/[^/]*$/, "") ?? "";
const arrivals = new Map();
globalThis.libExplorerData = (file, base64) => arrivals.get(file)?.(base64);

function fetchPayload(root) {
  const inline = root.querySelector("script.le-payload");
  if (inline) return Promise.resolve(inline.textContent);
  const file = root.dataset.payload;
  return new Promise((resolve, reject) => {
    arrivals.set(file, resolve);
    // A script, since `fetch` does not read files next to a page opened from disk.
    document.head.append(dress(document.createElement("script"), { src: `${BASE}explorers/${file}.js`, async: true }, []));
    document.head.lastChild.onerror = () => reject(new Error(`${file}.js did not load`));
  });
}

async function awaken(root) {
  if (root.explorerAwake) return;
  root.explorerAwake = true;
  const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
  const point = await openStore(await fetchPayload(root));
  const place = (settings) => spec.controls.reduce((i, c) => i * c.stops.length + c.stops.indexOf(settings[c.name]), 0);
  let remark = "";
  let writing = 0;
  const host = {
    live: false,
    request(settings) {
      view.show({ settings, remark, ...point(place(settings)) });
      remark = "";
    },
    // Browsers refuse a page that writes its address at every step of a drag (Safari: 100 times in 30 s).
    touched(settings) {
      clearTimeout(writing);
      writing = setTimeout(() => writeAddress(spec.name, settings), 150);
    },
    link: (settings) => `${location.href.replace(/#.*$/, "")}#${addressOf(spec.name, settings)}`,
  };
  root.classList.add("le-awake");
  const view = createView(root, spec, host);
  function follow(jump) {
    const given = readAddress().get(spec.name);
    const asked = given ? settingsFrom(spec, given) : { settings: {}, remark: "" };
    remark = asked.remark;
    clearTimeout(writing);
    view.set(asked.settings, false);
    host.request(view.settings);
    if (given && jump) root.scrollIntoView({ block: "start" });
  }
  follow(readAddress().keys().next().value === spec.name);
  addEventListener("hashchange", () => readAddress().has(spec.name) && follow(true));
}

const nearing = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      nearing.unobserve(target);
      wake(target);
    }
  },
  { rootMargin: "900px" },
);

// A figure that cannot wake stays the still picture it is.
function wake(root) {
  awaken(root).catch((error) => {
    root.classList.remove("le-awake");
    root.querySelector(".le-ui")?.remove();
    console.error(`explorer ${root.dataset.explorer}: ${error.message}`);
  });
}

function enqueue(root) {
  nearing.observe(root);
  if (readAddress().has(root.dataset.explorer)) wake(root);
}

(globalThis.libExplorers ?? []).forEach(enqueue);
globalThis.libExplorers = { push: enqueue };
