import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandApdu, commandName, commands, encodeApdu, parseApdu } from "../../../../drivers/miura-m020/apdu.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const read = { cla: 0x00, ins: 0xb0, p1: 0, p2: 0 };
const lengthOf = (data: number, le: number | undefined, extended: boolean): number | undefined =>
  encodeApdu({ ...read, data: new Uint8Array(data), ...(le !== undefined && { le }) }, extended)?.length;

describe("published commands", () => {
  test.each(vectors.apdus)("$hex is built and read", ({ hex, data, le, ...header }) => {
    const apdu = { ...header, data: fromHex(data), ...(le !== undefined && { le }) };
    const bytes = encodeApdu(apdu, false);
    expect(bytes && toHex(bytes)).toBe(hex);
    expect(parseApdu(fromHex(hex))).toEqual(apdu);
  });

  test("START TRANSACTION of a real reader is read although its lengths are in the long form", () => {
    const frame = vectors.packets.find(({ meaning }) => meaning.includes("84 form"));
    const apdu = parseApdu(fromHex(frame?.apdu ?? ""));
    expect(apdu && commandName(apdu)).toBe("start-transaction");
    expect(apdu?.data.length).toBe(65);
  });
});

describe("limits of the classic form", () => {
  test.each([
    { data: 249, le: undefined, length: 254 },
    { data: 248, le: 1, length: 254 },
    { data: 250, le: undefined, length: undefined },
    { data: 249, le: 1, length: undefined },
  ])("$data bytes of data with Le $le take $length bytes", ({ data, le, length }) => {
    expect(lengthOf(data, le, false)).toBe(length);
  });
});

describe("the extended form", () => {
  test("is taken only where the classic one is too short", () => {
    expect(lengthOf(249, undefined, true)).toBe(254);
    expect(lengthOf(250, undefined, true)).toBe(257);
    const long = encodeApdu({ ...read, data: new Uint8Array(250) }, true);
    expect(long && toHex(long.subarray(0, 7))).toBe("00B000000000FA");
  });

  test("ends at 1024 bytes", () => {
    expect(lengthOf(1017, undefined, true)).toBe(1024);
    expect(lengthOf(1018, undefined, true)).toBeUndefined();
    expect(lengthOf(1015, 300, true)).toBe(1024);
  });
});

test("every command is found again by its class and instruction", () => {
  for (const [name, row] of Object.entries(commands)) expect(commandName(row)).toBe(name);
  expect(commandName({ cla: 0xd0, ins: 0x77 })).toBeUndefined();
});

test("parameters and data come from the caller where given, else from the table", () => {
  expect(commandApdu("display")).toEqual({ cla: 0xd2, ins: 0x01, p1: 0x00, p2: 0x01, data: new Uint8Array(0) });
  expect(commandApdu("card-status", { p1: 0x0d }).p1).toBe(0x0d);
});

describe("properties", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const apdu = fc.record(
    {
      cla: byte,
      ins: byte,
      p1: byte,
      p2: byte,
      data: fc.uint8Array({ maxLength: 1017 }),
      le: fc.integer({ min: 0, max: 252 }),
    },
    { requiredKeys: ["cla", "ins", "p1", "p2", "data"] },
  );

  test("what fits is read back as it was", () => {
    fc.assert(
      fc.property(apdu, fc.boolean(), (sent, extended) => {
        const bytes = encodeApdu(sent, extended);
        if (bytes !== undefined) expect(parseApdu(bytes)).toEqual(sent);
      }),
    );
  });

  test("no bytes make the parser throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1100 }), (bytes) => {
        const parsed = parseApdu(bytes);
        if (parsed !== undefined) expect(parsed.data.length).toBeLessThan(bytes.length);
      }),
    );
  });
});
