import { describe, expect, it } from "vitest";
import type { HttpOutcome } from "../../../src/gateway/http-exchange.ts";
import { createLister, listingOf } from "../../../src/gateway/listing.ts";
import { Secret } from "../../../src/kit/secret.ts";

const answered = (body: unknown, status = 200): HttpOutcome => ({ is: "answered", status, body: JSON.stringify(body) });
const entry = (changes: object = {}) => ({
  ...{ id: "8ac7a4a1", paymentType: "PA", amount: "12.34", currency: "EUR", merchantTransactionId: "a1b2c3d40011" },
  ...{ result: { code: "000.100.110", description: "approved" }, timestamp: "2026-01-15 10:00:00+0000" },
  ...changes,
});
const list = (payments: readonly object[]) =>
  listingOf(answered({ result: { code: "000.000.100" }, payments }), "test");

describe("the gateway's list of a time", () => {
  it("is asked for by entity and two whole seconds, as long as the gateway makes it", async () => {
    const urls: string[] = [];
    const exchange = async ({
      url,
      headers,
    }: {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }): Promise<HttpOutcome> => {
      urls.push(`${headers["authorization"]} ${decodeURIComponent(url.replaceAll("+", " "))}`);
      return answered({ result: { code: "700.400.580" } }, 404);
    };
    const lister = createLister({
      http: { exchange },
      baseUrl: "https://gateway.example/",
      accessToken: new Secret("token"),
      environment: "live",
    });
    expect(await lister.list("e1", Date.UTC(2026, 0, 15, 10), Date.UTC(2026, 0, 15, 11, 2, 3, 456))).toEqual({
      is: "listed",
      bookings: [],
      isFull: false,
    });
    expect(urls).toEqual([
      "Bearer token https://gateway.example/v1/query?entityId=e1&date.from=2026-01-15 10:00:00&date.to=2026-01-15 11:02:03&limit=500",
    ]);
  });

  it("tells of each booking what people need, whoever's it is", () => {
    const others = [
      entry({ id: "refused", result: { code: "800.100.152" }, timestamp: "yesterday" }),
      entry({ id: "undecided", result: { code: "900.100.300" } }),
      entry({ id: "capture", paymentType: "CP", merchantTransactionId: "", referencedId: undefined }),
    ];
    const listing = list([entry(), ...others]);
    expect(listing).toMatchObject({ is: "listed", isFull: false });
    expect(listing.is === "listed" && listing.bookings.map(({ id, is, at, amount }) => [id, is, at, amount])).toEqual([
      ["8ac7a4a1", "booked", Date.UTC(2026, 0, 15, 10), "12.34"],
      ["refused", "refused", undefined, "12.34"],
      ["undecided", "undecided", Date.UTC(2026, 0, 15, 10), "12.34"],
      ["capture", "booked", Date.UTC(2026, 0, 15, 10), "12.34"],
    ]);
  });

  it("may have been cut off where it is as long as a list gets", () => {
    const full = (count: number) => list(Array.from({ length: count }, (_, n) => entry({ id: `b${n}` })));
    expect([99, 100, 101, 499, 500].map((count) => full(count))).toMatchObject(
      [false, true, false, false, true].map((isFull) => ({ isFull })),
    );
  });

  it.each([
    [{ is: "broken", detail: "reset" }, "no-answer"],
    [answered({ result: { code: "800.120.100" } }), "throttled"],
    [{ is: "answered", status: 429, body: "slow down" }, "throttled"],
    [answered({ result: { code: "800.900.300", description: "not allowed" } }, 403), "refused"],
    [answered({ result: { code: "200.300.404" } }, 400), "refused"],
    [answered({ result: { code: "000.000.100" }, payments: [{ paymentType: "PA" }] }), "refused"],
    [{ is: "answered", status: 502, body: "<html>" }, "no-answer"],
  ] as const)("of %o says no more than that", (outcome, is) => {
    expect(listingOf(outcome, "live")).toMatchObject({ is });
  });
});
