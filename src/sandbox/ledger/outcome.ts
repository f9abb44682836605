import type { Refusal } from "../../testbed/issuer.ts";
import { HALF_REVERSED, isPending, isSuccess } from "./codes.ts";

/** What can happen to a request or its reply on the wire. */
export const WIRE_DEEDS = ["drop-before", "drop-after", "delay", "reset-mid-body", "http-500", "http-502-html", "truncated-json", "throttle"] as const;
export type WireDeed = (typeof WIRE_DEEDS)[number];

/** How one request is to end where nothing is wrong with it; empty is a plain approval of the whole amount. */
export interface Outcome {
  /** The result once settled; absent is success. */
  readonly resultCode?: string;
  /** What the reply says where that is not what happened. */
  readonly answeredCode?: string;
  /** What reply and query say at first. */
  readonly interim?: { readonly resultCode: string; readonly forMs: number };
  /** The issuer's response code (8A, resultDetails.AcquirerResponse) where it is not the one that goes with the result. */
  readonly responseCode?: string;
  /** Only half of the amount is approved. */
  readonly half?: boolean;
  /** The gateway takes its booking back itself, as a row of its own. */
  readonly reversedByGateway?: boolean;
  /** What is wrong with, or special about, what goes back to the card. */
  readonly icc?: "absent" | "without-91" | "wrong-91" | "scripts";
  /** The issuer of a presented card refused by itself. */
  readonly refusal?: Refusal;
  /** Why, in words without account data (resultDetails.ExtendedDescription). */
  readonly because?: string;
  /** What happens on the wire besides. */
  readonly wire?: { readonly deed: WireDeed; readonly delayMs: number };
  /** For how long queries know nothing of it. */
  readonly hideMs?: number;
}

/** Longer than any terminal waits for the host, so that a delayed reply is a lost one unless told otherwise. */
export const DEFAULT_DELAY_MS = 90_000;
/** How long queries know nothing of a hidden booking unless told otherwise. */
export const DEFAULT_HIDE_MS = 60_000;
/** How long a pending payment stays pending unless told otherwise. */
export const PENDING_MS = 30_000;

/** Timed out at the gateway, and the acquirer booked it all the same: the dangerous reading of these codes, so it is the one that a fault gives. */
const UNKNOWN_BUT_BOOKED: readonly string[] = ["900.100.300", "900.100.400", "900.100.500"];

/**
 * What a reply with that code stands for: success and review book, 000.400.040 books half; 900.100.300, .400 and .500 book as well and only the reply does not
 * know it; 000.400.030 leaves the booking standing; 900.100.301 books and reverses; pending codes end in a decline; everything else books nothing.
 */
export function outcomeOf(resultCode: string, delayMs: number | undefined): Outcome {
  if (UNKNOWN_BUT_BOOKED.includes(resultCode)) return { answeredCode: resultCode };
  if (resultCode === "900.100.301") return { resultCode, reversedByGateway: true };
  if (resultCode === "000.400.040") return { resultCode, half: true };
  if (isPending(resultCode)) return { resultCode: "800.100.152", interim: { resultCode, forMs: delayMs ?? PENDING_MS } };
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

/** The decline that an issuer's own refusal is told as. */
export function declineOf(refusal: Refusal): Outcome {
  return { resultCode: REFUSALS[refusal.reason], refusal };
}

/** Authorization response code (8A) of each refusal that an issuer makes; what is not here is a plain "do not honour", 05. */
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

/** The issuer's response code behind a result, or undefined where the issuer was never asked or never answered. */
export function responseCodeOf(resultCode: string, half: boolean): string | undefined {
  if (resultCode === HALF_REVERSED) return undefined;
  if (isSuccess(resultCode)) return half ? "10" : "00";
  return /^(800\.100\.|300\.100\.100|800\.400\.1)/.test(resultCode) ? (RESPONSE_CODES[resultCode] ?? "05") : undefined;
}
