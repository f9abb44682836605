import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createWitness,
  decodeSlot,
  encodeSlot,
  mendSlot,
  openWitness,
  readWitness,
} from "../../../src/journal/witness.ts";
import { freshFolder } from "./folder.ts";

const SLOT_BYTES = 4096;
const tips = fc.record({ number: fc.nat(), hash: fc.stringMatching(/^[0-9a-f]{64}$/) });
const tip = (number: number) => ({ number, hash: number.toString(16).padStart(64, "0") });

describe("a slot", () => {
  it("gives back what was written, whatever follows it", () => {
    fc.assert(
      fc.property(tips, fc.uint8Array(), (one, rest) => {
        expect(decodeSlot(Buffer.concat([encodeSlot(one), rest]))).toEqual(one);
      }),
    );
  });

  it("is not believed with any bit flipped", () => {
    fc.assert(
      fc.property(tips, fc.nat(), fc.nat(7), (one, where, bit) => {
        const bytes = Uint8Array.from(encodeSlot(one));
        const at = where % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expect(decodeSlot(bytes)).toBeUndefined();
      }),
    );
  });

  it("is mended where one bit of it is flipped, to what was written and nothing else", () => {
    fc.assert(
      fc.property(tips, fc.nat(), fc.nat(7), (one, where, bit) => {
        const bytes = Uint8Array.from(encodeSlot(one));
        const at = where % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expect(mendSlot(bytes)).toEqual(one);
      }),
    );
  });

  it("is not mended where two bits are flipped, where it is torn, or where it never was one", () => {
    const two = Uint8Array.from(encodeSlot(tip(7)));
    for (const at of [21, 60]) two[at] = (two[at] ?? 0) ^ 1;
    const torn = encodeSlot(tip(7)).subarray(0, 90);
    for (const bytes of [two, torn, new Uint8Array(4096), Buffer.from("posbridge-witness 1 7")])
      expect(mendSlot(bytes)).toBeUndefined();
  });

  it("is not believed when it is torn anywhere", () => {
    const bytes = encodeSlot(tip(123_456));
    for (let end = 0; end < bytes.length; end += 1) expect(decodeSlot(bytes.subarray(0, end))).toBeUndefined();
  });

  it("never takes garbage for a witness, and never throws", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodeSlot(bytes) === undefined));
  });
});

describe("the witness file", () => {
  const made = () => {
    const file = path.join(freshFolder(), "journal.witness");
    createWitness(file, tip(0));
    return file;
  };
  const spoil = (file: string, slot: 0 | 1) => {
    const handle = fs.openSync(file, "r+");
    fs.writeSync(handle, "garbage", slot * SLOT_BYTES + 20);
    fs.closeSync(handle);
  };

  it("is missing, made, and then sound; only its owner may read it", () => {
    const file = path.join(freshFolder(), "journal.witness");
    expect(readWitness(file)).toEqual({ is: "missing" });
    createWitness(file, tip(7));
    expect(readWitness(file)).toEqual({ is: "sound", tip: tip(7), slot: 0, torn: false });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["journal.witness"]);
  });

  it("says the last one written, and keeps the one before it in the other slot", () => {
    const file = made();
    const witness = openWitness(file, 0);
    for (let number = 1; number <= 5; number += 1) {
      witness.write(tip(number));
      const found = readWitness(file);
      expect(found).toMatchObject({ is: "sound", tip: tip(number) });
      expect(fs.statSync(file).size).toBe(2 * SLOT_BYTES);
      const copy = `${file}.copy`;
      fs.copyFileSync(file, copy);
      spoil(copy, found.is === "sound" ? found.slot : 0);
      expect(readWitness(copy)).toMatchObject({ is: "sound", tip: tip(number - 1), torn: true });
    }
    witness.close();
  });

  it("is damaged with both slots spoiled, with nothing in it and when cut to nothing", () => {
    const file = made();
    spoil(file, 0);
    expect(readWitness(file)).toMatchObject({ is: "sound", slot: 1 });
    spoil(file, 1);
    expect(readWitness(file)).toEqual({ is: "damaged" });
    fs.truncateSync(file, 0);
    expect(readWitness(file)).toEqual({ is: "damaged" });
  });

  it("goes on in the older slot after it was opened again", () => {
    const file = made();
    const first = openWitness(file, 0);
    first.write(tip(1));
    first.close();
    const found = readWitness(file);
    expect(found).toEqual({ is: "sound", tip: tip(1), slot: 1, torn: false });
    const second = openWitness(file, 1);
    second.write(tip(2));
    second.close();
    expect(readWitness(file)).toEqual({ is: "sound", tip: tip(2), slot: 0, torn: false });
    spoil(file, 0);
    expect(readWitness(file)).toEqual({ is: "sound", tip: tip(1), slot: 1, torn: true });
  });
});
