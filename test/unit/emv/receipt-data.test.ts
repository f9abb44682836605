import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptDataOf } from "../../../src/emv/receipt-data.ts";
import type { Tlv } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { CLEAR_CONTACT_CARD, objectsOf } from "./objects.ts";

const hex = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });
const text = (tag: string, value: string): Tlv => ({ tag, value: fromAscii(value) });

test("a real card's answer gives what a receipt needs, and nothing sensitive", () => {
  expect(receiptDataOf(objectsOf(CLEAR_CONTACT_CARD))).toEqual({
    aid: "A0000000031010",
    applicationLabel: "VISA CREDIT",
    tvr: "0200008000",
    tsi: "E800",
    cryptogram: "EB2EC0F472BEA0A4",
    cryptogramType: "ARQC",
    cvm: "signature",
    panSequenceNumber: "01",
    transactionSequenceNumber: "00000131",
    atc: "00C3",
  });
});

test("of nothing is nothing but an unknown verification", () => {
  expect(receiptDataOf([])).toEqual({ cvm: "unknown" });
});

describe("the application", () => {
  test.each([
    [[hex("84", "A0000000031010"), hex("4F", "A000000004"), hex("9F06", "A000000025")], "A0000000031010"],
    [[hex("4F", "A000000004"), hex("9F06", "A000000025")], "A000000004"],
    [[hex("9F06", "A000000025")], "A000000025"],
    [[hex("84", "A0")], undefined],
  ])("is named by its first known identifier", (objects, aid) => {
    expect(receiptDataOf(objects).aid).toBe(aid);
  });

  test.each([
    [
      "the preferred name in Latin-1",
      [text("50", "VISA"), text("9F12", "CR\u00c9DIT"), hex("9F11", "01")],
      "CR\u00c9DIT",
    ],
    [
      "the label where the code table is another one",
      [text("50", "VISA"), text("9F12", "x"), hex("9F11", "05")],
      "VISA",
    ],
    ["the label where no code table is named", [text("50", "VISA"), text("9F12", "x")], "VISA"],
    [
      "the preferred name alone in ASCII, where there is no label and no code table",
      [text("9F12", "VISA DEBIT")],
      "VISA DEBIT",
    ],
    ["nothing of a preferred name alone that is not ASCII", [text("9F12", "CR\u00c9DIT")], undefined],
    ["nothing of a preferred name alone of another code table", [text("9F12", "x"), hex("9F11", "05")], undefined],
    [
      "the label where the preferred name is blank",
      [text("50", "VISA"), text("9F12", "   "), hex("9F11", "01")],
      "VISA",
    ],
    ["no control characters", [text("50", "V\u001b[31m\u0000\u0007\r\n")], "V?[31m????"],
    ["nothing of a label that is a card number", [text("50", "4761739001010119")], undefined],
    ["no other long number", [text("50", "AB 000000000000")], "AB ?"],
    ["nothing for a label that is too long", [text("50", "A".repeat(17))], undefined],
    ["nothing for a blank label", [text("50", "    ")], undefined],
  ])("shows %s", (_what, objects, label) => {
    expect(receiptDataOf(objects).applicationLabel).toBe(label);
  });
});

test.each([
  ["00", "AAC"],
  ["40", "TC"],
  ["80", "ARQC"],
  ["0A", "AAC"],
  ["C0", undefined],
])("9F27 %s is %s", (information, type) => {
  expect(receiptDataOf([hex("9F27", information)]).cryptogramType).toBe(type);
});

test.each([
  ["3030", "00"],
  ["5A33", "Z3"],
  ["001B", undefined],
  ["6161", undefined],
])("8A %s is %s", (code, arc) => {
  expect(receiptDataOf([hex("8A", code)]).arc).toBe(arc);
});

test.each([
  ["01", "01"],
  ["0A", undefined],
])("5F34 %s is %s", (value, number) => {
  expect(receiptDataOf([hex("5F34", value)]).panSequenceNumber).toBe(number);
});

describe("how the cardholder was verified", () => {
  test.each([
    ["420300", "0000048000", "online-pin"],
    ["020300", "0000048000", "online-pin"],
    ["020300", undefined, "online-pin"],
    ["020300", "0000088000", "failed"],
    ["020300", "0000008000", "unknown"],
    ["1E0300", "0000008000", "signature"],
    ["5E0300", "0000008000", "signature"],
    ["1F0302", "0000008000", "none"],
    ["1F0002", "0000008000", "none"],
    ["410302", "0000008000", "offline-pin"],
    ["410301", "0000808000", "failed"],
    ["440302", "0000008000", "offline-pin"],
    ["440300", "0000008000", "unknown"],
    ["430302", "0000008000", "signature"],
    ["450300", "0000008000", "signature"],
    ["3F0000", "0000008000", "none"],
    ["3F0001", "0000808000", "failed"],
    ["200302", "0000008000", "unknown"],
    [undefined, "0000048000", "online-pin"],
    [undefined, "0000808000", "failed"],
    [undefined, "0000008000", "unknown"],
    [undefined, undefined, "unknown"],
  ])("9F34 %s with TVR %s is %s", (results, tvr, cvm) => {
    const objects = [
      ...(results === undefined ? [] : [hex("9F34", results)]),
      ...(tvr === undefined ? [] : [hex("95", tvr)]),
    ];
    expect(receiptDataOf(objects).cvm).toBe(cvm);
  });

  test.each([
    [[hex("9F34", "010002"), hex("9F39", "07")], "device"],
    [[hex("9F34", "010002"), hex("9F39", "05")], "offline-pin"],
    [[hex("9F34", "3F0002"), hex("9F39", "07")], "none"],
    [[hex("9F34", "3F0000"), hex("9F39", "07"), hex("9F6C", "0080")], "device"],
    [[hex("9F34", "1F0302"), hex("9F39", "07"), hex("9F6C", "0080")], "device"],
    [[hex("9F34", "1F0302"), hex("9F39", "07"), hex("9F6C", "0000")], "none"],
    [[hex("9F34", "1F0302"), hex("9F39", "05"), hex("9F6C", "0080")], "none"],
    [[hex("9F34", "1E0300"), hex("9F39", "07"), hex("9F6C", "0080")], "signature"],
    [[hex("9F34", "420300"), hex("9F39", "07"), hex("9F6C", "0080"), hex("95", "0000040000")], "online-pin"],
    [[hex("9F34", "1F0301"), hex("9F39", "07"), hex("9F6C", "0080")], "failed"],
    [[hex("9F6C", "8000")], "online-pin"],
    [[hex("9F6C", "4000")], "signature"],
    [[hex("9F6C", "0080")], "device"],
    [[hex("9F6C", "0000")], "none"],
  ])("contactless %j is %s", (objects, cvm) => {
    expect(receiptDataOf(objects).cvm).toBe(cvm);
  });
});

test("no objects make it throw, and what it shows is short and printable", () => {
  const tag = fc.constantFrom(
    "50",
    "9F12",
    "9F11",
    "84",
    "9F34",
    "95",
    "8A",
    "9F27",
    "5F34",
    "9F41",
    "9F6C",
    "9F39",
    "9B",
    "9F26",
    "9F36",
  );
  const object: fc.Arbitrary<Tlv> = fc.record({ tag, value: fc.uint8Array({ maxLength: 40 }) });
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      for (const shown of Object.values(receiptDataOf(objects))) expect(shown).toMatch(/^[\x20-\x7e\xa1-\xff]{1,32}$/);
    }),
  );
});
