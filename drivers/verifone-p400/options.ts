import type { DriverOption } from "../../src/terminal/driver.ts";

/** What of one terminal the shop's configuration decides (PROTOCOL.md 11). */
export interface Options {
  /** Card data under an initialisation vector that is not zero is passed on all the same. */
  readonly allowIv: boolean;
  /** C2: two digits; absent: the device's own. */
  readonly acquirer?: string;
  /** 9F1A: three digits; absent: the device's own. */
  readonly country?: string;
  /** Where the keys are: host and slots (DED6, C411). */
  readonly pinHost: number;
  readonly pinSlot: number;
  readonly sredSlot: number;
}

const BYTE = /[0-9A-F]{2}/;

/** PROTOCOL.md 11. */
export const driverOptions: readonly DriverOption[] = [
  {
    name: "allowIv",
    meaning: "yes: pass on card data sealed with an initialisation vector, which the gateway has no field for; only where the acquirer knows it otherwise",
    allowed: /yes|no/,
    usual: "no",
  },
  { name: "acquirer", meaning: "index of the acquirer in the device's iccdata.dat, two digits; empty: the device's own", allowed: /([0-9]{2})?/, usual: "" },
  { name: "country", meaning: "country of the shop, ISO 3166 number of three digits; empty: the device's own", allowed: /([0-9]{3})?/, usual: "" },
  { name: "pinHost", meaning: "where PINs are sealed, hexadecimal: 05 IPP DUKPT, 02 VSS DUKPT", allowed: /02|05/, usual: "05" },
  { name: "pinSlot", meaning: "slot of the PIN key, hexadecimal", allowed: BYTE, usual: "01" },
  { name: "sredSlot", meaning: "slot of the key for card data, hexadecimal", allowed: BYTE, usual: "00" },
  { name: "baudRate", meaning: "speed of the serial line", allowed: /9600|19200|38400|57600|115200/, usual: "57600" },
];

/** The values as they are used here; one that is not named has the usual one. */
export function readVipaOptions(given: Readonly<Record<string, string>>): Options {
  const told = (name: string): string => (Object.hasOwn(given, name) ? given[name] : undefined) ?? driverOptions.find((one) => one.name === name)?.usual ?? "";
  const byteOf = (name: string): number => Number.parseInt(told(name), 16) & 0xff;
  const [acquirer, country] = [told("acquirer"), told("country")];
  return {
    allowIv: told("allowIv") === "yes",
    ...(acquirer !== "" && { acquirer }),
    ...(country !== "" && { country }),
    pinHost: byteOf("pinHost"),
    pinSlot: byteOf("pinSlot"),
    sredSlot: byteOf("sredSlot"),
  };
}
