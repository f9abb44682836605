import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Outcome } from "../ledger/outcome.ts";

/** What the acquirer says of address and security code (specification, "Response body"), and why that is a decline where it is one. */
export interface Verified {
  readonly response: string | undefined;
  readonly outcome: Outcome | undefined;
}

const NOT_ASKED: Verified = { response: undefined, outcome: undefined };

/** Security codes that mean something here, by their last three digits; every other one is right. */
export const securityCodes: ReadonlyMap<string, Verified> = new Map([
  ["901", { response: "N", outcome: { resultCode: "800.100.153", because: "security code is wrong" } }],
  ["902", { response: "N", outcome: { resultCode: "000.400.020" } }],
  ["903", { response: "P", outcome: undefined }],
  ["904", { response: "U", outcome: undefined }],
]);

/** M match, N no match, P not processed, U the issuer takes no part. Nothing where no code was sent. */
export function verifyCode(cvv: string | undefined): Verified {
  return cvv === undefined ? NOT_ASKED : (securityCodes.get(cvv.slice(-3)) ?? { response: "M", outcome: undefined });
}

/** A postcode that no address of this issuer's holders has, and the beginning of such a street; with the other postcode the issuer has nothing to compare with. */
const WRONG_POSTCODE = "00000";
const WRONG_STREET = "Wrong";
const NOT_COMPARED = "99999";
/** The postcode for an issuer that is strict about it. */
const REFUSED_POSTCODE = "00001";

/** A address alone matches, Z postcode alone, N neither, F both, U not compared. Nothing where neither was sent. */
export function verifyAddress(sent: Sent): Verified {
  const [postcode, street] = [sent.get("billing.postcode"), sent.get("billing.street1")];
  if (postcode === undefined && street === undefined) return NOT_ASKED;
  if (postcode === NOT_COMPARED) return { response: "U", outcome: undefined };
  if (postcode === REFUSED_POSTCODE) return { response: "N", outcome: { resultCode: "800.400.104", because: "postcode differs" } };
  const [isPostcode, isStreet] = [postcode !== undefined && postcode !== WRONG_POSTCODE, street !== undefined && !street.startsWith(WRONG_STREET)];
  if (isPostcode) return { response: isStreet ? "F" : "Z", outcome: undefined };
  return { response: isStreet ? "A" : "N", outcome: undefined };
}
