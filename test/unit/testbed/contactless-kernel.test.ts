import { describe, expect, test } from "vitest";
import { chipCard } from "../../../packages/sandbox/testbed/card.ts";
import { type Tapped, tap } from "../../../packages/sandbox/testbed/contactless-kernel.ts";
import { cardNamed, deck } from "../../../packages/sandbox/testbed/deck.ts";
import { verifyCryptogram } from "../../../packages/sandbox/testbed/issuer-cryptogram.ts";
import { encodeTlvs, findTag } from "../../../src/emv/tlv.ts";
import { toHex } from "../../../src/kit/hex.ts";

const configuration = {
  country: "0276",
  terminalId: "12345678",
  serialNumber: "10000496",
  onlinePin: true,
  offlinePin: true,
  contactlessCvmLimit: 5000,
  capabilities: "E068C8",
};

function tapped(name: string, { type = "00", on = configuration } = {}): Tapped {
  const profile = cardNamed(name);
  if (profile === undefined) throw new Error(`no card ${name}`);
  const request = {
    amount: "000000001234",
    type,
    currency: "0978",
    date: "260115",
    time: "101500",
    unpredictableNumber: Uint8Array.of(1, 2, 3, 4),
    sequence: 1,
  };
  return tap(chipCard(profile), 7, request, on);
}

const hex = ({ data }: Tapped, tag: string): string => toHex(findTag(data, tag) ?? new Uint8Array(0));

const chips = deck.filter((card) => card.tap === "chip").map(({ name }) => name);

describe.each(chips)("%s", (name) => {
  test.each(["00", "20"])("makes a cryptogram that its issuer verifies, with transaction type %s", (type) => {
    const result = tapped(name, { type });
    const icc = toHex(encodeTlvs(result.data));
    expect(verifyCryptogram(result.chip, icc).ok).toBe(true);
    expect(verifyCryptogram(result.chip, icc.replace("9F0206000000001234", "9F0206000000001235")).ok).toBe(false);
    expect(hex(result, "9F36")).toBe("0007");
  });

  test("asks its issuer, but for a refund where its kernel asks for an AAC", () => {
    const declines = name === "contactless-declines";
    expect(tapped(name).decision).toBe(declines ? "declined-offline" : "online");
    expect(hex(tapped(name), "9F27")).toBe(declines ? "00" : "80");
    expect(tapped(name, { type: "20" }).decision).toBe(
      declines || name.startsWith("mastercard") ? "declined-offline" : "online",
    );
  });
});

test.each([
  ["visa-contactless", "9F6C", "0000"],
  ["visa-contactless-pin", "9F6C", "8000"],
  ["visa-phone", "9F6C", "0080"],
  ["mastercard-contactless", "9F34", "1F0302"],
  ["mastercard-contactless-pin", "9F34", "420300"],
  ["mastercard-phone", "9F34", "010002"],
])("%s says how its holder is verified: %s is %s", (name, tag, value) => {
  const result = tapped(name);
  expect(hex(result, tag)).toBe(value);
  expect((findTag(result.data, "95")?.[2] ?? 0) & 0x04).toBe(value === "420300" ? 0x04 : 0);
});

test("nobody is verified for a refund", () => {
  expect(hex(tapped("visa-contactless-pin", { type: "20" }), "9F6C")).toBe("0000");
});

test("a tap in stripe mode has no cryptogram and no counter, and says so", () => {
  const result = tapped("magstripe-contactless");
  expect([hex(result, "9F26"), hex(result, "9F36"), hex(result, "9F39"), hex(result, "DF30"), result.decision]).toEqual(
    ["", "", "91", "0202", "online"],
  );
});

test.each([
  ["visa-contactless-pin", "9F6C", "4000"],
  ["visa-contactless-pin", "9F66", "32C04000"],
  ["mastercard-contactless-pin", "9F34", "5E0300"],
  ["mastercard-contactless-pin", "95", "0000008000"],
  ["visa-contactless", "9F66", "32804000"],
  ["visa-contactless", "9F33", "E028C8"],
])("without a PIN pad %s is verified by signature where it wants a PIN: %s is %s", (name, tag, value) => {
  expect(
    hex(tapped(name, { on: { ...configuration, onlinePin: false, offlinePin: false, capabilities: "E028C8" } }), tag),
  ).toBe(value);
});
