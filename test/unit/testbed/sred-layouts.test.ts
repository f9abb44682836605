import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { magstripeData, packedTrack2, tappedMagstripeData } from "../../../packages/sandbox/testbed/card-tracks.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { tdesKey, zeroPad } from "../../../packages/sandbox/testbed/des.ts";
import {
  knownSredLayout as layoutOf,
  type SredLayout,
  sealSred,
  sealsChipData,
  sredDeviceTypes,
  sredLayoutOf,
  typedData,
} from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { openSred } from "../../../packages/sandbox/testbed/sred-opening.ts";
import { encodeTlv, encodeTlvs, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { ascii, concat } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vector } from "./vectors.ts";

const MIURA = layoutOf("MIURA_M020");
const KEY = fromHex("448D3F076D8304036A55A3D7E0055A78");
const layouts = sredDeviceTypes.map(layoutOf);

const card: readonly Tlv[] = [
  { tag: "50", value: fromHex("56495341") },
  { tag: "57", value: fromHex("4761340000000050D171220112523451") },
  { tag: "5A", value: fromHex("4761340000000050") },
];

const plainOf = (layout: SredLayout, objects: readonly Tlv[]): Uint8Array =>
  tdesKey(KEY).cbcDecrypt(sealSred(layout, KEY, objects));

function profile(name: string) {
  const found = cardNamed(name);
  if (found === undefined) throw new Error(`no card ${name}`);
  return found;
}

describe("the Miura's layout", () => {
  test("under the data key of the published KSN gives the published cipher text of one track", () => {
    const row = vector("dukpt.tdes.e00001");
    const sealed = sealSred(
      MIURA,
      row.output("dataRequestKey"),
      card.filter(({ tag }) => tag === "57"),
    );
    expect(toHex(sealed)).toBe(row.outputText("tlvUnderDataRequest"));
    expect(openSred(MIURA, row.output("dataRequestKey"), sealed)).toEqual({
      ok: true,
      card: { pan: "4761340000000050", expiry: "1712" },
    });
  });

  test("puts into the cipher only what it names, in its order", () => {
    const plain = parseTlv(plainOf(MIURA, card));
    expect(plain.ok && plain.objects.map(({ tag }) => tag)).toEqual(["5A", "57"]);
  });

  test("without a track is opened by its number, without the filler digit of an odd length", () => {
    const odd = sealSred(MIURA, KEY, [{ tag: "5A", value: fromHex("374245001741007F") }]);
    expect(openSred(MIURA, KEY, odd)).toEqual({ ok: true, card: { pan: "374245001741007" } });
  });

  test("says that no public source confirms it; an unknown device has none", () => {
    expect(MIURA).toMatchObject({ confirmed: false, use: "data-request" });
    expect(sredLayoutOf("PAX_A920")).toBeUndefined();
    expect(() => layoutOf("PAX_A920")).toThrow(RangeError);
  });
});

describe.each(layouts.map((layout) => [layout.deviceType, layout] as const))("%s", (_deviceType, layout) => {
  const { pan, ...rest } = profile("fallback");
  const chip: readonly Tlv[] = [
    { tag: "57", value: packedTrack2({ ...rest, pan }) },
    { tag: "5A", value: fromHex(pan) },
    { tag: "9F26", value: new Uint8Array(8).fill(7) },
  ];

  test("gives back the number of a chip, a tap, a stripe and what was typed", () => {
    const typed = typedData(layout, pan, "1231");
    // Where tracks are sealed once more, a device does that before (below).
    const swiped =
      layout.form.is === "whole" && layout.form.tags.includes("F4") ? [] : [magstripeData({ ...rest, pan })];
    for (const objects of [
      chip,
      tappedMagstripeData({ ...rest, pan }),
      ...swiped,
      ...(typed === undefined ? [] : [typed]),
    ]) {
      expect(openSred(layout, KEY, sealSred(layout, KEY, objects))).toMatchObject({ ok: true, card: { pan } });
    }
  });

  test("never throws and never opens to a card under a wrong key, from hostile bytes, or from a part of it", () => {
    const sealed = sealSred(layout, KEY, chip);
    const key = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 96 }), (wrong, noise) => {
        expect(openSred(layout, wrong, sealed).ok).toBe(false);
        expect(openSred(layout, wrong, noise).ok).toBe(false);
        // Hostile bytes that were encrypted rightly are read as whatever they are.
        openSred(layout, KEY, tdesKey(KEY).cbcEncrypt(zeroPad(noise)));
      }),
      { numRuns: 100 },
    );
    expect(openSred(layout, KEY, sealed.subarray(0, 12))).toEqual({
      ok: false,
      error: "SRED data of 12 bytes is not whole blocks",
    });
    expect(openSred(layout, KEY, new Uint8Array(0)).ok).toBe(false);
  });
});

