import { chapter, neededUnder } from "./chapter.ts";
import { digits, matching, oneOf, twoDigitCode } from "./format.ts";

export const tokenAccount = chapter(
  "Token account",
  [
    ["tokenAccount.number", digits(12, 19), "required"],
    ["tokenAccount.type", oneOf("EXTERNAL", "NETWORK"), "required"],
    ["tokenAccount.expiryMonth", twoDigitCode(1, 12)],
    ["tokenAccount.expiryYear", digits(4, 4)],
    [
      "tokenAccount.cryptogram",
      matching("base64 28-32", "(?=.{28,32}$)[A-Za-z0-9+/]+={0,2}", "be 28-32 characters of base64"),
      "conditional",
    ],
    ["tokenAccount.dtvc", digits(3, 4), "conditional"],
  ],
  neededUnder("tokenAccount.", "tokenAccount.number", "tokenAccount.type"),
  ["`number` and `type` are required when any other field is sent."],
);
