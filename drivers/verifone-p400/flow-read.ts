import type { CardData, FirstDecision, Sealed } from "../../src/card/card-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended, type SwipedCard } from "../vipa/flow.ts";
import { readCard, repeated, wantsOnlinePin } from "./card-answer.ts";
import {
  type Collect,
  type Device,
  type Held,
  packetsOf,
  prompted,
  promptedAnew,
  type Step,
  type TypingPin,
} from "./flow.ts";
import { choresFor, startReset, startStop } from "./flow-stop.ts";
import type { Answer } from "./message.ts";
import { askForPin, fetchPin, pinOutcome } from "./online-pin.ts";
import { FETCH_MS } from "./timing.ts";

/*
 * A card was read. Before the payment gets it, an online PIN (PROTOCOL.md 7.12) or the end of a refund (7.16) may
 * follow.
 */

interface How {
  readonly via: "chip" | "tap";
  readonly isMagstripe: boolean;
  readonly before?: Sealed | undefined;
  /** The device asked for a PIN inside the transaction. */
  readonly hasPin?: boolean;
}

/** The card waits for its issuer from here on, unless its data is unusable or this is a refund. */
export function readForIssuer(
  job: Collect,
  objects: readonly Tlv[],
  device: Device,
  { via, isMagstripe, before, hasPin = false }: How,
): Step {
  const { options } = device;
  const reading = readCard(objects, "online", job.request, { via, isMagstripe, before, options });
  if (reading.ok) return readOnline(job, device, reading.card, reading.held, hasPin);
  const { code, detail } = reading;
  return startStop(
    forgetting(device),
    [{ n: job.n, on: "fault", code, detail }],
    choresFor({ held: { via, repeated: [] } }),
  );
}

/** The card decided offline, so the device has ended its transaction. */
export function readDecided(
  job: Collect,
  objects: readonly Tlv[],
  decision: Exclude<FirstDecision, "online">,
  { options }: Device,
  via: "chip" | "tap",
  before?: Sealed,
): Step {
  const { n, request } = job;
  const reading = readCard(objects, decision, request, { via, isMagstripe: false, before, options });
  return ended(
    reading.ok ? { n, on: "card", card: reading.card } : { n, on: "fault", code: reading.code, detail: reading.detail },
  );
}

function readOnline(job: Collect, device: Device, card: CardData, found: Held, hasPin: boolean): Step {
  const { n, request } = job;
  if (request.transactionType === "20")
    return startStop(forgetting(device), [{ n, on: "card", card }], choresFor({ held: found }));
  const held: Held = { ...found, ...(found.via === "tap" && device.capabilities.pinAfterTap && { takesPin: true }) };
  return wantsOnlinePin(card) ? typePin(job, device, card, held, hasPin) : told(device, n, card, held);
}

/** A swipe; the device does not wait for a completion. */
export function readMagstripe(job: Collect, device: Device, { card, wantsPin }: SwipedCard): Step {
  const { n, offer, request } = job;
  if (card.hasChip === true && !offer.fallback) return ended({ n, on: "no-card", why: "use-chip" });
  const held: Held = {
    via: "nobody",
    repeated: repeated(request),
    ...(device.capabilities.onlinePin && { takesPin: true }),
  };
  if (request.transactionType === "20") return ended({ n, on: "card", card });
  return wantsPin ? typePin(job, device, card, held, false) : told(device, n, card, held);
}

function told(device: Device, n: number, card: CardData, held: Held): Step {
  return { ...ended({ n, on: "card", card }), device: { ...device, held } };
}

/** Without a keypad or a PIN key, the issuer decides without a PIN. */
function typePin(job: Collect, device: Device, card: CardData, held: Held, hasPin: boolean): Step {
  const { capabilities, keys, options } = device;
  if (!capabilities.onlinePin || keys?.pin === false) return told(device, job.n, card, held);
  const phase: TypingPin = { at: "pin", card, held, isFetched: hasPin };
  if (hasPin)
    return {
      ...prompted({ ...job, phase }, "PROCESSING"),
      write: packetsOf(fetchPin(options)),
      timers: { answer: FETCH_MS, card: "clear", pin: "clear" },
    };
  const asking = promptedAnew({ ...job, phase }, "ENTER_PIN");
  return {
    ...asking,
    write: packetsOf(askForPin(job.request, options)),
    timers: { answer: "clear", card: "clear", pin: job.request.pinMs },
  };
}

/** Handles the answer to ONLINE PIN. */
export function typedPin(job: Collect, { card, held, isFetched }: TypingPin, answer: Answer, device: Device): Step {
  const { n } = job;
  if (answer.is === "ok" && job.isBehind) {
    const { isBehind: _over, ...now } = job;
    return { job: now };
  }
  const outcome = pinOutcome(answer, device.options);
  switch (outcome?.is) {
    case undefined:
      return { job };
    case "pin": {
      const processing = isFetched ? [] : [{ n, on: "prompt", prompt: "PROCESSING" } as const];
      const step = told(device, n, { ...card, pin: outcome.pin }, held);
      return { ...step, notices: [...processing, ...(step.notices ?? [])] };
    }
    case "cancelled":
      if (isFetched) return withoutPin(job, held, device);
      return startStop(forgetting(device), [{ n, on: "cancelled", by: "customer" }], choresFor({ held }));
    case "fault":
      return startReset(forgetting(device), [{ n, on: "fault", code: outcome.code, detail: outcome.detail }]);
  }
}

/** The customer typed a PIN, but the device does not hand it over. */
function withoutPin({ n }: Collect, held: Held, device: Device): Step {
  const notice: Notice = {
    n,
    on: "fault",
    code: "device-error",
    detail: "the PIN that was typed could not be fetched",
  };
  return startStop(forgetting(device), [notice], choresFor({ held }));
}

/** The answer to an ONLINE PIN without customer input is overdue. */
export function pinOverdue(job: Collect, { held, isFetched }: TypingPin, device: Device): Step {
  return isFetched ? withoutPin(job, held, device) : { job };
}
