import { ask, type Device, ended, type JobInput, type Look, lost, type Step } from "./flow.ts";
import { answers } from "./message.ts";
import { LOOK_AT_SLOT, slotIn, slotSeen } from "./slot.ts";

/** Asks an idle device with a card in its slot whether the card is still there (PROTOCOL.md 6.9). */
export function startLook(): Step {
  return ask({ is: "look" }, LOOK_AT_SLOT);
}

export function look(job: Look, input: JobInput, before: Device): Step {
  if (input.on === "timer")
    return input.name === "answer" ? lost([], "no-answer", "the idle device does not answer") : { job };
  if (!answers("slot", input.heard)) return { job };
  const card = slotIn(input.heard);
  if (card === undefined) return ended();
  const { device, notices } = slotSeen(before, card);
  return { ...ended(...notices), device };
}
