import { type Chapter, chapter, neededUnder, part } from "./chapter.ts";
import { digits, lettersOrDigits, matching, oneOf, word } from "./format.ts";

/**
 * Meaningful values are hexadecimal (gateway-facts 4.2), but the table allows any letters and digits. The issuer
 * refuses data that cannot be decrypted.
 */
const sealed = lettersOrDigits(1, 2048);

const coordinate = matching("-?D.1-8", "[+-]?[0-9]{1,3}\\.[0-9]{1,8}", "be a signed decimal with 1-8 decimals");

const required = neededUnder("pos.", "pos.entryMode", "pos.terminalId");

/** Fields of the request; the response has others. */
export const pointOfSale = chapter(
  "Point of sale",
  [
    ["pos.deviceId", digits(1, 32)],
    ["pos.deviceType", word(1, 32)],
    ["pos.encryptedPin.data", sealed],
    ["pos.encryptedPin.ksn", sealed],
    ["pos.encryptedSred.data", sealed],
    ["pos.encryptedSred.ksn", sealed],
    [
      "pos.entryMode",
      oneOf("MANUAL", "MAGSTRIPE", "MAGSTRIPE_AS_FALLBACK", "ICC", "NFC_ICC", "NFC_MAGSTRIPE"),
      "required",
    ],
    ["pos.iccDataRequest", sealed],
    ["pos.location.accuracy", digits(1, 32)],
    ["pos.location.latitude", coordinate],
    ["pos.location.longitude", coordinate],
    ["pos.panSequenceNumber", digits(1, 32)],
    ["pos.pinEntryCapability", oneOf("PIN_ENTRY_AVAILABLE", "PIN_ENTRY_UNAVAILABLE")],
    ["pos.terminalId", digits(1, 32), "required"],
    ["pos.transactionSequenceNumber", digits(1, 32)],
    ["pos.transactionSource", oneOf("POS")],
  ],
  required,
  [
    "`pos.entryMode` and `pos.terminalId` are required when any other field is sent.",
    "A reference may repeat what is clear; what is sealed is sent with a presented card alone.",
    "`pos.clearing.*`, `pos.merchantId`, `pos.iccDataResponse`, `pos.statusText` and `pos.timestamp` are in responses only.",
  ],
);

/**
 * A capture, reversal or refund has no card present. Sealed fields are not allowed; clear ones may be repeated
 * (gateway-facts 4.4).
 */
export const pointOfSaleRepeated: Chapter = part(pointOfSale, (name) => !name.startsWith("pos.encrypted"), required);
