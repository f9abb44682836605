import type { Clock } from "../../src/kit/clock.ts";
import type { Attachment, SimulatedTerminal } from "../../src/simulator/simulated-terminal.ts";
import type { LineSettings, UsbLine } from "../../src/terminal/driver.ts";
import { type Link, LinkError } from "../../src/terminal/link.ts";
import { createIncoming } from "../../src/transport/incoming.ts";

/** The host's side of the cable. */
export interface Plug {
  open(): Promise<Link>;
  /**
   * What of a write has left when its process dies after so many bytes: a part of a stream, whole reports, a whole
   * message or nothing.
   */
  begun(bytes: Uint8Array, length: number): Uint8Array;
  /** The host let go of the line (its process died); the terminal keeps what it was doing until it notices. */
  drop(): void;
}

/** A cable between a host and a simulated terminal, on any clock. */
export function createPlug(terminal: SimulatedTerminal, settings: LineSettings, clock: Clock): Plug {
  let cable: Cable | undefined;
  const drop = (): void => {
    cable?.cut();
    cable = undefined;
  };
  terminal.onPlug((plugged) => {
    if (!plugged) drop();
  });
  return {
    drop,
    begun: (bytes, length) => {
      if (settings.kind === "websocket") return length < bytes.length ? bytes.subarray(0, 0) : bytes;
      return bytes.subarray(0, settings.kind === "usb" ? length - (length % reportBytesOf(settings)) : length);
    },
    open: async () => {
      if (!terminal.plugged()) throw new LinkError("not-found", "nothing is plugged in");
      drop();
      cable = createCable(terminal, settings, clock);
      return cable.host;
    },
  };
}

/** One way through a cable, in milliseconds. */
const WAY_MS = 1;

interface Cable {
  readonly host: Link;
  /** What is on its way does not arrive. */
  cut(): void;
}

/**
 * Joins a host and the terminal: what either writes arrives at the other in order. The terminal takes it by a call, as
 * it would from any line of its own.
 */
function createCable(terminal: SimulatedTerminal, settings: LineSettings, clock: Clock): Cable {
  const incoming = createIncoming("the cable");
  let state: "joined" | "let go" | "cut" = "joined";
  const isWhole = (): boolean => state !== "cut";
  const attachment: Attachment = terminal.attach(
    createLane(clock, isWhole, (bytes) => incoming.push(bytes)),
    settings.kind,
  );
  const reportBytes = settings.kind === "usb" ? reportBytesOf(settings) : 0;
  /** A write is one or more whole reports, which arrive one by one. */
  const receive = (bytes: Uint8Array): void => {
    if (settings.kind !== "usb") attachment.receive(bytes);
    else
      for (let at = 0; at < bytes.length; at += reportBytes) attachment.receive(bytes.subarray(at, at + reportBytes));
  };
  const carry = createLane(clock, isWhole, receive);
  const write = (bytes: Uint8Array): Promise<void> => {
    if (state !== "joined")
      return Promise.reject(new LinkError("lost", "the cable does not reach the terminal any more"));
    if (bytes.length > 0) carry(bytes);
    return Promise.resolve();
  };
  const close = (): Promise<void> => {
    if (state === "joined") {
      state = "let go";
      clock.after(WAY_MS, () => attachment.detach());
    }
    incoming.end();
    return Promise.resolve();
  };
  const cut = (): void => {
    state = "cut";
    incoming.fail(new LinkError("lost", "the cable was pulled out"));
    // The terminal notices a little later: it may be what pulled, in the middle of something.
    queueMicrotask(() => attachment.detach());
  };
  return { host: { incoming: incoming.chunks, write, close }, cut };
}

/** One direction of a cable: what is written in one moment travels together, and arrives piece by piece. */
function createLane(
  clock: Clock,
  isWhole: () => boolean,
  arrive: (bytes: Uint8Array) => void,
): (bytes: Uint8Array) => void {
  let underWay: Uint8Array[] = [];
  let begunAt = -1;
  return (bytes) => {
    const now = clock.monotonic();
    if (begunAt === now) {
      underWay.push(bytes);
      return;
    }
    const pieces = [bytes];
    underWay = pieces;
    begunAt = now;
    clock.after(WAY_MS, () => {
      for (const piece of pieces) if (isWhole()) arrive(piece);
    });
  };
}

const reportBytesOf = (line: UsbLine): number => (line.how === "hid" ? line.reportBytes : 1);
