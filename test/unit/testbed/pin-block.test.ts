import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePinBlock, encodePinBlock } from "../../../packages/sandbox/testbed/pin-block.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

test.each(vectors("pin.iso0").map((row) => [row.id, row] as const))("%s", (_id, row) => {
  const block = encodePinBlock(row.inputText("pin"), row.inputText("pan"));
  expect(toHex(block)).toBe(row.outputText("block"));
  expect(decodePinBlock(block, row.inputText("pan"))).toEqual({ ok: true, pin: row.inputText("pin") });
});

test("a PIN comes back out of its block, and not with another PAN of ten other digits", () => {
  fc.assert(
    fc.property(digits(4, 12), digits(16, 16), (pin, pan) => {
      expect(decodePinBlock(encodePinBlock(pin, pan), pan)).toEqual({ ok: true, pin });
    }),
  );
  // With PIN 1234 the PAN stands under F from its third digit of the field on: another PAN shows as wrong fill.
  expect(decodePinBlock(encodePinBlock("1234", "4761340000000050"), "4761739001010010")).toEqual({
    ok: false,
    error: "PIN block is not filled with F",
  });
});

test("no eight bytes make the decoder throw, and what it calls a PIN has 4 to 12 digits", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 9 }), (block) => {
      const opened = decodePinBlock(block, "4761340000000050");
      if (opened.ok) expect(opened.pin).toMatch(/^[0-9]{4,12}$/);
      else expect(opened.error).not.toBe("");
    }),
  );
});

const panField = "0000134000000005";
const under = (field: string): Uint8Array =>
  fromHex((BigInt(`0x${field}`) ^ BigInt(`0x${panField}`)).toString(16).padStart(16, "0"));

test.each([
  ["241234FFFFFFFFFF", "PIN block is not of format 0"],
  ["031234FFFFFFFFFF", "PIN length in the block is not 4 to 12"],
  ["0D123412341234FF", "PIN length in the block is not 4 to 12"],
  ["04123AFFFFFFFFFF", "PIN block holds a digit that is not decimal"],
  ["041234FFFFFFFFF0", "PIN block is not filled with F"],
])("the field %s is refused: %s", (field, error) => {
  expect(decodePinBlock(under(field), "4761340000000050")).toEqual({ ok: false, error });
});

test.each(["123", "1234567890123", "12a4"])("the PIN %s is refused", (pin) => {
  expect(() => encodePinBlock(pin, "4761340000000050")).toThrow("4 to 12 digits");
});

test("a PAN that is too short for a PIN block is refused", () => {
  expect(() => encodePinBlock("1234", "123456789012")).toThrow("13 to 19 digits");
});
