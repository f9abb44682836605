import fc from "fast-check";
import { expect, it } from "vitest";
import { LineTooLong, lineOf, lineReader, MAX_LINE_BYTES } from "../../../src/control/lines.ts";

it("lines come out as they were sent, however the stream is cut", () => {
  const messages = fc.array(fc.record({ text: fc.string({ unit: "grapheme" }), any: fc.jsonValue() }));
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sent, sizes) => {
      const bytes = Buffer.from(sent.map(lineOf).join(""));
      const reader = lineReader();
      const lines: string[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        lines.push(...reader.push(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(lines).toEqual(sent.map((message) => JSON.stringify(message)));
    }),
  );
});

it("a chunk may be used again by its owner as soon as push has returned", () => {
  const reader = lineReader();
  const chunk = Buffer.from("half");
  reader.push(chunk);
  chunk.fill(0x58);
  expect(reader.push(Buffer.from("\n"))).toEqual(["half"]);
});

it(`a line of ${MAX_LINE_BYTES} bytes passes and one more does not, in one piece or in many`, () => {
  const longest = Buffer.alloc(MAX_LINE_BYTES, 0x61);
  expect(lineReader().push(Buffer.concat([longest, Buffer.from("\n")]))).toEqual([longest.toString()]);
  expect(() => lineReader().push(Buffer.concat([longest, Buffer.from("a\n")]))).toThrow(LineTooLong);
  const reader = lineReader();
  reader.push(longest);
  expect(() => reader.push(Buffer.from("a"))).toThrow(LineTooLong);
});
