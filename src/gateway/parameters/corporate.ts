import { chapter } from "./chapter.ts";
import { digits, oneOf, text } from "./format.ts";

export const corporate = chapter("Corporate", [
  ["corporate.name", text(1, 30)],
  ["corporate.description", text(1, 160)],
  ["corporate.street", text(1, 100)],
  ["corporate.address", text(1, 100)],
  ["corporate.city", text(1, 80)],
  ["corporate.state", text(1, 50)],
  ["corporate.postCode", text(1, 16)],
  ["corporate.suite", text(1, 30)],
  ["corporate.postboxNumber", text(1, 15)],
  ["corporate.purchase", oneOf("Y", "N")],
  ["corporate.phone", digits(1, 25)],
  ["corporate.fax", digits(1, 25)],
  ["corporate.vatId", text(0, 255)],
]);
