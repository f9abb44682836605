import { describe, expect, test } from "vitest";
import type { CardData } from "../../../src/card/card-data.ts";
import type { Tlv } from "../../../src/emv/tlv.ts";
import { cardReadOf, finalChipDataOf, finalIccOf } from "../../../src/engine/terminal/card-reading.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { Secret } from "../../../src/kit/secret.ts";

const object = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });
const CRYPTOGRAM = [object("9F26", "1122334455667788"), object("9F27", "80"), object("9F36", "0001")];
const PIN = { data: new Secret("1B9C1845EB993A7A"), ksn: "FFFF9876543210E00001" };

function cardOf(via: CardData["interface"], icc: readonly Tlv[], more: Partial<CardData> = {}): CardData {
  return { interface: via, decision: "online", icc: [...CRYPTOGRAM, ...icc], masked: { last4: "0010" }, ...more };
}

describe("a verification by the holder's own device (9F34 01)", () => {
  const BY_DEVICE = [object("9F34", "010002")];

  test("is known by the way the card was presented, whether or not the terminal tells an entry mode (9F39)", () => {
    for (const icc of [BY_DEVICE, [...BY_DEVICE, object("9F39", "07")]]) {
      expect(cardReadOf(cardOf("contactless-chip", icc)).chip.cvm).toBe("device");
      expect(cardReadOf(cardOf("chip", icc)).chip.cvm).toBe("offline-pin");
    }
  });

  test("also with the card's last word", () => {
    expect(finalChipDataOf(BY_DEVICE, cardReadOf(cardOf("contactless-chip", []))).cvm).toBe("device");
    expect(finalChipDataOf(BY_DEVICE, cardReadOf(cardOf("chip", []))).cvm).toBe("offline-pin");
  });
});

describe("a stripe that was asked for in place of a chip", () => {
  const ask = { again: "fallback", interfaces: ["stripe"] } as const;
  const swiped = (more: Partial<CardData>): CardData => ({ ...cardOf("magstripe", [], more), icc: [] });

  test.each([
    [{ hasChip: true }, "MAGSTRIPE_AS_FALLBACK"],
    [{}, "MAGSTRIPE_AS_FALLBACK"],
    [{ hasChip: false }, "MAGSTRIPE"],
  ])("of a card of which is known %j is sent as %s", (known, entryMode) => {
    expect(cardReadOf(swiped(known), { ...ask, interfaces: [...ask.interfaces] }).entryMode).toBe(entryMode);
    expect(cardReadOf(swiped(known)).entryMode).toBe("MAGSTRIPE");
  });
});

test("a tap in stripe mode has no field 55, though its terminal tells objects; what they say for a receipt stays", () => {
  const objects = [
    object("84", "A0000000031010"),
    object("9F34", "5E0300"),
    object("9F02", "000000001234"),
    object("5F2A", "0978"),
  ];
  const tapped = { ...cardOf("contactless-magstripe", []), icc: objects };
  expect(cardReadOf(tapped)).toMatchObject({
    entryMode: "NFC_MAGSTRIPE",
    icc: "",
    chip: { aid: "A0000000031010", cvm: "signature" },
  });
  expect(cardReadOf({ ...tapped, interface: "contactless-chip" }).icc).toContain("9F0206000000001234");
  expect(finalChipDataOf([object("9F34", "420300")], cardReadOf(tapped)).cvm).toBeUndefined();
});

describe("an online PIN that the card asked for", () => {
  const ASKED: readonly (readonly [string, Tlv])[] = [
    ["9F34", object("9F34", "420300")],
    ["9F6C", object("9F6C", "8000")],
    ["95", object("95", "0000048000")],
  ];

  test.each(ASKED)("by %s is told only where one came along", (_tag, asks) => {
    expect(cardReadOf(cardOf("contactless-chip", [asks]))).toMatchObject({
      pinEntered: false,
      chip: { cryptogramType: "ARQC" },
    });
    expect(cardReadOf(cardOf("contactless-chip", [asks])).chip.cvm).toBeUndefined();
    expect(cardReadOf(cardOf("contactless-chip", [asks], { pin: PIN }))).toMatchObject({
      pinEntered: true,
      chip: { cvm: "online-pin" },
    });
  });

  test("is told with the last word of a card that came with one, or of a device that seals its PIN with the card", () => {
    const word = [object("9F34", "420300")];
    const [withPin, without] = [cardReadOf(cardOf("chip", [], { pin: PIN })), cardReadOf(cardOf("chip", []))];
    const sealed = cardReadOf({ ...cardOf("chip", []), icc: [] });
    expect([withPin, without, sealed, undefined].map((card) => finalChipDataOf(word, card).cvm)).toEqual([
      "online-pin",
      undefined,
      "online-pin",
      undefined,
    ]);
    expect(finalChipDataOf([object("9F34", "5E0300")], without).cvm).toBe("signature");
  });
});

