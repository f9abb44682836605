import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListFilter, PaymentRow } from "../../../src/engine/ports.ts";
import { pageOf } from "../../../src/engine/shell/paging.ts";

const rowOf = (number: number): PaymentRow => ({
  ...{
    payment: String(number),
    register: "till",
    reference: `R-${number}`,
    terminal: "",
    order: null,
    type: "SALE",
    currency: "EUR",
    amount: 1,
  },
  ...{ state: "FINAL", outcome: "APPROVED", open: true, createdAt: "" },
});

test("a page has as many as are wanted while there are any, and the pages together each of them once, in their order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (isWanted, limit) => {
        const list = async (filter: ListFilter) => {
          const from = Number(filter.after ?? "0");
          const rows = isWanted.map((_, number) => rowOf(number)).slice(from, from + filter.limit);
          const end = from + rows.length;
          return { rows, ...(end < isWanted.length && { next: String(end) }) };
        };
        const all: string[] = [];
        let after: string | undefined;
        do {
          const filter = { limit, ...(after !== undefined && { after }) };
          const page = await pageOf(list, filter, async ({ payment }) =>
            isWanted[Number(payment)] === true ? payment : undefined,
          );
          if (page.next !== undefined) expect(page.found.length).toBe(limit);
          all.push(...page.found);
          after = page.next;
        } while (after !== undefined);
        expect(all).toEqual(isWanted.flatMap((wanted, number) => (wanted ? [String(number)] : [])));
      },
    ),
  );
});
