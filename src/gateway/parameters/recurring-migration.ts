import { chapter, neededUnder } from "./chapter.ts";
import { dateTime, oneOf, smallAmount, text } from "./format.ts";

/** Deprecated: a registration with the data of the initial transaction. */
export const recurringMigration = chapter(
  "Recurring migration (deprecated)",
  [
    ["recurringMigration.paymentType", oneOf("DB", "CD", "PA"), "required"],
    ["recurringMigration.amount", smallAmount],
    ["recurringMigration.requestTimestamp", dateTime, "conditional"],
    ["recurringMigration.connectorTxId1", text(1, 128), "conditional"],
    ["recurringMigration.connectorTxId2", text(1, 128), "conditional"],
    ["recurringMigration.connectorTxId3", text(1, 128), "conditional"],
  ],
  neededUnder("recurringMigration.", "recurringMigration.paymentType"),
  ["`paymentType` is required when any other field is sent."],
);
