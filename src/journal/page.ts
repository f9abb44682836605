import { z } from "zod";
import { type ListFilter, PageUnknown, type PaymentRow } from "../engine/ports.ts";
import { currencies } from "../kit/currencies.ts";

/** The end of a page, opaque to its reader: base64url of JSON [createdAt, payment]. */
const placeSchema = z.tuple([z.string(), z.string()]);
export type Place = z.infer<typeof placeSchema>;
/** Every `next` of ours is shorter; longer values are not decoded. */
const MAX_PLACE_CHARACTERS = 512;

export function placeAfter(row: PaymentRow): string {
  return Buffer.from(JSON.stringify([row.createdAt, row.payment])).toString("base64url");
}

export function parsePlace(after: string): Place {
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

/** A slice of so many rows takes some milliseconds; other callers come first before the next one. */
export const SLICE_ROWS = 1000;

export interface Query {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type Condition = readonly [sql: string, ...values: readonly (string | number)[]];

/** The queries that find a page. */
export interface PageQueries {
  /** Few rows may match, and no index knows which: the page is read slice by slice. */
  readonly isSparse: boolean;
  /** The place of the last row of the slice after `after`; no row where the slice is not full. */
  sliceEnd(after: Place | undefined): Query;
  /** Newest first. `until`: the last place that counts. */
  rows(between: { readonly after?: Place | undefined; readonly until?: Place | undefined }, limit: number): Query;
}

export function pageQueries(filter: ListFilter): PageQueries {
  const indexed = indexedConditions(filter);
  const others = otherConditions(filter);
  const after = (place: Place | undefined): readonly Condition[] =>
    place === undefined ? [] : [["(created_at, payment) < (?, ?)", ...place]];
  const until = (place: Place | undefined): readonly Condition[] =>
    place === undefined ? [] : [["(created_at, payment) >= (?, ?)", ...place]];
  return {
    isSparse: others.length > 0 && filter.payment === undefined,
    sliceEnd: (place) =>
      select("created_at, payment", [...indexed, ...after(place)], { skip: SLICE_ROWS - 1, limit: 1 }),
    rows: (between, limit) =>
      select("*", [...indexed, ...after(between.after), ...until(between.until), ...others], {
        skip: 0,
        limit,
      }),
  };
}

function select(
  columns: string,
  conditions: readonly Condition[],
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Query {
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  return {
    sql: `SELECT ${columns} FROM payments${where} ORDER BY created_at DESC, payment DESC LIMIT ? OFFSET ?`,
    values: [...conditions.flatMap(([, ...values]) => values), limit, skip],
  };
}

/** Conditions of which an index holds the rows together, in the order of time. */
function indexedConditions({ payment, register, open, from, to }: ListFilter): readonly Condition[] {
  return [
    ...given("payment = ?", payment),
    // Few payments are open, so their index is better than the register's; the unary plus disables the latter.
    ...(open === true ? [["open = 1"] as const] : []),
    ...given(open === true ? "+register = ?" : "register = ?", register),
    ...given("created_at >= ?", from),
    ...given("created_at < ?", to),
  ];
}

function otherConditions({ terminal, outcome, open, amounts }: ListFilter): readonly Condition[] {
  return [
    ...given("terminal = ?", terminal),
    ...given("outcome = ?", outcome),
    ...(open === false ? [["open = 0"] as const] : []),
    ...(amounts === undefined ? [] : [ofAmounts(amounts)]),
  ];
}

const given = (sql: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [[sql, value]];

function ofAmounts(amounts: NonNullable<ListFilter["amounts"]>): Condition {
  const bound = amounts.flatMap(({ decimals, amount }) => [amount, codesOf(decimals)]);
  return [`type <> 'REGISTRATION' AND (${amounts.map(() => OF_AMOUNT).join(" OR ")})`, ...bound];
}
