import { type Chapter, chapter, type Rule } from "./chapter.ts";
import { digits, keyName, text } from "./format.ts";

/** Responses repeat custom parameters. Scheme data is for the authentication of a national scheme. */
export const customParameters = chapter(
  "Custom parameters and scheme data",
  [
    ["customParameters[key]", text(0, 2048), "conditional", keyName],
    ["threeDSecure.schemeData[CB-ITEMSNB]", digits(2, 2), "conditional"],
    ["threeDSecure.schemeData[CB-SCORE_MERCHANT]", text(1, 20), "conditional"],
    ["threeDSecure.schemeData[CB-USECASE]", digits(2, 2), "conditional"],
  ],
  [],
  ["From the shopper's browser the name begins with `SHOPPER_`."],
);

const ofShopper: Rule = (sent) =>
  [...sent]
    .filter(([name]) => name.startsWith("customParameters[") && !name.startsWith("customParameters[SHOPPER_"))
    .map(([name, value]) => ({ name, value, message: "must have a name that begins with SHOPPER_" }));

/** "From client-side integrations the name must begin with SHOPPER_." */
export const customParametersOfShopper: Chapter = { ...customParameters, rules: [ofShopper] };
