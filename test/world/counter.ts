import { simulators } from "../../drivers/simulators.ts";
import type { CardWord } from "../../packages/sandbox/testbed/card.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Random } from "../../src/kit/random.ts";
import type { PaceName } from "../../src/simulator/pace.ts";
import type { LineKind, SimulatedTerminal } from "../../src/simulator/simulated-terminal.ts";
import { createPlug, type Plug } from "../support/cable.ts";
import { linesOf, serialNumberOf } from "../support/simulated-models.ts";
import type { Stand } from "./stand.ts";

/** One till's place: a simulated terminal with its customer, and the cable to it. */
export interface Counter {
  readonly id: string;
  /** Of the driver that speaks to it. */
  readonly driver: string;
  readonly line: LineKind;
  readonly deviceType: string;
  /** Of its driver, where the usual does not fit. */
  readonly options: Readonly<Record<string, string>>;
  readonly card: string;
  readonly settlement: "dual" | "single";
  readonly serialNumber: string;
  readonly terminal: SimulatedTerminal;
  readonly plug: Plug;
}

export function createCounter(on: {
  readonly id: string;
  readonly card: string;
  readonly settlement: "dual" | "single";
  /** Tells the terminals of a world apart; one digit. */
  readonly number: number;
  readonly stand: Stand;
  readonly pace: PaceName;
  readonly clock: Clock;
  readonly random: Random;
  readonly cardSaid: (word: CardWord) => void;
}): Counter {
  const { id, card, settlement, number, stand, pace, clock, random, cardSaid } = on;
  const simulator = simulators.find((one) => one.id === stand.model);
  const line = simulator && linesOf(simulator).find(({ kind }) => kind === stand.line);
  if (simulator === undefined || line === undefined)
    throw new RangeError(`no ${stand.model} over ${stand.line} can be simulated`);
  const { driver, deviceType, options = {} } = simulator;
  const serialNumber = serialNumberOf(simulator, number);
  const terminal = simulator.create({ clock, random, automatic: { card }, serialNumber, pace, cardSaid });
  return {
    id,
    driver,
    line: stand.line,
    deviceType,
    options,
    card,
    settlement,
    serialNumber,
    terminal,
    plug: createPlug(terminal, line, clock),
  };
}
