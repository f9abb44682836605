import { describe, expect, test } from "vitest";
import { verifoneUx300Simulator } from "../../../../drivers/verifone-p400/simulator.ts";
import { verifoneLayout } from "../../../../drivers/verifone-p400/simulator-sealing.ts";
import { cardNamed } from "../../../../packages/sandbox/testbed/deck.ts";
import { tdesKey } from "../../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../../packages/sandbox/testbed/dukpt.ts";
import { decodePinBlock } from "../../../../packages/sandbox/testbed/pin-block.ts";
import { openSred } from "../../../../packages/sandbox/testbed/sred-opening.ts";
import { PUBLISHED_TEST_BDK } from "../../../../packages/sandbox/testbed/test-keys.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { answerIn, CARD_IN, NO_CARD, text, tlv } from "./bench.ts";
import { type Bench, bench, FETCH, GO_ON, type Opened, opened, START, TAP, toHost, told } from "./simulator-bench.ts";

const OK = "9000";
const PAN = cardNamed("visa-contact")?.pan ?? "";

const sredOf = (answer: Opened): unknown =>
  openSred(
    verifoneLayout,
    hostKey(PUBLISHED_TEST_BDK, fromHex(answer.hex("DFDF11")), "data-request"),
    fromHex(answer.hex("DFDF12") + answer.hex("DFDF10")),
  );

/** What is sealed reads the number, and nothing of it is in clear on the line. */
function expectSealed(at: Bench, answer: Opened, name: string): void {
  const pan = cardNamed(name)?.pan;
  expect(sredOf(answer)).toMatchObject({ ok: true, card: { pan } });
  expect(answer.hex("DFDF12")).toMatch(/^(?!0{16})[0-9A-F]{16}$/);
  expect(answer.hex("DFDB0F")).toBe("00000000");
  expect(at.frames.join("")).not.toContain(pan);
}

describe("what it is", () => {
  test("a network connection is greeted with 33 bytes, a serial one is not", async () => {
    const at = bench();
    expect(await at.news()).toEqual([]);
    at.attach("tcp");
    const [greeting] = await at.news();
    expect(greeting).toBe(
      `u:${tlv("E6", tlv("C3", "01") + tlv("C4", text("Device powered on")) + tlv("9F1C", text("07335123")))}9000`,
    );
    expect(greeting?.slice(2, 6)).toBe("E621");
  });

  test("RESET takes three packets, and four with a keypad of its own; the short form one", async () => {
    for (const [simulator, packets, model] of [
      [undefined, 3, "P400"] as const,
      [verifoneUx300Simulator, 4, "UX300"] as const,
    ]) {
      const at = bench(simulator && { simulator });
      const answer = opened((await at.ask("reset"))[0]);
      expect(at.frames.map((frame) => frame.slice(2, 4))).toEqual([...Array(packets - 1).fill("01"), "00"]);
      expect(answer.hex("DF0D")).toBe(text(model));
      await at.ask("reset", { p2: 0x01 });
      expect(at.frames.length).toBeLessThanOrEqual(packets + 2);
    }
  });

  test("keys, readers and versions", async () => {
    const at = bench();
    expect(opened((await at.ask("key-status", { p1: 5, p2: 1 }))[0]).hex("DFED03")).toHaveLength(20);
    expect(opened((await at.ask("key-status", { p1: 5, p2: 0 }))[0]).hex("DFDF11")).toHaveLength(20);
    expect(await at.ask("key-status", { p1: 5, p2: 9 })).toEqual(["9F19"]);
    expect(await at.ask("contactless-status")).toEqual(["019000"]);
    expect(await bench({ simulator: verifoneUx300Simulator }).ask("contactless-status")).toEqual(["009000"]);
    expect(opened((await at.ask("configuration"))[0]).hex("DFDE7E")).toBe(text("vipa_ver"));
  });

  test("its clock is set and read", async () => {
    const at = bench();
    expect(await at.ask("clock", {}, 10)).toEqual([`${text("20260115101500")}9000`]);
    expect(await at.ask("clock", { p1: 0, data: fromHex(text("20260601120000")) }, 10)).toEqual([OK]);
    expect(await at.ask("clock", {}, 10)).toEqual([`${text("20260601120000")}9000`]);
    expect(await at.ask("clock", { p1: 0, data: fromHex(text("20261301120000")) }, 10)).toEqual(["9F14"]);
  });

  test("what it does not know, what is no command, and a broken stream", async () => {
    const at = bench();
    at.raw("010004D2A1000077");
    expect(await at.news()).toEqual([]);
    at.raw("010004D2A1000076");
    expect(await at.news()).toEqual(["9F0F"]);
    at.raw("010002D0FF2C");
    expect(await at.news()).toEqual(["9F01"]);
    expect(await at.ask("abort")).toEqual([OK]);
  });

  test("a reboot answers, goes away, and comes back", async () => {
    const at = bench();
    const plugs: boolean[] = [];
    at.terminal.onPlug((plugged) => plugs.push(plugged));
    await at.ask("reset", { p1: 0x01, p2: 0x01 });
    await at.clock.advance(1000);
    expect(plugs).toEqual([false, true]);
  });
});

