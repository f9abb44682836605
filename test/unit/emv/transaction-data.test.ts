import { expect, test } from "vitest";
import { issuerObjects } from "../../../src/emv/issuer-objects.ts";
import { serviceCodeOf } from "../../../src/emv/service-code.ts";
import { encodeTlvs } from "../../../src/emv/tlv.ts";
import { transactionData } from "../../../src/emv/transaction-data.ts";
import { toHex } from "../../../src/kit/hex.ts";

const SALE = {
  amount: 1234,
  currencyNumeric: "978",
  decimals: 2,
  transactionType: "00",
  now: { date: "260115", time: "101500" },
} as const;

test("a transaction is told by its type, amounts, date, time and currency", () => {
  expect(toHex(encodeTlvs(transactionData(SALE)))).toBe(
    "9C01009F02060000000012349F03060000000000009A032601159F21031015005F2A0209785F360102",
  );
});

test("what a protocol takes of it comes in the order in which it is named", () => {
  expect(transactionData(SALE, ["5F2A", "9C"]).map(({ tag }) => tag)).toEqual(["5F2A", "9C"]);
  expect(
    toHex(encodeTlvs(transactionData({ ...SALE, amount: 999_999_999_999, transactionType: "20" }, ["9C", "9F02"]))),
  ).toBe("9C01209F0206999999999999");
});

test("an issuer's answer becomes 8A, 91 and its scripts, in order", () => {
  const scripts = [{ tag: "72", value: "9F1804000000018600" } as const, { tag: "71", value: "8600" } as const];
  expect(toHex(encodeTlvs(issuerObjects({ arc: "3030", authentication: "11223344556677883030", scripts })))).toBe(
    "8A023030910A1122334455667788303072099F180400000001860071028600",
  );
  expect(toHex(encodeTlvs(issuerObjects({ arc: "3035", scripts: [] })))).toBe("8A023035");
});

test.each([
  [";476173******0119=2512201*****?", { hasChip: true, wantsPin: false }],
  [";476173******0119=2512101", { hasChip: false, wantsPin: false }],
  [";476173******0119=2512620", { hasChip: true, wantsPin: true }],
  ["476173FFFFFF0119D2512120000", { hasChip: false, wantsPin: true }],
  ["%B476173******0119^CARD/TEST^2512226*****?", { hasChip: true, wantsPin: true }],
  ["%B476173******0119^D25122010^2512101*****?", { hasChip: false, wantsPin: false }],
  ["%B476173******0119^A=2512201^2512101*****?", { hasChip: false, wantsPin: false }],
  [";476173******0119==201", undefined],
  [";476173******0119=25122", undefined],
  ["", undefined],
])("the service code of %s says %j", (track, expected) => {
  expect(serviceCodeOf(track)).toEqual(expected);
});
