import { simulators } from "../../drivers/simulators.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Random } from "../../src/kit/random.ts";
import type { LineKind, SimulatedTerminal } from "../../src/simulator/simulated-terminal.ts";
import type { LineSettings, UsbLine } from "../../src/terminal/driver.ts";
import { type Link, LinkError } from "../../src/terminal/link.ts";
import type { CardWord } from "../../src/testbed/card.ts";
import { createPair, type Pair } from "../../src/transport/pair.ts";
import { linesOf, serialNumberOf } from "../support/simulated-models.ts";
import type { Stand } from "./stand.ts";

/** One till's place: a simulated terminal with its customer, and the cable to it. */
export interface Counter {
  readonly id: string;
  /** Of the driver that speaks to it. */
  readonly driver: string;
  readonly line: LineKind;
  readonly deviceType: string;
  readonly card: string;
  readonly settlement: "dual" | "single";
  readonly serialNumber: string;
  readonly terminal: SimulatedTerminal;
  readonly plug: Plug;
}

/** The host's side of the cable. */
export interface Plug {
  open(): Promise<Link>;
  /** What of a write has left when its process dies after so many bytes: any part of a stream, whole reports, a whole message or nothing. */
  begun(bytes: Uint8Array, length: number): Uint8Array;
  /** The host let go of the line (its process died); the terminal keeps what it was doing until it notices. */
  drop(): void;
}

export function createCounter(on: {
  readonly id: string;
  readonly card: string;
  readonly settlement: "dual" | "single";
  /** Tells the terminals of a world apart; one digit. */
  readonly number: number;
  readonly stand: Stand;
  readonly clock: Clock;
  readonly random: Random;
  readonly cardSaid: (word: CardWord) => void;
}): Counter {
  const { id, card, settlement, number, stand, clock, random, cardSaid } = on;
  const simulator = simulators.find((one) => one.id === stand.model);
  const line = simulator && linesOf(simulator).find(({ kind }) => kind === stand.line);
  if (simulator === undefined || line === undefined) throw new RangeError(`no ${stand.model} over ${stand.line} can be simulated`);
  const { driver, deviceType } = simulator;
  const serialNumber = serialNumberOf(simulator, number);
  const terminal = simulator.create({ clock, random, automatic: { card }, serialNumber, cardSaid });
  return { id, driver, line: stand.line, deviceType, card, settlement, serialNumber, terminal, plug: createPlug(terminal, line, clock) };
}

function createPlug(terminal: SimulatedTerminal, settings: LineSettings, clock: Clock): Plug {
  let pair: Pair | undefined;
  const drop = (): void => {
    pair?.cut();
    pair = undefined;
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
      const line = createPair({ clock, delayMs: 1 });
      pair = line;
      const attachment = terminal.attach((bytes) => void line.far.write(bytes).catch(() => undefined), settings.kind);
      const receive = (bytes: Uint8Array): void => {
        for (const piece of settings.kind === "usb" ? reports(bytes, reportBytesOf(settings)) : [bytes]) attachment.receive(piece);
      };
      void pump(line.far, receive).finally(() => attachment.detach());
      return line.near;
    },
  };
}

const reportBytesOf = (line: UsbLine): number => (line.how === "hid" ? line.reportBytes : 1);

/** A write is one or more whole reports, which arrive one by one. */
function reports(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

async function pump(link: Link, receive: (bytes: Uint8Array) => void): Promise<void> {
  try {
    for await (const bytes of link.incoming) receive(bytes);
  } catch (cause) {
    if (!(cause instanceof LinkError)) throw cause;
  }
}
