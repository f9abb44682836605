import { simulators } from "../../drivers/simulators.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Random } from "../../src/kit/random.ts";
import type { SimulatedTerminal } from "../../src/simulator/simulated-terminal.ts";
import { type Link, LinkError } from "../../src/terminal/link.ts";
import type { CardWord } from "../../src/testbed/card.ts";
import { createPair, type Pair } from "../../src/transport/pair.ts";

/** One till's place: a simulated terminal with its customer, and the cable to it. */
export interface Counter {
  readonly id: string;
  readonly model: string;
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
  /** The host let go of the line (its process died); the terminal keeps what it was doing until it notices. */
  drop(): void;
}

export function createCounter(on: {
  readonly id: string;
  readonly card: string;
  readonly settlement: "dual" | "single";
  readonly serialNumber: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly cardSaid: (word: CardWord) => void;
}): Counter {
  const [simulator] = simulators;
  if (simulator === undefined) throw new RangeError("no simulator");
  const { id, card, settlement, serialNumber, clock, random, cardSaid } = on;
  const terminal = simulator.create({ clock, random, automatic: { card }, serialNumber, cardSaid });
  return { id, model: simulator.id, deviceType: simulator.deviceType, card, settlement, serialNumber, terminal, plug: createPlug(terminal, clock) };
}

function createPlug(terminal: SimulatedTerminal, clock: Clock): Plug {
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
    open: async () => {
      if (!terminal.plugged()) throw new LinkError("not-found", "nothing is plugged in");
      drop();
      const line = createPair({ clock, delayMs: 1 });
      pair = line;
      const attachment = terminal.attach((bytes) => void line.far.write(bytes).catch(() => undefined), "serial");
      void pump(line.far, attachment.receive).finally(() => attachment.detach());
      return line.near;
    },
  };
}

async function pump(link: Link, receive: (bytes: Uint8Array) => void): Promise<void> {
  try {
    for await (const bytes of link.incoming) receive(bytes);
  } catch (cause) {
    if (!(cause instanceof LinkError)) throw cause;
  }
}
