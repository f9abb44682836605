import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Attributed,
  encodeAttributed,
  leavesOf,
  parseAttributed,
  plain,
} from "../../../../drivers/idtech-vp3300/attributed.ts";
import { outcomeIn } from "../../../../drivers/idtech-vp3300/message.ts";
import { encodeMsrRecord, parseMsrRecord } from "../../../../drivers/idtech-vp3300/msr-record.ts";
import { leakIn, maskedIn, sealedIn } from "../../../../drivers/idtech-vp3300/sealed.ts";
import { tdesKey } from "../../../../packages/sandbox/testbed/des.ts";
import { hostKey, initialKey } from "../../../../packages/sandbox/testbed/dukpt.ts";
import { fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { frameHex, vectors } from "./vectors.ts";

const BDK = fromHex(vectors.demo.BDK);
const clearOf = (data: string, ksn: string): string =>
  toHex(tdesKey(hostKey(BDK, fromHex(ksn), "data-request")).cbcDecrypt(fromHex(data)));
const dataOf = (frame: string): Uint8Array => fromHex(frameHex(frame).slice(28, -4));
const one = (tag: string, hex: string, form: Attributed["form"] = "plain"): Attributed => ({
  tag,
  value: fromHex(hex),
  form,
});
const KSN = one("DFEE12", vectors.demo.KSN);
const MASKED = one("57", "4761CCCCCCCC0010D2212201CCCCCCCCCC", "masked");
const SEALED = one("57", vectors.demo.enc57, "encrypted");

describe("ciphertext", () => {
  test.each(vectors.sealed)("$data is the whole object under the data key ($source)", ({ ksn, data, clear }) => {
    expect(clearOf(data, ksn)).toBe(clear);
  });

  test("the made frames use the same key", () => {
    expect(toHex(initialKey(BDK, fromHex(vectors.demo.KSN)))).toBe(vectors.demo.IPEK);
    expect(clearOf(vectors.demo.enc57, vectors.demo.KSN)).toMatch(/^5711476173900101/);
  });
});

describe("objects", () => {
  test("a length says whether its value is masked or encrypted", () => {
    const outcome = outcomeIn(dataOf("c6011_go_online"));
    expect(outcome).toMatchObject({ captured: "chip", result: "0004" });
    const forms = outcome?.leaves
      .filter(({ tag }) => tag === "57" || tag === "5A")
      .map(({ tag, form, value }) => [tag, form, value.length]);
    expect(forms).toEqual([
      ["57", "masked", 17],
      ["57", "encrypted", 24],
      ["5A", "masked", 8],
      ["5A", "encrypted", 16],
    ]);
  });

  test("what is passed on is the encrypted track 2 with its key serial number, and the first and last four digits of the number", () => {
    const leaves = outcomeIn(dataOf("c6011_go_online"))?.leaves ?? [];
    const sealed = sealedIn(leaves);
    expect([sealed?.data.reveal(), sealed?.ksn]).toEqual([vectors.demo.enc57, vectors.demo.KSN]);
    expect(maskedIn(leaves)).toEqual({ beginning: "4761", last4: "0010" });
    expect(leakIn(leaves)).toBeUndefined();
  });

  test("tags that begin with FF are tags, and those that hold others are opened", () => {
    const nested: readonly Attributed[] = [
      one("DF8129", "30F0F000B0F0FF00"),
      { tag: "FF8105", value: encodeAttributed([one("9F2701".slice(0, 4), "80"), SEALED]), form: "plain" },
    ];
    const leaves = leavesOf(parseAttributed(encodeAttributed([...nested, one("FFEE12", vectors.demo.KSN)])) ?? []);
    expect(leaves.map(({ tag }) => tag)).toEqual(["DF8129", "9F27", "57", "FFEE12"]);
    expect(sealedIn(leaves)?.ksn).toBe(vectors.demo.KSN);
  });

  test.each([
    ["zeros between objects are filler", "00009C010000009F270180", ["9C", "9F27"]],
    ["a long length without bytes", "5780", undefined],
    ["a length of five bytes", "578500000000011111", undefined],
    ["a length that is cut off", "5782", undefined],
  ])("%s", (_what, hex, tags) => {
    expect(parseAttributed(fromHex(hex))?.map(({ tag }) => tag)).toEqual(tags);
  });

  test("a hidden value that no device sends is not made", () => {
    const long = { tag: "57", value: new Uint8Array(0x100) };
    expect(() => encodeAttributed([{ ...long, form: "masked" }])).toThrow(RangeError);
    expect(encodeAttributed([{ ...long, form: "plain" }])).toHaveLength(0x104);
  });

  test("whatever is encoded is read back", () => {
    const tag = fc.constantFrom("57", "5A", "9F26", "DFEE25", "FFEE12", "DF8129", "84");
    const form = fc.constantFrom("plain" as const, "masked" as const, "encrypted" as const);
    fc.assert(
      fc.property(fc.array(fc.record({ tag, form, value: fc.uint8Array({ maxLength: 200 }) })), (objects) => {
        expect(parseAttributed(encodeAttributed(objects))).toEqual(objects);
      }),
    );
  });

  test("no bytes make the readers throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const leaves = outcomeIn(bytes)?.leaves ?? [];
        for (const look of [leakIn, sealedIn, maskedIn]) look(leaves);
        parseMsrRecord(bytes);
      }),
    );
  });
});

