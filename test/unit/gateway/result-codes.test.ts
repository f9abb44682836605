import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { declineReasonOf, meaningOf } from "../../../src/gateway/meaning.ts";
import { classOf } from "../../../src/gateway/result-codes.ts";

/**
 * Source: the catalogue collected from public dumps of GET /v1/resultcodes, each line naming its own; the classes are
 * the operators' published ones.
 */
const catalogue = readFileSync(new URL("../../vectors/result-codes.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([code = "", , published = ""]) => ({ code, published }));

const tally = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

test("the catalogue has 659 codes", () => {
  expect(catalogue).toHaveLength(659);
  expect(new Set(catalogue.map(({ code }) => code)).size).toBe(659);
});

test("every code of the catalogue lands in its published class, two of them in none", () => {
  expect(catalogue.filter(({ code, published }) => classOf(code) !== published)).toEqual([]);
  expect(tally(catalogue.map(({ code }) => classOf(code)))).toEqual({
    "account-validation": 35,
    "address-validation": 22,
    "amount-validation": 13,
    "async-workflow-error": 12,
    blacklist: 18,
    chargeback: 29,
    "communication-error": 18,
    configuration: 33,
    "contact-validation": 20,
    "format-validation": 66,
    "job-validation": 17,
    "pending-days": 4,
    "pending-session": 8,
    "reference-validation": 46,
    "registration-validation": 28,
    "rejected-3ds": 26,
    "rejected-3ds-intercard": 13,
    "rejected-bank": 87,
    "retry-blocked-mac": 3,
    "risk-external": 90,
    "risk-management": 4,
    "risk-validation": 24,
    "soft-decline": 1,
    success: 18,
    "success-review": 13,
    "system-error": 9,
    unmatched: 2,
  });
});

const meaning = (paymentType: string) => (wanted: string) =>
  catalogue.map(({ code }) => code).filter((code) => meaningOf(code, paymentType) === wanted);

describe("what may be an approval", () => {
  test.each(["PA", "DB", "CD", "CP", "RV", "RF"])("of %s, of all 659 codes", (paymentType) => {
    const codes = meaning(paymentType);
    expect(codes("approved")).toEqual(["000.000.000", "000.300.000", "000.600.000"]);
    expect(codes("approved-in-test")).toEqual(["000.100.110", "000.100.111", "000.100.112"]);
    expect(codes("approved-review")).toEqual([
      "000.400.000",
      "000.400.010",
      "000.400.020",
      "000.400.040",
      "000.400.050",
      "000.400.060",
      "000.400.070",
      "000.400.080",
      "000.400.081",
      "000.400.082",
      "000.400.090",
      "000.400.091",
      "000.400.100",
    ]);
  });

  test("nothing outside the six digits and two dots of a code", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{2,11}$/), fc.stringMatching(/^000\.000\.[0-9]{0,5}$/)),
        (code) => {
          fc.pre(!/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/.test(code));
          expect(meaningOf(code, "PA")).toBe("unknown");
        },
      ),
    );
  });
});

test("what all 659 codes mean to a sale, counted", () => {
  const counted = tally(catalogue.map(({ code }) => meaningOf(code, "PA")));
  expect(counted).toEqual({
    approved: 3,
    "approved-in-test": 3,
    "approved-review": 13,
    "auto-reversed": 1,
    declined: 324,
    "declined-held": 2,
    duplicate: 7,
    "gateway-down": 15,
    "half-reversed": 1,
    "not-sent": 1,
    "not-let-in": 8,
    "not-referable": 46,
    "not-set-up": 20,
    pending: 12,
    refused: 136,
    "soft-declined": 1,
    throttled: 1,
    unknown: 65,
  });
});

