import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  heardIn,
  itemsOf,
  leavesOf,
  parseAnswer,
  parseEvent,
  restartText,
} from "../../../../drivers/miura-m020/message.ts";
import { statusText } from "../../../../drivers/miura-m020/status-codes.ts";
import { encodeAnswer, encodeTemplate } from "../../../../drivers/vipa/message.ts";
import { findTag, parseTlv } from "../../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { payload, vectors } from "./vectors.ts";

const answerOf = (hex: string): ReturnType<typeof parseAnswer> => parseAnswer(fromHex(hex));
const objectsOf = (hex: string): ReturnType<typeof leavesOf> => {
  const parsed = parseTlv(fromHex(hex));
  return parsed.ok ? parsed.objects : [];
};

describe("answers", () => {
  test.each([
    ["9000", { is: "ok" }],
    ["9F41", { is: "refused", statusWord: "9F41" }],
    ["6F00", { is: "refused", statusWord: "6F00" }],
    ["E5009F30", { is: "refused", statusWord: "9F30" }],
    ["08" + "9000", { is: "other", body: Uint8Array.of(8) }],
    ["E4059000", { is: "other", body: fromHex("E405") }],
    ["E40395019000", { is: "other", body: fromHex("E4039501") }],
    ["E100E1009000", { is: "other", body: fromHex("E100E100") }],
    ["9A032601159000", { is: "other", body: fromHex("9A03260115") }],
    ["E1009000", { is: "template", template: "E1", objects: [] }],
  ])("%s is understood", (hex, expected) => {
    expect(answerOf(hex)).toEqual(expected);
  });

  test("filler before and between objects is skipped", () => {
    expect(answerOf("0000E10A009A03260115FF9C01009000")).toEqual({
      is: "template",
      template: "E1",
      objects: [
        { tag: "9A", value: fromHex("260115") },
        { tag: "9C", value: Uint8Array.of(0) },
      ],
    });
  });

  test("lengths in the 84 form are read", () => {
    expect(answerOf("E1840000000848840000000203009000")).toEqual({
      is: "template",
      template: "E1",
      objects: [{ tag: "48", value: fromHex("0300") }],
    });
  });

  test.each(["contactClear", "contactlessSealed"])("the real payload %s gives its cryptogram", (name) => {
    const hex = payload(name);
    const answer =
      name === "contactClear"
        ? answerOf(`${hex}9000`)
        : parseAnswer(encodeAnswer(encodeTemplate("E4", objectsOf(hex))));
    expect(answer).toMatchObject({ is: "template", template: "E4" });
    const objects = answer.is === "template" ? answer.objects : [];
    expect(toHex(findTag(objects, "9F27") ?? new Uint8Array(0))).toBe("80");
  });

  test("a documented status word has a meaning, another one says that it has none", () => {
    expect(statusText("9F28")).toBe("9F28 (card not supported by the configuration)");
    expect(statusText("9F77")).toBe("9F77 (not documented)");
    expect(statusText("constructor")).toContain("not documented");
  });
});

describe("events", () => {
  const eventOf = (hex: string): ReturnType<typeof parseEvent> => parseEvent(fromHex(hex));

  test.each([
    ["E104480200009000", { slot: false, chip: false, magstripe: false }],
    ["E104480201009000", { slot: true, chip: false, magstripe: false }],
    ["E104480203009000", { slot: true, chip: true, magstripe: false }],
    [vectors.bodies.cardStatus, { slot: true, chip: true, magstripe: false }],
    [vectors.bodies.swipe, { slot: false, chip: false, magstripe: true }],
  ])("%s tells the slot", (hex, expected) => {
    expect(eventOf(hex)).toMatchObject({ is: "card", ...expected });
  });

  test("a status event carries code, text and PIN tries", () => {
    expect(eventOf(vectors.bodies.pinOk)).toEqual({ is: "status", code: "02", text: "PIN OK" });
    expect(eventOf("E60EC30102C409456E7465722050494EC501039000")).toEqual({
      is: "status",
      code: "02",
      text: "Enter PIN",
      pinTries: 3,
    });
    expect(eventOf("E611C30102C409456E7465722050494EC501039000")).toEqual({
      is: "status",
      code: "02",
      text: "Enter PIN",
      pinTries: 3,
    });
  });

  test("a key event carries its code", () => {
    expect(eventOf(vectors.bodies.key)).toEqual({ is: "key", code: "1B" });
  });

  test.each([
    vectors.bodies.printer,
    vectors.bodies.barcode,
    "E1034801039000",
    "E600" + "9000",
    "E105DFA205011B9000",
    "E006DFA205021B009000",
  ])("%s is no business of a payment", (hex) => {
    expect(eventOf(hex)).toEqual({ is: "other" });
  });

  test.each([
    ["01", true],
    ["0A", true],
    ["0B", true],
    ["0C", true],
    ["02", false],
    ["03", false],
    ["CE", false],
  ])("status code %s means a restart: %s", (code, restarts) => {
    expect(restartText({ is: "status", code, text: "text" })).toBe(restarts ? "text" : undefined);
  });
});

test("what the retail hub says on the same link (NAD 02) is dropped", () => {
  const said = { unsolicited: false, encrypted: false, body: fromHex("9000") };
  expect(heardIn({ nad: 1, ...said })).toEqual([{ is: "answer", answer: { is: "ok" } }]);
  expect(heardIn({ nad: 2, ...said })).toEqual([]);
});

describe("objects", () => {
  test("an ATR (63) is not descended into, other constructed objects are", () => {
    const objects = [
      { tag: "63", value: fromHex("9A03260115") },
      { tag: "70", value: fromHex("9A03260115") },
    ];
    expect(leavesOf(objects).map(({ tag }) => tag)).toEqual(["63", "9A"]);
  });

  test("a constructed object with something else inside stays whole", () => {
    expect(leavesOf([{ tag: "E4", value: Uint8Array.of(0x95, 0x05) }])).toEqual([
      { tag: "E4", value: Uint8Array.of(0x95, 0x05) },
    ]);
  });

  test("nesting ends at a fixed depth", () => {
    let nested: Uint8Array = fromHex("9C0100");
    for (let depth = 0; depth < 40; depth += 1) nested = encodeTemplate("E1", objectsOf(toHex(nested)));
    expect(leavesOf(objectsOf(toHex(nested))).map(({ tag }) => tag)).toEqual(["E1"]);
  });

  test("items are name and version; a second name and a missing version do no harm", () => {
    const answer = answerOf(vectors.bodies.resetExtended);
    const objects = answer.is === "template" ? answer.objects : [];
    expect(itemsOf(objects, "EF")).toEqual([
      { name: "M000-MPI", version: "1-60" },
      { name: "M000-OS", version: "8-3" },
    ]);
    expect(itemsOf(objects, "ED")).toEqual([{ name: "Extended APDU", version: "" }]);
    expect(itemsOf(objectsOf("EF0CDF0D0141DF0D0142"), "EF")).toEqual([]);
    expect(itemsOf(objectsOf("EF08DF0D0141DF0D0142"), "EF")).toEqual([{ name: "A", version: "" }]);
  });
});

test("no bytes make the parsers throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const answer = parseAnswer(encodeAnswer(bytes));
      if (answer.is === "template") expect(leavesOf(answer.objects).every(({ tag }) => tag.length > 0)).toBe(true);
      expect(["card", "status", "other"]).toContain(parseEvent(bytes).is);
    }),
  );
});