describe("card status", () => {
  test("is answered, and then the state; or by the state alone", async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed < 24; seed += 1) seen.add((await bench({ seed }).ask("card-status")).join(" "));
    expect([...seen].sort()).toEqual([`${OK} u:${NO_CARD}`, `u:${NO_CARD}`]);
  });

  test("changes and keys are told where they were asked for", async () => {
    const at = bench();
    await at.ask("card-status", { p1: 0x01, p2: 0x01 });
    at.terminal.present("visa-contact");
    at.terminal.press(["1", "CANCEL"]);
    expect(await at.news()).toEqual([`u:${answerIn("E0", tlv("DFA205", "1B"))}`, `u:${CARD_IN}`]);
    expect(await at.ask("card-status", { p1: 0x00 })).toEqual([OK]);
    at.terminal.removeCard();
    at.terminal.press(["CANCEL"]);
    expect(await at.news()).toEqual([]);
  });

  test("a swipe is told with its track masked, where tracks were asked for", async () => {
    const at = bench();
    await at.ask("card-status", { p1: 0x01 });
    at.terminal.present("magstripe", "swipe");
    expect(await at.news()).toEqual([]);
    at.terminal.removeCard();
    await at.ask("card-status", { p1: 0x3d });
    at.terminal.present("magstripe", "swipe");
    const swiped = opened((await at.news()).at(-1));
    expectSealed(at, swiped, "magstripe");
    expect([swiped.template, swiped.hex("48")]).toEqual(["E0", "0005"]);
    expect(swiped.hex("DFDB06")).toContain("AAAAAAAAAAAA");
  });
});

