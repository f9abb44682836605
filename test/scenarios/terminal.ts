import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { simulators } from "../../drivers/simulators.ts";
import { deck } from "../../packages/sandbox/testbed/deck.ts";
import type { MemoryImage } from "../../packages/sandbox/testbed/memory.ts";
import type { FaultName } from "../../src/simulator/fault.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { killProgram, startProgram } from "./program.ts";

const screenSchema = z.object({
  lines: z.array(z.string()),
  slot: z.object({ card: z.string().nullable() }),
  waitsFor: z.string().nullable(),
  plugged: z.boolean(),
});
type Screen = z.output<typeof screenSchema>;

/** What a person, or misfortune, does to a simulated terminal, over its control port. */
export interface TestTerminal {
  readonly id: string;
  /** Its serial device. */
  readonly path: string;
  /** Of the driver that speaks to it. */
  readonly driver: string;
  readonly deviceType: string;
  readonly options: Readonly<Record<string, string>>;
  /** The card is presented as its holder does it, into the slot, to the reader or through it. */
  present(card: string): Promise<void>;
  pull(): Promise<void>;
  press(keys: string): Promise<void>;
  /** The simulated customer (`automatic`) has this card from now on. */
  customerHas(card: string): Promise<void>;
  /** False: that customer leaves the terminal to itself. */
  customerActs(acts: boolean): Promise<void>;
  fault(name: FaultName, after?: number): Promise<void>;
  screen(): Promise<Screen>;
  kill(): Promise<void>;
}

export interface TerminalOptions {
  /** A line of `simulate --list`; Miura when not said. */
  readonly model?: string;
  readonly automatic?: boolean;
}

/**
 * Several simulators share the sandbox's one issuer, to whom a card's counter must rise and a key serial number must be
 * new: each begins with a range of its own, so that
 * a card may go from one terminal to those after it, and with a key identity of its own. `automatic`: a simulated
 * customer does all that the terminal asks for.
 */
export async function startTerminal(
  folder: string,
  number: number,
  { model = "miura-m020", automatic = false }: TerminalOptions = {},
): Promise<TestTerminal> {
  const { deviceType, driver, options = {}, serialNumber } = simulatorOf(model);
  const id = `till-${number}`;
  const state = path.join(folder, `${id}.json`);
  fs.writeFileSync(state, JSON.stringify(rememberedBy(number)));
  const pty = path.join(folder, id);
  const serial = serialOf(model, serialNumber.usual, number);
  const customer = automatic ? [] : ["--manual"];
  const program = startProgram(
    "simulate",
    model,
    "--pty",
    pty,
    "--control",
    "0",
    "--state",
    state,
    "--serial",
    serial,
    ...customer,
  );
  const control = /http:\/\/[0-9.:]+\//.exec(await program.line(/control at/))?.[0] ?? "";
  return openTerminal({ id, path: pty, driver, deviceType, options }, control, () => killProgram(program));
}

/** What the terminal of that number, and its cards, remember of what was before. */
export function rememberedBy(number: number): MemoryImage {
  const ksn = (use: number): string =>
    `FFFF98765432${((((2 * number + use) << 21) | 1) >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
  const cards = Object.fromEntries(deck.map(({ name }) => [name, { atc: 1000 * number, typed: 0, wrongPins: 0 }]));
  return { cards, ksn: { pin: ksn(0), sred: ksn(1) } };
}

export const serialOf = (model: string, usual: string, number: number): string =>
  model === "miura-m020" ? String(10_000_000 + number) : usual;

export function simulatorOf(model: string): SimulatorModel {
  const simulator = simulators.find(({ id }) => id === model);
  if (simulator === undefined) throw new RangeError(`no ${model} can be simulated`);
  return simulator;
}

type Place = Pick<TestTerminal, "id" | "path" | "driver" | "deviceType" | "options">;

function openTerminal(place: Place, control: string, kill: () => Promise<void>): TestTerminal {
  const ask = async (method: string, call: string, body?: object): Promise<Screen> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${control}${call}`, { method, ...sent });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${call}: ${JSON.stringify(answer)}`);
    return screenSchema.parse(answer);
  };
  return {
    ...place,
    present: async (name) => void (await ask("POST", "card", { name })),
    pull: async () => void (await ask("DELETE", "card")),
    press: async (keys) => void (await ask("POST", "keys", { keys })),
    customerHas: async (card) => void (await ask("POST", "customer", { card })),
    customerActs: async (acts) => void (await ask("POST", "customer", { acts })),
    fault: async (name, after = 0) => void (await ask("POST", "faults", { do: name, after })),
    screen: () => ask("GET", "screen"),
    kill,
  };
}