test.each([
  ["000.400.030", "PA", "half-reversed"],
  ["900.100.301", "PA", "auto-reversed"],
  ["900.100.300", "PA", "unknown"],
  ["900.100.400", "PA", "unknown"],
  ["900.100.500", "PA", "unknown"],
  ["900.100.100", "PA", "unknown"],
  ["900.100.204", "PA", "unknown"],
  ["900.100.700", "PA", "unknown"],
  ["900.200.100", "PA", "unknown"],
  ["900.300.600", "PA", "unknown"],
  ["999.999.999", "PA", "unknown"],
  ["600.100.100", "PA", "unknown"],
  ["900.100.310", "PA", "not-sent"],
  ["900.100.600", "PA", "gateway-down"],
  ["800.800.400", "PA", "gateway-down"],
  ["800.800.800", "PA", "gateway-down"],
  ["800.800.801", "PA", "gateway-down"],
  ["500.100.201", "PA", "gateway-down"],
  ["800.500.110", "PA", "gateway-down"],
  ["800.110.100", "PA", "duplicate"],
  ["800.130.100", "PA", "duplicate"],
  ["200.200.106", "PA", "duplicate"],
  ["800.600.100", "PA", "duplicate"],
  ["800.700.100", "PA", "duplicate"],
  ["800.120.402", "PA", "duplicate"],
  ["200.300.405", "PA", "duplicate"],
  ["800.120.100", "PA", "throttled"],
  ["000.200.000", "PA", "pending"],
  ["800.400.500", "PA", "pending"],
  ["100.400.500", "PA", "pending"],
  ["300.100.100", "PA", "soft-declined"],
  ["800.100.192", "PA", "declined-held"],
  ["800.400.110", "PA", "declined-held"],
  ["100.400.147", "PA", "declined"],
  ["700.601.001", "PA", "declined"],
  ["100.395.501", "DB", "declined"],
  ["100.396.101", "PA", "declined"],
  ["100.396.102", "DB", "declined"],
  ["100.396.103", "DB", "declined"],
  ["100.396.106", "DB", "declined"],
  ["100.396.201", "DB", "declined"],
  ["100.397.102", "DB", "declined"],
  ["100.395.502", "DB", "unknown"],
  ["100.396.104", "DB", "unknown"],
  ["000.100.203", "PA", "unknown"],
  ["000.000.100", "PA", "unknown"],
  ["000.100.105", "PA", "unknown"],
  ["000.300.100", "PA", "unknown"],
  ["000.310.110", "PA", "unknown"],
  ["000.400.110", "PA", "unknown"],
  ["000.400.120", "PA", "unknown"],
  ["000.500.000", "PA", "unknown"],
  ["800.900.300", "PA", "not-let-in"],
  ["200.300.404", "PA", "refused"],
  ["600.200.202", "PA", "not-set-up"],
  ["600.200.800", "PA", "not-set-up"],
  ["600.300.101", "CP", "not-let-in"],
  ["800.900.302", "RV", "not-let-in"],
  ["800.121.100", "RF", "not-let-in"],
  ["500.100.201", "PA", "gateway-down"],
  ["600.200.202", "RV", "not-reversible"],
  ["600.300.200", "RV", "not-let-in"],
  ["600.300.210", "RV", "not-set-up"],
  ["700.300.300", "RV", "already-reversed"],
  ["700.300.300", "CP", "already-reversed"],
  ["700.300.300", "PA", "not-referable"],
  ["700.400.100", "CP", "already-reversed"],
  ["700.400.100", "RF", "not-referable"],
  ["700.300.100", "RV", "not-reversible"],
  ["700.100.700", "RV", "not-reversible"],
  ["700.100.100", "RV", "not-referable"],
  ["700.300.600", "RV", "not-referable"],
  ["700.400.300", "RV", "already-reversed"],
  ["700.400.300", "CP", "not-referable"],
  ["700.300.700", "RV", "not-reversible"],
  ["700.300.800", "RV", "not-reversible"],
  ["700.400.530", "RV", "not-reversible"],
  ["700.400.530", "CP", "not-referable"],
  ["700.400.570", "RV", "still-pending"],
  ["700.400.570", "CP", "still-pending"],
  ["700.400.570", "PA", "not-referable"],
  ["700.300.400", "CP", "not-referable"],
])("%s to %s means %s", (code, paymentType, wanted) => {
  expect(meaningOf(code, paymentType)).toBe(wanted);
});

test("declines that a cashier can act on, of all 659 codes", () => {
  const reasons = Map.groupBy(
    catalogue.map(({ code }) => code).filter((code) => meaningOf(code, "PA") === "declined"),
    (code) => declineReasonOf(code),
  );
  const told = Object.fromEntries([...reasons].filter(([reason]) => reason !== "host-declined"));
  expect(told).toEqual({
    "wrong-pin": ["800.100.166"],
    "pin-tries-exceeded": ["800.100.161", "800.100.178"],
    "insufficient-funds": ["800.100.155", "800.100.203"],
    "expired-card": ["100.100.303", "800.100.157"],
    "retry-blocked": ["700.600.002", "700.601.001"],
    "card-not-stored": ["100.150.200", "100.150.202", "100.150.203", "100.150.205", "100.150.206"],
    "blocked-card": [
      ...[
        "700.601.003",
        "800.100.159",
        "800.100.160",
        "800.100.165",
        "800.100.168",
        "800.100.171",
        "800.100.172",
        "800.100.202",
      ],
      ...["800.200.159", "800.200.160", "800.200.165", "800.200.202", "800.200.208"],
    ],
  });
  expect(reasons.get("host-declined")).toContain("800.100.152");
});
