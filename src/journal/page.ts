import { z } from "zod";
import { type ListFilter, PageUnknown, type PaymentRow } from "../engine/ports.ts";
import { currencies } from "../kit/currencies.ts";
import { paymentColumnNames } from "./rows.ts";

/** The end of a page, opaque to its reader: base64url of JSON [createdAt, payment]. */
const placeSchema = z.tuple([z.string(), z.string()]);
/** Every `next` of ours is shorter; longer values are not decoded. */
const MAX_PLACE_CHARACTERS = 512;

export function placeAfter(row: PaymentRow): string {
  return Buffer.from(JSON.stringify([row.createdAt, row.payment])).toString("base64url");
}

function parsePlace(after: string): readonly [string, string] {
  if (after.length > MAX_PLACE_CHARACTERS) throw new PageUnknown();
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(after, "base64url").toString("utf8")));
  } catch {
    // Not a place of ours. The caller gets an error that names the field, not a parser's.
    throw new PageUnknown();
  }
}

const OF_AMOUNT = "(amount = ? AND currency IN (SELECT value FROM json_each(?)))";

/** Codes of the currencies with this many decimals, as a JSON array. */
function codesOf(decimals: number): string {
  return JSON.stringify(currencies.filter((currency) => currency.decimals === decimals).map(({ code }) => code));
}

/** The query of one page, newest first. It asks for one more row, which tells whether another page follows. */
export function pageQuery(filter: ListFilter): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const where = (condition: string, ...bound: (string | number)[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.payment !== undefined) where("payment = ?", filter.payment);
  // With a time bound, use the index of time: the index of registers would sort the whole result. The unary plus
  // disables it.
  const isBound = filter.from !== undefined || filter.to !== undefined || filter.after !== undefined;
  if (filter.register !== undefined) where(isBound ? "+register = ?" : "register = ?", filter.register);
  if (filter.terminal !== undefined) where("terminal = ?", filter.terminal);
  if (filter.outcome !== undefined) where("outcome = ?", filter.outcome);
  if (filter.open !== undefined) where(filter.open ? "open = 1" : "open = 0");
  if (filter.amounts !== undefined) {
    const bound = filter.amounts.flatMap(({ decimals, amount }) => [amount, codesOf(decimals)]);
    where(`type <> 'REGISTRATION' AND (${filter.amounts.map(() => OF_AMOUNT).join(" OR ")})`, ...bound);
  }
  if (filter.from !== undefined) where("created_at >= ?", filter.from);
  if (filter.to !== undefined) where("created_at < ?", filter.to);
  if (filter.after !== undefined) where("(created_at, payment) < (?, ?)", ...parsePlace(filter.after));
  const condition = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT ${paymentColumnNames} FROM payments${condition} ORDER BY created_at DESC, payment DESC LIMIT ?`;
  return { sql, values: [...values, filter.limit + 1] };
}
