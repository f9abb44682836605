import type { Cancel, Clock } from "../kit/clock.ts";
import {
  type LineRules,
  type LineStep,
  type LineTimer,
  lineTimers,
  newLine,
  receiveOnLine,
  sendOnLine,
  tickOnLine,
} from "../terminal/acknowledged-line.ts";

/** The device's end of a line with acknowledged frames: timers and unacknowledged frames. */
export interface DeviceLine {
  /**
   * Takes received bytes and returns complete bodies. Acknowledgements are sent later, because a device never answers
   * from inside `receive`.
   */
  hear(rules: LineRules, chunk: Uint8Array): readonly Uint8Array[];
  /** Sends a whole frame, at once or after earlier unacknowledged frames. */
  send(rules: LineRules, frame: Uint8Array): void;
  /** Acts after that time, unless `fresh` was called meanwhile. */
  soon(delayMs: number, act: () => void): void;
  /** Resets the line for a new connection or a restart. */
  fresh(): void;
}

/** Milliseconds until a device acknowledges a frame. */
const ACK_AFTER_MS = 1;

/** `put` sends bytes to the host. A host that never acknowledges is given up silently. */
export function createDeviceLine(clock: Clock, put: (bytes: Uint8Array) => void): DeviceLine {
  const timers = new Map<LineTimer, Cancel>();
  let state = newLine;
  let age = 0;

  const soon: DeviceLine["soon"] = (delayMs, act) => {
    const begun = age;
    clock.after(delayMs, () => {
      if (begun === age) act();
    });
  };
  const setTimer = (rules: LineRules, name: LineTimer, delay: number | "clear"): void => {
    const stop = timers.get(name);
    if (stop !== undefined) {
      stop();
      timers.delete(name);
    }
    if (delay === "clear") return;
    const fire = (): void => {
      timers.delete(name);
      write(take(rules, tickOnLine(rules, state, name)));
    };
    timers.set(name, clock.after(delay, fire));
  };
  const take = (rules: LineRules, step: LineStep): LineStep => {
    state = step.state;
    for (const name of lineTimers) {
      const delay = step.failed === undefined ? step.timers[name] : "clear";
      if (delay !== undefined) setTimer(rules, name, delay);
    }
    return step;
  };
  const write = (step: LineStep): void => {
    for (const bytes of step.write) put(bytes);
  };
  return {
    soon,
    hear(rules, chunk) {
      const step = take(rules, receiveOnLine(rules, state, chunk));
      if (step.write.length > 0) soon(ACK_AFTER_MS, () => write(step));
      return step.bodies;
    },
    send: (rules, frame) => write(take(rules, sendOnLine(rules, state, frame))),
    fresh() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
      state = newLine;
      age += 1;
    },
  };
}
