import type { Journal, ListFilter, PaymentRow } from "../ports.ts";

interface Page<T> {
  readonly found: readonly T[];
  /** Start of the next page; absent on the last one. */
  readonly next?: string;
}

/**
 * Reads an item for each row and skips undefined ones. Further rows fill the page, so only the last page is shorter
 * than the limit.
 */
export async function pageOf<T>(
  list: Journal["list"],
  filter: ListFilter,
  read: (row: PaymentRow) => Promise<T | undefined>,
): Promise<Page<T>> {
  const { rows, next } = await list(filter);
  const found = (await Promise.all(rows.map(read))).filter((one) => one !== undefined);
  if (next === undefined) return { found };
  if (found.length === rows.length) return { found, next };
  const rest = await pageOf(list, { ...filter, after: next, limit: filter.limit - found.length }, read);
  return { ...rest, found: [...found, ...rest.found] };
}
