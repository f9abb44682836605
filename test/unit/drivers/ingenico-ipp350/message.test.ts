import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emvBody, parseEmv } from "../../../../drivers/ingenico-ipp350/emv-message.ts";
import { bodyOf } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { cardReadIn, heardIn, say, settingIn, variableIn } from "../../../../drivers/ingenico-ipp350/message.ts";
import type { Tlv } from "../../../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const FS = "\u001c";
const GS = "\u001d";
const textOf = (frame: Uint8Array): string => ascii(bodyOf(frame));
const object = (tag: string, hex: string): Tlv => ({ tag, value: fromHex(hex) });
const told = (objects: readonly Tlv[] | undefined): readonly string[] | undefined =>
  objects?.map(({ tag, value }) => `${tag} ${toHex(value)}`);

describe("what the host says is what was published", () => {
  const bodies = vectors.frames.map(({ body }) => body);
  test.each([
    ["00.", say.offline],
    ["07.", say.unitData],
    ["11.", say.status],
    ["13.", say.amount(1000)],
    ["14.", say.transactionType("01")],
    ["04.", say.paymentType],
    ["23.", say.read("3", "", "CMS")],
    ["29.", say.getVariable("000398")],
    ["28.", say.setVariable("000104", "Item")],
    ["61.", say.configuration("91", "1")],
    ["33.04", fromAscii(`\u0002${emvBody("04", [], [object("8A", "3030")])}\u0003x`)],
    ["33.00", fromAscii(`\u0002${emvBody("00", ["", "", "", ""], [])}\u0003x`)],
  ])("%s", (_id, frame) => {
    expect(bodies).toContain(textOf(frame));
  });

  test("31. leaves the number to the device", () => {
    expect(textOf(say.pin("*", "1", "pin.K3Z"))).toBe(`31.D*1${FS}${FS}pin.K3Z`);
  });

  test("24. has one text in one element", () => {
    expect(textOf(say.text("msg.K3Z", "prompt1", "Thank you"))).toBe(`24.msg.K3Z${FS}Tprompt1,Thank you`);
  });
});

describe("what is heard", () => {
  test.each(vectors.status)("09.$text", ({ text, card }) => {
    expect(heardIn(fromAscii(`09.${text}`))).toEqual({ is: "slot", card });
  });

  test.each(vectors.reads)("23.$text", ({ text, exit, source, tracks }) => {
    expect(cardReadIn(text)).toEqual({ exit, source, tracks });
  });

  test.each([
    ["09.020201P", { is: "slot", card: true }],
    ["09.020201X", { is: "other" }],
    ["09.", { is: "other" }],
    ["10.", { is: "cancel-key" }],
    ["13.0", { is: "reply", id: "13", text: "0" }],
    ["", { is: "other" }],
    ["hello", { is: "other" }],
    ["33.03.0000|T9F27:0003:h80|", { is: "damaged", objects: [{ tag: "9F27", value: Uint8Array.of(0x80) }] }],
    ["33.00.0000", { is: "emv", step: "00", status: "00", objects: [] }],
    ["33.09.000", { is: "emv", step: "09", status: "00", objects: [] }],
    ["33.05.E000", { is: "emv", step: "05", status: "E0", objects: [] }],
  ])("%j", (body, heard) => {
    expect(heardIn(fromAscii(body.replaceAll("|", FS)))).toEqual(heard);
  });

  test("bears any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void expect(heardIn(bytes)).toHaveProperty("is")),
    );
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60 }),
        (text) => void expect(heardIn(fromAscii(`33.0${text.replace(/[^\0-\xff]/g, "?")}`))).toHaveProperty("is"),
      ),
    );
  });
});

describe("objects of an EMV message", () => {
  test.each([
    ["T8A:0002:a00", ["8A 3030"]],
    ["T008A:0002:a00", ["8A 3030"]],
    ["D1003:0001:aA|T9F27:0001:h40", ["1003 41", "9F27 40"]],
    ["T9F02:0006:h000000001234|", ["9F02 000000001234"]],
    ["T9F02:000C:h000000001234|", ["9F02 000000001234"]],
    [`T50:0003:aA${FS}B|T84:0001:hA0|`, ["50 411C42", "84 A0"]],
    ["||T84:0001:hA0||", ["84 A0"]],
    ["T84:0000:h|", ["84 "]],
    ["", []],
  ])("%j", (text, objects) => {
    expect(told(parseEmv(`03.0000|${text}`.replaceAll("|", FS))?.objects)).toEqual(objects);
  });

  test.each([
    "T84:0003:hA0|",
    "T84:0001:hXX|",
    "T84:0001:x41|",
    "84:0001:hA0|",
    "T84:1:hA0|",
    "T84:0001:hA0A1|",
    "T84",
  ])("%j cannot be read", (text) => {
    expect(parseEmv(`03.0000|${text}`.replaceAll("|", FS))).toBeUndefined();
  });

  test("come out as they went in", () => {
    const tag = fc.constantFrom("8A", "91", "9F27", "5F2A", "1003", "FF1F");
    const value = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ maxLength: 20, unit: fc.constantFrom(..."AZ09 :|") }).map(fromAscii),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ tag, value }), { maxLength: 8 }), (objects) => {
        const body = emvBody("05", [], objects, ["8A", "1003", "FF1F"]);
        expect(parseEmv(body.slice(3))).toEqual({ step: "05", status: "00", objects });
      }),
    );
  });
});

describe("settings and variables", () => {
  test("are told by the published answers", () => {
    expect(settingIn(`291${GS}1${GS}19${FS}`, "91", "1")).toEqual({ value: "19" });
    expect(settingIn(`2uppeft/manualentry/mode${GS}0${FS}`, "91", "1")).toBe("other");
    expect(variableIn("20000712", "000712")).toBe("");
  });

  test.each([
    [`391${GS}1${GS}${FS}`, "refused"],
    ["3", "refused"],
    ["", "refused"],
    [`26${GS}7${GS}1${FS}`, "other"],
    [`291${GS}1`, "refused"],
  ])("%j of 91_1 is %s", (text, reading) => {
    expect(settingIn(text, "91", "1")).toBe(reading);
  });

  test.each(["50000201", "20000202011526", "2", ""])("%j tells nothing of 000201", (text) => {
    expect(variableIn(text, "000201")).toBeUndefined();
  });
});
