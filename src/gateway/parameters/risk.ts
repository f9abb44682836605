import { chapter } from "./chapter.ts";
import { dateTime, keyName, text, twoDecimals } from "./format.ts";

export const risk = chapter("Risk", [
  ["risk.channelId", text(1, 255)],
  ["risk.serviceId", text(1, 255)],
  ["risk.amount", twoDecimals],
  ["risk.orderTimestamp", dateTime],
  ["risk.brand", text(1, 255)],
  ["risk.parameters[key]", text(0, 2048), "optional", keyName],
  ["risk.merchantWebsite", text(1, 60)],
  ["risk.accountToken", text(1, 64)],
]);
