import { chapter } from "./chapter.ts";
import { oneOf, text } from "./format.ts";

const OCCASIONS = [
  ...[
    "ANNIVERSARY",
    "BIRTHDAY",
    "CONGRATULATIONS",
    "APRIL_FOOLS_DAY",
    "EASTER",
    "FATHERS_DAY",
    "GRADUATION",
    "HOLIDAY",
    "SEASONS_GREETINGS",
    "PASSOVER",
  ],
  ...[
    "KWANZAA",
    "HALLOWEEN",
    "MOTHERS_DAY",
    "NEW_YEARS_DAY",
    "BOSSES_DAY",
    "ST_PATRICKS_DAY",
    "SWEETEST_DAY",
    "CHRISTMAS",
    "BABY_SHOWER",
    "THANKSGIVING",
  ],
  ...[
    "OTHER",
    "VALENTINES_DAY",
    "WEDDING",
    "SECRETARYS_DAY",
    "CHINESE_NEW_YEAR",
    "HANUKKAH",
    "CELEBRATE_FALL",
    "GRANDPARENTS_DAY",
    "INDEPENDENCE_DAY",
  ],
];

/** A few listed types exceed "up to 16 characters"; the list decides. */
export const giftCard = chapter("Gift card", [
  ["giftCard.number", text(2, 255)],
  ["giftCard.pin", text(2, 255)],
  ["giftCard.holder", text(2, 255)],
  ["giftCard.message", text(2, 160)],
  ["giftCard.type", oneOf(...OCCASIONS)],
]);
