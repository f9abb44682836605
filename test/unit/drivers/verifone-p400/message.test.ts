import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  heardIn,
  insidesOf,
  isRestart,
  leavesOf,
  parseAnswer,
  parseEvent,
  parseObjects,
  printable,
  type Template,
} from "../../../../drivers/verifone-p400/message.ts";
import { statusText } from "../../../../drivers/verifone-p400/status-codes.ts";
import { encodeTemplate } from "../../../../drivers/vipa/message.ts";
import type { Tlv } from "../../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import {
  answerIn,
  CARD_IN,
  CARD_SILENT,
  CLOCK_ANSWER,
  NO_CARD,
  POWERED_ON,
  RED_KEY,
  SWIPE_FAILED,
  swipe,
  text,
  tlv,
} from "./bench.ts";
import { chain, recorded, vectors } from "./vectors.ts";

const bodyOf = (frame: string): Uint8Array => fromHex(frame.slice(6, -2));
const parsed = (hex: string): readonly Tlv[] => {
  const found = parseObjects(fromHex(hex));
  if (!found.ok) throw new Error(found.error);
  return found.objects;
};
const shown = (objects: readonly Tlv[]): readonly string[] => objects.map(({ tag, value }) => `${tag} ${toHex(value)}`);

describe("objects", () => {
  test("FF begins tags here: the recorded E2 has its sealed block and its token", () => {
    const answer = parseAnswer(bodyOf(recorded("E2 with card data")));
    expect(answer).toMatchObject({ is: "template", template: "E2" });
    const objects = answer.is === "template" ? answer.objects : [];
    expect(objects.map(({ tag }) => tag)).toEqual(
      "C1 FF7F 50 57 5A 5F24 5F25 5F28 5F30 5F34 9F06 9F07 9F08 9F09 FF7C".split(" "),
    );
    expect(insidesOf(objects, "FF7F").map(shown)).toEqual([
      [
        "DFDF12 ED02AA537757D99F",
        "DFDF11 FFFF98765432110010A4",
        "DFDF10 31846E94DC3183BA6DC45E2A6AC6DEF03F93434756A4D0261572B5C23519BFC0",
        "DFDB0F 00000000",
        "DFDB0E 00000D01",
      ],
    ]);
  });

  test.each(["UX300", "UX301"])("the recorded answer to RESET of a %s is a list, with empty values in it", (model) => {
    const answer = parseAnswer(fromHex(chain(model)));
    expect(answer.is).toBe("list");
    const objects = answer.is === "list" ? answer.objects : [];
    expect(objects.map(({ tag }) => tag).slice(0, 2)).toEqual(["9F1C", "DFA242"]);
    expect(insidesOf(objects, "EE")).toHaveLength(2);
    expect(shown(leavesOf(objects))).toContain("DF7F ");
  });

  test("00 between them is filler", () => {
    expect(shown(parsed("0000C10100FF7F0000"))).toEqual(["C1 00", "FF7F "]);
  });

  test("63 is an ATR, though its number says constructed; C6 and DFC030 hold objects, though theirs does not", () => {
    expect(
      shown(
        leavesOf(
          parsed(`${tlv("63", tlv("5A", "11"))}${tlv("C6", tlv("DFC601", "01"))}${tlv("DFC030", tlv("DFA501", "03"))}`),
        ),
      ),
    ).toEqual(["63 5A0111", "DFC601 01", "DFA501 03"]);
  });

  test("a constructed object whose inside is none, and one that is nested too deep, count as primitive", () => {
    expect(shown(leavesOf(parsed(tlv("E0", "5A"))))).toEqual(["E0 5A"]);
    const deep = Array.from({ length: 20 }).reduce<string>((inner) => tlv("E1", inner), tlv("5A", "11"));
    expect(leavesOf(parsed(deep))).toHaveLength(1);
  });

  test("what is put into a template comes out of it", () => {
    const object = fc.record({
      tag: fc.constantFrom("9F02", "DFDF10", "C4", "FF7F", "DFA204", "8A"),
      value: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 8 }),
        fc.constantFrom<Template>("E0", "E2", "E4", "6F"),
        (objects, template) => {
          const body = `${toHex(encodeTemplate(template, objects))}9000`;
          expect(parseAnswer(fromHex(body))).toEqual({ is: "template", template, objects });
        },
      ),
    );
  });
});

