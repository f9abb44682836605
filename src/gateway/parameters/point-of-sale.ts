import { allOrNone, type Chapter, parameters } from "./chapter.ts";
import { digits, hexBytes, matching, oneOf, word } from "./format.ts";

/** The specification's 1-2048 letters or digits, of which whole bytes in hexadecimal are the only ones that mean anything (gateway-facts 4.2). */
const bytes = hexBytes(1024);

const coordinate = matching("-?[0-9]{1,3}\\.[0-9]{1,8}", "be a signed decimal with 1-8 decimals");

/** Ciphertext without the serial number of its key cannot be opened, and a serial number alone is a mistake: both or none. */
export const pointOfSale: Chapter = {
  title: "Point of sale",
  parameters: parameters([
    ["pos.deviceId", digits(1, 32)],
    ["pos.deviceType", word(1, 32)],
    ["pos.encryptedPin.data", bytes],
    ["pos.encryptedPin.ksn", bytes],
    ["pos.encryptedSred.data", bytes],
    ["pos.encryptedSred.ksn", bytes],
    ["pos.entryMode", oneOf("MANUAL", "MAGSTRIPE", "MAGSTRIPE_AS_FALLBACK", "ICC", "NFC_ICC", "NFC_MAGSTRIPE"), "required"],
    ["pos.iccDataRequest", bytes],
    ["pos.location.accuracy", digits(1, 32)],
    ["pos.location.latitude", coordinate],
    ["pos.location.longitude", coordinate],
    ["pos.panSequenceNumber", digits(1, 32)],
    ["pos.pinEntryCapability", oneOf("PIN_ENTRY_AVAILABLE", "PIN_ENTRY_UNAVAILABLE")],
    ["pos.terminalId", digits(1, 32), "required"],
    ["pos.transactionSequenceNumber", digits(1, 32)],
    ["pos.transactionSource", oneOf("POS")],
  ]),
  rules: [allOrNone("pos.encryptedPin.data", "pos.encryptedPin.ksn"), allOrNone("pos.encryptedSred.data", "pos.encryptedSred.ksn")],
};
