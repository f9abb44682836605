import { captureFailed } from "../payment/owed.ts";
import { attemptsOf, type Payment } from "../payment/payment.ts";

/** After this many tries a reversal that does not succeed is a person's business too. */
const REVERSAL_TRIES = 3;

/** What a person must be told because of this change, if anything. */
export function alarmOf(before: Payment, after: Payment): { readonly what: string; readonly mend: string } | undefined {
  if (after.ending?.reason === "offline-approved" && before.ending === undefined) {
    return { what: "a card approved offline, which this bridge does not accept", mend: "have the terminal's configuration set to always go online" };
  }
  if (captureFailed(after) && !captureFailed(before)) {
    return { what: "the gateway refuses the capture of an approved sale", mend: "capture or reverse it in the gateway's back office" };
  }
  const tries = attemptsOf(after, "RV").length;
  if (tries >= REVERSAL_TRIES && tries > attemptsOf(before, "RV").length) {
    return { what: `reversal tried ${tries} times without success`, mend: "look at the booking in the gateway's back office; the bridge keeps trying" };
  }
  return undefined;
}
