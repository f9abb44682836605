import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { maskedPan, maskedTrack2, packed } from "../../packages/sandbox/testbed/card-tracks.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import { own, TEXT_TAGS } from "./emv-message.ts";
import { FS } from "./frame.ts";
import { type Rba, tell, tellEmv } from "./simulator-core.ts";

/* The device's card messages (PROTOCOL.md 5 to 7). */

const text = (tag: string, value: string): Tlv => ({ tag, value: fromAscii(value) });
const OWN_TEXT: readonly string[] = [
  ...TEXT_TAGS,
  own.pinRequired,
  own.confirmation,
  own.errorCode,
  own.tapPin,
  own.entryMode,
  own.maskedNumber,
  "9000",
  "FF1F",
  "FF25",
];

export function cardSays(rba: Rba, outcome: CardOutcome): void {
  switch (outcome.is) {
    case "inserted":
      inserted(rba);
      break;
    case "removed":
      tell(rba, "09.020201R");
      break;
    case "selected":
      inTransaction(rba, () => prepared(rba, outcome.profile, outcome.data));
      break;
    case "read":
      read(rba, outcome);
      break;
    case "completed":
      completed(rba, outcome);
      break;
    case "pin":
      rba.pending = undefined;
      tell(rba, `31.0${toHex(outcome.pin.data)}${toHex(outcome.pin.ksn)}`);
      break;
    case "failed":
      failed(rba, outcome.why);
      break;
    case "choose":
    case "see-phone":
    case "enter-pin":
    case "pin-typed":
    case "typed":
      // Outcomes that concern only the device's own screen.
      break;
  }
}

/** An inserted card is always reported. It ends 23. if its chip is wanted. */
function inserted(rba: Rba): void {
  tell(rba, "09.020201I");
  if (rba.pending === "23" && rba.session().at() === "waiting" && rba.takesChip) cardIn(rba);
}

/** 23.0S: the host must start the transaction. */
export function cardIn(rba: Rba): void {
  rba.pending = undefined;
  rba.emv = { at: "card-in" };
  tell(rba, "23.0S");
}

/** Events before 33.00 are reported after it. */
function inTransaction(rba: Rba, act: () => void): void {
  if (rba.emv.at === "card-in") rba.emv = { at: "card-in", tells: act };
  else act();
}

const PREPARED_TAGS = "4F 50 84 5F20 5F24 5F28 5F2D 9F07 9F09 9F1A 9F1B".split(" ");
const REQUEST_TAGS = (
  "4F 50 82 84 95 9A 9B 9C 5F20 5F24 5F2A 5F34 9F02 9F03 9F06 9F07 9F08 9F09 9F0D 9F0E 9F0F 9F10 9F12 9F1A 9F1B 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F40 " +
  "9F41 9F53 9F66 9F6C 9F6E"
).split(" ");
const FINAL_TAGS = [...REQUEST_TAGS, ..."89 8A 8E 9F5B 5F28 5F2D".split(" ")];

function chosen(data: readonly Tlv[], tags: readonly string[]): readonly Tlv[] {
  return tags.flatMap((tag) => data.find((object) => object.tag === tag) ?? []);
}

/** 57 and 5A with zeros in the middle, the masked number as text, and further card data. */
function shown(profile: CardProfile): readonly Tlv[] {
  const pan = maskedPan(profile.pan, "0");
  const says = profile.says.map(([tag, value]): Tlv => ({ tag, value: fromHex(value) }));
  return [
    { tag: "57", value: maskedTrack2(profile, "0") },
    { tag: "5A", value: packed(pan) },
    text(own.maskedNumber, pan),
    ...says,
  ];
}

const sealedText = (which: number, { data, ksn }: SealedBytes): string => `1:${which}:${toHex(data)}:${toHex(ksn)}`;

function prepared(rba: Rba, profile: CardProfile, data: readonly Tlv[]): void {
  rba.emv = { at: "prepared" };
  tellEmv(
    rba,
    "02",
    [...chosen(data, PREPARED_TAGS), ...shown(profile), text("FF25", "00"), text("100E", "EN")],
    OWN_TEXT,
  );
}

/** 13. after 33.02 confirms the amount. */
export function confirmed(rba: Rba): void {
  rba.emv = { at: "confirmed" };
  rba.session().proceed(rba.unit.pin === "in-transaction");
}

const TRACK_2 = 2;
const TYPED = 3;
const BOTH = 4;

function read(rba: Rba, card: ReadCard): void {
  switch (card.via) {
    case "chip":
      chipRead(rba, card);
      break;
    case "tap":
      tapRead(rba, card);
      break;
    case "magstripe":
      tracksRead(rba, "M", card, BOTH);
      break;
    case "keyed":
      tracksRead(rba, "H", card, TYPED);
      break;
  }
}

/** If the device asks for the PIN itself, 99 holds the PIN block (PROTOCOL.md 6.8). */
function requestOf({ profile, data, sred, pin }: ReadCard, entry: "C" | "D"): readonly Tlv[] {
  const block = pin === undefined ? [] : [text("99", `${toHex(pin.data)}${toHex(pin.ksn)}`)];
  const asks = findTag(data, "9F34")?.[0] === 0x42 ? "1" : "0";
  const flags = [text(own.pinRequired, asks), text("9000", "B"), text(own.entryMode, entry), text("FF25", "00")];
  return [...shown(profile), text("FF1F", sealedText(TRACK_2, sred)), ...block, ...flags];
}

