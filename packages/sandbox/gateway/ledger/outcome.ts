import type { Refusal } from "../../testbed/issuer.ts";
import { HALF_REVERSED, isPending, isSuccess } from "./codes.ts";

/** Faults of a request or its reply on the wire. */
export const WIRE_DEEDS = [
  "drop-before",
  "drop-after",
  "delay",
  "reset-mid-body",
  "http-500",
  "http-502-html",
  "truncated-json",
  "throttle",
] as const;
export type WireDeed = (typeof WIRE_DEEDS)[number];

/** Planned outcome of a valid request; empty: full approval. */
export interface Outcome {
  /** Settled result code; absent: success. */
  readonly resultCode?: string;
  /** Result code of the reply if it differs from the outcome. */
  readonly answeredCode?: string;
  /** First result code of reply and queries. */
  readonly interim?: { readonly resultCode: string; readonly forMs: number };
  /** The issuer's response code (8A, resultDetails.AcquirerResponse) if it differs from the result's usual one. */
  readonly responseCode?: string;
  /** Only half of the amount is approved. */
  readonly half?: boolean;
  /** The gateway reverses its own booking, in a row of its own. */
  readonly reversedByGateway?: boolean;
  /** Variation of the chip data in the reply. */
  readonly icc?: "absent" | "without-91" | "wrong-91" | "scripts";
  /** The refusal by the issuer of a presented card. */
  readonly refusal?: Refusal;
  /** The reason, without account data (resultDetails.ExtendedDescription). */
  readonly because?: string;
  /** Fault on the wire besides the result. */
  readonly wire?: { readonly deed: WireDeed; readonly delayMs: number };
  /** Time during which queries do not find the booking. */
  readonly hideMs?: number;
}

/** Longer than any terminal waits for the host, so by default a delayed reply is a lost one. */
export const DEFAULT_DELAY_MS = 90_000;
/** Default time during which queries do not find a hidden booking. */
export const DEFAULT_HIDE_MS = 60_000;
/** Default duration of a pending payment. */
export const PENDING_MS = 30_000;

/** The gateway timed out, but the acquirer booked: the dangerous reading of these codes, so faults use it. */
const UNKNOWN_BUT_BOOKED: readonly string[] = ["900.100.300", "900.100.400", "900.100.500"];

/**
 * 900.100.300, .400 and .500 are booked although unknown; 000.400.040 books half; 900.100.301 books and reverses;
 * 000.400.030 stays booked; pending codes end in a decline.
 */
export function outcomeOf(resultCode: string, delayMs: number | undefined): Outcome {
  if (UNKNOWN_BUT_BOOKED.includes(resultCode)) return { answeredCode: resultCode };
  if (resultCode === "900.100.301") return { resultCode, reversedByGateway: true };
  if (resultCode === "000.400.040") return { resultCode, half: true };
  if (isPending(resultCode))
    return { resultCode: "800.100.152", interim: { resultCode, forMs: delayMs ?? PENDING_MS } };
  return { resultCode };
}

const REFUSALS: Readonly<Record<Refusal["reason"], string>> = {
  sred: "800.100.156",
  "unknown-card": "800.100.151",
  "expired-card": "800.100.157",
  "icc-data": "800.100.156",
  cryptogram: "800.100.158",
  mismatch: "800.100.158",
  replay: "800.100.158",
  "pin-block": "800.100.156",
  "wrong-pin": "800.100.166",
  "pin-tries-exceeded": "800.100.178",
  "not-verified": "800.100.100",
};

/** The result code for an issuer's refusal. */
export function declineOf(refusal: Refusal): Outcome {
  return { resultCode: REFUSALS[refusal.reason], refusal };
}

/** Authorization response code (8A) of each refusal by an issuer; default 05, "do not honour". */
const RESPONSE_CODES: Readonly<Record<string, string>> = {
  "300.100.100": "65",
  "800.100.151": "14",
  "800.100.153": "82",
  "800.100.155": "51",
  "800.100.157": "54",
  "800.100.159": "43",
  "800.100.162": "61",
  "800.100.163": "65",
  "800.100.165": "41",
  "800.100.166": "55",
  "800.100.168": "62",
  "800.100.170": "57",
  "800.100.171": "04",
  "800.100.178": "75",
};

/** The issuer's response code of a result; undefined: the issuer was not asked or did not answer. */
export function responseCodeOf(resultCode: string, half: boolean): string | undefined {
  if (resultCode === HALF_REVERSED) return undefined;
  if (isSuccess(resultCode)) return half ? "10" : "00";
  return /^(800\.100\.|300\.100\.100|800\.400\.1)/.test(resultCode) ? (RESPONSE_CODES[resultCode] ?? "05") : undefined;
}
