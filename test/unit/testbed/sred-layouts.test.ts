import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { tdesKey } from "../../../src/testbed/des.ts";
import { openSred, type SredLayout, sealSred, sredLayoutOf } from "../../../src/testbed/sred-layouts.ts";
import { vector } from "./vectors.ts";

function miura(): SredLayout {
  const layout = sredLayoutOf("MIURA_M020");
  if (layout === undefined) throw new Error("no layout");
  return layout;
}

const card: readonly Tlv[] = [
  { tag: "50", value: fromHex("56495341") },
  { tag: "57", value: fromHex("4761340000000050D171220112523451") },
  { tag: "5A", value: fromHex("4761340000000050") },
];

test("one track under the data key of the published KSN has the published cipher text", () => {
  const row = vector("dukpt.tdes.e00001");
  const sealed = sealSred(
    miura(),
    row.output("dataRequestKey"),
    card.filter(({ tag }) => tag === "57"),
  );
  expect(toHex(sealed)).toBe(row.outputText("tlvUnderDataRequest"));
  expect(openSred(row.output("dataRequestKey"), sealed)).toEqual({ ok: true, card: { pan: "4761340000000050", expiry: "1712" } });
});

test("only what the layout names goes into the cipher, in the layout's order", () => {
  const key = fromHex("448D3F076D8304036A55A3D7E0055A78");
  const plain = parseTlv(tdesKey(key).cbcDecrypt(sealSred(miura(), key, card)));
  expect(plain.ok && plain.objects.map(({ tag }) => tag)).toEqual(["5A", "57"]);
});

test("a card without a track is opened by its number, without the filler digit of an odd length", () => {
  const key = fromHex("448D3F076D8304036A55A3D7E0055A78");
  const odd = sealSred(miura(), key, [{ tag: "5A", value: fromHex("374245001741007F") }]);
  expect(openSred(key, odd)).toEqual({ ok: true, card: { pan: "374245001741007" } });
});

test("a wrong key never opens to a card and never throws, and odd lengths are refused", () => {
  const sealed = sealSred(miura(), fromHex("448D3F076D8304036A55A3D7E0055A78"), card);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (key) => {
      expect(openSred(key, sealed).ok).toBe(false);
    }),
    { numRuns: 200 },
  );
  expect(openSred(new Uint8Array(16), sealed.subarray(0, 12))).toEqual({ ok: false, error: "SRED data of 12 bytes is not whole blocks" });
  expect(openSred(new Uint8Array(16), new Uint8Array(0)).ok).toBe(false);
});

test("the layout of the Miura says that no public source confirms it, and an unknown device has none", () => {
  expect(miura()).toMatchObject({ confirmed: false, use: "data-request" });
  expect(sredLayoutOf("PAX_A920")).toBeUndefined();
});
