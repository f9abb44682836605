import { describe, expect, test } from "vitest";
import { shortIdOf } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const DAY = "date.from=2026-11-21%2000%3A00%3A00&date.to=2026-11-21%2023%3A59%3A59";

const search = (version: "v1" | "v3", more: string): string => `/${version}/query?entityId=${ENTITY}&${more}`;

async function sellTimes({ sell }: Bench, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) await sell({ merchantTransactionId: "many-times", pin: null });
}

const recordsOf = (body: object): readonly { readonly id: string }[] =>
  "records" in body && Array.isArray(body.records) ? body.records : [];

describe("GET /v3/query", () => {
  test("answers with records and pages, a hundred records a page, page 1 unless another is asked for", async () => {
    const one = bench();
    await sellTimes(one, 101);
    const pages = [];
    for (const pageNo of ["", "&pageNo=1", "&pageNo=2", "&pageNo=3"]) {
      const { status, code, body } = await one.get(search("v3", `merchantTransactionId=many-times${pageNo}`));
      expect({ status, code, pages: body["pages"], payments: body.payments }).toEqual({
        status: 200,
        code: "000.000.100",
        pages: 2,
        payments: undefined,
      });
      pages.push(recordsOf(body).map(({ id }) => id));
    }
    expect(pages.map((ids) => ids.length)).toEqual([100, 100, 1, 0]);
    expect(pages[0]).toEqual(pages[1]);
    expect(new Set(pages.flat()).size).toBe(101);
  });

  test("has a limit for the size of a page", async () => {
    const one = bench();
    await sellTimes(one, 101);
    const { body } = await one.get(search("v3", `${DAY}&limit=200`));
    expect([recordsOf(body).length, body["pages"]]).toEqual([101, 1]);
  });

  test("finds nothing: HTTP 404 and 700.400.580", async () => {
    expect(await bench().get(search("v3", "merchantTransactionId=never-sent"))).toMatchObject({
      status: 404,
      code: "700.400.580",
    });
  });

  test("by an id is a list of that one, or of all that is linked to it and wanted", async () => {
    const { sell, refer, get } = bench();
    const { body } = await sell();
    await refer(body.id, "CP", "12.34");
    const one = await get(`/v3/query/${body.id}?entityId=${ENTITY}`);
    expect(recordsOf(one.body)).toMatchObject([{ id: body.id, paymentType: "PA", amount: "12.34" }]);
    expect(one.body["pages"]).toBe(1);
    const linked = await get(
      `/v3/query/${body.id}?entityId=${ENTITY}&includeLinkedTransactions=true&paymentTypes=CP,RV`,
    );
    expect(recordsOf(linked.body)).toMatchObject([{ paymentType: "CP", referencedId: body.id }]);
    expect((await get(`/v3/query/${"0".repeat(32)}?entityId=${ENTITY}`)).code).toBe("700.400.580");
  });
});

describe.each(["v1", "v3"] as const)("a query of %s", (version) => {
  const found = (body: object): readonly { readonly id: string }[] =>
    version === "v3" ? recordsOf(body) : "payments" in body && Array.isArray(body.payments) ? body.payments : [];

  test("narrows a search down by the short id", async () => {
    const { sell, get } = bench();
    const { body } = await sell({ merchantTransactionId: "asked-by-phone" });
    await sell({ merchantTransactionId: "asked-by-phone" });
    const shortId = shortIdOf({ id: body.id ?? "" });
    expect(found((await get(search(version, `${DAY}&shortId=${shortId}`))).body).map(({ id }) => id)).toEqual([
      body.id,
    ]);
    expect(
      found((await get(search(version, `merchantTransactionId=asked-by-phone&shortId=${shortId}`))).body),
    ).toHaveLength(1);
    expect((await get(search(version, `${DAY}&shortId=0000.0000.0000`))).code).toBe("700.400.580");
  });

  test.each([
    ["CC", 1],
    ["DD,CC", 1],
    ["DD", 0],
  ])("filters by the method: %s", async (methods, count) => {
    const { sell, get } = bench();
    await sell();
    expect(found((await get(search(version, `${DAY}&paymentMethods=${methods}`))).body)).toHaveLength(count);
  });
});

test.each(["v1", "v3"] as const)("a short id is looked for on a day (%s)", async (version) => {
  const { body } = await bench().get(search(version, "shortId=1234.5678.9012"));
  expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual(["shortId"]);
});