describe("forms", () => {
  test("of the first object has that alone, as it is named", () => {
    const { pan, ...rest } = profile("magstripe");
    const layout = layoutOf("IDTECH_VP3300");
    expect(toHex(plainOf(layout, card)).replace(/(00)+$/, "")).toBe("57104761340000000050D171220112523451");
    expect(ascii(plainOf(layout, magstripeData({ ...rest, pan }))).startsWith(`;${pan}=3112`)).toBe(true);
    expect(ascii(plainOf(layout, tappedMagstripeData({ ...rest, pan }))).startsWith(`;${pan}=3112`)).toBe(true);
    expect(plainOf(layout, [])).toHaveLength(0);
  });

  test("of tracks has both of a stripe with the separator between, and track 2 alone of a chip", () => {
    const { pan, ...rest } = profile("magstripe");
    const layout = layoutOf("INGENICO_IPP350");
    expect(ascii(plainOf(layout, magstripeData({ ...rest, pan })))).toMatch(
      new RegExp(`^%B${pan}\\^[^|]*\\?\\|;${pan}=3112[0-9]*\\?\\0*$`),
    );
    expect(ascii(plainOf(layout, card)).startsWith(";4761340000000050=1712")).toBe(true);
    expect(ascii(plainOf(layout, typedData(layout, pan, "1231") ?? []))).toMatch(new RegExp(`^;${pan}=3112\\?`));
  });

  test("of everything holds chip data and PIN, and gives them back", () => {
    const layout = layoutOf("MAGTEK_DYNAFLEX");
    const pin = { data: fromHex("950A4B38E1A9B36F"), ksn: fromHex("FFFF9876543210E00001") };
    const objects = [
      ...card,
      { tag: "9F26", value: fromHex("1122334455667788") },
      { tag: "9F36", value: fromHex("0001") },
    ];
    const sealed = sealSred(layout, KEY, objects, pin);
    const plain = toHex(tdesKey(KEY).cbcDecrypt(sealed));
    expect(plain.startsWith("FC")).toBe(true);
    // F5 as a published PIN notification of the maker's own has it.
    expect(plain).toContain("F521DF7101009908950A4B38E1A9B36FDFDF410AFFFF9876543210E00001DFDF420181");
    const opened = openSred(layout, KEY, sealed);
    expect(opened).toMatchObject({ ok: true, card: { pan: "4761340000000050", expiry: "1712" }, pin });
    expect(opened.ok && opened.icc).toBe("5004564953419F260811223344556677889F36020001");
    const swiped = openSred(layout, KEY, sealSred(layout, KEY, magstripeData(profile("magstripe"))));
    expect(swiped.ok && [swiped.icc, swiped.pin]).toEqual([undefined, undefined]);
  });

  test("of everything opens an answer that was made from the maker's manual", () => {
    const cipher =
      "62C7A8309BAC81BC75F23753B3F86BD9BB0C0505F424FF72419DE80C8D52465B9B9500062794EB3F656509AEB56DF1DC3B2997A10B8B2B7FC4AF4FAF4B132D13" +
      "B658D721211051C6013C59BBCEB0AB1F7CF2E06EE35D1E6E102C071FC0EE7A62D547E23D18100EB3FBA62A9A6816E0EE41A68627BA75840B93698735CD8749EB" +
      "372EB35BA57D1024C399CFBA0B75F4616B72E07010D5BD15191F20FD547A5BDA5E680D4318C5994E8D456F7FD3C80F348AF1E9D46A719302A3AA078B9FA8A407";
    const opened = openSred(layoutOf("MAGTEK_DYNAFLEX"), fromHex("A041DACA75BBA4D00A1B8989F7E21627"), fromHex(cipher));
    expect(opened).toMatchObject({ ok: true, card: { pan: "4761739001010010", expiry: "2212" } });
    expect(opened.ok && opened.icc?.startsWith("4F07A0000000031010500B56495341204352454449548202390084")).toBe(true);
  });

  test("of everything opens a stripe's tracks that are sealed once more, with the key that belongs to them and no other", () => {
    const layout = layoutOf("MAGTEK_EDYNAMO");
    const { pan } = profile("magstripe");
    const ksn = fromHex("FFFF9876543210E00001");
    const secret = tdesKey(fromHex("042666B49184CF5C68DE9628D0397B36"));
    const [first, second] = magstripeData(profile("magstripe")).map(({ value }) => secret.cbcEncrypt(zeroPad(value)));
    const tracks = [
      { tag: "DFDF37", value: first ?? new Uint8Array(0) },
      { tag: "DFDF39", value: second ?? new Uint8Array(0) },
      { tag: "DFDF50", value: ksn },
    ];
    const sealed = sealSred(layout, KEY, [{ tag: "F4", value: encodeTlvs(tracks) }]);
    const opened = openSred(layout, KEY, sealed, (inner) =>
      toHex(inner) === toHex(ksn) ? fromHex("042666B49184CF5C68DE9628D0397B36") : undefined,
    );
    expect(opened).toMatchObject({ ok: true, card: { pan, expiry: "3112" } });
    expect(openSred(layout, KEY, sealed)).toMatchObject({ ok: false });
    expect(openSred(layout, KEY, sealed, () => KEY)).toMatchObject({ ok: false });
  });

  test("of everything that is not one whole object is refused", () => {
    const layout = layoutOf("MAGTEK_DYNAFLEX");
    const inner = encodeTlvs(card);
    const open = (plain: Uint8Array) => openSred(layout, KEY, tdesKey(KEY).cbcEncrypt(zeroPad(plain))).ok;
    expect(open(encodeTlv("FC", inner))).toBe(true);
    for (const plain of [
      inner,
      encodeTlv("FA", inner),
      concat(encodeTlv("FC", inner), encodeTlv("50", inner)),
      encodeTlv("FC", inner).subarray(0, 20),
    ]) {
      expect(open(plain)).toBe(false);
    }
  });
});

test("every layout says how sure it is, and which of them seal the chip data", () => {
  expect(sredDeviceTypes).toEqual([
    "IDTECH_VP3300",
    "INGENICO_IPP350",
    "MAGTEK_DYNAFLEX",
    "MAGTEK_EDYNAMO",
    "MIURA_M020",
    "PAX_D180",
    "VERIFONE_P400",
  ]);
  expect(layouts.filter(({ confirmed }) => confirmed).map(({ deviceType }) => deviceType)).toEqual(["VERIFONE_P400"]);
  expect(sredDeviceTypes.filter(sealsChipData)).toEqual(["MAGTEK_DYNAFLEX", "MAGTEK_EDYNAMO"]);
  expect(sealsChipData(undefined)).toBe(false);
});