describe("a chip", () => {
  test("E2, PIN, E4, E3: sealed once, and the PIN fetched", async () => {
    const at = bench();
    at.terminal.present("visa-contact");
    const e2 = opened((await at.ask("start-transaction", { data: START })).at(-1));
    expect(e2.template).toBe("E2");
    expectSealed(at, e2, "visa-contact");
    expect(e2.hex("5A")).toBe(`${PAN.slice(0, 6)}AAAAAA${PAN.slice(-4)}`);
    at.send("continue-transaction", { p1: 0x01, data: GO_ON });
    expect(await at.news(100)).toEqual([
      `u:${answerIn("E6", tlv("C3", "0C") + tlv("C4", text("PIN ENTRY")) + tlv("C5", "03"))}`,
    ]);
    at.terminal.press(["1234", "ENTER"]);
    const e4 = opened((await at.news()).at(-1));
    expect([e4.template, e4.hex("9F27"), e4.hex("DFDF11")]).toEqual(["E4", "80", e2.hex("DFDF11")]);
    const pin = opened((await at.ask("online-pin", { p1: 0x02, p2: 0x01, data: FETCH }))[0]);
    const key = tdesKey(hostKey(PUBLISHED_TEST_BDK, fromHex(pin.hex("DFED03")), "pin"));
    expect(decodePinBlock(key.decrypt(fromHex(pin.hex("DFED6C"))), PAN)).toEqual({ ok: true, pin: "1234" });
    expect(await at.ask("online-pin", { p1: 0x02, p2: 0x01, data: FETCH })).toEqual(["9F22"]);
    const final = opened((await at.ask("continue-transaction", { data: told("3030") })).at(-1));
    expect([final.template, final.hex("9F27")]).toEqual(["E3", "40"]);
    expect(at.terminal.screen().waitsFor).toBe("removal");
  });

  test("host 05 writes letters, and leaves out the leading F", async () => {
    const at = bench();
    await toHost(at);
    const pin = opened((await at.ask("online-pin", { p1: 0x05, p2: 0x01, data: FETCH }))[0]);
    expect([pin.hex("DFED6C").length, pin.hex("DFED03").length]).toEqual([32, 32]);
  });

  test.each([
    ["3035", "E5", "00"],
    ["3030", "E3", "40"],
  ])("%s at the second CONTINUE: %s", async (code, template, information) => {
    const at = bench();
    await toHost(at);
    const final = opened((await at.ask("continue-transaction", { data: told(code) })).at(-1));
    expect([final.template, final.hex("9F27")]).toEqual([template, information]);
  });

  test("C0 00 asks for an AAC, whatever the code says", async () => {
    const at = bench();
    await toHost(at);
    const final = opened((await at.ask("continue-transaction", { data: fromHex(tlv("E0", "8A023030C00100")) })).at(-1));
    expect(final.template).toBe("E5");
  });

  test("a card that is gone at the second CONTINUE is 9F23", async () => {
    const at = bench();
    await toHost(at);
    at.terminal.removeCard();
    expect((await at.ask("continue-transaction", { data: told("3030") })).at(-1)).toBe("9F23");
  });

  test.each([
    ["blocked-application", "9F50"],
    ["fallback", "9F25"],
  ])("%s ends with %s", async (card, statusWord) => {
    const at = bench();
    at.terminal.present(card, "insert");
    expect((await at.ask("start-transaction", { data: START })).at(-1)).toBe(statusWord);
  });

  test("two applications: the holder chooses, and the host hears of it", async () => {
    const at = bench();
    at.terminal.present("two-applications");
    expect((await at.ask("start-transaction", { data: START })).at(-1)).toMatch(/^u:E6/);
    at.terminal.press(["2", "ENTER"]);
    expect(opened((await at.news()).at(-1)).template).toBe("E2");
  });

  test("out of order: 9F24; without a card 9F23; without its objects 9F27; no E0 9F21", async () => {
    const at = bench();
    expect(await at.ask("continue-transaction", { data: GO_ON })).toEqual(["9F24"]);
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F23"]);
    at.terminal.present("visa-contact");
    expect(await at.ask("start-transaction", { data: fromHex("E0039C0100") })).toEqual(["9F27"]);
    expect(await at.ask("start-transaction", { data: fromHex("9C0100") })).toEqual(["9F21"]);
    await toHost(bench());
    await at.ask("start-transaction", { data: START });
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F24"]);
    expect(await at.ask("continue-transaction", { data: fromHex("E000") })).toEqual(["9F27"]);
  });

  test("ABORT ends what is being worked on; a card that waits for its issuer waits on, until RESET", async () => {
    const at = bench();
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    expect((await at.ask("abort")).toSorted()).toEqual([OK, "9F41"]);
    at.terminal.removeCard();
    await toHost(at);
    expect(await at.ask("abort")).toEqual([OK]);
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F24"]);
    await at.ask("reset", { p2: 0x01 });
    expect(opened((await at.ask("start-transaction", { data: START })).at(-1)).template).toBe("E2");
  });

  test("at the PIN: the red key, a pulled card", async () => {
    for (const [act, statusWord] of [
      [(at: Bench) => at.terminal.press(["CANCEL"]), "9F41"] as const,
      [(at: Bench) => at.terminal.removeCard(), "9F23"] as const,
    ]) {
      const at = bench();
      at.terminal.present("visa-contact");
      await at.ask("start-transaction", { data: START });
      await at.ask("continue-transaction", { p1: 0x01, data: GO_ON }, 100);
      act(at);
      expect((await at.news()).at(-1)).toBe(statusWord);
    }
  });
});