describe("a PIN that was typed for a stripe", () => {
  const swiped = (more: Partial<CardData>): CardData => ({ ...cardOf("magstripe", [], more), icc: [] });

  test("is how its holder was verified, although no object says so", () => {
    const card = cardReadOf(swiped({ pin: PIN }));
    expect([card.pinEntered, card.chip]).toEqual([true, { cvm: "online-pin" }]);
    expect(finalChipDataOf([], card)).toEqual({});
    expect(cardReadOf(swiped({})).chip).toEqual({});
  });

  test("says nothing of a chip, whose own objects do", () => {
    const [told, untold] = [cardOf("chip", [object("9F34", "5E0300")], { pin: PIN }), cardOf("chip", [], { pin: PIN })];
    expect([told, untold].map((card) => cardReadOf(card).chip.cvm)).toEqual(["signature", undefined]);
  });
});

describe("the card's data for its captures", () => {
  const FIRST = [
    object("82", "1C00"),
    object("95", "8000048000"),
    object("9F10", "06010A03A00000"),
    object("9F02", "000000001234"),
  ];
  const TC = [
    object("9F26", "F618E3A3DCD4A9BF"),
    object("9F27", "40"),
    object("9F10", "06010A03600400"),
    object("95", "0000048000"),
  ];
  const inserted = cardReadOf(cardOf("chip", FIRST));

  test("are those of its authorization with the TC, its application data and results in place of the ARQC's", () => {
    const icc = finalIccOf(TC, inserted) ?? "";
    for (const part of [
      "9F2608F618E3A3DCD4A9BF",
      "9F270140",
      "9F100706010A03600400",
      "95050000048000",
      "82021C00",
      "9F0206000000001234",
      "9F36020001",
    ])
      expect(icc).toContain(part);
    expect(icc).not.toContain("1122334455667788");
    expect(icc.length).toBe(inserted.icc.length);
  });

  test("are not told where its last word is no TC, or half of one", () => {
    expect(finalIccOf([], inserted)).toBeUndefined();
    expect(
      finalIccOf(
        [object("9F26", "F618E3A3DCD4A9BF"), object("9F27", "00"), object("9F10", "06010A03250000")],
        inserted,
      ),
    ).toBeUndefined();
    expect(finalIccOf(TC.slice(0, 2), inserted)).toBeUndefined();
    expect(finalIccOf(TC.slice(1), inserted)).toBeUndefined();
    // Longer than its tag may be: nobody knows what it is.
    expect(finalIccOf([...TC.slice(0, 2), object("9F10", "00".repeat(40))], inserted)).toBeUndefined();
  });

  test("hold nothing that is sensitive", () => {
    expect(
      finalIccOf([...TC, object("5A", "4761739001010010"), object("57", "4761739001010010D1512201")], inserted),
    ).toBe(finalIccOf(TC, inserted));
  });

  test("are told of a contact chip alone, whose data the gateway had in clear", () => {
    expect(finalIccOf(TC, cardReadOf(cardOf("contactless-chip", FIRST)))).toBeUndefined();
    expect(finalIccOf(TC, cardReadOf({ ...cardOf("chip", []), icc: [] }))).toBeUndefined();
    expect(finalIccOf(TC, undefined)).toBeUndefined();
  });

  test("have no application data where the card has none", () => {
    const without = cardReadOf(
      cardOf(
        "chip",
        FIRST.filter(({ tag }) => tag !== "9F10"),
      ),
    );
    expect(
      finalIccOf(
        TC.filter(({ tag }) => tag !== "9F10"),
        without,
      ),
    ).toContain("9F270140");
  });
});
