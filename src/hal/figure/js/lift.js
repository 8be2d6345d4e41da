// The left end of a curve as a handle: it is lifted, and its height sets a setting.

import { number } from "./numbers.js";
import { makeHandle } from "./pointing.js";
import { clamp } from "./tools.js";

/* `place(x, y, at, unit)`: the scales, the height where it stands, NaN for nowhere, and the height at which the setting
   is 1. */
export function makeLift(spec, view, frame) {
  const control = view.spec.controls.find((c) => c.name === spec.lift.setting);
  const { name, low, high, log, label } = control;
  let handle = null;
  let now = null; // {y, unit}
  const set = (value) => view.drag({ ...spec.lift.sets, [name]: clamp(Number(value.toPrecision(3)), low, high) });
  const act = {
    vertical: true,
    move: (_, py) => set(now.y.invert(py) / now.unit),
    step(right, up, large) {
      const [share, value] = [((right + up) * (large ? 10 : 1)) / 100, view.settings[name]];
      set(log ? value * (high / low) ** share : value + share * (high - low));
    },
    done: () => view.settle(),
  };
  return {
    place(x, y, at, unit) {
      if (!(at > 0)) {
        handle?.remove();
        handle = null;
        return;
      }
      now = { y, unit };
      handle ??= makeHandle(frame, label, act);
      handle.place(x.range()[0] + 14, clamp(y(at), frame.top, frame.top + frame.h), { low, high, now: view.settings[name], text: number(at / unit, 3) });
    },
  };
}
