import { findTag, parseTlv } from "../../../src/emv/tlv.ts";
import { equal } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { type ChipCard, chipCard } from "./card.ts";
import { deck } from "./deck.ts";
import {
  type AuthorizationRequest,
  type Conclusion,
  type Issuer,
  type IssuerMemory,
  type KnownCard,
  type Refusal,
  refusal,
  type Verification,
} from "./issuer-contract.ts";
import { mismatchOf, unverifiedHolder, type VerifiedCryptogram, verifyCryptogram } from "./issuer-cryptogram.ts";
import { type CardRecord, cardKeyName, cardRecord, isFreshKsn, keepCardRecord, keepKsn } from "./issuer-memory.ts";
import { iccDataResponse } from "./issuer-response.ts";
import { type Cards, type HostKeys, hostKeys, verifyPin, verifySred } from "./issuer-sealed.ts";
import { PUBLISHED_TEST_BDK } from "./test-keys.ts";

export type { AuthorizationRequest, Issuer, IssuerMemory, Refusal, Verification } from "./issuer-contract.ts";

/** Wrong PINs until the PIN is blocked; after a day the tries are reset. */
export const PIN_TRIES = 3;
const PIN_BLOCKED_MS = 24 * 60 * 60 * 1000;

/** ISO 8583 response codes that request more authentication instead of refusing. */
const SOFT_DECLINES: readonly string[] = ["1A", "65", "70"];

/**
 * Opens sealed data, verifies PIN block and cryptogram, and records every KSN and ATC. Throws a RangeError on other
 * keys than the published test key: it must not open real card data.
 */
export function createIssuer(on: { readonly memory: IssuerMemory; readonly bdk?: Uint8Array }): Issuer {
  const bdk = on.bdk ?? PUBLISHED_TEST_BDK;
  if (!equal(bdk, PUBLISHED_TEST_BDK))
    throw new RangeError("only the published X9.24 test key may be used here: take real keys nowhere near a sandbox");
  const cards: Cards = new Map(deck.map((profile) => [profile.pan, chipCard(profile)]));
  const keys = hostKeys(bdk);
  return { verify: (request) => verify(on.memory, keys, cards, request) };
}

function verify(memory: IssuerMemory, keys: HostKeys, cards: Cards, sent: AuthorizationRequest): Verification {
  const sred = verifySred(keys, cards, sent.sred, sent.deviceType, sent.entryMode);
  const pinUnread = sent.pin && "invalid: not checked, the card is not known";
  if (!sred.ok) return refused(sent, sred.refusal, `invalid: ${sred.refusal.check}`, pinUnread);
  const { card, ksn } = sred;
  // Sealed data takes precedence over the request's fields.
  const request = { ...sent, icc: sred.icc ?? sent.icc, pin: sred.pin ?? sent.pin };
  const name = cardKeyName(card.masterKey);
  const seen = cardRecord(memory, name);
  const chip = verifyChip(request, card, seen, toHex(ksn));
  const fresh = isFreshKsn(memory, ksn) || (chip.ok && chip.again);
  keepKsn(memory, ksn);
  if (!fresh) {
    const replayed = refusal("replay", "SRED KSN was seen before, or a later one of its series");
    return refused(
      request,
      replayed,
      `invalid: ${replayed.check}`,
      request.pin && "invalid: not checked, the SRED data is a replay",
      card,
      chip.cryptogram,
    );
  }
  if (!chip.ok)
    return refused(
      request,
      chip.refusal,
      "valid",
      request.pin && "invalid: not checked, the chip data failed",
      card,
      chip.cryptogram,
    );
  const { cryptogram } = chip;
  const tapped = { ...seen, sredKsn: toHex(ksn), again: false };
  const swiped = request.entryMode === "NFC_MAGSTRIPE" ? { ...tapped, arqc: "" } : seen;
  const now: CardRecord = cryptogram ? { ...tapped, atc: atcOf(cryptogram), arqc: toHex(cryptogram.arqc) } : swiped;
  const pin = verifyPinOf(memory, keys, request, card, now);
  keepCardRecord(memory, name, pin.record);
  const expired =
    Number(card.profile.expiry.slice(0, 4)) < Number(new Date(request.now).toISOString().slice(2, 7).replace("-", ""));
  return {
    sred: "valid",
    pin: pin.said,
    card: known(card),
    isCardDone: isDone(request),
    refusal: pin.refusal ?? (expired ? refusal("expired-card", "card is past its expiry") : undefined),
    conclude(conclusion) {
      const again = !chip.again && request.pin === undefined && SOFT_DECLINES.includes(conclusion.arc);
      if (again && (cryptogram || request.entryMode === "NFC_MAGSTRIPE"))
        keepCardRecord(memory, name, { ...cardRecord(memory, name), again });
      return answer(request, conclusion, cryptogram);
    },
  };
}

