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

/** The card data allowed in the journal: only clear data, without the sealed blocks. */
export function cardReadOf(card: CardData, ask?: Ask): CardRead {
  const told = chipDataOf(card.icc, { isTap: isTap(ENTRY_MODES[card.interface]), mayHavePin: card.pin !== undefined });
  // A magstripe names no CVM; a PIN block shows that the PIN was verified online.
  const chip = card.icc.length === 0 && card.pin !== undefined ? { ...told, cvm: "online-pin" } : told;
  const { bin, beginning, last4 } = card.masked;
  return {
    entryMode: entryModeOf(card, ask),
    decision: card.decision,
    brand: brandOf(chip.aid, bin ?? beginning),
    ...(bin !== undefined && { bin }),
    last4,
    // A magstripe-mode tap has no cryptogram to prove: field 55 needs 9F26, 9F36 and 9F10.
    icc: card.icc.length === 0 || card.interface === "contactless-magstripe" ? "" : iccDataRequestOf(card.icc),
    chip,
    pinEntered: card.pin !== undefined,
  };
}

/**
 * A fallback magstripe replaces an unreadable chip. A card without a chip may also be swiped then, which is no
 * fallback.
 */
function entryModeOf({ interface: via, hasChip }: CardData, ask: Ask | undefined): EntryMode {
  return via === "magstripe" && isFallback(ask) && hasChip !== false ? "MAGSTRIPE_AS_FALLBACK" : ENTRY_MODES[via];
}

/**
 * Chip data of the second GENERATE AC. A sealing device shows objects and PIN only now; those of a magstripe-mode tap
 * are not sent.
 */
export function finalChipDataOf(emv: readonly Tlv[], card?: CardRead): ChipData {
  const isSealed = card?.icc === "" && card.entryMode !== "NFC_MAGSTRIPE";
  return chipDataOf(emv, {
    ...(card && { isTap: isTap(card.entryMode) }),
    mayHavePin: card?.pinEntered === true || isSealed,
  });
}

/**
 * Card data for captures, updated by a complete TC. A TC combined with the ARQC's issuer application data (9F10) would
 * be invalid.
 */
export function finalIccOf(emv: readonly Tlv[], card: CardRead | undefined): string | undefined {
  const before = card?.entryMode === "ICC" && card.icc !== "" ? parseTlv(fromHex(card.icc)) : undefined;
  if (before?.ok !== true) return undefined;
  const { cryptogram, cryptogramType } = receiptDataOf(emv);
  const clear = clearable(emv);
  const isWhole = findTag(clear, "9F10") !== undefined || findTag(before.objects, "9F10") === undefined;
  return cryptogram !== undefined && cryptogramType === "TC" && isWhole
    ? iccDataRequestOf([...clear, ...before.objects])
    : undefined;
}

/**
 * Missing fields stay absent, so that the second cryptogram's data can overwrite the first's. A card only requests an
 * online PIN; the block proves it.
 */
function chipDataOf(
  icc: readonly Tlv[],
  { isTap, mayHavePin }: { readonly isTap?: boolean; readonly mayHavePin: boolean },
): ChipData {
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
