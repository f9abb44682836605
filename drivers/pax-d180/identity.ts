import type { LocalTime } from "../../src/card/command.ts";
import type { Identity, KeyStatus } from "../../src/card/notice.ts";
import { toHex } from "../../src/kit/hex.ts";
import { printable } from "../../src/kit/printable.ts";
import { type Member, memberOf, unknownMember } from "./members.ts";

type Item = Identity["configuration"][number];

/** Results of identification so far (PROTOCOL.md 6.1). */
export interface Found {
  readonly serialNumber?: string;
  readonly member: Member;
  readonly firmware: string;
  readonly configuration: readonly Item[];
  readonly clock?: LocalTime;
  readonly keys: KeyStatus;
}

export const nothingFound: Found = { member: unknownMember, firmware: "", configuration: [], keys: {} };

/** Text after a length of one byte. */
export function textIn(data: Uint8Array): string {
  return printable(data.slice(1, 1 + (data[0] ?? 0))).trim();
}

export function memberIn(data: Uint8Array): Member {
  const [code] = data;
  return code === undefined ? unknownMember : memberOf(code);
}

const VERSION_BYTES = 8;

/** Eight bytes: boot, firmware (2), and the boards (PROTOCOL.md 4.9). */
export function withVersions(found: Found, data: Uint8Array): Found {
  if (data.length < VERSION_BYTES) return found;
  const [boot = 0, major = 0, minor = 0] = data;
  return {
    ...found,
    firmware: `${major}.${minor}`,
    configuration: [
      ...found.configuration,
      { name: "boot", version: String(boot) },
      { name: "boards", version: toHex(data.subarray(3, 7)) },
    ],
  };
}

/** BCD YYMMDDhhmmss, then the day of the week (PROTOCOL.md 4.10). */
export function clockIn(data: Uint8Array): LocalTime | undefined {
  const [, date, time] = /^([0-9]{6})([0-9]{6})/.exec(toHex(data)) ?? [];
  return date === undefined || time === undefined ? undefined : { date, time };
}

export function identityOf({ serialNumber = "", member, firmware, configuration, clock }: Found): Identity {
  return { serialNumber, model: member.name, firmware, configuration, ...(clock && { clock }) };
}
