import type { Tlv } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { beginTransaction, type CardTransaction, type ChipCard, firstGenerateAc } from "./card.ts";
import type { CardProfile } from "./card-profile.ts";
import type { CryptogramType } from "./card-verification-results.ts";
import {
  type FirstDecision,
  type KernelConfiguration,
  type KernelRequest,
  REFUND,
  replaced,
} from "./contact-kernel.ts";

type Verification = CardProfile["tapVerification"] | "signature";

/** A tap's result: all data by tag, and the card's state. A tap in magstripe mode has no cryptogram. */
export interface Tapped {
  readonly chip: ChipCard;
  readonly decision: FirstDecision;
  readonly data: readonly Tlv[];
  readonly card?: CardTransaction;
}

/**
 * One tap, from selection to first cryptogram: outlines of kernel 3 (Visa) and kernel 2 (Mastercard), EMV Books C-3 and
 * C-2.
 */
export function tap(chip: ChipCard, atc: number, request: KernelRequest, configuration: KernelConfiguration): Tapped {
  const verification = verificationOf(chip.profile, request, configuration);
  const own = chip.profile.brand === "visa" ? visaData(verification, configuration) : mastercardData(verification);
  const data = [...chip.data, ...terminalData(chip, request, configuration), ...hex(own)];
  if (chip.profile.tap === "magstripe") {
    // 9F39 and the second byte of DF30 indicate magstripe mode.
    const mode = hex([
      ["9F39", "91"],
      ["DF30", "0202"],
    ]);
    return { chip, decision: "online", data: replaced(data, mode) };
  }
  const answer = firstGenerateAc(beginTransaction(chip, atc), data, askedOf(chip, request));
  return { chip, card: answer.transaction, decision: DECISIONS[answer.type], data: replaced(data, answer.data) };
}

/**
 * A telephone always verifies its holder. Above the limit a card requires a PIN, or a signature at a reader without
 * keys.
 */
function verificationOf(
  { tapVerification }: CardProfile,
  request: KernelRequest,
  { contactlessCvmLimit = Number.POSITIVE_INFINITY, onlinePin }: KernelConfiguration,
): Verification {
  if (request.type === REFUND) return "none";
  const isAbove = Number(request.amount) > contactlessCvmLimit;
  const wanted = tapVerification === "none" && isAbove ? "online-pin" : tapVerification;
  return wanted === "online-pin" && !onlinePin ? "signature" : wanted;
}

const DECISIONS: Readonly<Record<CryptogramType, FirstDecision>> = {
  ARQC: "online",
  TC: "approved-offline",
  AAC: "declined-offline",
};

/** For a refund kernel 2 requests an AAC; kernel 3 requests an ARQC as always and ignores it. */
function askedOf({ profile }: ChipCard, { type }: KernelRequest): CryptogramType {
  return type === REFUND && profile.brand === "mastercard" ? "AAC" : "ARQC";
}

type Hex = readonly (readonly [tag: string, value: string])[];

const hex = (objects: Hex): readonly Tlv[] => objects.map(([tag, value]) => ({ tag, value: fromHex(value) }));

/**
 * TTQ, CTQ and form factor (Book C-3): the card states the verification; kernel 3 leaves the TVR empty and makes no
 * 9F34.
 */
function visaData(verification: Verification, { onlinePin }: KernelConfiguration): Hex {
  return [
    ["95", "0000000000"],
    ["9F66", `${onlinePin ? "36" : "32"}${verification === "none" ? "80" : "C0"}4000`],
    ["9F6C", { "online-pin": "8000", signature: "4000", device: "0080", none: "0000" }[verification]],
    ["9F6E", "20700000"],
    ["DF30", "0301"],
  ];
}

/** Kernel 2 makes 9F34 and indicates the PIN entry in the TVR. */
function mastercardData(verification: Verification): Hex {
  return [
    ["95", verification === "online-pin" ? "0000048000" : "0000008000"],
    ["9F34", { "online-pin": "420300", signature: "5E0300", device: "010002", none: "1F0302" }[verification]],
    ["9F6E", "0700360000303000"],
    ["DF30", "0201"],
  ];
}

function terminalData(
  { profile }: ChipCard,
  request: KernelRequest,
  { capabilities, country, serialNumber, terminalId }: KernelConfiguration,
): readonly Tlv[] {
  return [
    ...hex([
      ["5F2A", request.currency],
      ["9A", request.date],
      ["9C", request.type],
      ["9F02", request.amount],
      ["9F03", "000000000000"],
      ["9F06", profile.aid],
      ["9F09", "0002"],
      ["9F1A", country],
      ["9F21", request.time],
      ["9F33", capabilities],
      ["9F35", "22"],
      ["9F39", "07"],
      ["9F41", String(request.sequence).padStart(8, "0")],
      ["DF28", "00"],
    ]),
    { tag: "9F1C", value: fromAscii(terminalId) },
    { tag: "9F1E", value: fromAscii(serialNumber) },
    { tag: "9F37", value: request.unpredictableNumber },
  ];
}
