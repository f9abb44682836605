import { describe, expect, test } from "vitest";
import { tags } from "../../../../drivers/miura-m020/message.ts";
import { encodeTemplate } from "../../../../drivers/vipa/message.ts";
import { fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { type Bench, bench, continueData, opened, START } from "./simulator-bench.ts";

const TAP = fromHex("E01C9C01009F02060000000012349A032601159F21031015005F2A020978");
const TAP_FOR_2S = fromHex("E0229C01009F02060000000012349A032601159F21031015005F2A020978DFFF01020002");
const TRACKS = { p1: 0x0d };

const pin = (track: string): Uint8Array =>
  encodeTemplate("E0", [
    { tag: "9F02", value: fromHex("000000001234") },
    { tag: "50", value: fromAscii("VISA") },
    { tag: tags.maskedSwipe, value: fromAscii(track) },
    { tag: "5F2A", value: fromHex("0978") },
  ]);

async function tapped(card = "visa-contactless"): Promise<Bench> {
  const at = bench();
  at.send("start-contactless", { data: TAP });
  await at.clock.advance(10);
  at.terminal.present(card);
  await at.clock.advance(100);
  return at;
}

describe("START CONTACTLESS", () => {
  test("waits for a card and shows what it wants, then answers E4 with what the reader knows", async () => {
    const at = bench();
    at.send("start-contactless", { data: TAP });
    await at.clock.advance(10);
    expect(at.terminal.screen()).toMatchObject({ lines: ["Amount 12.34 EUR", "Present card"], waitsFor: "card" });
    at.terminal.present("visa-contactless");
    await at.clock.advance(100);
    const { template, hex } = opened(at.news().at(-1));
    expect([template, hex("9F39"), hex("DF30"), hex("9F6C"), hex("9F02"), hex("84")]).toEqual([
      "E4",
      "07",
      "0301",
      "0000",
      "000000001234",
      "A0000000031010",
    ]);
    expect(hex("57") + hex("5A")).toBe("");
    expect(hex(tags.sredData).length % 16).toBe(0);
  });

  test("takes a card that was held to it before it was started", async () => {
    const at = bench();
    at.terminal.present("mastercard-contactless");
    expect(at.terminal.screen().reader.card).toBe("mastercard-contactless");
    expect((await at.ask("start-contactless", { data: TAP })).length).toBe(1);
    expect(at.terminal.screen().reader.card).toBeNull();
  });

  test("in stripe mode has no cryptogram", async () => {
    const { hex, template } = opened((await tapped("magstripe-contactless")).news().at(-1));
    expect([template, hex("9F39"), hex("DF30"), hex("9F26")]).toEqual(["E4", "91", "0202", ""]);
  });

  test("tells a telephone that asks its holder first, and waits on", async () => {
    const at = await tapped("visa-phone");
    expect(at.news()).toEqual([expect.stringMatching(/^u:E6.*C301C0/)]);
    expect(at.terminal.screen().waitsFor).toBe("card");
    at.terminal.present("visa-phone");
    await at.clock.advance(100);
    expect(opened(at.news().at(-1)).hex("9F6C")).toBe("0080");
  });

  test.each([
    ["as long as the host says", TAP_FOR_2S, 2000],
    ["thirty seconds where the host says nothing", TAP, 30_000],
  ])("gives up after %s", async (_what, data, limitMs) => {
    const at = bench();
    at.send("start-contactless", { data });
    await at.clock.advance(limitMs - 1);
    expect(at.news()).toEqual([]);
    await at.clock.advance(20);
    expect(at.news()).toEqual(["9F42"]);
  });

  test("ends when a card is inserted or swiped, by answer and event in either order", async () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 12; seed += 1) {
      const at = bench({ seed });
      await at.ask("card-status", TRACKS);
      at.send("start-contactless", { data: TAP });
      await at.clock.advance(10);
      at.terminal.present(seed % 2 === 0 ? "visa-contact" : "magstripe");
      await at.clock.advance(100);
      const news = at.news();
      expect(news).toHaveLength(2);
      expect(news).toContain(seed % 2 === 0 ? "9F43" : "9F44");
      orders.add(news[0]?.startsWith("u:") === true ? "event first" : "answer first");
    }
    expect([...orders].sort()).toEqual(["answer first", "event first"]);
  });

  test.each([
    ["ABORT", (at: Bench) => at.send("abort"), ["9000", "9F41"]],
    ["the red key", (at: Bench) => at.terminal.press(["CANCEL"]), ["9F41"]],
  ])("ends with %s", async (_what, act, answers) => {
    const at = bench();
    at.send("start-contactless", { data: TAP });
    await at.clock.advance(10);
    act(at);
    await at.clock.advance(100);
    expect(at.news()).toEqual(answers);
    expect(at.terminal.screen().waitsFor).toBeNull();
  });

  test("is not taken twice, with a card in the slot, or with half of its data", async () => {
    const at = bench();
    expect(await at.ask("start-contactless", { data: fromHex("E0039C0100") })).toEqual(["9F27"]);
    at.terminal.present("visa-contact");
    expect(await at.ask("start-contactless", { data: TAP })).toEqual(["9F43"]);
    const waiting = await tapped();
    waiting.news();
    expect(await waiting.ask("start-contactless", { data: TAP })).toEqual(["9F26"]);
  });

  test("waits for CONTINUE, which acknowledges the issuer's word", async () => {
    const yes = await tapped();
    yes.news();
    expect(await yes.ask("continue-transaction", { data: continueData("00") })).toEqual(["E3048A0230309000"]);
    const no = await tapped();
    no.news();
    expect(await no.ask("continue-transaction", { data: continueData("65") })).toEqual(["E5048A0236359000"]);
    expect(await no.ask("continue-transaction", { data: continueData("00") })).toEqual(["9F22"]);
  });

  test("and ABORT while it waits for CONTINUE is followed by a late E5", async () => {
    const at = await tapped();
    at.news();
    expect(await at.ask("abort")).toEqual(["9000", "E5048A025A339000"]);
  });
});

