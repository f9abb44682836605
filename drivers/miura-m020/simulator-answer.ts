import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { maskedPan, maskedTrack2, packed } from "../../packages/sandbox/testbed/card-tracks.ts";
import { replaced } from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { ANSWER_MS, EMPTY, soon, tell } from "../vipa/simulator-core.ts";
import { tags } from "./message.ts";
import { objectsFor } from "./simulator-configuration.ts";
import { type Miura, reply, replyObjects } from "./simulator-core.ts";

/* Card events in the device's messages. */

type Template = "E3" | "E4" | "E5";

/** An answer's objects: the card's own, then the configured lists. */
function answerBody(template: Template, profile: CardProfile, data: readonly Tlv[]): Uint8Array {
  const said = profile.says.map(([tag, value]) => ({ tag, value: fromHex(value) }));
  return encodeTemplate(template, [...said, ...objectsFor(template, data)]);
}

/** DFAE02 and DFAE03. */
export const sredObjects = ({ data, ksn }: SealedBytes): readonly Tlv[] => [
  { tag: tags.sredData, value: data },
  { tag: tags.sredKsn, value: ksn },
];

const pinObjects = ({ data, ksn }: SealedBytes): readonly Tlv[] => [
  { tag: tags.pinData, value: data },
  { tag: tags.pinKsn, value: ksn },
];

/** DFAE57 and DFAE5A: F for masked digits; the rest of the track stays clear (PROTOCOL.md 4.2). */
function maskedNumbers(profile: CardProfile): readonly Tlv[] {
  return [
    { tag: tags.maskedTrack2, value: maskedTrack2(profile, "F") },
    { tag: tags.maskedPan, value: packed(maskedPan(profile.pan, "F")) },
  ];
}

const TEMPLATES: Readonly<Record<ReadCard["decision"], Template>> = {
  online: "E4",
  "approved-offline": "E3",
  "declined-offline": "E5",
};

/** The session's outcome as the answer to the open command, or unsolicited. */
export function cardSays(miura: Miura, outcome: CardOutcome): void {
  switch (outcome.is) {
    case "inserted":
    case "removed":
      slotMoved(miura, outcome.is === "inserted");
      break;
    case "see-phone":
      status(miura, 0xc0, "See phone");
      break;
    case "choose":
      status(miura, 0x03, "Select application");
      break;
    case "enter-pin":
      status(miura, 0x02, "Enter PIN", { tag: tags.pinTries, value: Uint8Array.of(outcome.triesLeft ?? PIN_TRIES) });
      break;
    case "pin-typed":
      status(miura, 0x02, "PIN OK", { tag: "DFA102", value: Uint8Array.of(0x02) });
      break;
    case "read":
      if (outcome.via === "magstripe") swiped(miura, outcome);
      else cardRead(miura, outcome);
      break;
    case "typed":
      typed(miura, outcome);
      break;
    case "completed":
      miura.held = "nobody";
      reply(miura, completedBody(miura, outcome));
      break;
    case "pin":
      replyObjects(miura, pinObjects(outcome.pin));
      break;
    case "failed":
      failed(miura, outcome.why);
      break;
    case "selected":
      // The session does not pause here.
      break;
  }
}

/** C5: PIN tries left. The issuer counts an online PIN, so this value never falls. */
const PIN_TRIES = 3;

function status(miura: Miura, code: number, text: string, more?: Tlv): void {
  const objects = [
    { tag: tags.statusCode, value: Uint8Array.of(code) },
    { tag: tags.statusText, value: fromAscii(text) },
  ];
  tell(miura, "E6", more === undefined ? objects : [...objects, more]);
}

function slotMoved(miura: Miura, isInserted: boolean): void {
  if (miura.isReporting) soon(miura, ANSWER_MS, () => reportSlot(miura));
  if (isInserted) endTap(miura, "9F43");
}

