import type { CardData, CardInterface } from "../../card/card-data.ts";
import { brandOf } from "../../emv/brand.ts";
import { iccDataRequestOf } from "../../emv/online.ts";
import { receiptDataOf } from "../../emv/receipt-data.ts";
import { clearable } from "../../emv/tags.ts";
import { findTag, parseTlv, type Tlv } from "../../emv/tlv.ts";
import { fromHex } from "../../kit/hex.ts";
import { type Ask, type EntryMode, isTap } from "../../payment/exchange.ts";
import type { CardRead, ChipData } from "../../payment/machine.ts";
import { isFallback } from "../../payment/state.ts";

const ENTRY_MODES: Readonly<Record<CardInterface, EntryMode>> = {
  chip: "ICC",
  "contactless-chip": "NFC_ICC",
  "contactless-magstripe": "NFC_MAGSTRIPE",
  magstripe: "MAGSTRIPE",
  keyed: "MANUAL",
};

/** What the journal may know of a card: what is clear anyway, without the sealed blocks. */
export function cardReadOf(card: CardData, ask?: Ask): CardRead {
  const told = chipDataOf(card.icc, { isTap: isTap(ENTRY_MODES[card.interface]), mayHavePin: card.pin !== undefined });
  // A magstripe names no way to verify its holder: that a PIN came along says it.
  const chip = card.icc.length === 0 && card.pin !== undefined ? { ...told, cvm: "online-pin" } : told;
  const { bin, beginning, last4 } = card.masked;
  return {
    entryMode: entryModeOf(card, ask),
    decision: card.decision,
    brand: brandOf(chip.aid, bin ?? beginning),
    ...(bin !== undefined && { bin }),
    last4,
    // A tap in magstripe mode made no cryptogram that its objects could prove: there is no field 55 without 9F26, 9F36 and 9F10.
    icc: card.icc.length === 0 || card.interface === "contactless-magstripe" ? "" : iccDataRequestOf(card.icc),
    chip,
    pinEntered: card.pin !== undefined,
  };
}

/** A magstripe is asked for in place of a chip that could not be read: another card, which has none, may be swiped then. */
function entryModeOf({ interface: via, hasChip }: CardData, ask: Ask | undefined): EntryMode {
  return via === "magstripe" && isFallback(ask) && hasChip !== false ? "MAGSTRIPE_AS_FALLBACK" : ENTRY_MODES[via];
}

/** What a card's last word adds. A device that seals its objects shows nothing of them, nor of a PIN, before; those of a tap in magstripe mode are not sent. */
export function finalChipDataOf(emv: readonly Tlv[], card?: CardRead): ChipData {
  const isSealed = card?.icc === "" && card.entryMode !== "NFC_MAGSTRIPE";
  return chipDataOf(emv, { ...(card && { isTap: isTap(card.entryMode) }), mayHavePin: card?.pinEntered === true || isSealed });
}

/**
 * The card's data for its captures: with what its last word has changed, where that is a TC and whole. A TC beside the issuer application data of the ARQC (9F10) would be
 * neither.
 */
export function finalIccOf(emv: readonly Tlv[], card: CardRead | undefined): string | undefined {
  const before = card?.entryMode === "ICC" && card.icc !== "" ? parseTlv(fromHex(card.icc)) : undefined;
  if (before?.ok !== true) return undefined;
  const { cryptogram, cryptogramType } = receiptDataOf(emv);
  const clear = clearable(emv);
  const isWhole = findTag(clear, "9F10") !== undefined || findTag(before.objects, "9F10") === undefined;
  return cryptogram !== undefined && cryptogramType === "TC" && isWhole ? iccDataRequestOf([...clear, ...before.objects]) : undefined;
}

/**
 * The printable part of EMV data; what is missing stays missing, so that a second cryptogram's data can be laid over the first's. A card only asks for an online PIN: that one was
 * typed, shows by its block.
 */
function chipDataOf(icc: readonly Tlv[], { isTap, mayHavePin }: { readonly isTap?: boolean; readonly mayHavePin: boolean }): ChipData {
  const data = receiptDataOf(icc, isTap);
  const isVerified = data.cvm !== "unknown" && (data.cvm !== "online-pin" || mayHavePin);
  return {
    ...(data.aid !== undefined && { aid: data.aid }),
    ...(data.applicationLabel !== undefined && { applicationLabel: data.applicationLabel }),
    ...(data.tvr !== undefined && { tvr: data.tvr }),
    ...(data.tsi !== undefined && { tsi: data.tsi }),
    ...(data.cryptogram !== undefined && { cryptogram: data.cryptogram }),
    ...(data.cryptogramType !== undefined && { cryptogramType: data.cryptogramType }),
    ...(data.arc !== undefined && { arc: data.arc }),
    ...(isVerified && { cvm: data.cvm }),
    ...(data.panSequenceNumber !== undefined && { panSequenceNumber: data.panSequenceNumber }),
    ...(data.transactionSequenceNumber !== undefined && { transactionSequenceNumber: data.transactionSequenceNumber }),
  };
}