describe("answers", () => {
  test.each([
    ["9000", { is: "ok" }],
    ["9F24", { is: "refused", statusWord: "9F24" }],
    [`${tlv("DFDF30", "05")}9F22`, { is: "refused", statusWord: "9F22" }],
    ["019000", { is: "text" }],
    [CLOCK_ANSWER, { is: "text" }],
    ["90", { is: "refused" }],
    ["", { is: "refused", statusWord: "" }],
    [`${tlv("DFDE7E", "41")}${tlv("DFDE7F", "42")}9000`, { is: "list" }],
    [`${tlv("E0", "")}${tlv("E0", "")}9000`, { is: "list" }],
    [`${tlv("E4", "5A")}9000`, { is: "text" }],
    ["00009000", { is: "text" }],
  ])("%s", (hex, answer) => {
    expect(parseAnswer(fromHex(hex))).toMatchObject(answer);
  });

  test("the slot's state as an answer is an answer and an event", () => {
    expect(heardIn({ unsolicited: false, encrypted: false, body: fromHex(CARD_IN) })).toMatchObject([
      { is: "answer", answer: { is: "ok" } },
      { is: "event", event: { is: "card", slot: true, chip: true } },
    ]);
  });

  test("an encrypted message is nothing but that", () => {
    expect(heardIn({ unsolicited: true, encrypted: true, body: fromHex(CARD_IN) })).toEqual([{ is: "encrypted" }]);
  });
});

describe("events", () => {
  test.each([
    [NO_CARD, { is: "card", slot: false, chip: false, magstripe: false, tracks: false }],
    [CARD_IN, { is: "card", slot: true, chip: true, magstripe: false }],
    [CARD_SILENT, { is: "card", slot: true, chip: false }],
    [SWIPE_FAILED, { is: "card", slot: false, magstripe: true, tracks: false }],
    [swipe("101"), { is: "card", slot: false, magstripe: true, tracks: true }],
    [RED_KEY, { is: "key", code: "1B" }],
    [`${tlv("DFA205", "0D")}9000`, { is: "key", code: "0D" }],
    [POWERED_ON, { is: "status", code: "01" }],
    [answerIn("E6", tlv("C3", "0C") + tlv("C5", "03")), { is: "status", code: "0C", pinTries: 3 }],
    ["9F41", { is: "reader", word: { is: "word", statusWord: "9F41" } }],
    ["9000", { is: "reader", word: { is: "word", statusWord: "9000" } }],
    [`${tlv("DFDF30", "FB")}9000`, { is: "reader", word: { is: "left" } }],
    [`${tlv("DFDF30", "FB")}${tlv("50", "41")}9000`, { is: "other" }],
    [answerIn("E7", tlv("9F39", "91")), { is: "reader", word: { is: "template", template: "E7" } }],
    [answerIn("6F", tlv("84", "01")), { is: "reader", word: { is: "template", template: "6F" } }],
    [answerIn("E2", ""), { is: "other" }],
    [answerIn("E0", tlv("48", "00")), { is: "other" }],
    [answerIn("E0", tlv("48", "000000")), { is: "other" }],
    [answerIn("E6", tlv("C3", "0102")), { is: "other" }],
    [`${tlv("DFA205", "0D0D")}9000`, { is: "other" }],
    ["019000", { is: "other" }],
  ])("%s", (hex, event) => {
    expect(parseEvent(fromHex(hex))).toMatchObject(event);
  });

  test("a restart is E6 with code 01, and nothing else", () => {
    expect(isRestart(parseEvent(fromHex(POWERED_ON)))).toBe(true);
    for (const hex of [NO_CARD, "9000", answerIn("E6", tlv("C3", "0C"))])
      expect(isRestart(parseEvent(fromHex(hex)))).toBe(false);
  });

  test("any bytes are some answer and some event, and never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (body, unsolicited) => {
        expect(heardIn({ unsolicited, encrypted: false, body }).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test("a recorded frame with any of its bytes changed is, too", () => {
    const bodies = vectors.recorded.map(({ hex }) => bodyOf(hex));
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(), fc.nat({ max: 255 }), (body, at, byte) => {
        const changed = body.with(at % body.length, byte);
        expect(parseAnswer(changed)).toHaveProperty("is");
        expect(parseEvent(changed)).toHaveProperty("is");
        const objects = parseObjects(changed.slice(0, -2));
        if (objects.ok) leavesOf(objects.objects);
      }),
      { numRuns: 500 },
    );
  });
});

test("text of a device is short and printable", () => {
  expect(printable(fromHex(`${text("a")}00FF${text("b")}`))).toBe("a??b");
  expect(printable(new Uint8Array(1000).fill(65))).toHaveLength(64);
});

test("a status word says what it means", () => {
  expect(statusText("9F24")).toBe("9F24 (command out of order)");
  expect(statusText("1234")).toBe("1234 (not documented)");
  expect(statusText("constructor")).toBe("constructor (not documented)");
});