function chipRead(rba: Rba, card: ReadCard): void {
  const more = requestOf(card, "C");
  if (card.decision === "online") {
    tellEmv(rba, "03", [...chosen(card.data, REQUEST_TAGS), ...more], [...OWN_TEXT, "99"]);
    return;
  }
  rba.emv = { at: "none" };
  const word = card.decision === "approved-offline" ? "A" : rba.transactionType === "01" ? "D" : "C";
  tellEmv(rba, "05", [...chosen(card.data, FINAL_TAGS), ...more, text(own.confirmation, word)], OWN_TEXT);
}

/** A tap continues without the host: 23.0E, then 33.03 (PROTOCOL.md 6.7). A magstripe tap is reported like a swipe. */
function tapRead(rba: Rba, card: ReadCard): void {
  const { profile, data, decision } = card;
  if (profile.tap === "magstripe") {
    rba.session().stop("released");
    tracksRead(rba, "C", card, TRACK_2);
    return;
  }
  rba.pending = undefined;
  tell(rba, "23.0E");
  rba.emv = { at: "confirmed" };
  const objects = [...requestOf(card, "D"), text(own.tapPin, wantsTapPin(data) ? "1" : "0")];
  if (decision === "online") tellEmv(rba, "03", [...chosen(data, REQUEST_TAGS), ...objects], OWN_TEXT);
  else {
    const word = rba.transactionType === "01" ? "D" : "C";
    tellEmv(
      rba,
      "05",
      [...chosen(data, FINAL_TAGS), ...objects, text(own.confirmation, decision === "approved-offline" ? "A" : word)],
      OWN_TEXT,
    );
  }
}

/** By the card transaction qualifiers (Visa), or by the CVM list. */
function wantsTapPin(data: readonly Tlv[]): boolean {
  const [qualifiers = 0] = findTag(data, "9F6C") ?? [];
  return (qualifiers & 0x80) !== 0 || findTag(data, "9F34")?.[0] === 0x42;
}

/** 23. with masked tracks, including sentinels, and the encrypted tracks as third (PROTOCOL.md 7.1 and 7.2). */
function tracksRead(rba: Rba, source: string, { profile, sred }: ReadCard, which: number): void {
  rba.pending = undefined;
  const pan = maskedPan(profile.pan, "0");
  const rest = `${profile.expiry.slice(0, 4)}${profile.serviceCode}0000000000`;
  const first =
    source === "H"
      ? `%M${pan}^MANUALLY/ENTERED^${profile.expiry.slice(0, 4)}000000000000000?`
      : source === "M"
        ? `%B${pan}^${profile.cardholder.padEnd(26)}^${rest}?`
        : "";
  const second = source === "H" ? `;${pan}=${profile.expiry.slice(0, 4)}000000000?` : `;${pan}=${rest}?`;
  tell(rba, `23.0${source}${first}${FS}${second}${FS}${sealedText(which, sred)}`);
}

const RECEIPT = "57 5A 9F26 9F27".split(" ");

function completed(rba: Rba, { verdict, via, profile, data }: CompletedCard): void {
  rba.emv = { at: "none" };
  const isPulled = via === "chip" && rba.on.panel.card() === undefined;
  const word = verdict === "approved" ? "A" : rba.transactionType === "01" ? "D" : "C";
  const more = [
    text(own.confirmation, word),
    ...(isPulled ? [text(own.errorCode, "CRPRE")] : []),
    ...(via === "chip" ? shown(profile).filter(({ tag }) => RECEIPT.includes(tag)) : []),
  ];
  tellEmv(rba, "05", [...chosen(data, FINAL_TAGS), ...more], OWN_TEXT);
}

const ERRORS: Readonly<Partial<Record<Failure, string>>> = {
  unreadable: "CDIV",
  blocked: "APBLK",
  "insert-instead": "CNSUP",
  pulled: "CRPRE",
};

function failed(rba: Rba, why: Failure): void {
  const { pending } = rba;
  rba.pending = undefined;
  if (why === "aborted") return;
  if (pending === "23" && why === "insert-instead") tapFailed(rba, why);
  else if (pending === "31") tell(rba, why === "pin-key-used-up" ? "31.7" : "31.1");
  else if (pending === "23") tell(rba, why === "cancelled" ? "23.2" : why === "card-key-used-up" ? "23.7" : "23.1");
  else inTransaction(rba, () => emvFailed(rba, why));
}

/** A tap that started and failed (PROTOCOL.md 6.7). */
function tapFailed(rba: Rba, why: Failure): void {
  tell(rba, "23.0E");
  emvFailed(rba, why);
}

function emvFailed(rba: Rba, why: Failure): void {
  rba.emv = { at: "none" };
  if (why === "cancelled") tell(rba, "10.");
  const code = ERRORS[why];
  tellEmv(
    rba,
    "05",
    [text(own.confirmation, "E"), ...(code === undefined ? [] : [text(own.errorCode, code)])],
    OWN_TEXT,
  );
}

/** The response code of 33.04, if it is valid. */
export function responseCodeIn(objects: readonly Tlv[]): Uint8Array | undefined {
  const code = findTag(objects, "8A");
  return code?.length === 2 && /^[0-9A-Z]{2}$/.test(ascii(code)) ? code : undefined;
}
