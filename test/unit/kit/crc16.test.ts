import { expect, test } from "vitest";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { crc16 } from "../../../src/kit/crc16.ts";

test("it is CRC-16/CCITT-FALSE by its published check value", () => {
  expect(crc16(fromAscii("123456789"))).toBe(0x29b1);
  expect(crc16(new Uint8Array(0))).toBe(0xffff);
  expect(crc16(fromAscii("x123456789x"), 1, 10)).toBe(0x29b1);
});
