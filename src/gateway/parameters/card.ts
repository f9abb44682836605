import { type Chapter, chapter, neededUnder, part } from "./chapter.ts";
import { digits, type Format, matching, nameLetters, oneOf, twoDigitCode } from "./format.ts";

export const holder: Format = nameLetters(3, 128);

export const card = chapter(
  "Card account",
  [
    ["card.holder", holder],
    ["card.number", digits(8, 32), "required"],
    ["card.expiryMonth", twoDigitCode(1, 12), "required"],
    ["card.expiryYear", matching("19NN or 20NN", "(?:19|20)[0-9]{2}", "be 4 digits, starting 19 or 20"), "required"],
    ["card.cvv", digits(3, 4), "conditional"],
    ["card.numberType", oneOf("PAN", "DPAN")],
  ],
  neededUnder("card.", "card.number", "card.expiryMonth", "card.expiryYear"),
  [
    "The letters of `card.holder` are those of any script, and the blanks, dots, commas, apostrophes, hyphens, slashes and parentheses that names have.",
    "With a token only `card.cvv`, which is never stored, and `card.holder` are taken.",
  ],
);

const BESIDE_TOKEN = ["card.cvv", "card.holder"];

/**
 * The security code, which is never stored, and the holder, which replaces an empty stored one ("Tokenization rules").
 * Nothing else of a card goes with a token.
 */
export const cardBesideToken: Chapter = part(card, (name) => BESIDE_TOKEN.includes(name));

/**
 * The holder alone, for the hosted form: "overrideHolder ... available at prepare and update of the hosted checkout".
 */
export const holderOfCheckout: Chapter = part(card, (name) => name === "card.holder");

/** The card's own fields are required only without a token. */
export const cardOrToken: Chapter = part(card, () => true, [
  (sent) => (sent.has("registrationId") ? [] : card.rules.flatMap((rule) => rule(sent))),
]);
