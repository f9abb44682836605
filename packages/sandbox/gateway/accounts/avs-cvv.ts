import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Outcome } from "../ledger/outcome.ts";

/**
 * The acquirer's check of address or security code (specification, "Response body"), and the decline that may follow
 * from it.
 */
export interface Verified {
  readonly response: string | undefined;
  readonly outcome: Outcome | undefined;
}

const NOT_ASKED: Verified = { response: undefined, outcome: undefined };

/** Security codes with a meaning here, by their last three digits; every other code matches. */
export const securityCodes: ReadonlyMap<string, Verified> = new Map([
  ["901", { response: "N", outcome: { resultCode: "800.100.153", because: "security code is wrong" } }],
  ["902", { response: "N", outcome: { resultCode: "000.400.020" } }],
  ["903", { response: "P", outcome: undefined }],
  ["904", { response: "U", outcome: undefined }],
]);

/** M match, N no match, P not processed, U issuer does not take part. Empty if no code was sent. */
export function verifyCode(cvv: string | undefined): Verified {
  return cvv === undefined ? NOT_ASKED : (securityCodes.get(cvv.slice(-3)) ?? { response: "M", outcome: undefined });
}

/**
 * This postcode and streets that begin so never match; NOT_COMPARED is the postcode of an issuer without address data.
 */
const WRONG_POSTCODE = "00000";
const WRONG_STREET = "Wrong";
const NOT_COMPARED = "99999";
/** Postcode of an issuer that declines on a mismatch. */
const REFUSED_POSTCODE = "00001";

/** A address only, Z postcode only, N neither, F both, U not compared. Empty if neither was sent. */
export function verifyAddress(sent: Sent): Verified {
  const [postcode, street] = [sent.get("billing.postcode"), sent.get("billing.street1")];
  if (postcode === undefined && street === undefined) return NOT_ASKED;
  if (postcode === NOT_COMPARED) return { response: "U", outcome: undefined };
  if (postcode === REFUSED_POSTCODE)
    return { response: "N", outcome: { resultCode: "800.400.104", because: "postcode differs" } };
  const [isPostcode, isStreet] = [
    postcode !== undefined && postcode !== WRONG_POSTCODE,
    street !== undefined && !street.startsWith(WRONG_STREET),
  ];
  if (isPostcode) return { response: isStreet ? "F" : "Z", outcome: undefined };
  return { response: isStreet ? "A" : "N", outcome: undefined };
}
