import type { CardData, Sealed } from "../card/card-data.ts";
import type { FaultCode } from "../card/notice.ts";

/** Limit of key series of one device in this process, re-injections included; a real device has fewer. */
export const SERIES_LIMIT = 32;

/**
 * Key sets published in print: ANSI X9.24-1 (example KSN FFFF9876543210E00000), X9.24-3 (1234567890123456), and the PIN
 * key of published Verifone blocks, also X9.24-1's. Anybody can decrypt under them.
 */
const PUBLISHED_KEY_SETS = ["FFFF987654", "12345678", "F876543210"];

export interface KsnProblem {
  readonly code: FaultCode;
  readonly detail: string;
}

export interface KsnWatch {
  /**
   * Records key serial numbers and returns their problem. A number that does not rise is a replay, or a device with
   * reset memory.
   */
  see(sealed: Pick<CardData, "sred" | "pin">): KsnProblem | undefined;
}

/**
 * Numbers are kept per use (card data, PIN), because some devices seal both under the same transaction key (X9.24-1,
 * key variants).
 */
export function createKsnWatch(environment: "test" | "live"): KsnWatch {
  const last = new Map<string, string>();
  const see = (use: "card data" | "PIN", sealed: Sealed | undefined): KsnProblem | undefined => {
    if (sealed === undefined) return undefined;
    const ksn = sealed.ksn.toUpperCase();
    const series = seriesOf(ksn);
    if (series === undefined)
      return {
        code: "ksn-not-rising",
        detail: `the key serial number of its ${use} is not 20 or 24 hexadecimal digits`,
      };
    if (environment === "live" && PUBLISHED_KEY_SETS.some((set) => ksn.startsWith(set))) {
      return {
        code: "keys-missing",
        detail: `its ${use} key is a published test key; live payments need keys of the acquirer`,
      };
    }
    const key = `${use} ${series}`;
    const before = last.get(key);
    if (before === undefined && last.size >= SERIES_LIMIT)
      return { code: "ksn-not-rising", detail: `it used more than ${SERIES_LIMIT} key series` };
    if (before !== undefined && ksn <= before)
      return { code: "ksn-not-rising", detail: `the key serial number of its ${use} did not rise in series ${series}` };
    last.set(key, ksn);
    return undefined;
  };
  return { see: (card) => see("card data", card.sred) ?? see("PIN", card.pin) };
}

/**
 * The constant part of a key's serial numbers: under TDES DUKPT all but the 21 counter bits of 80 (X9.24-1), under AES
 * DUKPT all but 32 of 96 (X9.24-3). Undefined for anything else.
 */
export function seriesOf(ksn: string): string | undefined {
  if (/^[0-9A-F]{24}$/.test(ksn)) return ksn.slice(0, 16);
  if (!/^[0-9A-F]{20}$/.test(ksn)) return undefined;
  const shared = Number.parseInt(ksn.slice(14, 15), 16) & 0b1110;
  return ksn.slice(0, 14) + shared.toString(16).toUpperCase();
}