/** Carries every verified cryptogram, even beside another error: the decline then has a valid ARPC. */
type Chip = { readonly cryptogram?: VerifiedCryptogram } & (
  | { readonly ok: true; readonly again: boolean }
  | { readonly ok: false; readonly refusal: Refusal }
);

function verifyChip(request: AuthorizationRequest, card: ChipCard, seen: CardRecord, sredKsn: string): Chip {
  const chip = request.entryMode === "ICC" || request.entryMode === "NFC_ICC";
  const withPin = seen.again && request.pin !== undefined && seen.sredKsn === sredKsn;
  if (!chip) return { ok: true, again: withPin && request.entryMode === "NFC_MAGSTRIPE" && seen.arqc === "" };
  if (request.icc === undefined) return { ok: false, refusal: refusal("icc-data", "a chip payment without chip data") };
  const verified = verifyCryptogram(card, request.icc);
  if (!verified.ok) return verified;
  const { cryptogram } = verified;
  const mismatch = mismatchOf(request, card, cryptogram.tags);
  if (mismatch) return { ok: false, refusal: mismatch, cryptogram };
  const unverified = unverifiedHolder(cryptogram.tags);
  if (unverified) return { ok: false, refusal: unverified, cryptogram };
  // After a soft decline a tap sends its cryptogram again with the requested PIN; all other repeats are replays.
  const again = withPin && seen.arqc === toHex(cryptogram.arqc);
  if (!again && atcOf(cryptogram) <= seen.atc) {
    return {
      ok: false,
      refusal: refusal("replay", "ATC (9F36) was seen before, or a later one of this card"),
      cryptogram,
    };
  }
  return { ok: true, cryptogram, again };
}

interface CheckedPin {
  readonly said: string | undefined;
  readonly refusal: Refusal | undefined;
  readonly record: CardRecord;
}

function verifyPinOf(
  memory: IssuerMemory,
  keys: HostKeys,
  request: AuthorizationRequest,
  card: ChipCard,
  record: CardRecord,
): CheckedPin {
  if (request.pin === undefined) return { said: undefined, refusal: undefined, record };
  const says = (found: Refusal, after = record): CheckedPin => ({
    said: `invalid: ${found.check}`,
    refusal: found,
    record: after,
  });
  const pin = verifyPin(keys, request.pin, card.profile);
  if (!pin.ok) return says(pin.refusal);
  const fresh = isFreshKsn(memory, pin.ksn);
  keepKsn(memory, pin.ksn);
  if (!fresh) return says(refusal("replay", "PIN KSN was seen before, or a later one of its series"));
  const tried = request.now - record.wrongPinAt >= PIN_BLOCKED_MS ? 0 : record.wrongPins;
  if (tried >= PIN_TRIES) return says(refusal("pin-tries-exceeded", "PIN is blocked"));
  if (pin.right) return { said: "valid", refusal: undefined, record: { ...record, wrongPins: 0 } };
  const wrongPins = tried + 1;
  const found =
    wrongPins >= PIN_TRIES
      ? refusal("pin-tries-exceeded", "PIN is wrong, and that was the last try")
      : refusal("wrong-pin", "PIN is wrong");
  return says(found, { ...record, wrongPins, wrongPinAt: request.now });
}

function refused(
  request: AuthorizationRequest,
  found: Refusal,
  sred: string,
  pin: string | undefined,
  card?: ChipCard,
  cryptogram?: VerifiedCryptogram,
): Verification {
  return {
    sred,
    pin,
    card: card && known(card),
    isCardDone: isDone(request),
    refusal: found,
    conclude: (conclusion) => answer(request, conclusion, cryptogram),
  };
}

function answer(
  request: AuthorizationRequest,
  conclusion: Conclusion,
  cryptogram: VerifiedCryptogram | undefined,
): string | undefined {
  return request.icc === undefined ? undefined : iccDataResponse(conclusion, cryptogram);
}

/** 9F27 of an AAC. */
function isDone({ icc }: AuthorizationRequest): boolean {
  const parsed = parseTlv(fromHex(icc ?? ""));
  const information = parsed.ok ? findTag(parsed.objects, "9F27") : undefined;
  return information !== undefined && toHex(information) === "00";
}

function atcOf({ atc }: VerifiedCryptogram): number {
  return ((atc[0] ?? 0) << 8) | (atc[1] ?? 0);
}

function known({ profile: { brand, pan, expiry } }: ChipCard): KnownCard {
  return { brand, bin: pan.slice(0, 6), last4: pan.slice(-4), expiry: expiry.slice(0, 4) };
}
