import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { magstripeData, maskedPan, maskedTrack2, packed, withLrc } from "../../packages/sandbox/testbed/card-tracks.ts";
import { replaced } from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { encodeTlvs, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { ANSWER_MS, EMPTY, soon, tell } from "../vipa/simulator-core.ts";
import { tags, templates } from "./message.ts";
import { objectsFor } from "./simulator-configuration.ts";
import { reply, tellSoon, toNobody, type Verifone } from "./simulator-core.ts";
import { verifoneLayout } from "./simulator-sealing.ts";

/* Card events in the device's messages. */

/**
 * FF7F with this block's initialisation vector, and FF7C, a token that only the acquirer can read (PROTOCOL.md 4.6).
 */
function sealedObjects({ data, ksn, vector = new Uint8Array(8) }: SealedBytes): readonly Tlv[] {
  const block = [
    { tag: tags.sealedIv, value: vector },
    { tag: tags.sealedKsn, value: ksn },
    { tag: tags.sealedData, value: data },
    { tag: tags.sealStatus, value: new Uint8Array(4) },
    { tag: tags.vsdVersion, value: Uint8Array.of(0x00, 0x00, 0x0d, 0x01) },
  ];
  const token = [
    { tag: tags.token, value: new Uint8Array(32) },
    { tag: tags.tokenCheck, value: new Uint8Array(3) },
  ];
  return [
    { tag: templates.sealed, value: encodeTlvs(block) },
    { tag: templates.token, value: encodeTlvs(token) },
  ];
}

/** 57 and 5A with A for masked digits. The track's discretionary data is masked too, as recorded (PROTOCOL.md 4.7). */
function maskedNumbers(profile: CardProfile): readonly Tlv[] {
  return [
    { tag: "57", value: maskedTrack2(profile, "A") },
    { tag: "5A", value: packed(maskedPan(profile.pan, "A")) },
  ];
}

/** Host 05 sends hexadecimal text, and drops the leading F of a KSN that has four of them (PROTOCOL.md 4.8). */
export function pinObjects({ data, ksn }: SealedBytes, host: number): readonly Tlv[] {
  const isText = host === 0x05;
  const digits = toHex(ksn).replace(/^F{4}/, "");
  return [
    { tag: tags.pinData, value: isText ? fromAscii(toHex(data)) : data },
    { tag: tags.pinKsn, value: isText ? fromAscii(digits) : ksn },
  ];
}

/** The session's outcome as the answer to the open command, or unsolicited. */
export function cardSays(verifone: Verifone, outcome: CardOutcome): void {
  switch (outcome.is) {
    case "inserted":
    case "removed":
      if (verifone.isReporting) soon(verifone, ANSWER_MS, () => reportSlot(verifone));
      break;
    case "see-phone":
      tellSoon(verifone, EMPTY, "9F35");
      break;
    case "choose":
      status(verifone, 0x04, "Select application");
      break;
    case "selected":
      selected(verifone, outcome.profile, outcome.data);
      break;
    case "enter-pin":
      if (verifone.open === "first")
        status(verifone, 0x0c, "PIN ENTRY", {
          tag: tags.pinTries,
          value: Uint8Array.of(outcome.triesLeft ?? PIN_TRIES),
        });
      break;
    case "read":
      cardRead(verifone, outcome);
      break;
    case "completed":
      completed(verifone, outcome);
      break;
    case "pin":
      reply(verifone, encodeTemplate("E0", pinObjects(outcome.pin, verifone.pinHost)));
      break;
    case "failed":
      failed(verifone, outcome.why);
      break;
    case "pin-typed":
    case "typed":
      // The device does not report a PIN entry, and no host selects a single item.
      break;
  }
}

/** C5: PIN tries left. The issuer counts an online PIN, so this value never falls. */
const PIN_TRIES = 3;

function status(verifone: Verifone, code: number, words: string, more?: Tlv): void {
  const objects = [
    { tag: tags.statusCode, value: Uint8Array.of(code) },
    { tag: tags.statusText, value: fromAscii(words) },
  ];
  tell(verifone, "E6", more === undefined ? objects : [...objects, more]);
}

const CHIP_READY = 0x03;
const SILENT_CARD = 0x01;

/** E0{48}: the slot state. */
export function reportSlot(verifone: Verifone): void {
  const card = verifone.on.panel.card();
  const slot = card === undefined ? 0x00 : card.profile.chip === "none" ? SILENT_CARD : CHIP_READY;
  tell(verifone, "E0", [{ tag: tags.cardStatus, value: Uint8Array.of(slot, 0x00) }]);
}

/**
 * E2: the card was read, and the device asks whether to continue. Its data is encrypted here once for all answers of
 * the transaction.
 */
function selected(verifone: Verifone, profile: CardProfile, data: readonly Tlv[]): void {
  const early = verifone.on.secure.sealCard(verifoneLayout, data);
  if (early === undefined) {
    verifone.session.stop("released");
    toNobody(verifone);
    reply(verifone, EMPTY, "9F53");
    return;
  }
  verifone.early = early;
  verifone.held = "decision";
  const objects = [
    { tag: "C1", value: Uint8Array.of(0x00) },
    ...sealedObjects(early),
    ...objectsFor("E2", replaced(data, maskedNumbers(profile))),
  ];
  reply(verifone, encodeTemplate("E2", objects));
}

const TEMPLATES: Readonly<Record<ReadCard["decision"], "E3" | "E4" | "E5">> = {
  online: "E4",
  "approved-offline": "E3",
  "declined-offline": "E5",
};

function cardRead(verifone: Verifone, card: ReadCard): void {
  switch (card.via) {
    case "chip":
      verifone.pin = card.pin;
      verifone.held = card.decision === "online" ? "chip" : "nobody";
      reply(verifone, firstBody(verifone, card, TEMPLATES[card.decision]));
      break;
    case "tap": {
      const template = card.data.some(({ tag, value }) => tag === "9F39" && value[0] === MAGSTRIPE_MODE)
        ? "E7"
        : TEMPLATES[card.decision];
      verifone.open = "none";
      verifone.held = card.decision === "online" ? "tap" : "nobody";
      tellSoon(verifone, firstBody(verifone, card, template));
      break;
    }
    case "magstripe":
      swiped(verifone, card);
      break;
    case "keyed":
      reply(verifone, typedBody(card));
      break;
  }
}

const MAGSTRIPE_MODE = 0x91;

/** The card's own objects, then the configured list, then the encrypted data. */
function firstBody(
  verifone: Verifone,
  { profile, data, sred }: ReadCard,
  template: "E3" | "E4" | "E5" | "E7",
): Uint8Array {
  const said = profile.says.map(([tag, value]) => ({ tag, value: fromHex(value) }));
  verifone.early = undefined;
  verifone.sealed = sealedObjects(sred);
  return encodeTemplate(template, [
    ...said,
    ...objectsFor("first", replaced(data, maskedNumbers(profile))),
    ...verifone.sealed,
  ]);
}

/** Mask byte in a track. */
const HIDDEN = "\u00aa";

/** The last character of track 2, which stays clear. */
function checkCharacter(profile: CardProfile): string {
  const track2 = findTag(magstripeData(profile), "5F22") ?? EMPTY;
  return ascii(withLrc(track2).subarray(-1));
}

/** A swipe: E0{48, masked track 2, track status, FF7F, FF7C} (PROTOCOL.md 6.1). */
function swiped(verifone: Verifone, { profile, sred }: ReadCard): void {
  const { pan, expiry, serviceCode } = profile;
  const track = `;${maskedPan(pan, HIDDEN)}=${expiry.slice(0, 4)}${serviceCode}${HIDDEN.repeat(10)}?${checkCharacter(profile)}`;
  const objects = [
    { tag: tags.cardStatus, value: Uint8Array.of(0x00, 0x05) },
    { tag: tags.maskedTrack2, value: fromAscii(track) },
    { tag: tags.trackStatus, value: Uint8Array.of(0x01, 0x00, 0x01) },
    { tag: "DFDF20", value: new Uint8Array(4) },
    ...sealedObjects(sred),
  ];
  soon(verifone, ANSWER_MS, () => tell(verifone, "E0", objects));
}

/** A keyed number: objects without a template. */
function typedBody({ profile, sred }: ReadCard): Uint8Array {
  const objects = [
    { tag: tags.typedNumber, value: fromAscii(maskedPan(profile.pan, HIDDEN)) },
    { tag: tags.typedExpiry, value: fromAscii(HIDDEN.repeat(4)) },
    ...sealedObjects(sred),
  ];
  return concat(...objects.map((object) => encodeTlvs([object])));
}

/** The final answer of a card, or of a reader with only the response code. A pulled card made no cryptogram. */
function completed(verifone: Verifone, { via, verdict, profile, data }: CompletedCard): void {
  const template = verdict === "approved" ? "E3" : "E5";
  const isPulled = via === "chip" && !data.some(({ tag }) => tag === "9F26");
  verifone.held = "nobody";
  if (via === "tap") {
    verifone.open = "none";
    tellSoon(verifone, encodeTemplate(template, data));
  } else if (isPulled) reply(verifone, EMPTY, "9F23");
  else reply(verifone, encodeTemplate(template, objectsFor("final", replaced(data, maskedNumbers(profile)))));
}

const STATUS_WORDS: Readonly<Record<Failure, string>> = {
  unreadable: "9F25",
  blocked: "9F50",
  "insert-instead": "9F33",
  pulled: "9F23",
  cancelled: "9F41",
  timeout: "9F41",
  "pin-timeout": "9F41",
  aborted: "9F41",
  "pin-key-used-up": "9F19",
  "card-key-used-up": "9F53",
};

function failed(verifone: Verifone, why: Failure): void {
  const { open } = verifone;
  const delayMs = why === "aborted" ? ANSWER_MS * 2 : ANSWER_MS;
  if (open !== "pin" && verifone.session.at() === "idle") toNobody(verifone);
  if (open === "tap") {
    verifone.open = "none";
    tellSoon(verifone, EMPTY, STATUS_WORDS[why], delayMs);
  } else reply(verifone, EMPTY, STATUS_WORDS[why], delayMs);
}
