import { chapter } from "./chapter.ts";
import { digits, flag, letters, matching, oneOf, string, text, twoDigitCode } from "./format.ts";

const INDICATORS = [
  "PAYMENT",
  "RECURRING",
  "INSTALLMENT",
  "ADD_CARD",
  "MAINTAIN_CARD",
  "EMV_ID",
  "BILLING_AGREEMENT",
  "SPLIT_SHIPMENT",
];

/**
 * The specification omits the six keys of networks: every lower-case word is accepted (inferred). _DELAYED_SHIPMENT has
 * its underscore there too. "1-99" of the channel is a length, like every range with a hyphen.
 */
export const threeDSecure = chapter(
  "3D Secure",
  [
    [
      "threeDSecure.amount",
      matching("D9.2", "[0-9]{1,9}\\.[0-9]{2}", "be a decimal with up to 9 digits and exactly 2 decimals"),
    ],
    ["threeDSecure.currency", letters(3, 3)],
    ["threeDSecure.deviceInfo", string, "conditional"],
    ["threeDSecure.merchant.name", string],
    ["threeDSecure.merchant.url", text(0, 2048)],
    ["threeDSecure.merchant.country", letters(3, 3)],
    ["threeDSecure.v2.<network>.requestorId", string],
    ["threeDSecure.v2.<network>.requestorName", string],
    ["threeDSecure.channel", text(1, 99)],
    ["threeDSecure.npa", flag],
    ["threeDSecure.decoupled", flag],
    ["threeDSecure.threeRIInd", oneOf("RECURRING", "SPLIT_SHIPMENT", "DELAYED_SHIPMENT")],
    ["threeDSecure.authenticationInd", oneOf(...INDICATORS, "_DELAYED_SHIPMENT", "SPLIT_PAYMENT")],
    ["threeDSecure.disable", flag],
    ["threeDSecure.eci", twoDigitCode(1, 8), "conditional"],
    ["threeDSecure.verificationId", text(28, 28), "conditional"],
    ["threeDSecure.authenticationStatus", oneOf("Y", "A", "U", "N"), "conditional"],
    ["threeDSecure.dsTransactionId", text(36, 36)],
    ["threeDSecure.acsTransactionId", text(36, 36)],
    ["threeDSecure.challengeMandatedIndicator", oneOf("Y", "N")],
    [
      "threeDSecure.version",
      matching("1|2 .N .N", "[12]\\.[0-9]\\.[0-9]", "be 1 or 2 and two more digits, such as 2.2.0"),
    ],
    ["threeDSecure.authType", twoDigitCode(1, 4)],
    ["threeDSecure.transactionStatusReason", digits(2, 2)],
    ["threeDSecure.challengeIndicator", twoDigitCode(1, 9)],
    ["threeDSecure.exemptionFlag", twoDigitCode(1, 4)],
  ],
  [],
  ["`<network>` is any lower-case word: the specification leaves its six keys out (inferred)."],
);
