import type { CardData, FirstDecision } from "../../src/card/card-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import { receiptDataOf } from "../../src/emv/receipt-data.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended } from "../vipa/flow.ts";
import { readCard } from "./card-answer.ts";
import { type Collect, type Device, type Held, promptedAnew, type Step, type Swipe, type TypingPin } from "./flow.ts";
import { startReset, startStop } from "./flow-stop.ts";
import type { Answer } from "./message.ts";
import { onlinePin, pinOutcome } from "./online-pin.ts";

/*
 * A card was read. Before the payment gets it, a PIN outside the chip transaction (PROTOCOL.md 7.12) or the end of a
 * refund (7.16) may follow.
 */

/** The card waits for its issuer from here on, unless its data is unusable or this is a refund. */
export function readForIssuer(job: Collect, objects: readonly Tlv[], device: Device, via: "chip" | "tap"): Step {
  const reading = readCard(objects, "online", job.request, via);
  if (reading.ok) return readOnline(job, device, reading.card, reading.held);
  return startStop(device, "held", [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
}

/** The card decided offline, so the device has ended its transaction. */
export function readDecided(
  { n, request }: Collect,
  objects: readonly Tlv[],
  decision: Exclude<FirstDecision, "online">,
  via: "chip" | "tap",
): Step {
  const reading = readCard(objects, decision, request, via);
  return ended(
    reading.ok ? { n, on: "card", card: reading.card } : { n, on: "fault", code: reading.code, detail: reading.detail },
  );
}

function readOnline(job: Collect, device: Device, card: CardData, held: Held): Step {
  const { n, request } = job;
  const notice = { n, on: "card", card } as const;
  if (request.transactionType === "20")
    return held.via === "nobody" ? ended(notice) : startStop({ ...device, held }, "held", [notice]);
  const wantsPin = held.via === "tap" && receiptDataOf(card.icc).cvm === "online-pin";
  return wantsPin ? typePin(job, device, card, held) : told(device, n, card, held);
}

/** A swipe; the device does not wait for a completion. */
export function readMagstripe(job: Collect, device: Device, { card, wantsPin, pinBy }: Swipe): Step {
  const { n, offer, request } = job;
  if (card.hasChip === true && !offer.fallback) return ended({ n, on: "no-card", why: "use-chip" });
  const held: Held = { via: "nobody", ...(pinBy && { pinBy }) };
  if (request.transactionType === "20") return ended({ n, on: "card", card });
  return wantsPin ? typePin(job, device, card, held) : told(device, n, card, held);
}

function told(device: Device, n: number, card: CardData, held: Held): Step {
  return { ...ended({ n, on: "card", card }), device: { ...device, held } };
}

/** Without a PIN key, or without a way to name the card, the issuer decides without a PIN. */
function typePin(job: Collect, device: Device, card: CardData, held: Held): Step {
  if (held.pinBy === undefined || device.keys?.pin === false) return told(device, job.n, card, held);
  const asking = promptedAnew({ ...job, phase: { at: "pin", card, held } }, "ENTER_PIN");
  return {
    ...asking,
    write: onlinePin(held.pinBy, job.request),
    timers: { answer: "clear", card: "clear", pin: job.request.pinMs },
  };
}

/** Handles the answer to ONLINE PIN. */
export function typedPin(job: Collect, { card, held }: TypingPin, answer: Answer, device: Device): Step {
  const { n } = job;
  const over = (notice: Notice): Step =>
    held.via === "tap" ? startStop({ ...device, held }, "held", [notice]) : ended(notice);
  const outcome = pinOutcome(answer);
  switch (outcome?.is) {
    case undefined:
      return { job };
    case "pin":
      return told(device, n, { ...card, pin: outcome.pin }, held);
    case "cancelled":
      return over({ n, on: "cancelled", by: "customer" });
    case "timeout":
      return over({ n, on: "no-card", why: "pin-timeout" });
    case "fault":
      return {
        ...startReset([{ n, on: "fault", code: outcome.code, detail: outcome.detail }]),
        device: forgetting(device),
      };
  }
}
