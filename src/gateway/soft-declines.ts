import type { Reply } from "./reply.ts";

/** Meaning of an acquirer's own response codes behind an ordinary decline. */
interface AcquirerRow {
  /** Matches resultDetails.clearingInstituteName; absent: all acquirers. */
  readonly acquirer?: RegExp;
  /**
   * ISO 8583 response codes (resultDetails.AcquirerResponse) by which the issuer asks for a cardholder verification
   * after a tap.
   */
  readonly softDeclines: readonly string[];
}

/**
 * The first matching row wins; put an acquirer with another use of these codes before the last. 1A: additional
 * authentication required; 65: also "used too often"; 70: PIN required.
 */
const ACQUIRERS: readonly AcquirerRow[] = [{ softDeclines: ["1A", "65", "70"] }];

/**
 * Declines without a definite reason: issuer system, funds, limit, use count. Only these can be soft. All other codes
 * (lost, stolen, PIN tries exceeded, risk, "do not try again") stand, whatever the response code says.
 */
const PLAIN_DECLINES: readonly string[] = [
  "800.100.100",
  "800.100.152",
  "800.100.155",
  "800.100.162",
  "800.100.163",
  "800.100.179",
  "800.100.203",
];

/**
 * Tells whether the issuer asks for a cardholder verification. The caller knows how the card was presented and decides
 * the next step.
 */
export function wantsCardholder({ result, resultDetails: details }: Reply): boolean {
  if (details?.AcquirerResponse === undefined || !PLAIN_DECLINES.includes(result.code)) return false;
  const row = ACQUIRERS.find(
    ({ acquirer }) => acquirer === undefined || acquirer.test(details.clearingInstituteName ?? ""),
  );
  return row?.softDeclines.includes(details.AcquirerResponse.toUpperCase()) ?? false;
}
