import type { Notice } from "../../src/card/notice.ts";
import { ask, type Collect, type Device, ended, type Step } from "./flow.ts";
import type { Heard } from "./message.ts";
import { LOOK_AT_SLOT, slotIn, slotSeen } from "./slot.ts";

/** A chip's transaction is over without a card: the slot shows whether it was pulled, which must not open the way to the magstripe (PROTOCOL.md 6.4). */
export function lookAfter(job: Collect, ending: Notice): Step {
  return ask({ ...job, phase: { at: "failed", ending } }, LOOK_AT_SLOT);
}

export function failedAnswered({ n }: Collect, ending: Notice, heard: Extract<Heard, { is: "answer" }>, before: Device): Step {
  const card = slotIn(heard);
  const { device, notices } = card === undefined ? { device: before, notices: [] } : slotSeen(before, card);
  const isOfCard = ending.on === "no-card" && ending.why !== "pin-timeout";
  const over = ended(card === false && isOfCard ? { n, on: "no-card", why: "removed" } : ending);
  return { ...over, device, notices: [...notices, ...(over.notices ?? [])] };
}
