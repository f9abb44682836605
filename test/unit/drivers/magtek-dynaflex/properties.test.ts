import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMessage } from "../../../../drivers/magtek-dynaflex/message.ts";
import { askFor, payloadFor, propertiesIn, propertyIn } from "../../../../drivers/magtek-dynaflex/properties.ts";
import { ascii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const payloadOf = (meaning: string): Uint8Array => {
  const found = vectors.messages.find((one) => one.meaning.startsWith(meaning));
  const message = parseMessage(fromHex(found?.hex ?? ""));
  if (typeof message === "string" || message.is === "other") throw new Error(`no ${meaning}`);
  return message.payload;
};

describe("properties", () => {
  test("are asked for and set as the maker's examples do", () => {
    expect(toHex(askFor("1.2.7.1.1.1"))).toBe(toHex(payloadOf("get property 1.2.7.1.1.1")));
    expect(toHex(payloadFor("1.2.7.1.1.1", Uint8Array.of(0)))).toBe(toHex(payloadOf("set property 1.2.7.1.1.1")));
  });

  test.each([
    ["property 1.2.7.1.1.1, with", "1.2.7.1.1.1", "00"],
    ["property 1.2.7.1.1.1, as a tree", "1.2.7.1.1.1", "00"],
    ["serial number", "2.2.1.1.1.1", "B61378A0"],
    ["keys in slots", "2.3.1.1.1.2", "00000081"],
    ["device-driven fallback", "1.2.1.1.1.1", "01"],
    ["the device is online", "2.3.1.2.1.1", "02"],
  ])("%s is found", (meaning, path, value) => {
    expect(propertyIn(payloadOf(meaning), path)).toBe(value);
  });

  test("a branch tells all that is under it", () => {
    const told = propertiesIn(payloadOf("properties 2.1.2.2, a branch")).map(
      ({ path, value }) => `${path} ${ascii(value).replaceAll("\0", "")}`,
    );
    expect(told).toEqual([
      "2.1.2.2.1.1 ",
      "2.1.2.2.1.2 ",
      "2.1.2.2.2.1 DynaFlex Pro",
      "2.1.2.2.2.2 1000007183-A5-PCI",
      "2.1.2.2.2.3 ",
      "2.1.2.2.2.4 1000007183",
      "2.1.2.2.2.5 ",
      expect.stringMatching(/^2\.1\.2\.2\.2\.6 /),
    ]);
  });

  test("steps beyond nine are hexadecimal, as the maker writes them", () => {
    expect(toHex(askFor("1.1.1.1.1.1B"))).toBe("850101870401010101" + "8902DB00");
    expect(propertiesIn(payloadFor("2.1.2.3.A.4", fromHex("00FF")))).toEqual([
      { path: "2.1.2.3.A.4", value: fromHex("00FF") },
    ]);
  });

  test("nothing is thrown, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        propertiesIn(bytes);
        propertiesIn(Uint8Array.of(0x85, 0x01, 0x02, 0x89, bytes.length, ...bytes));
      }),
    );
  });
});
