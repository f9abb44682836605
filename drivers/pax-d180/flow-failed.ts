import type { Notice } from "../../src/card/notice.ts";
import { ask, type Collect, type Device, ended, type Step } from "./flow.ts";
import type { Heard } from "./message.ts";
import { LOOK_AT_SLOT, slotIn, slotSeen } from "./slot.ts";

/**
 * The chip transaction failed. The slot shows whether the card was pulled, because a pulled card must not allow a
 * magstripe fallback (PROTOCOL.md 6.4).
 */
export function lookAfter(job: Collect, ending: Notice): Step {
  return ask({ ...job, phase: { at: "failed", ending } }, LOOK_AT_SLOT);
}

export function failedAnswered(
  { n }: Collect,
  ending: Notice,
  heard: Extract<Heard, { is: "answer" }>,
  before: Device,
): Step {
  const card = slotIn(heard);
  const { device, notices } = card === undefined ? { device: before, notices: [] } : slotSeen(before, card);
  const isOfCard = ending.on === "no-card" && ending.why !== "pin-timeout";
  const over = ended(card === false && isOfCard ? { n, on: "no-card", why: "removed" } : ending);
  return { ...over, device, notices: [...notices, ...(over.notices ?? [])] };
}
