import type { Notice, PromptCode } from "../../src/card/notice.ts";
import { toHex } from "../../src/kit/hex.ts";

/* Progress of a transaction (PROTOCOL.md 5.2): `event, seconds left, progress, final status(2)`. */

/** Events that the driver distinguishes. */
export const events = { inserted: "01", terminated: "06", removed: "08", tapped: "09", swiped: "0A" } as const;

/** Progress codes that the driver distinguishes. */
const stages = {
  approved: "13",
  declined: "14",
  cardBlocked: "17",
  selectionFailed: "18",
  notAccepted: "19",
  noApplication: "1A",
  applicationBlocked: "1B",
  tapFailed: "28",
  collision: "2A",
  seePhone: "2B",
  wrongKind: "2E",
  nothingOnMagstripe: "31",
} as const;

export interface Progress {
  readonly event: string;
  readonly stage: string;
}

/** Undefined if the data is too short. Never throws. */
export function progressIn(data: Uint8Array): Progress | undefined {
  return data.length < 3 ? undefined : { event: toHex(data.subarray(0, 1)), stage: toHex(data.subarray(2, 3)) };
}

/** The cashier's prompt for this progress. */
export function promptIn({ stage }: Progress): PromptCode | undefined {
  switch (stage) {
    case stages.collision:
      return "ONE_CARD_ONLY";
    case stages.seePhone:
      return "SEE_PHONE";
    default:
      return undefined;
  }
}

const FIRST_ERROR = 0x12;
const LAST_ERROR = 0x31;

/** Whether a stage gives the reason or kind of the end; other stages are steps in between. */
export function isEnding({ event, stage }: Progress): boolean {
  const number = Number.parseInt(stage, 16);
  const isStep = stage === "1C" || stage === stages.collision || stage === stages.seePhone || stage === "29";
  return event === events.terminated || (number >= FIRST_ERROR && number <= LAST_ERROR && !isStep);
}

/** The decision that progress reported before the result; both must agree (PROTOCOL.md 7.6). */
export function decisionIn(ending: string | undefined): "approved" | "declined" | undefined {
  if (ending === stages.approved) return "approved";
  return ending === stages.declined ? "declined" : undefined;
}

type NoCard = Extract<Notice, { on: "no-card" }>["why"];

/**
 * Why a transaction ended in an error, from the last progress before it. `again`: the magstripe was not read and may be
 * swiped again.
 */
export function whyNoCard(
  ending: string | undefined,
  via: "chip" | "tap" | "magstripe" | "keyed" | undefined,
): NoCard | "again" {
  switch (ending) {
    case stages.cardBlocked:
    case stages.applicationBlocked:
      return "blocked";
    case stages.selectionFailed:
    case stages.notAccepted:
    case stages.noApplication:
    case stages.wrongKind:
      return via === "tap" ? "use-chip" : "not-supported";
    case stages.tapFailed:
      return "use-chip";
    case stages.nothingOnMagstripe:
      return "again";
    default:
      break;
  }
  if (via === "magstripe") return "again";
  // A failed tap says nothing about the chip, which is tried next.
  return via === "tap" ? "use-chip" : "chip-unreadable";
}
