import { describe, expect, test } from "vitest";
import { verifoneP400 } from "../../../../drivers/verifone-p400/driver.ts";
import type { CardData, Sealed } from "../../../../src/card/card-data.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  CIPHER,
  CONTINUE_SALE,
  cardAnswer,
  createBench,
  deciding,
  identified,
  KSN,
  running,
  sealed,
  swipe,
  tapping,
  text,
  tlv,
  waiting,
} from "./bench.ts";
import { recorded } from "./vectors.ts";

/*
 * In which form sealed card data goes to the gateway, which has no field for a vector (PROTOCOL.md 4.9).
 */

const VECTOR = "ED02AA537757D99F";
const ZERO = "0000000000000000";

const blockWith = (iv: string): string =>
  tlv("DFDF12", iv) +
  tlv("DFDF11", KSN) +
  tlv("DFDF10", CIPHER) +
  tlv("DFDB0F", "00000000") +
  tlv("DFDB0E", "00000D01");
const templateWith = (iv: string): string => tlv("FF7F", blockWith(iv));

function sredOf(notices: readonly Notice[]): Sealed {
  const card: CardData | undefined = notices.flatMap((notice) => (notice.on === "card" ? [notice.card] : []))[0];
  if (card?.sred === undefined) throw new Error(`no sealed card in ${JSON.stringify(notices)}`);
  return card.sred;
}

const sentBy = (bench: Bench): readonly string[] => {
  const { data, ksn } = sredOf(bench.look().notices);
  return [data.reveal(), ksn];
};

const MAGSTRIPE = { ...SALE, interfaces: ["chip", "stripe"] } as const;

/** Every way in which a block comes from the device. */
const WAYS: readonly (readonly [string, (bench: Bench, block: string) => void])[] = [
  ["a chip", (bench, block) => [deciding(bench), bench.answer(cardAnswer("E4", { block }))]],
  [
    "a tap",
    (bench, block) => [
      tapping(bench),
      bench.event(cardAnswer("E4", { results: "1F0302", more: tlv("9F39", "07"), block })),
    ],
  ],
  ["a swipe", (bench, block) => [waiting(bench, MAGSTRIPE), bench.event(swipe("101", block))]],
  [
    "a typed number",
    (bench, block) => {
      identified(bench).command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
      bench.answer(`${tlv("DFDB01", `${text("476173")}${"AA".repeat(6)}${text("0119")}`)}${block}9000`);
    },
  ],
];

describe.each(WAYS)("of %s", (_way, come) => {
  test.each([
    ["", VECTOR, templateWith(VECTOR)],
    ["", ZERO, CIPHER],
    ["template", VECTOR, templateWith(VECTOR)],
    ["template", ZERO, templateWith(ZERO)],
    ["vector-and-data", VECTOR, VECTOR + CIPHER],
    ["vector-and-data", ZERO, ZERO + CIPHER],
    ["data", VECTOR, CIPHER],
    ["data", ZERO, CIPHER],
  ])("option sred %j, vector %s", (sred, iv, sent) => {
    const bench = createBench({ options: { sred } });
    come(bench, sealed({ iv }));
    expect(sentBy(bench)).toEqual([sent, KSN]);
  });
});

test("the recorded E2 of a device as delivered is taken, and its whole block goes out with the card", () => {
  const bench = createBench();
  running(bench);
  bench.answer(recorded("E2 with card data").slice(6, -2));
  expect(bench.look()).toMatchObject({ sent: [CONTINUE_SALE], notices: [] });
  bench.answer(cardAnswer("E4", { block: "" }));
  const [data, ksn] = sentBy(bench);
  expect(ksn).toBe("FFFF98765432110010A4");
  expect(recorded("E2 with card data")).toContain(data);
  expect(data).toMatch(/^FF7F4EDFDF1208ED02AA537757D99FDFDF110AFFFF98765432110010A4DFDF1020/);
});

test("so is the recorded swipe", () => {
  const bench = createBench();
  waiting(bench, { ...MAGSTRIPE, again: "fallback" });
  bench.event(recorded("a swipe").slice(6, -2));
  const { notices } = bench.look();
  expect(notices).toMatchObject([{ on: "card", card: { masked: { bin: "410039", last4: "9976" } } }]);
  expect(recorded("a swipe")).toContain(sredOf(notices).data.reveal());
});

test("a block without a vector counts as one whose vector is zero", () => {
  const bare = tlv("FF7F", tlv("DFDF11", KSN) + tlv("DFDF10", CIPHER));
  for (const [sred, sent] of [
    ["", CIPHER],
    ["vector-and-data", ZERO + CIPHER],
    ["template", bare],
  ] as const) {
    const bench = createBench({ options: { sred } });
    deciding(bench);
    bench.answer(cardAnswer("E4", { block: bare }));
    expect(sentBy(bench)).toEqual([sent, KSN]);
  }
});

test.each([
  ["", /whole FF7F block in hexadecimal.*where the vector is not zero, as on a device as delivered/],
  ["template", /whole FF7F block in hexadecimal.*set by option sred/],
  ["vector-and-data", /eight bytes of the vector DFDF12 and behind them the ciphertext DFDF10/],
  ["data", /ciphertext DFDF10 alone.*cannot be decrypted without knowing it otherwise/],
])("option sred %j: what the shop has to ask its acquirer", (sred, question) => {
  expect(verifoneP400.acquirerQuestions?.({ sred })).toEqual([expect.stringMatching(question)]);
});
