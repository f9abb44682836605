import { describe, expect, test } from "vitest";
import {
  leakIn,
  leakInTracks,
  maskedIn,
  maskedInTracks,
  pinIn,
  pinOfText,
  sealedIn,
  sealedInTracks,
} from "../../../../drivers/ingenico-ipp350/sealed.ts";
import type { Tlv } from "../../../../src/emv/tlv.ts";
import { fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { CIPHER, KSN, PIN } from "./bench.ts";
import { vectors } from "./vectors.ts";

const hex = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });
const text = (tag: string, value: string): Tlv => ({ tag, value: fromAscii(value) });
const tracks = (first: string, second = "", third = "") => ({ tracks: [first, second, third] as const });

describe("sealed tracks", () => {
  test.each([
    `1:4:${CIPHER}:${KSN}`,
    `x:2:${CIPHER}:${KSN}`,
    `${CIPHER}:${KSN}`,
    ` 1:3:${CIPHER.toLowerCase()}:${KSN} `,
    `1:2:${CIPHER}:${KSN}0000`,
  ])("%j is a record", (record) => {
    expect(sealedInTracks(tracks("", "", record))?.data.reveal()).toBe(CIPHER);
    expect(sealedIn([text("FF1F", record)])?.ksn).toMatch(new RegExp(`^${KSN}`));
  });

  test.each([
    "",
    CIPHER,
    `1:4:${CIPHER}`,
    `1:4:0011:${KSN}`,
    `1:4:${CIPHER}:${KSN}00`,
    `a:b:c:1:4:${CIPHER}:${KSN}`,
    `1:4:${CIPHER}XX:${KSN}`,
    "B4506||FFFF050006",
  ])("%j is none", (record) => {
    expect(sealedInTracks(tracks("", "", record))).toBeUndefined();
    expect(sealedIn([text("FF1F", record)])).toBeUndefined();
  });

  test("the second track is taken before the third and the first", () => {
    const record = (byte: string): string => `1:2:${byte.repeat(8)}:${KSN}`;
    expect(
      sealedIn([text("FF1E", record("01")), text("FF21", record("03")), text("FF1F", record("02"))])?.data.reveal(),
    ).toBe("02".repeat(8));
  });
});

describe("a PIN", () => {
  test.each(vectors.pins)("$text", ({ text: told, block, ksn }) => {
    const pin = pinOfText(told.slice(1));
    expect([pin?.data.reveal(), pin?.ksn]).toEqual([block, ksn]);
  });

  test("stands in tag 99 as bytes or as text", () => {
    for (const object of [hex("99", `${PIN}${KSN}`), text("99", `${PIN}${KSN}`)]) {
      expect([pinIn([object])?.data.reveal(), leakIn([object])]).toEqual([PIN, undefined]);
    }
    expect(pinIn([hex("99", PIN)])).toBeUndefined();
  });
});

describe("what is shown of a number", () => {
  test.each(vectors.masked)("$shown", ({ number, shown }) => {
    const masked = { bin: number.slice(0, 6), last4: number.slice(-4) };
    expect(maskedIn([text("FF1D", shown)])).toEqual(masked);
    expect(maskedIn([hex("5A", shown)])).toEqual(masked);
    expect(maskedIn([hex("57", `${shown}D2512201000`.padEnd(34, "0"))])).toEqual(masked);
    expect(maskedInTracks(tracks(`%B${shown}^NAME^2512201?`, `;${shown}=2512201000000?`))).toEqual(masked);
    expect(leakIn([hex("5A", shown), text("FF1D", shown)])).toBeUndefined();
    expect(leakIn([hex("5A", number)])).toContain("5A");
  });

  test("asterisks hide too, and nothing may be shown at all", () => {
    expect(maskedIn([text("FF1D", "476173******1119")])).toEqual({ bin: "476173", last4: "1119" });
    expect(maskedIn([])).toEqual({ last4: "" });
    expect(maskedInTracks(tracks("", ""))).toEqual({ last4: "" });
  });
});

describe("card data in clear", () => {
  test.each([
    [hex("57", "4761739001010119D31122010000000000"), "57"],
    [hex("57", "4761730000000119D3112201000123456789012F"), "57"],
    [text("1018", ";4761739001010119=3112201?"), "1018"],
    [text("FF1D", "4761739001010119"), "FF1D"],
    [text("FF1F", ";4761739001010119=3112201?"), "FF1F"],
    [hex("99", "0412345678"), "99"],
    // Packed digits that look like blanks of a text are digits all the same.
    [hex("5A", "4132203112345676"), "5A"],
  ])("%j is told by its tag", (object, tag) => {
    expect(leakIn([object])).toBe(`the device sent card data in clear: ${tag}`);
  });

  test("masked numbers, zeros in place of discretionary data, and names are not", () => {
    const record = text("FF1F", `1:2:${CIPHER}:${KSN}`);
    expect(
      leakIn([
        hex("57", "4761730000000119D31122010000000000"),
        hex("9F6B", "5413330000001091D31121010000000000"),
        hex("5F20", "414243"),
        text("9F1F", "0".repeat(20)),
        record,
      ]),
    ).toBeUndefined();
  });

  test.each([
    hex("9F6B", "5413330089601091D31121010000000000"),
    text("9F1F", "1234567890123"),
    text("56", "B4111111111111111^NAME^3112201?"),
    hex("9F20", "1234"),
  ])("%j, whose content the card chooses, is not", (object) => {
    expect(leakIn([object])).toBeUndefined();
  });

  test.each(vectors.reads.filter(({ tracks: all }) => all.some((track) => track !== "")))(
    "the tracks of 23.$text came from a device without encryption",
    (read) => {
      const [first = "", second = "", third = ""] = read.tracks;
      expect(leakInTracks(tracks(first, second, third))).toMatch(/in clear: track [12](, 2)?$/);
    },
  );

  test("a third track that is no record is looked at as a track", () => {
    expect(leakInTracks(tracks("", "", ";4761739001010119=3112201?"))).toContain("track 3");
    expect(leakInTracks(tracks("", "", `1:4:${"12".repeat(16)}:${KSN}`))).toBeUndefined();
  });
});
