// Settings in the page's address: #name:T=1024,lr=0.01;other-name:N=4

function readAddress() {
  const found = new Map();
  for (const part of decodeURIComponent(location.hash.slice(1)).split(";")) {
    const [, name, list] = part.match(/^([a-z0-9_-]+):(.+)$/) ?? [];
    if (!name) continue;
    found.set(name, new Map(list.split(",").map((pair) => pair.split(/=(.*)/s).slice(0, 2))));
  }
  return found;
}

function addressOf(name, settings) {
  const encode = (v) => encodeURIComponent(String(v)).replace(/%20/g, "+");
  return `${name}:${Object.entries(settings).map(([key, v]) => `${key}=${encode(v)}`).join(",")}`;
}

// Other explorers of the page keep their part; an ordinary #anchor is replaced.
function writeAddress(name, settings) {
  const parts = decodeURIComponent(location.hash.slice(1)).split(";").filter((p) => p.includes(":") && !p.startsWith(`${name}:`));
  const hash = [...parts, addressOf(name, settings)].join(";");
  history.replaceState(history.state, "", `#${hash}`);
}

// Settings of one explorer from the address: the nearest stop for a number, and a remark where it is another number.
function settingsFrom(spec, given) {
  const settings = {};
  const remarks = [];
  for (const control of spec.controls) {
    if (!given.has(control.name)) continue;
    const text = given.get(control.name).replace(/\+/g, " ");
    let stop = control.stops.find((v) => String(v) === text);
    if (stop === undefined && control.numeric && text.trim() !== "" && Number.isFinite(Number(text))) {
      const bend = control.log && Number(text) > 0 ? Math.log : (v) => v;
      const far = control.stops.map((v) => Math.abs(bend(v) - bend(Number(text))));
      stop = control.stops[far.indexOf(Math.min(...far))];
      if (stop !== Number(text)) remarks.push(`The link asks for ${control.name} = ${number(Number(text))}; this page has ${number(stop)}, the live notebook any value.`);
    }
    if (stop !== undefined) settings[control.name] = stop;
  }
  return { settings, remark: remarks.join(" ") };
}