describe("a tap", () => {
  const open = async (): Promise<Bench> => {
    const at = bench();
    expect(await at.ask("start-contactless", { data: TAP })).toEqual(["9F22"]);
    await at.ask("open-reader");
    expect(await at.ask("start-contactless", { p2: 60, data: TAP })).toEqual([OK]);
    return at;
  };

  test.each([
    ["visa-contactless", "E4"],
    ["magstripe-contactless", "E7"],
  ])("%s follows unasked as %s, and so does its end", async (card, template) => {
    const at = await open();
    at.terminal.present(card);
    const [heard] = await at.news();
    expect(heard).toMatch(/^u:/);
    const tapped = opened(heard);
    expect(tapped.template).toBe(template);
    expectSealed(at, tapped, card);
    const [accepted, end] = await at.ask("continue-contactless", { data: told("3030") });
    expect(accepted).toBe(OK);
    expect(end).toBe(`u:${answerIn("E3", "8A023030")}`);
  });

  test("a telephone asks its holder first", async () => {
    const at = await open();
    at.terminal.present("visa-phone");
    expect(await at.news(20)).toEqual(["u:9F35"]);
  });

  test("cancelled: the answer, then the end as recorded", async () => {
    const at = bench();
    await at.ask("open-reader");
    await at.ask("start-contactless", { p2: 60, data: TAP });
    expect(await at.ask("cancel-contactless")).toEqual([OK, "u:DFDF3001FB9000"]);
    expect(await at.ask("cancel-contactless")).toEqual([OK]);
  });

  test("nobody comes, or the red key: 9F41", async () => {
    const at = await open();
    expect(await at.news(61_000)).toEqual(["u:9F41"]);
    await at.ask("start-contactless", { p2: 60, data: TAP });
    at.terminal.press(["CANCEL"]);
    expect(await at.news()).toEqual(["u:9F41"]);
  });

  test("a card put into the slot is told, and the reader waits on", async () => {
    const at = await open();
    await at.ask("card-status");
    at.terminal.present("visa-contact", "insert");
    expect(await at.news()).toEqual([`u:${CARD_IN}`]);
    expect((await at.ask("cancel-contactless"))[0]).toBe(OK);
  });
});

describe("typed", () => {
  test("a number and its expiry: masked, and sealed", async () => {
    const at = bench();
    at.send("manual-pan", { data: fromHex("DF83050113") });
    at.terminal.present("manual", "key");
    const typed = opened((await at.news(2000)).at(-1));
    expect(typed.template).toBe("list");
    expectSealed(at, typed, "manual");
    expect(typed.hex("DFDB01")).toContain("AAAAAAAAAAAA");
  });

  test("a PIN for the card read last, none for nobody", async () => {
    const ask = fromHex(tlv("E0", tlv("DFDF17", "000000001234") + tlv("DFDF24", text("EUR")) + tlv("DFA20E", "1E")));
    const at = bench();
    expect(await at.ask("online-pin", { p1: 0x02, p2: 0x01, data: ask })).toEqual(["9F24"]);
    expect(await at.ask("online-pin", { p1: 0x02, p2: 0x01, data: fromHex("E000") })).toEqual(["9F27"]);
    await at.ask("card-status", { p1: 0x3d });
    at.terminal.present("magstripe", "swipe");
    await at.news();
    at.send("online-pin", { p1: 0x02, p2: 0x01, data: ask });
    await at.clock.advance(50);
    expect(at.terminal.screen().lines).toEqual(["Amount 12.34 EUR", "Enter PIN", ""]);
    at.terminal.press(["1234", "ENTER"]);
    expect(opened((await at.news()).at(-1)).hex("DFED6C")).toHaveLength(16);
    at.send("online-pin", { p1: 0x02, p2: 0x01, data: ask });
    expect((await at.news(31_000)).at(-1)).toBe("9F41");
  });
});

test("texts of the host are on its display, and the idle screen is its own", async () => {
  const at = bench();
  await at.ask("display", { data: fromHex(text("\t12.34 EUR\r\tINSERT CARD")) });
  expect(at.terminal.screen()).toMatchObject({ lines: ["12.34 EUR", "INSERT CARD"], waitsFor: "card" });
  await at.ask("display", { p1: 0x01 });
  expect(at.terminal.screen()).toMatchObject({ lines: ["Welcome"], waitsFor: null });
});
