import type { Clock } from "../../src/kit/clock.ts";
import { type Link, LinkError, type LinkErrorCode } from "../../src/terminal/link.ts";
import { createIncoming, type Incoming } from "../../src/transport/incoming.ts";

/** Which way bytes travel: from the `near` end to the `far` one, or back. */
export type Direction = "near-to-far" | "far-to-near";

export interface PairOptions {
  readonly clock: Clock;
  /**
   * From the write to the arrival at the other end, in milliseconds. Everything written in one direction arrives in
   * order.
   */
  readonly delayMs: number;
  /**
   * What becomes of a run of bytes on its way: as it is by default; a fault corrupts, splits, doubles or (with an empty
   * list) loses it.
   */
  readonly carry?: (bytes: Uint8Array, direction: Direction) => readonly Uint8Array[];
}

export interface Pair {
  readonly near: Link;
  readonly far: Link;
  /**
   * Breaks the line as a pulled plug does: both readers get a LinkError, "lost" unless another is named, and what was
   * on its way is gone.
   */
  cut(code?: LinkErrorCode): void;
}

/**
 * Two links joined in memory: bytes written at one end arrive at the other, unchanged and in a later turn of the event
 * loop.
 */
export function createPair(options: PairOptions): Pair {
  const near = createIncoming("in-memory line, near end");
  const far = createIncoming("in-memory line, far end");
  const line = { open: { near: true, far: true }, cut: false };
  const carry = options.carry ?? ((bytes: Uint8Array) => [bytes]);
  const later = (run: () => void): void => {
    options.clock.after(options.delayMs, () => {
      if (!line.cut) run();
    });
  };
  const end = (self: "near" | "far", own: Incoming, other: Incoming): Link => ({
    incoming: own.chunks,
    write: (bytes) => {
      if (line.cut || !line.open[self]) return Promise.reject(new LinkError("lost", "in-memory line is closed"));
      const direction = self === "near" ? "near-to-far" : "far-to-near";
      for (const piece of carry(bytes.slice(), direction)) later(() => other.push(piece));
      return Promise.resolve();
    },
    close: () => {
      if (line.open[self]) later(() => other.end());
      line.open[self] = false;
      own.end();
      return Promise.resolve();
    },
  });
  const cut = (code: LinkErrorCode = "lost"): void => {
    line.cut = true;
    near.fail(new LinkError(code, "in-memory line was cut"));
    far.fail(new LinkError(code, "in-memory line was cut"));
  };
  return { near: end("near", near, far), far: end("far", far, near), cut };
}
