import { describe, expect, test } from "vitest";
import { createThrottle, type ThrottledOperation, unthrottled } from "../../../packages/sandbox/gateway/throttle.ts";
import { bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const MINUTE_MS = 60_000;

describe("the limits of gateway facts 2.5", () => {
  test.each<[ThrottledOperation, number, number]>([
    ["checkout-status", 9, MINUTE_MS],
    ["checkout-update", 200, MINUTE_MS],
    ["payment-status", 2, MINUTE_MS],
    ["back-office", 200, MINUTE_MS],
    ["token-payment", 200, MINUTE_MS],
    ["query-of-one", 2, MINUTE_MS],
    ["query", 2, MINUTE_MS],
    ["secure-registration-query", 100, 60 * MINUTE_MS],
  ])("%s: %i in %i ms, counted for each key by itself", (operation, most, spanMs) => {
    const { admit } = createThrottle();
    const admitted = Array.from({ length: most + 3 }, () => admit(operation, "one", 1000)).filter(
      (passed) => passed,
    ).length;
    expect(admitted).toBe(most);
    expect(admit(operation, "another", 1000)).toBe(true);
    expect(admit(operation, "one", 1000 + spanMs - 1)).toBe(false);
    expect(admit(operation, "one", 1000 + spanMs)).toBe(true);
  });

  test("count each operation by itself", () => {
    const { admit } = createThrottle();
    expect([
      admit("query", "one", 0),
      admit("query", "one", 0),
      admit("query", "one", 0),
      admit("payment-status", "one", 0),
    ]).toEqual([true, true, false, true]);
  });

  test("do not count what was refused", () => {
    const { admit } = createThrottle();
    expect([0, 10_000, 20_000, 59_999, 60_000].map((now) => admit("query", "one", now))).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  test("are none where throttling is off", () => {
    expect(Array.from({ length: 10 }, () => unthrottled.admit("query", "one", 0))).not.toContain(false);
  });
});

test("a throttle forgets keys of which nothing counts any more", () => {
  const counts: Parameters<typeof createThrottle>[0] = new Map();
  const { admit } = createThrottle(counts);
  for (let at = 0; at < 100_000; at += 1) admit("payment-status", `payment ${at}`, at * 1000);
  expect(counts.size).toBeLessThan(2_000);
  expect(["payment 99999", "payment 99999"].map((key) => admit("payment-status", key, 99_999_000))).toEqual([
    true,
    false,
  ]);
});

test("queries by an id and searches are operations of their own: two a minute of each for an entity, in both versions together", async () => {
  const { sell, get } = bench({ throttling: true });
  const { body } = await sell({ merchantTransactionId: "asked-twice" });
  const codes: string[] = [];
  for (const what of ["", `/${body.id}`]) {
    const search = what === "" ? "&merchantTransactionId=asked-twice" : "";
    for (const version of ["v1", "v3", "v1", "v3"])
      codes.push((await get(`/${version}/query${what}?entityId=${ENTITY}${search}`)).code);
  }
  const [found, byId, throttled] = ["000.000.100", "000.100.110", "800.120.100"];
  expect(codes).toEqual([found, found, throttled, throttled, byId, found, throttled, throttled]);
});
