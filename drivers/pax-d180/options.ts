import type { DriverOption } from "../../src/terminal/driver.ts";

/** Per-terminal settings from the shop's configuration (PROTOCOL.md 1.4). */
export interface Options {
  /** DUKPT group of the card data key. */
  readonly keyGroup: number;
  /** Accept a magstripe always, or only as fallback for an unreadable chip. */
  readonly stripe: "always" | "fallback";
}

export const driverOptions: readonly DriverOption[] = [
  {
    name: "keyGroup",
    meaning: "DUKPT group of the key for card data, 1 to 100",
    allowed: /[1-9][0-9]?|100/,
    usual: "1",
  },
  {
    name: "stripe",
    meaning:
      "fallback: take a stripe only in place of a chip that could not be read; the device hides whether a swiped card has one",
    allowed: /always|fallback/,
    usual: "always",
  },
  { name: "baudRate", meaning: "speed of the serial line", allowed: /9600|19200|38400|57600|115200/, usual: "115200" },
];

/** The option values, with defaults for missing ones. */
export function parseOptions(given: Readonly<Record<string, string>>): Options {
  const told = (name: string): string =>
    (Object.hasOwn(given, name) ? given[name] : undefined) ??
    driverOptions.find((one) => one.name === name)?.usual ??
    "";
  return {
    keyGroup: Number.parseInt(told("keyGroup"), 10) & 0xff,
    stripe: told("stripe") === "fallback" ? "fallback" : "always",
  };
}