describe("a swipe", () => {
  test("is reported with sealed tracks where tracks were asked for, and unread where they were not", async () => {
    const at = bench();
    await at.ask("card-status", { p1: 0x01 });
    at.terminal.present("magstripe");
    await at.clock.advance(100);
    expect(at.news()).toEqual([]);
    expect(at.terminal.screen().reader.card).toBe("magstripe");
    const told = await at.ask("card-status", TRACKS);
    const { hex, template } = opened(told.find((message) => message.includes("DFAE22")));
    expect([template, hex("48"), hex("5F21") + hex("5F22")]).toEqual(["E1", "0007", ""]);
    expect(Buffer.from(hex(tags.maskedSwipe), "hex").toString()).toBe(";476173******0309=3112101**********?");
    expect(at.terminal.screen().reader.card).toBeNull();
  });

  test("with a stripe-only card pushed into the slot is a silent chip", async () => {
    const at = bench();
    await at.ask("card-status", { p1: 0x01 });
    at.terminal.present("magstripe", "insert");
    await at.clock.advance(100);
    expect(at.news()).toEqual(["u:E104480201009000"]);
  });
});

describe("ONLINE PIN", () => {
  const TRACK = ";476173******0200=3112201**********?";

  test("is typed for the card that was tapped, and leaves it waiting", async () => {
    const at = await tapped();
    at.news();
    at.send("online-pin", { data: pin(TRACK) });
    await at.clock.advance(20);
    expect(at.terminal.screen()).toMatchObject({ lines: ["Amount 12.34 EUR", "Enter PIN", ""], waitsFor: "pin" });
    at.terminal.press(["1234", "ENTER"]);
    await at.clock.advance(20);
    const news = at.news();
    expect(news[1]).toContain(Buffer.from("PIN OK").toString("hex").toUpperCase());
    expect(opened(news.at(-1)).hex(tags.pinData)).toHaveLength(16);
    expect(await at.ask("continue-transaction", { data: continueData("00") })).toEqual(["E3048A0230309000"]);
  });

  test.each([
    ["the red key", (at: Bench) => at.terminal.press(["CANCEL"]), ["089000"]],
    ["ABORT", (at: Bench) => at.send("abort"), ["9000", "089000", "E5048A025A339000"]],
    ["a minute without a key", (at: Bench) => at.clock.advance(60_000), ["089000"]],
  ])("ends with one byte upon %s", async (_what, act, answers) => {
    const at = await tapped();
    at.send("online-pin", { data: pin(TRACK) });
    await at.clock.advance(20);
    at.news();
    await act(at);
    await at.clock.advance(400);
    expect(at.news()).toEqual(answers);
  });

  test("is refused for another card, for none, and in the middle of something else", async () => {
    const at = await tapped();
    at.news();
    expect(await at.ask("online-pin", { data: pin(";541333******1034=3112201**********?") })).toEqual(["9F0F"]);
    expect(await at.ask("online-pin", { data: fromHex("E003500141") })).toEqual(["9F0F"]);
    const other = bench();
    expect(await other.ask("online-pin", { data: pin(TRACK) })).toEqual(["9F0F"]);
    other.send("start-contactless", { data: TAP });
    await other.clock.advance(10);
    other.terminal.present("visa-contact");
    other.send("start-transaction", { data: START });
    await other.clock.advance(200);
    other.terminal.press(["1234", "ENTER"]);
    await other.clock.advance(200);
    other.news();
    expect(await other.ask("online-pin", { data: pin(TRACK) })).toEqual(["9F26"]);
  });
});

