import { createMemory } from "../../packages/sandbox/testbed/memory.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import type { LineSettings } from "../../src/terminal/driver.ts";
import { rememberedBy, serialOf, simulatorOf, type TerminalOptions, type TestTerminal } from "../scenarios/terminal.ts";
import { createPlug, type Plug } from "../support/cable.ts";
import { linesOf } from "../support/simulated-models.ts";
import type { StoryTime } from "./time.ts";

/** A simulated terminal in this process, and the end of its serial cable. */
export interface StoryTerminal extends TestTerminal {
  readonly plug: Plug;
}

export function openStoryTerminal(
  time: StoryTime,
  number: number,
  { model = "miura-m020", automatic = false }: TerminalOptions = {},
): StoryTerminal {
  const simulator = simulatorOf(model);
  const { deviceType, driver, options = {}, serialNumber } = simulator;
  const terminal = simulator.create({
    clock: time.clock,
    random: seededRandom(number),
    automatic: automatic ? { card: "visa-contact" } : undefined,
    memory: createMemory(rememberedBy(number)),
    serialNumber: serialOf(model, serialNumber.usual, number),
  });
  const serial = linesOf(simulator).find(
    (line): line is Extract<LineSettings, { kind: "serial" }> => line.kind === "serial",
  );
  if (serial === undefined) throw new RangeError(`a ${model} has no serial line`);
  const id = `till-${number}`;
  return {
    ...{ id, path: `/dev/${id}`, driver, deviceType, options },
    plug: createPlug(terminal, serial, time.clock),
    present: async (card) => terminal.present(card),
    pull: async () => terminal.removeCard(),
    press: async (keys) => terminal.press(keys),
    customerHas: async (card) => terminal.customerUses(card),
    customerActs: async (acts) => terminal.customerActs(acts),
    fault: async (name, after = 0) => terminal.fault(name, after),
    screen: async () => ({ ...terminal.screen(), lines: [...terminal.screen().lines], plugged: terminal.plugged() }),
    kill: async () => terminal.fault("unplug"),
  };
}
