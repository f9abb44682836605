import type { EntryMode } from "../payment/operation.ts";

/** What an acquirer's own response codes say behind an ordinary decline. */
interface AcquirerRow {
  /** As resultDetails.clearingInstituteName tells it; absent: all acquirers. */
  readonly acquirer?: RegExp;
  /** ISO 8583 response codes (resultDetails.AcquirerResponse) with which the issuer wants the cardholder identified, where the card was only tapped. */
  readonly softDeclines: readonly string[];
}

/**
 * The first row that fits wins; an acquirer that uses these codes for something else gets a row of its own before the last. 1A is "additional authentication
 * required", 65 is also "used too often", 70 is "PIN required".
 */
const ACQUIRERS: readonly AcquirerRow[] = [{ softDeclines: ["1A", "65", "70"] }];

const TAPS: readonly EntryMode[] = ["NFC_ICC", "NFC_MAGSTRIPE"];

/** What a reply tells about who answered, and how. */
interface AcquirerDetails {
  readonly AcquirerResponse?: string | undefined;
  readonly clearingInstituteName?: string | undefined;
}

/**
 * Whether a decline is a soft one: the issuer would have the cardholder identify. Only a tap can be followed by more; to a contact chip or a stripe the same codes
 * are declines.
 */
export function wantsCardholder(details: AcquirerDetails | undefined, entryMode: EntryMode | undefined): boolean {
  if (details?.AcquirerResponse === undefined || entryMode === undefined || !TAPS.includes(entryMode)) return false;
  const row = ACQUIRERS.find(({ acquirer }) => acquirer === undefined || acquirer.test(details.clearingInstituteName ?? ""));
  return row?.softDeclines.includes(details.AcquirerResponse.toUpperCase()) ?? false;
}
