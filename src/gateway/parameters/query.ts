import { allOrNone, type Chapter, parameters, type Rule } from "./chapter.ts";
import { dateTime, flag, matching, text } from "./format.ts";

const TYPES = [
  "CB CD CR DB CP IV PA RB RC RF RL RV AD IN FI CL CF DR RG RR TE CT DS RS SD AC MD EA RI 3D SA",
  "EN ID IC DP CG TG SF IS VD DV AF GK RD TM FT KT AR AL PL FN FZ RE RX FO CS EX SE AU TK TF ER",
].join(" ");
const METHODS = "DD CT CC WA VA UA OT DC ET NT IV PP OD RM";

const listOf = (values: string): string => {
  const one = `(?:${values.split(" ").join("|")})`;
  return `${one}(?:,${one})*`;
};

/** A time frame cannot be combined with merchantTransactionId. */
const noTimeFrameWithId: Rule = (sent) => {
  const value = sent.get("date.from");
  return value !== undefined && sent.has("merchantTransactionId")
    ? [{ name: "date.from", value, message: "cannot be combined with merchantTransactionId" }]
    : [];
};

/** shortId narrows one of the other two searches (gateway-facts 2.4). */
const shortIdNeedsSearch: Rule = (sent) => {
  const value = sent.get("shortId");
  const searched = sent.has("merchantTransactionId") || sent.has("date.from");
  return value !== undefined && !searched ? [{ name: "shortId", value, message: "requires merchantTransactionId or date.from and date.to" }] : [];
};

export const query: Chapter = {
  title: "Query parameters",
  parameters: parameters([
    ["merchantTransactionId", text(1, 255)],
    ["limit", matching("[1-4][0-9]{2}|500", "be a whole number from 100 to 500")],
    ["date.from", dateTime],
    ["date.to", dateTime],
    ["paymentTypes", matching(listOf(TYPES), "be payment types separated by commas")],
    ["paymentMethods", matching(listOf(METHODS), "be payment methods separated by commas")],
    ["includeLinkedTransactions", flag],
    ["shortId", text(1, 14)],
  ]),
  rules: [allOrNone("date.from", "date.to"), noTimeFrameWithId, shortIdNeedsSearch],
};