describe("card data in clear", () => {
  const CLEAR = one("57", "4761739001010119D22122011143804400000F");
  test.each<[string, readonly Attributed[], string]>([
    ["a clear track 2", [KSN, CLEAR], "57"],
    ["a clear track 2 behind a masked one", [KSN, MASKED, CLEAR], "57"],
    ["a clear number beside an encrypted one", [KSN, SEALED, one("5A", "4761739001010119")], "5A"],
    ["a masked object that is not masked", [KSN, { ...CLEAR, form: "masked" }, SEALED], "57"],
    ["two clear ones", [CLEAR, CLEAR], "57"],
    ["a track as text", [{ tag: "DFEF18", value: fromAscii(";4761739001010119=2212201?"), form: "plain" }], "DFEF18"],
    [
      "a clear number inside a record of the kernel",
      [{ tag: "FF8105", value: encodeAttributed([CLEAR]), form: "plain" }],
      "57",
    ],
    ["a PIN block without its own key", [one("99", "1122334455667788")], "99"],
  ])("%s is named", (_what, objects, tag) => {
    expect(leakIn(leavesOf(objects))).toBe(`the device sent card data in clear: ${tag}`);
  });

  test.each<[string, readonly Attributed[]]>([
    ["masked and encrypted", [KSN, MASKED, SEALED]],
    [
      "ciphertext that looks like a number",
      [KSN, MASKED, one("57", "476173900101011911223344556677889900112233445566", "encrypted")],
    ],
    [
      "older firmware that marks neither",
      [one("FFEE12", vectors.demo.KSN), { ...MASKED, form: "plain" }, { ...SEALED, form: "plain" }],
    ],
    ["a PIN block with its own key", [one("99", "1122334455667788"), one("DFEE51", vectors.demo.KSN)]],
    ["empty objects", [one("57", ""), one("5A", ""), one("9F20", "")]],
  ])("%s is none", (_what, objects) => {
    expect(leakIn(objects)).toBeUndefined();
  });

  test("older firmware that marks neither is read by its order", () => {
    const sealed = sealedIn([
      one("FFEE12", vectors.demo.KSN),
      { ...MASKED, form: "plain" },
      { ...SEALED, form: "plain" },
    ]);
    expect(sealed?.data.reveal()).toBe(vectors.demo.enc57);
  });

  test.each<[string, readonly Attributed[]]>([
    ["no key serial number", [MASKED, SEALED]],
    ["one of another length", [one("DFEE12", "1122"), SEALED]],
    ["ciphertext that is not whole blocks", [KSN, one("57", "112233", "encrypted")]],
    ["nothing encrypted", [KSN, MASKED]],
  ])("%s: nothing is passed on", (_what, objects) => {
    expect(sealedIn(objects)).toBeUndefined();
  });
});

describe("a stripe's record", () => {
  const record = fromHex(vectors.stripe.hex);

  test("is read: two tracks, hidden and encrypted, and the key serial number", () => {
    const read = parseMsrRecord(record);
    expect(read?.masked[1]).toMatch(/^;4761\*{8}0010=\*+\?\*$/);
    expect(toHex(read?.ksn ?? new Uint8Array(0))).toBe(vectors.demo.KSN);
    const [track1, track2] = (read?.encrypted ?? []).map((track) => fromHex(clearOf(toHex(track), vectors.demo.KSN)));
    expect(new TextDecoder().decode(track1)).toMatch(/^%B4761739001010010\^/);
    expect(new TextDecoder().decode(track2)).toMatch(/^;4761739001010010=2212201/);
  });

  test("is made again from its parts", () => {
    const read = parseMsrRecord(record);
    if (read?.serial === undefined || read.ksn === undefined) throw new Error("no record");
    expect(
      toHex(encodeMsrRecord({ ...read, masked: [read.masked[0], read.masked[1]], serial: read.serial, ksn: read.ksn })),
    ).toBe(vectors.stripe.hex);
  });

  test("gives track 2 to the issuer, and its first and last four digits to people", () => {
    const leaves: readonly Attributed[] = [{ tag: "DFEE23", value: record, form: "plain" }];
    expect(sealedIn(leaves)?.data.reveal()).toBe(toHex(parseMsrRecord(record)?.encrypted[1] ?? new Uint8Array(0)));
    expect(maskedIn(leaves)).toEqual({ beginning: "4761", last4: "0010" });
    expect(plain(leaves, "DFEE23")).toBe(record);
  });

  test("is none with a byte more or less in it, although its checks are right", () => {
    const body = [...record.subarray(3, -3)];
    const framed = (bytes: readonly number[]): Uint8Array =>
      Uint8Array.of(
        ...[0x02, bytes.length & 0xff, bytes.length >> 8, ...bytes],
        ...[bytes.reduce((all, byte) => all ^ byte, 0), bytes.reduce((all, byte) => all + byte, 0) & 0xff, 0x03],
      );
    expect(parseMsrRecord(framed(body))).toBeDefined();
    expect(parseMsrRecord(framed([...body, 0]))).toBeUndefined();
    expect(parseMsrRecord(framed(body.slice(0, -1)))).toBeUndefined();
  });

  test("is made with a serial number and a key serial number of ten bytes alone", () => {
    const parts = { masked: ["", ""], encrypted: [new Uint8Array(0), new Uint8Array(0)] } as const;
    const ten = new Uint8Array(10);
    expect(() => encodeMsrRecord({ ...parts, serial: ten, ksn: new Uint8Array(12) })).toThrow(RangeError);
    expect(() => encodeMsrRecord({ ...parts, serial: new Uint8Array(8), ksn: ten })).toThrow(RangeError);
  });

  test("is none with any bit turned in its frame or checks, or cut short", () => {
    for (let size = 0; size < record.length; size += 1)
      expect(parseMsrRecord(record.subarray(0, size))).toBeUndefined();
    for (const at of [0, 1, 2, 40, record.length - 3, record.length - 2, record.length - 1]) {
      expect(parseMsrRecord(record.with(at, (record[at] ?? 0) ^ 0x01))).toBeUndefined();
    }
  });
});
