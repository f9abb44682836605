import { driverModels } from "../../drivers/index.ts";
import { cardNamed } from "../../packages/sandbox/testbed/deck.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import type { LineSettings } from "../../src/terminal/driver.ts";

/** What a simulated model of a terminal is good for, as its driver and its capabilities say. */

const BY = { insert: "chip", tap: "contactless", swipe: "stripe", key: "keyed" } as const;

/** Whether it takes the card in the way its holder presents it; a chip that cannot be read is swiped in the end. */
export function takesCard({ capabilities }: SimulatorModel, card: string): boolean {
  const profile = cardNamed(card);
  if (profile === undefined) throw new RangeError(`no card ${card} in the deck`);
  const ways = [BY[profile.presents], ...(profile.chip === "unreadable" ? (["stripe"] as const) : [])];
  return ways.every((way) => capabilities.interfaces.includes(way));
}

/**
 * The lines on which it can be simulated: on a network it is either a stream or a server of messages, and USB is there
 * as HID alone.
 */
export function linesOf(model: SimulatorModel): readonly LineSettings[] {
  const lines = driverModels.find(({ id }) => id === model.driver)?.lines ?? [];
  return lines.filter((line) =>
    line.kind === "usb" ? line.how === "hid" : line.kind === "serial" || line.kind === (model.network ?? "tcp"),
  );
}

/** A serial number of the model's own form, for the terminal with this number from 0 to 9 in its shop. */
export function serialNumberOf({ serialNumber }: SimulatorModel, number: number): string {
  return `${serialNumber.usual.slice(0, -1)}${number}`;
}
