import type { DriverOption } from "../../src/terminal/driver.ts";

/** Per-terminal settings from the shop's configuration (PROTOCOL.md 11). */
export interface Options {
  /** Second character of 31.: the key for the PIN block. */
  readonly pinKey: string;
  readonly pinPrompt: string;
  readonly pinForm: string;
  readonly cardPrompt: string;
  readonly cardForm: string;
  /** Transaction type in 14. for a refund. */
  readonly refundType: string;
  readonly messageForm: string;
  readonly messageElement: string;
  /** Text on the idle screen; "" leaves the device's own screen. */
  readonly idleText: string;
  /** The device's currency as ISO letters. "": taken from chip data, and before the first chip from the payments. */
  readonly currency: string;
}

const FORM = /[A-Za-z0-9_.-]{0,24}/;
const PROMPT = /[0-9]{1,3}/;

export const driverOptions: readonly DriverOption[] = [
  {
    name: "baudRate",
    meaning: "speed of the serial line, as the device is set",
    allowed: /9600|19200|38400|57600|115200/,
    usual: "19200",
  },
  {
    name: "pinKey",
    meaning: "index of the DUKPT key for PINs (0 to 9); *: as the device is set",
    allowed: /[0-9*]/,
    usual: "*",
  },
  { name: "pinPrompt", meaning: "number of the device's prompt for a PIN", allowed: PROMPT, usual: "1" },
  { name: "pinForm", meaning: "form on which a PIN is typed", allowed: FORM, usual: "pin.K3Z" },
  { name: "cardPrompt", meaning: "number of the device's prompt for a card", allowed: PROMPT, usual: "3" },
  { name: "cardForm", meaning: "form that asks for a card; empty: the device's own", allowed: FORM, usual: "" },
  {
    name: "refundType",
    meaning: "transaction type of a refund (message 14), two digits",
    allowed: /[0-9]{2}/,
    usual: "03",
  },
  { name: "messageForm", meaning: "form with a line of text", allowed: FORM, usual: "msg.K3Z" },
  { name: "messageElement", meaning: "id of the text in that form", allowed: /[A-Za-z0-9_]{1,24}/, usual: "prompt1" },
  {
    name: "idleText",
    meaning: "text while nothing happens; empty: the device's own screen",
    allowed: /[ -~]{0,60}/,
    usual: "",
  },
  {
    name: "currency",
    meaning: "currency that the device is set to, three letters; empty: what chips tell",
    allowed: /(?:[A-Z]{3})?/,
    usual: "",
  },
];

/** The option values, with defaults for missing ones. */
export function parseOptions(given: Readonly<Record<string, string>>): Options {
  const told = (name: string): string =>
    (Object.hasOwn(given, name) ? given[name] : undefined) ??
    driverOptions.find((one) => one.name === name)?.usual ??
    "";
  return {
    pinKey: told("pinKey"),
    pinPrompt: told("pinPrompt"),
    pinForm: told("pinForm"),
    cardPrompt: told("cardPrompt"),
    cardForm: told("cardForm"),
    refundType: told("refundType"),
    messageForm: told("messageForm"),
    messageElement: told("messageElement"),
    idleText: told("idleText"),
    currency: told("currency"),
  };
}
