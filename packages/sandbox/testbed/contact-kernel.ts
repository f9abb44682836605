import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { ascii, concat, fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import {
  beginTransaction,
  type CardTransaction,
  type ChipCard,
  externalAuthenticate,
  firstGenerateAc,
  secondGenerateAc,
  verifyOfflinePin,
} from "./card.ts";
import type { CryptogramType } from "./card-verification-results.ts";
import {
  afterBypass,
  afterOfflinePin,
  beginVerification,
  type CardholderVerification,
  NO_VERIFICATION,
  type VerificationSupport,
} from "./cardholder-verification.ts";

/** The terminal's configuration, constant over transactions. */
export interface KernelConfiguration extends VerificationSupport {
  /** Taps above this amount, in minor units of any currency, require cardholder verification; absent: no limit. */
  readonly contactlessCvmLimit?: number;
  /** 9F1A, ISO 3166 numeric, four digits. */
  readonly country: string;
  /** 9F1C, eight characters. */
  readonly terminalId: string;
  /** 9F1E, eight characters. */
  readonly serialNumber: string;
  /** 9F33 (EMV Book 4, annex A2), including the supported verification. */
  readonly capabilities: string;
}

/** The host's request; values are hexadecimal BCD as in the tags. */
export interface KernelRequest {
  /** 9F02. */
  readonly amount: string;
  /** 5F2A. */
  readonly currency: string;
  /** 9C. */
  readonly type: string;
  /** 9A. */
  readonly date: string;
  /** 9F21. */
  readonly time: string;
  /** 9F37, from the terminal's random numbers. */
  readonly unpredictableNumber: Uint8Array;
  /** 9F41. */
  readonly sequence: number;
}

/** A contact transaction in the terminal's kernel: the card's state, and all data by tag. Immutable. */
export interface ContactTransaction {
  readonly card: CardTransaction;
  readonly verification: CardholderVerification;
  readonly data: readonly Tlv[];
}

/** TVR, byte 1, bit 8: offline data authentication was not performed. */
const TVR_NOT_AUTHENTICATED = 0x80;
/** TVR, byte 4, bit 8: the amount is above the floor limit. */
const TVR_ABOVE_FLOOR = 0x80;
/** Byte 5, bit 7: issuer authentication failed. */
const TVR_AUTHENTICATION_FAILED = 0x40;
/**
 * TSI bits: cardholder verification, card and terminal risk management; offline data authentication; issuer
 * authentication; script processing.
 */
const TSI_BEFORE = 0x68;
const TSI_CARD_AUTHENTICATED = 0x80;
const TSI_AUTHENTICATED = 0x10;
/**
 * AIP, byte 1, bit 3: the card supports EXTERNAL AUTHENTICATE. Mastercard checks the issuer's answer in the second
 * GENERATE AC.
 */
const AIP_EXTERNAL_AUTHENTICATE = 0x04;
const TSI_SCRIPTS = 0x04;

/** 9F35: attended, online capable, at a merchant. */
const TERMINAL_TYPE = "22";

/** Selects the application and reads its records; the cardholder is not asked yet. */
export function selectApplication(
  chip: ChipCard,
  atc: number,
  request: KernelRequest,
  configuration: KernelConfiguration,
): ContactTransaction {
  const verification = request.type === REFUND ? NO_VERIFICATION : beginVerification(listOf(chip), configuration);
  const isAuthentic = chip.profile.signs;
  const tvr = Uint8Array.of(
    isAuthentic ? 0 : TVR_NOT_AUTHENTICATED,
    0,
    0,
    chip.profile.firstDecision === "approve" ? 0 : TVR_ABOVE_FLOOR,
    0,
  );
  const tsi = Uint8Array.of(TSI_BEFORE | (isAuthentic ? TSI_CARD_AUTHENTICATED : 0), 0);
  const hex: readonly (readonly [string, string])[] = [
    ["5F2A", request.currency],
    ["9A", request.date],
    ["9C", request.type],
    ["9F02", request.amount],
    ["9F03", "000000000000"],
    ["9F06", chip.profile.aid],
    ["9F09", "0002"],
    ["9F1A", configuration.country],
    ["9F21", request.time],
    ["9F33", configuration.capabilities],
    ["9F34", verification.results],
    ["9F35", TERMINAL_TYPE],
    ["9F41", String(request.sequence).padStart(8, "0")],
  ];
  const data = [
    ...chip.data,
    ...hex.map(([tag, value]) => ({ tag, value: fromHex(value) })),
    { tag: "95", value: tvr },
    { tag: "9B", value: tsi },
    { tag: "9F12", value: fromAscii(chip.profile.label) },
    { tag: "9F1C", value: fromAscii(configuration.terminalId) },
    { tag: "9F1E", value: fromAscii(configuration.serialNumber) },
    { tag: "9F37", value: request.unpredictableNumber },
  ];
  return { card: beginTransaction(chip, atc), verification, data };
}

function listOf({ profile }: ChipCard): Uint8Array {
  return fromHex(profile.cvmList);
}

/** The card compares a PIN: the next state, and whether another PIN may be typed. */
export function offlinePinTyped(
  transaction: ContactTransaction,
  typed: string,
  triesLeft: number,
  support: VerificationSupport,
): { readonly transaction: ContactTransaction; readonly triesLeft: number; readonly mayTryAgain: boolean } {
  const card = verifyOfflinePin(transaction.card, typed, triesLeft, transaction.verification.enciphered);
  const next = afterOfflinePin(listOf(card.chip), transaction.verification, card.offlinePin, support);
  const verification = next ?? transaction.verification;
  return {
    transaction: { ...transaction, card, verification },
    triesLeft: card.offlinePin.triesLeft,
    mayTryAgain: next === undefined,
  };
}

/** The holder entered no PIN, which the terminal allows. */
export function pinBypassed(transaction: ContactTransaction, support: VerificationSupport): ContactTransaction {
  return {
    ...transaction,
    verification: afterBypass(listOf(transaction.card.chip), transaction.verification, support),
  };
}

/** 9C of a refund. */
export const REFUND = "20";

export type FirstDecision = "online" | "approved-offline" | "declined-offline";

export interface Decided {
  readonly transaction: ContactTransaction;
  readonly decision: FirstDecision;
}

/**
 * First GENERATE AC. The terminal requests online; an amount is below the floor limit only for a card that approves
 * offline. A refund requests an AAC, because it asks no issuer.
 */
export function decideFirst(transaction: ContactTransaction): Decided {
  const { card, verification } = transaction;
  const verified = replaced(withBit(transaction.data, "95", 2, verification.tvr), [
    { tag: "9F34", value: fromHex(verification.results) },
  ]);
  const answer = firstGenerateAc(card, verified, askedFirst(transaction));
  const data = replaced(
    verified,
    card.chip.profile.signs ? [...answer.data, { tag: "9F4B", value: signatureOf(answer.data) }] : answer.data,
  );
  switch (answer.type) {
    case "ARQC":
      return { transaction: { ...transaction, card: answer.transaction, data }, decision: "online" };
    case "TC":
      return {
        transaction: {
          ...transaction,
          card: answer.transaction,
          data: replaced(data, [{ tag: "8A", value: fromAscii("Y1") }]),
        },
        decision: "approved-offline",
      };
    case "AAC":
      return {
        transaction: {
          ...transaction,
          card: answer.transaction,
          data: replaced(data, [{ tag: "8A", value: fromAscii("Z1") }]),
        },
        decision: "declined-offline",
      };
  }
}

/**
 * 9F4B in real length, different each time. Only the terminal could verify it, so no RSA keys are needed: it repeats
 * the cryptogram's eight bytes.
 */
function signatureOf(cryptogram: readonly Tlv[]): Uint8Array {
  const ac = findTag(cryptogram, "9F26") ?? new Uint8Array(8);
  return concat(...Array.from({ length: SIGNATURE_BYTES / ac.length }, () => ac));
}

/** Length for a card key of 1024 bits. */
const SIGNATURE_BYTES = 128;

function askedFirst({ card, data }: ContactTransaction): CryptogramType {
  if (toHex(findTag(data, "9C") ?? new Uint8Array(0)) === REFUND) return "AAC";
  return card.chip.profile.firstDecision === "approve" ? "TC" : "ARQC";
}

export interface HostAnswer {
  /** 8A. */
  readonly responseCode: Uint8Array;
  /** 91. */
  readonly authentication?: Uint8Array;
  /** Values of 71 and 72, in order. Simulated cards accept every script command without checking its MAC. */
  readonly scripts: readonly Uint8Array[];
}

export interface Completed {
  readonly transaction: ContactTransaction;
  readonly verdict: "approved" | "declined";
}

/**
 * Response codes for a TC request: the issuer's approvals, and "unable to go online, approved offline". Others mean
 * AAC.
 */
const APPROVING = ["00", "10", "11"];
const ASK_FOR_TC = [...APPROVING, "Y3"];
const NOT_ONLINE = ["Y3", "Z3"];

export function isApproving(code: string): boolean {
  return APPROVING.includes(code);
}

/**
 * Issuer authentication, second GENERATE AC and scripts. The card always checks tag 91; the terminal reports the result
 * only if it sent EXTERNAL AUTHENTICATE (EMV Book 3, 10.9).
 */
export function complete(transaction: ContactTransaction, host: HostAnswer): Completed {
  const code = ascii(host.responseCode);
  const online = !NOT_ONLINE.includes(code);
  let { card } = transaction;
  let data = replaced(transaction.data, [{ tag: "8A", value: host.responseCode }]);
  if (online && host.authentication !== undefined) {
    const authenticated = externalAuthenticate(card, host.authentication);
    card = authenticated.transaction;
    const isByCommand = ((findTag(data, "82")?.[0] ?? 0) & AIP_EXTERNAL_AUTHENTICATE) !== 0;
    if (isByCommand) data = withBit(data, "9B", 0, TSI_AUTHENTICATED);
    if (isByCommand && authenticated.status !== "9000") data = withBit(data, "95", 4, TVR_AUTHENTICATION_FAILED);
  }
  const answer = secondGenerateAc(card, data, ASK_FOR_TC.includes(code) ? "TC" : "AAC", online);
  data = replaced(data, answer.data);
  if (host.scripts.length > 0)
    data = replaced(withBit(data, "9B", 0, TSI_SCRIPTS), [{ tag: "9F5B", value: scriptResults(host.scripts) }]);
  return {
    transaction: { ...transaction, card: answer.transaction, data },
    verdict: answer.type === "TC" ? "approved" : "declined",
  };
}

/**
 * Issuer authentication, second GENERATE AC, scripts. The card always checks tag 91; the terminal reports the result
 * only after EXTERNAL AUTHENTICATE (EMV Book 3, 10.9).
 */
function scriptResults(scripts: readonly Uint8Array[]): Uint8Array {
  const identifier = (script: Uint8Array): Uint8Array =>
    script[0] === 0x9f && script[1] === 0x18 && script[2] === 4 ? script.slice(3, 7) : new Uint8Array(4);
  return concat(...scripts.map((script) => concat(Uint8Array.of(0x20), identifier(script))));
}

/** Replaces objects by those of `newer` with the same tag, and appends the others. */
export function replaced(objects: readonly Tlv[], newer: readonly Tlv[]): readonly Tlv[] {
  return [...objects.filter(({ tag }) => !newer.some((object) => object.tag === tag)), ...newer];
}

function withBit(objects: readonly Tlv[], tag: string, byte: number, bit: number): readonly Tlv[] {
  const value = findTag(objects, tag);
  if (value === undefined) throw new RangeError(`no ${tag} to change`);
  return replaced(objects, [{ tag, value: value.with(byte, (value[byte] ?? 0) | bit) }]);
}
