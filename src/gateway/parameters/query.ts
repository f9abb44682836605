import { allOrNone, chapter, type Rule } from "./chapter.ts";
import { dateTime, flag, matching, textUpTo } from "./format.ts";

const TYPES = [
  "CB CD CR DB CP IV PA RB RC RF RL RV AD IN FI CL CF DR RG RR TE CT DS RS SD AC MD EA RI 3D SA",
  "EN ID IC DP CG TG SF IS VD DV AF GK RD TM FT KT AR AL PL FN FZ RE RX FO CS EX SE AU TK TF ER",
].join(" ");
const METHODS = "DD CT CC WA VA UA OT DC ET NT IV PP OD RM";

const listOf = (values: string, says: string) => {
  const all = values.split(" ").join("|");
  return matching(`list of =${all}`, `(?:${all})(?:,(?:${all}))*`, says);
};

/** "Cannot be combined with a date.from/date.to time-frame query." */
const noTimeFrameWithId: Rule = (sent) => {
  const name = "merchantTransactionId";
  const value = sent.get(name);
  return value !== undefined && (sent.has("date.from") || sent.has("date.to"))
    ? [{ name, value, message: "cannot be combined with date.from and date.to" }]
    : [];
};

/** shortId narrows one of the other two queries (gateway-facts 2.4). */
const shortIdNeedsSearch: Rule = (sent) => {
  const value = sent.get("shortId");
  const searched = sent.has("merchantTransactionId") || sent.has("date.from") || sent.has("date.to");
  return value !== undefined && !searched
    ? [{ name: "shortId", value, message: "requires merchantTransactionId or date.from and date.to" }]
    : [];
};

export const query = chapter(
  "Query parameters",
  [
    ["merchantTransactionId", textUpTo(255)],
    ["limit", matching("100 to 500", "[1-4][0-9]{2}|500", "be a whole number from 100 to 500")],
    ["date.from", dateTime],
    ["date.to", dateTime],
    ["paymentTypes", listOf(TYPES, "be payment types separated by commas")],
    ["paymentMethods", listOf(METHODS, "be payment methods separated by commas")],
    ["includeLinkedTransactions", flag],
    ["shortId", textUpTo(14)],
  ],
  [allOrNone("date.from", "date.to"), noTimeFrameWithId, shortIdNeedsSearch],
  [
    "`date.from` and `date.to` are sent together, and not with `merchantTransactionId`.",
    "`shortId` goes with `merchantTransactionId` or a time frame.",
  ],
);

/** The page of an answer: `/v3/query` and the second version of the reconciliation (gateway-facts 0). */
export const paging = chapter("Pages", [["pageNo", matching("1 to", "0*[1-9][0-9]{0,8}", "be a whole number from 1")]]);
