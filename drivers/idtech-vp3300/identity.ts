import type { Identity, KeyStatus } from "../../src/card/notice.ts";
import { printable } from "../../src/kit/printable.ts";
import { modelIn } from "./members.ts";

type Item = Identity["configuration"][number];

/** Results of identification so far (PROTOCOL.md 6.1). */
export interface Found {
  readonly serialNumber?: string;
  readonly firmware?: string;
  readonly keys: KeyStatus;
  readonly modules: readonly Item[];
  readonly tellsSlot: boolean;
}

export const nothingFound: Found = { keys: {}, modules: [], tellsSlot: false };

/** Fifteen characters, padded with zero bytes (PROTOCOL.md 3.3). */
export function serialIn(data: Uint8Array): string {
  return printable(data).trim();
}

const VALID = 0x01;

/** Key state (PROTOCOL.md 3.4): the first byte; a serial number follows. */
export function isKeyValid(data: Uint8Array): boolean {
  return data[0] === VALID;
}

const MOST_MODULES = 64;

/** Lines of text; each holds a name, a comma and the version. */
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

export function identityOf({ serialNumber = "", firmware = "", modules }: Found): Identity {
  return { serialNumber, model: modelIn(firmware), firmware, configuration: modules };
}
