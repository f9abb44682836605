import type { OrderedFault } from "./sandbox-schema.ts";

/** Gateway faults with a switch. */
export const gatewayFaults = ["lost-reply", "hidden", "throttled", "down", "declined"] as const;
export type GatewayFault = (typeof gatewayFaults)[number];

export interface FaultWords {
  readonly title: string;
  readonly text: string;
}

export const FAULT_WORDS: Readonly<Record<GatewayFault, FaultWords>> = {
  "lost-reply": { title: "Lose the next reply", text: "The gateway books, and its answer never arrives." },
  hidden: { title: "Hide the next booking", text: "For 20 seconds no query finds it. Try it with a lost reply." },
  declined: { title: "Decline the next payment", text: "The issuer says no, for the reason chosen here." },
  throttled: { title: "Throttle", text: "Every request is refused as one too many, until switched off." },
  down: { title: "Gateway down", text: "Every connection is cut before anything is booked, until switched off." },
};

/** Decline reasons of an issuer. */
export const DECLINES = [
  { code: "800.100.155", words: "not enough money" },
  { code: "800.100.165", words: "card reported lost" },
  { code: "800.100.157", words: "wrong expiry date" },
  { code: "800.100.162", words: "limit exceeded" },
  { code: "800.100.171", words: "card to be kept" },
  { code: "300.100.100", words: "PIN wanted after a tap" },
] as const;

const HIDDEN_MS = 20_000;
/** So many requests that only the switch ends the fault. */
const FOR_GOOD = 1_000_000;

/** The fault in the sandbox's format. */
export function orderOf(fault: GatewayFault, declineCode: string): object {
  switch (fault) {
    case "lost-reply":
      return { on: { books: true }, do: "drop-after" };
    case "hidden":
      return { on: { books: true }, do: "hide-from-query", delayMs: HIDDEN_MS };
    case "declined":
      return { on: { books: true }, do: { result: declineCode } };
    case "throttled":
      return { do: "throttle", times: FOR_GOOD };
    case "down":
      return { do: "drop-before", times: FOR_GOOD };
  }
}

/** The sandbox's name for clearing the fault. */
export const DEED: Readonly<Record<GatewayFault, string>> = {
  "lost-reply": "drop-after",
  hidden: "hide-from-query",
  declined: "result",
  throttled: "throttle",
  down: "drop-before",
};

/** Active switches. A fault that was used up turns its switch off. */
export function switchedOn(ordered: readonly OrderedFault[]): ReadonlySet<GatewayFault> {
  const deeds = ordered.map((fault) => (typeof fault.do === "string" ? fault.do : "result"));
  return new Set(gatewayFaults.filter((fault) => deeds.includes(DEED[fault])));
}
