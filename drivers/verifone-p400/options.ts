import type { DriverOption } from "../../src/terminal/driver.ts";

/**
 * Form of card data for the gateway: the whole block FF7F, initialisation vector and ciphertext, or ciphertext alone
 * (PROTOCOL.md 4.9).
 */
export type SredForm = "template" | "vector-and-data" | "data";

/** Per-terminal settings from the shop's configuration (PROTOCOL.md 11). */
export interface Options {
  /** Absent: `template` for a block with a non-zero vector, otherwise `data`. */
  readonly sred?: SredForm;
  /** C2, two digits. Absent: the device's own value. */
  readonly acquirer?: string;
  /** 9F1A, three digits. Absent: the device's own value. */
  readonly country?: string;
  /** Location of the keys: host and slots (DED6, C411). */
  readonly pinHost: number;
  readonly pinSlot: number;
  readonly sredSlot: number;
}

const SRED_FORMS: readonly SredForm[] = ["template", "vector-and-data", "data"];

const BYTE = /[0-9A-F]{2}/;

export const driverOptions: readonly DriverOption[] = [
  {
    name: "sred",
    meaning:
      "how card data goes to the gateway: template (the device's whole block FF7F), vector-and-data, or data; empty: template where its vector is not zero, else data",
    allowed: /(template|vector-and-data|data)?/,
    usual: "",
  },
  {
    name: "acquirer",
    meaning: "index of the acquirer in the device's iccdata.dat, two digits; empty: the device's own",
    allowed: /([0-9]{2})?/,
    usual: "",
  },
  {
    name: "country",
    meaning: "country of the shop, ISO 3166 number of three digits; empty: the device's own",
    allowed: /([0-9]{3})?/,
    usual: "",
  },
  {
    name: "pinHost",
    meaning: "where PINs are sealed, hexadecimal: 05 IPP DUKPT, 02 VSS DUKPT",
    allowed: /02|05/,
    usual: "05",
  },
  { name: "pinSlot", meaning: "slot of the PIN key, hexadecimal", allowed: BYTE, usual: "01" },
  { name: "sredSlot", meaning: "slot of the key for card data, hexadecimal", allowed: BYTE, usual: "00" },
  { name: "baudRate", meaning: "speed of the serial line", allowed: /9600|19200|38400|57600|115200/, usual: "57600" },
];

/** The option values, with defaults for missing ones. */
export function parseOptions(given: Readonly<Record<string, string>>): Options {
  const told = (name: string): string =>
    (Object.hasOwn(given, name) ? given[name] : undefined) ??
    driverOptions.find((one) => one.name === name)?.usual ??
    "";
  const byteOf = (name: string): number => Number.parseInt(told(name), 16) & 0xff;
  const [acquirer, country] = [told("acquirer"), told("country")];
  const sred = SRED_FORMS.find((form) => form === told("sred"));
  return {
    ...(sred && { sred }),
    ...(acquirer !== "" && { acquirer }),
    ...(country !== "" && { country }),
    pinHost: byteOf("pinHost"),
    pinSlot: byteOf("pinSlot"),
    sredSlot: byteOf("sredSlot"),
  };
}

const WHAT: Readonly<Record<SredForm, string>> = {
  template:
    "the device's whole FF7F block in hexadecimal (DFDF11 key serial number, DFDF12 vector, DFDF10 ciphertext, DFDB0F status)",
  "vector-and-data": "the eight bytes of the vector DFDF12 and behind them the ciphertext DFDF10, in hexadecimal",
  data: "the ciphertext DFDF10 alone, in hexadecimal, so that a device whose vector DFDF12 is not zero cannot be decrypted without knowing it otherwise",
};

/** Questions for the shop's acquirer: the gateway has no field for an initialisation vector (PROTOCOL.md 11). */
export function toAskAcquirer({ sred }: Options): readonly string[] {
  const form = sred ?? "template";
  const isUsual =
    sred === undefined
      ? "where the vector is not zero, as on a device as delivered, and the ciphertext alone where it is"
      : "set by option sred";
  return [
    `ask the acquirer whether it decrypts pos.encryptedSred.data that is ${WHAT[form]} (${isUsual}): TDES DUKPT data request key, CBC from that vector, ` +
      "padding 80 00...; where it wants another form, set option sred to template, vector-and-data or data, and prove it with a payment in its test system",
  ];
}