export function slotStatus(miura: Miura): Tlv {
  const card = miura.on.panel.card();
  const slot = card === undefined ? 0x00 : card.profile.chip === "none" ? 0x01 : 0x03;
  return { tag: tags.cardStatus, value: Uint8Array.of(slot, 0x00) };
}

export function reportSlot(miura: Miura): void {
  tell(miura, "E1", [slotStatus(miura)]);
}

/** An answer and its event come in either order (PROTOCOL.md 7.10). */
const EITHER_ORDER_MS = 8;

/** START CONTACTLESS ends because a card was inserted or swiped. */
function endTap(miura: Miura, statusWord: "9F43" | "9F44"): void {
  if (miura.open !== "tap" || miura.session.at() !== "waiting") return;
  const [coin = 0] = miura.on.random.bytes(1);
  miura.session.stop("kept");
  miura.on.panel.show(["Please wait"]);
  reply(miura, EMPTY, statusWord, coin % 2 === 0 ? 1 : EITHER_ORDER_MS);
}

/** A swipe: both tracks encrypted together, track 2 as masked text (PROTOCOL.md 6.1). */
function swiped(miura: Miura, { profile, sred }: ReadCard): void {
  const { pan, expiry, serviceCode } = profile;
  const track = `;${maskedPan(pan, "*")}=${expiry.slice(0, 4)}${serviceCode}**********?`;
  const objects = [
    { tag: tags.cardStatus, value: Uint8Array.of(0x00, 0x07) },
    ...sredObjects(sred),
    { tag: tags.maskedSwipe, value: fromAscii(track) },
  ];
  soon(miura, ANSWER_MS, () => tell(miura, "E1", objects));
  endTap(miura, "9F44");
}

function cardRead(miura: Miura, { via, decision, profile, data, sred, pin }: ReadCard): void {
  miura.sealed = [...(pin === undefined ? [] : pinObjects(pin)), ...sredObjects(sred), ...maskedNumbers(profile)];
  if (decision === "online") miura.held = via === "tap" ? "tap" : "chip";
  reply(miura, answerBody(TEMPLATES[decision], profile, replaced(data, miura.sealed)));
}

/** The final answer of a card, or of a reader with only the response code. */
export function completedBody(miura: Miura, { via, verdict, profile, data }: CompletedCard): Uint8Array {
  const template = verdict === "approved" ? "E3" : "E5";
  return via === "tap" ? encodeTemplate(template, data) : answerBody(template, profile, replaced(data, miura.sealed));
}

/** The typed digits that the host may see (PROTOCOL.md 7.13). */
function typed(miura: Miura, { item, digits }: Extract<CardOutcome, { is: "typed" }>): void {
  const tag = item === "number" ? tags.typedNumber : tags.typedExpiry;
  miura.store = [...miura.store.filter((object) => object.tag !== tag), { tag, value: fromAscii(digits) }];
  replyObjects(miura, [{ tag: tags.typed, value: fromAscii(item === "number" ? maskedPan(digits, "*") : "****") }]);
}

const STATUS_WORDS: Readonly<Record<Failure, string>> = {
  unreadable: "9F30",
  blocked: "9F25",
  "insert-instead": "9F28",
  pulled: "9F30",
  cancelled: "9F41",
  timeout: "9F42",
  "pin-timeout": "9F42",
  aborted: "9F41",
  "pin-key-used-up": "9FE0",
  "card-key-used-up": "9F0D",
};

/** A body of one byte: ONLINE PIN was cancelled or timed out (PROTOCOL.md 4.7). */
const PIN_CANCELLED = Uint8Array.of(0x08);

function failed(miura: Miura, why: Failure): void {
  const delayMs = why === "aborted" ? ANSWER_MS * 2 : ANSWER_MS;
  const isLeft = why !== "pin-key-used-up";
  if (miura.open === "pin" && isLeft) reply(miura, PIN_CANCELLED, undefined, delayMs);
  else reply(miura, EMPTY, STATUS_WORDS[why], delayMs);
}
