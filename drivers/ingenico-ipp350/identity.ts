import type { Capabilities } from "../../src/card/capabilities.ts";
import type { Identity } from "../../src/card/notice.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { printable, toldText } from "../../src/kit/printable.ts";
import { FS, GS } from "./frame.ts";
import { capabilitiesOf, type Switches } from "./members.ts";

/** Results of identification so far. */
export interface Found {
  readonly unit: readonly string[];
  readonly switches: Switches;
  readonly settings: Identity["configuration"];
  /** HHMMSS and MMDDYY. */
  readonly time?: string;
  readonly date?: string;
  /** Seconds until the daily restart. */
  readonly restartS?: number;
}

export const nothingFound: Found = { unit: [], switches: {}, settings: [] };

/** The used fields of 07., by position (PROTOCOL.md 3.3). */
const DEVICE = 1;
const SERIAL = 2;
const APPLICATION = 8;
const SOFTWARE: readonly { readonly name: string; readonly at: number }[] = [
  { name: "OS", at: 7 },
  { name: "security module", at: 6 },
  { name: "contact kernel", at: 14 },
  { name: "contact engine", at: 15 },
];

/** More fields than 07. has. */
const MOST_FIELDS = 64;

const told = (text: string): string => toldText(fromAscii(text)).trim();

/** The fields of 07., separated by FS or GS (PROTOCOL.md 3.3). */
export function unitFields(text: string): readonly string[] {
  return text
    .split(text.includes(FS) ? FS : GS)
    .slice(0, MOST_FIELDS)
    .map((field, at) => (at === SERIAL ? printable(fromAscii(field)).trim() : told(field)));
}

export function serialOf({ unit }: Found): string {
  return unit[SERIAL] ?? "";
}

function deviceOf({ unit }: Found): string {
  return unit[DEVICE] ?? "";
}

export function capabilitiesIn(found: Found): Capabilities {
  return capabilitiesOf(deviceOf(found), found.switches);
}

export function identityOf(found: Found): Identity {
  const { unit, settings, date, time } = found;
  const software = SOFTWARE.flatMap(({ name, at }) =>
    unit[at] === undefined || unit[at] === "" ? [] : [{ name, version: unit[at] }],
  );
  const clock =
    date === undefined || time === undefined ? undefined : { date: `${date.slice(4)}${date.slice(0, 4)}`, time };
  return {
    serialNumber: serialOf(found),
    model: deviceOf(found) || "Ingenico",
    firmware: unit[APPLICATION] ?? "",
    configuration: [...software, ...settings],
    ...(clock && { clock }),
  };
}
