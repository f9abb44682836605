import type { Identity, KeyStatus } from "../../src/card/notice.ts";
import { printable } from "../../src/kit/printable.ts";
import { modelIn } from "./members.ts";

type Item = Identity["configuration"][number];

/** What identifying has found out so far (PROTOCOL.md 6.1). */
export interface Found {
  readonly serialNumber?: string;
  readonly firmware?: string;
  readonly keys: KeyStatus;
  readonly modules: readonly Item[];
  readonly tellsSlot: boolean;
}

export const nothingFound: Found = { keys: {}, modules: [], tellsSlot: false };

/** Fifteen characters with zeros behind them (PROTOCOL.md 3.3). */
export function serialIn(data: Uint8Array): string {
  return printable(data).trim();
}

const VALID = 0x01;

/** State of a key (PROTOCOL.md 3.4): its first byte; a serial number follows. */
export function isKeyValid(data: Uint8Array): boolean {
  return data[0] === VALID;
}

const MOST_MODULES = 64;

/** Lines of text, a name and what is behind its first comma. */
export function modulesIn(data: Uint8Array): readonly Item[] {
  const lines = new TextDecoder("latin1").decode(data).split(/[\r\n\0]+/);
  return lines
    .map((line) => printable(new TextEncoder().encode(line.trim())))
    .filter((line) => line !== "")
    .slice(0, MOST_MODULES)
    .map((line) => {
      const [name = "", ...rest] = line.split(",");
      return { name: name.trim(), version: rest.join(",").trim() };
    });
}

/** What a session is told of the device. */
export function identityOf({ serialNumber = "", firmware = "", modules }: Found): Identity {
  return { serialNumber, model: modelIn(firmware), firmware, configuration: modules };
}