describe("GET SECURE DATA", () => {
  const element = (number: string): Uint8Array => fromHex(`E005DFA21001${number}`);

  test("has number and expiry typed, and gives them sealed", async () => {
    const at = bench();
    expect(await at.ask("secure-data", { p1: 0x00 })).toEqual(["9000"]);
    at.send("secure-data", { p1: 0x01, data: element("01") });
    await at.clock.advance(20);
    expect(at.terminal.screen()).toMatchObject({ lines: ["Card number", ""], waitsFor: "number" });
    at.terminal.present("manual");
    await at.clock.advance(20);
    expect(opened(at.news().at(-1)).hex(tags.typed)).toBe(
      Buffer.from("476173******0705").toString("hex").toUpperCase(),
    );
    at.send("secure-data", { p1: 0x01, data: element("05") });
    await at.clock.advance(20);
    expect(opened(at.news().at(-1)).hex(tags.typed)).toBe(Buffer.from("****").toString("hex").toUpperCase());
    const [sealed] = await at.ask("secure-data", { p1: 0x02 });
    expect(opened(sealed).hex(tags.sredKsn)).toHaveLength(20);
    expect(await at.ask("secure-data", { p1: 0x02 })).toEqual(["9FE2"]);
  });

  test("knows these two elements, and ends with the red key", async () => {
    const at = bench();
    expect(await at.ask("secure-data", { p1: 0x01, data: element("06") })).toEqual(["9F14"]);
    at.send("secure-data", { p1: 0x01, data: element("01") });
    await at.clock.advance(20);
    at.terminal.press(["12", "CANCEL"]);
    await at.clock.advance(20);
    expect(at.news()).toEqual(["9F41"]);
  });
});

describe("the choice between two applications", () => {
  test.each([
    ["1", "A0000000031010"],
    ["2", "A0000000032020"],
  ])("is made with key %s", async (key, aid) => {
    const at = bench();
    at.terminal.present("two-applications");
    at.send("start-transaction", { data: START });
    await at.clock.advance(100);
    expect(at.terminal.screen()).toMatchObject({
      lines: ["Select application", " 1 VISA CREDIT", " 2 V PAY"],
      waitsFor: "application",
    });
    at.terminal.press(["9", "ENTER", "CLEAR", key, "ENTER"]);
    at.terminal.press(["1234", "ENTER"]);
    await at.clock.advance(100);
    expect(opened(at.news().at(-1)).hex("84")).toBe(aid);
  });

  test.each([
    ["the red key", (at: Bench) => at.terminal.press(["CANCEL"]), "9F41"],
    ["a pulled card", (at: Bench) => at.terminal.removeCard(), "9F30"],
    ["nothing for a minute", (at: Bench) => at.clock.advance(60_000), "9F42"],
  ])("ends with %s", async (_what, act, answer) => {
    const at = bench();
    at.terminal.present("two-applications");
    at.send("start-transaction", { data: START });
    await at.clock.advance(100);
    at.news();
    await act(at);
    await at.clock.advance(50);
    expect(at.news()).toEqual([answer]);
  });
});
