import type { Reply } from "./reply.ts";

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

/**
 * Declines that say no more than that the issuer does not want this payment as it came: no reason, by its system, not enough money, over a limit, used too often. Whatever any other
 * code says (lost, stolen, PIN tries exceeded, a risk, "do not try again") stands, and no response code beside it makes another try of it.
 */
const PLAIN_DECLINES: readonly string[] = ["800.100.100", "800.100.152", "800.100.155", "800.100.162", "800.100.163", "800.100.179", "800.100.203"];

/** Whether by a decline the issuer would have the cardholder identify. What can still be done about that is for whoever knows how the card was presented. */
export function wantsCardholder({ result, resultDetails: details }: Reply): boolean {
  if (details?.AcquirerResponse === undefined || !PLAIN_DECLINES.includes(result.code)) return false;
  const row = ACQUIRERS.find(({ acquirer }) => acquirer === undefined || acquirer.test(details.clearingInstituteName ?? ""));
  return row?.softDeclines.includes(details.AcquirerResponse.toUpperCase()) ?? false;
}
