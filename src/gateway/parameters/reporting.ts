import { type Chapter, chapter, needed, part } from "./chapter.ts";
import { date, oneOf } from "./format.ts";

const sorting = ["sortValue", "sortOrder"];

/** The days are required for a list. */
export const reporting = chapter(
  "Reporting parameters",
  [
    ["date.from", date, "required"],
    ["date.to", date, "required"],
    ["sortValue", oneOf("SettlementTxDate")],
    ["sortOrder", oneOf("ASC", "DESC", "asc", "desc")],
  ],
  needed("date.from", "date.to"),
  ["The days are required where the aggregations are listed; the transactions of one need none."],
);

/** The transactions of one aggregation, whose id is in the address. */
export const reportingOfOne: Chapter = part(reporting, (name) => sorting.includes(name));
