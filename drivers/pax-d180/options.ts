import type { DriverOption } from "../../src/terminal/driver.ts";

/** What of one terminal the shop's configuration decides (PROTOCOL.md 1.4). */
export interface Options {
  /** DUKPT group of the key for card data. */
  readonly keyGroup: number;
  /** Whether a stripe is taken whenever it is asked for, or only in place of a chip that could not be read. */
  readonly stripe: "always" | "fallback";
}

export const driverOptions: readonly DriverOption[] = [
  { name: "keyGroup", meaning: "DUKPT group of the key for card data, 1 to 100", allowed: /[1-9][0-9]?|100/, usual: "1" },
  {
    name: "stripe",
    meaning: "fallback: take a stripe only in place of a chip that could not be read; the device hides whether a swiped card has one",
    allowed: /always|fallback/,
    usual: "always",
  },
  { name: "baudRate", meaning: "speed of the serial line", allowed: /9600|19200|38400|57600|115200/, usual: "115200" },
];

/** The values as they are used here; one that is not named has the usual one. */
export function parseOptions(given: Readonly<Record<string, string>>): Options {
  const told = (name: string): string => (Object.hasOwn(given, name) ? given[name] : undefined) ?? driverOptions.find((one) => one.name === name)?.usual ?? "";
  return { keyGroup: Number.parseInt(told("keyGroup"), 10) & 0xff, stripe: told("stripe") === "fallback" ? "fallback" : "always" };
}
