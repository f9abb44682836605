import { describe, expect, test } from "vitest";
import { miuraLayout } from "../../../../drivers/miura-m020/simulator-configuration.ts";
import { encodeTemplate } from "../../../../drivers/vipa/message.ts";
import { issuerAuthenticationData } from "../../../../packages/sandbox/testbed/arpc.ts";
import { chipCard } from "../../../../packages/sandbox/testbed/card.ts";
import type { CardProfile } from "../../../../packages/sandbox/testbed/card-profile.ts";
import {
  applicationCryptogram,
  cryptogramKey,
  cryptogramMessage,
} from "../../../../packages/sandbox/testbed/cryptogram.ts";
import { cardNamed } from "../../../../packages/sandbox/testbed/deck.ts";
import { tdesKey } from "../../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../../packages/sandbox/testbed/dukpt.ts";
import { decodePinBlock } from "../../../../packages/sandbox/testbed/pin-block.ts";
import { openSred } from "../../../../packages/sandbox/testbed/sred-opening.ts";
import { PUBLISHED_TEST_BDK } from "../../../../packages/sandbox/testbed/test-keys.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { type Bench, bench, continueData, opened, START, toHost } from "./simulator-bench.ts";

const OK = "9000";
const NO_CARD = `u:E10448020000${OK}`;

function profile(name: string): CardProfile {
  const found = cardNamed(name);
  if (found === undefined) throw new Error(`no card ${name}`);
  return found;
}

type Opened = ReturnType<typeof opened>;

/** What an issuer does with an E4: card from SRED, PIN from its block, cryptogram from the clear tags. */
function issuer(e4: Opened, name: string) {
  const card = chipCard(profile(name));
  const sred = openSred(
    miuraLayout,
    hostKey(PUBLISHED_TEST_BDK, fromHex(e4.hex("DFAE03")), "data-request"),
    fromHex(e4.hex("DFAE02")),
  );
  const message = cryptogramMessage(card.scheme, e4.objects);
  if (!message.ok) throw new Error(`missing ${message.missing}`);
  const key = cryptogramKey(card.scheme, card.masterKey, fromHex(e4.hex("9F36")), fromHex(e4.hex("9F37")));
  const pin = (): unknown =>
    decodePinBlock(
      tdesKey(hostKey(PUBLISHED_TEST_BDK, fromHex(e4.hex("DFAE05")), "pin")).decrypt(fromHex(e4.hex("DFAE04"))),
      card.profile.pan,
    );
  const authentication = (approved: boolean) =>
    issuerAuthenticationData(
      card.scheme,
      { card: card.masterKey, session: key },
      fromHex(e4.hex("9F26")),
      approved,
      approved ? "00" : "05",
    );
  return { sred, pin, arqc: toHex(applicationCryptogram(card.scheme, key, message.message)), authentication };
}

describe.each(["visa-contact", "visa-contact-cvn18", "mastercard-contact"])("%s", (name) => {
  const { pan } = profile(name);

  test("goes online with an ARQC, card data and a PIN block that an issuer opens and verifies", async () => {
    const at = bench();
    const e4 = await toHost(at, name);
    const issued = issuer(e4, name);
    expect(e4.template).toBe("E4");
    expect(issued.sred).toEqual({ ok: true, card: { pan, expiry: "3112" } });
    expect(issued.pin()).toEqual({ ok: true, pin: "1234" });
    expect(e4.hex("9F26")).toBe(issued.arqc);
    expect([e4.hex("9F02"), e4.hex("5F2A"), e4.hex("9F27"), e4.hex("9F36")]).toEqual([
      "000000001234",
      "0978",
      "80",
      "0001",
    ]);
    expect(e4.hex("DFAE5A")).toBe(`${pan.slice(0, 6)}FFFFFF${pan.slice(-4)}`);
  });

  test("no tag of the answer holds the number, the holder or the expiry in clear", async () => {
    const at = bench();
    const e4 = await toHost(at, name);
    expect(e4.objects.map(({ tag }) => tag).filter((tag) => ["57", "5A", "5F20", "5F24"].includes(tag))).toEqual([]);
    expect(at.frames.join("")).not.toContain(pan);
  });

  test("the issuer's approval leads to E3 with a TC, its decline to E5 with an AAC", async () => {
    for (const approved of [true, false]) {
      const at = bench();
      const e4 = await toHost(at, name);
      const data = continueData(approved ? "00" : "05", issuer(e4, name).authentication(approved));
      const final = opened((await at.ask("continue-transaction", { data })).at(-1));
      expect([final.template, final.hex("9F27"), final.hex("9F36")]).toEqual(
        approved ? ["E3", "40", "0001"] : ["E5", "00", "0001"],
      );
      expect(at.terminal.screen().waitsFor).toBe("removal");
    }
  });

  test("a wrong issuer cryptogram leads to E5 although the code approves", async () => {
    const at = bench();
    const e4 = await toHost(at, name);
    const wrong = issuer(e4, name).authentication(true).with(0, 0x5a).with(1, 0xa5);
    const final = opened((await at.ask("continue-transaction", { data: continueData("00", wrong) })).at(-1));
    expect([final.template, final.hex("95").slice(-2)]).toEqual(["E5", name.startsWith("mastercard") ? "00" : "40"]);
  });
});

test("the answer to START is chained", async () => {
  const at = bench();
  await toHost(at, "visa-contact");
  expect(at.frames.filter((frame) => frame.startsWith("0101FE"))).toHaveLength(1);
});

describe("PIN entry", () => {
  async function atPin(): Promise<Bench> {
    const at = bench();
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    await at.clock.advance(100);
    return at;
  }

  test.each([
    ["978", 1234, "12.34 EUR"],
    ["392", 1200, "1200 JPY"],
    ["752", 5, "0.05 SEK"],
    ["999", 1234, "12.34 999"],
  ])("of currency %s shows %i as %s", async (numeric, minor, shown) => {
    const at = bench();
    at.terminal.present("visa-contact");
    const amount = String(minor).padStart(12, "0");
    at.send("start-transaction", {
      data: fromHex(`E0269C01009F0206${amount}9A032601159F2103101500DFA2040101DFA20301005F2A020${numeric}`),
    });
    await at.clock.advance(100);
    expect(at.terminal.screen().lines).toEqual([`Amount ${shown}`, "Enter PIN", ""]);
  });

  test("is announced with the tries that are left, shows stars, and says PIN OK as recorded", async () => {
    const at = await atPin();
    expect(at.news()).toEqual([`u:E611C30102C409456E7465722050494EC50103${OK}`]);
    at.terminal.press("12");
    expect(at.terminal.screen()).toMatchObject({ lines: ["Amount 12.34 EUR", "Enter PIN", "**"], waitsFor: "pin" });
    at.terminal.press("CLEAR");
    at.terminal.press(["4321", "ENTER"]);
    await at.clock.advance(100);
    const [pinOk, e4] = at.news();
    expect(pinOk).toBe(`u:E610C30102C40650494E204F4BDFA10201029000`);
    expect(issuer(opened(e4), "visa-contact").pin()).toEqual({ ok: true, pin: "4321" });
  });

  test("takes 4 to 12 digits", async () => {
    const at = await atPin();
    at.terminal.press(["123", "ENTER"]);
    expect(at.terminal.screen().waitsFor).toBe("pin");
    at.terminal.press(["4567890123456", "ENTER"]);
    await at.clock.advance(100);
    expect(issuer(opened(at.news().at(-1)), "visa-contact").pin()).toEqual({ ok: true, pin: "123456789012" });
  });

  test("ends with 9F41 upon the red key and with 9F42 after a minute without any", async () => {
    const cancelled = await atPin();
    cancelled.terminal.press("CANCEL");
    await cancelled.clock.advance(100);
    expect(cancelled.news().at(-1)).toBe("9F41");
    const slept = await atPin();
    await slept.clock.advance(61_000);
    expect(slept.news().at(-1)).toBe("9F42");
  });

  test("the PIN never shows on the line, the screen or in a key event", async () => {
    const at = await atPin();
    at.raw("010004D0610100B5");
    at.terminal.press("9876");
    expect(JSON.stringify(at.terminal.screen())).not.toContain("9876");
    at.terminal.press("ENTER");
    await at.clock.advance(100);
    expect(at.frames.join("")).not.toContain(toHex(new TextEncoder().encode("9876")));
  });
});

describe("cards that decide by themselves", () => {
  test.each([
    ["offline-approves", "E3", "40"],
    ["offline-declines", "E5", "00"],
  ])("%s answers %s to START, without a PIN", async (name, template, cryptogram) => {
    const at = bench();
    at.terminal.present(name);
    const answer = opened((await at.ask("start-transaction", { data: START }))[0]);
    expect([answer.template, answer.hex("9F27"), answer.hex("DFAE04")]).toEqual([template, cryptogram, ""]);
  });

  test("contact-declines-after-approval and wrong-arpc answer E5 to a perfect approval", async () => {
    for (const name of ["contact-declines-after-approval", "wrong-arpc"]) {
      const at = bench();
      const e4 = await toHost(at, name);
      const final = await at.ask("continue-transaction", {
        data: continueData("00", issuer(e4, name).authentication(true)),
      });
      expect(opened(final.at(-1)).template).toBe("E5");
    }
  });

  test("blocked-application is 9F25", async () => {
    const at = bench();
    at.terminal.present("blocked-application");
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F25"]);
  });
});

describe("commands at the wrong time or with wrong data", () => {
  test("START without a card is 9F23, a second one before CONTINUE 9F26", async () => {
    const at = bench();
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F23"]);
    await toHost(at, "visa-contact");
    expect(await at.ask("start-transaction", { data: START })).toEqual(["9F26"]);
    expect(opened((await at.ask("continue-transaction", { data: continueData("00") })).at(-1)).template).toBe("E3");
  });

  test("CONTINUE without START is 9F22, also after the transaction is over", async () => {
    const at = bench();
    expect(await at.ask("continue-transaction", { data: continueData("00") })).toEqual(["9F22"]);
    await toHost(at, "visa-contact");
    await at.ask("continue-transaction", { data: continueData("05") });
    expect(await at.ask("continue-transaction", { data: continueData("00") })).toEqual(["9F22"]);
  });

  test("CONTINUE without 8A is 9F27, with a long one 9F21, with no E0 9F21; the card still waits", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    expect(
      await at.ask("continue-transaction", { data: encodeTemplate("E0", [{ tag: "91", value: new Uint8Array(10) }]) }),
    ).toEqual(["9F27"]);
    expect(
      await at.ask("continue-transaction", { data: encodeTemplate("E0", [{ tag: "8A", value: new Uint8Array(3) }]) }),
    ).toEqual(["9F21"]);
    expect(await at.ask("continue-transaction", { data: fromHex("8A023030") })).toEqual(["9F21"]);
    expect(opened((await at.ask("continue-transaction", { data: continueData("00") })).at(-1)).template).toBe("E3");
  });

  test.each([
    ["E0039C0100", "9F27"],
    ["E0259C01009F02060000000012349A032601159F2103101500DFA2040101DFA20301005F2A0109", "9F21"],
    ["E0269C01009F020600000000AAAA9A032601159F2103101500DFA2040101DFA20301005F2A020978", "9F21"],
    ["E005", "9F21"],
  ])("START with %s is %s", async (data, statusWord) => {
    const at = bench();
    at.terminal.present("visa-contact");
    expect(await at.ask("start-transaction", { data: fromHex(data) })).toEqual([statusWord]);
  });

  test("START is taken with every length in the long form, as a recorded application writes them", async () => {
    const at = bench();
    at.terminal.present("offline-declines");
    at.raw(
      "010046DED1000041E0840000003B9F418400000004000000009A84000000031606089F2184000000031913089C8400000001009F0284000000060000000001005F2A840000000208408A",
    );
    await at.clock.advance(200);
    const answer = opened(at.news()[0]);
    expect([answer.template, answer.hex("9F02"), answer.hex("9A")]).toEqual(["E5", "000000000100", "160608"]);
  });

  test("scripts too long for a plain command arrive by an extended one, in packets", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    const script = { tag: "72", value: fromHex(`9F180401020304${"860D8424000008ED0AB162BAB1DE61".repeat(20)}`) };
    const data = encodeTemplate("E0", [{ tag: "8A", value: fromHex("3030") }, script]);
    const final = opened((await at.ask("continue-transaction", { data })).at(-1));
    expect([final.template, final.hex("9F5B")]).toEqual(["E3", "2001020304"]);
  });

  test("commands behind a running transaction wait for its answer", async () => {
    const at = bench();
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    at.send("p2pe-status");
    await at.clock.advance(1000);
    expect(at.news()).toHaveLength(1);
    at.terminal.press(["1234", "ENTER"]);
    await at.clock.advance(1000);
    const [, e4, keys] = at.news();
    expect(opened(e4).template).toBe("E4");
    expect(keys).toBe("E105DFAE0101069000");
  });
});

describe("ABORT", () => {
  test("is answered at once when idle, however often", async () => {
    const at = bench();
    expect([...(await at.ask("abort")), ...(await at.ask("abort"))]).toEqual([OK, OK]);
  });

  test("ends a running transaction: its own answer first, then 9F41", async () => {
    const at = bench();
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    await at.clock.advance(10);
    expect(await at.ask("abort")).toEqual([OK, "9F41"]);
    at.send("start-transaction", { data: START });
    await at.clock.advance(100);
    at.news();
    expect(await at.ask("abort")).toEqual([OK, "9F41"]);
    expect(at.terminal.screen().waitsFor).toBe("removal");
    expect(await at.ask("p2pe-status")).toHaveLength(1);
  });

  test("between E4 and CONTINUE brings a late E5 behind its answer, with an AAC", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    at.send("abort");
    await at.clock.advance(100);
    expect(at.news()).toEqual([OK]);
    await at.clock.advance(2000);
    const late = opened(at.news()[0]);
    expect([late.template, late.hex("9F27"), late.hex("8A")]).toEqual(["E5", "00", "5A33"]);
    expect(await at.ask("continue-transaction", { data: continueData("00") })).toEqual(["9F22"]);
  });

  test("comes too late for a card that has the issuer's answer: the transaction ends by itself", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    at.send("continue-transaction", { data: continueData("00") });
    await at.clock.advance(10);
    const [abort, final] = await at.ask("abort");
    expect(abort).toBe(OK);
    expect(opened(final).template).toBe("E3");
  });
});

describe("a card that is pulled", () => {
  test.each([10, 60])("%i ms after START: the slot first, then 9F30", async (ms) => {
    const at = bench();
    await at.ask("card-status", { p1: 0x01 });
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    await at.clock.advance(ms);
    at.news();
    at.terminal.removeCard();
    await at.clock.advance(100);
    expect(at.news()).toEqual([NO_CARD, "9F30"]);
    expect(await at.ask("p2pe-status")).toHaveLength(1);
  });

  test("while the host is asked: CONTINUE is E5 without a cryptogram", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    at.terminal.removeCard();
    const final = opened((await at.ask("continue-transaction", { data: continueData("00") }))[0]);
    expect([final.template, final.hex("9F26"), final.hex("9F27"), final.hex("9F36")]).toEqual(["E5", "", "", "0001"]);
  });

  test("while the issuer's answer goes to it: E5", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    at.send("continue-transaction", { data: continueData("00") });
    await at.clock.advance(10);
    at.terminal.removeCard();
    await at.clock.advance(100);
    expect(opened(at.news()[0]).template).toBe("E5");
  });

  test("and ABORT while the host is asked: the late E5 carries no cryptogram either", async () => {
    const at = bench();
    await toHost(at, "visa-contact");
    at.terminal.removeCard();
    const [, late] = await at.ask("abort");
    expect([opened(late).template, opened(late).hex("9F26")]).toEqual(["E5", ""]);
  });
});

describe("counters", () => {
  test("ATC, transaction sequence and both KSNs rise from one transaction to the next", async () => {
    const at = bench();
    const seen = [];
    for (let count = 0; count < 3; count += 1) {
      const e4 = await toHost(at, "visa-contact");
      seen.push({
        atc: e4.hex("9F36"),
        sequence: e4.hex("9F41"),
        pin: e4.hex("DFAE05"),
        sred: e4.hex("DFAE03"),
        number: e4.hex("9F37"),
      });
      await at.ask("continue-transaction", { data: continueData("05") });
      at.terminal.removeCard();
    }
    for (const key of ["atc", "sequence", "pin", "sred"] as const) {
      const values = seen.map((row) => row[key]);
      expect(values).toEqual([...new Set(values)].sort());
    }
    expect(seen.map(({ atc }) => atc)).toEqual(["0001", "0002", "0003"]);
    expect(new Set(seen.map(({ number }) => number)).size).toBe(3);
    expect(seen[0]?.pin.slice(0, 15)).not.toBe(seen[0]?.sred.slice(0, 15));
  });

  test("the same seed makes the same bytes, another one others", async () => {
    const run = async (seed: number): Promise<string> => {
      const at = bench({ seed });
      await toHost(at, "visa-contact");
      return at.frames.join();
    };
    expect(await run(5)).toBe(await run(5));
    expect(await run(5)).not.toBe(await run(6));
  });
});

test("when the line goes, the transaction is gone too and nothing of it reaches the next host", async () => {
  const at = bench();
  at.terminal.present("visa-contact");
  at.send("start-transaction", { data: START });
  await at.clock.advance(100);
  at.news();
  at.attach();
  await at.clock.advance(100);
  at.terminal.press(["1234", "ENTER"]);
  await at.clock.advance(1000);
  expect(at.news()).toEqual([]);
  expect(await at.ask("continue-transaction", { data: continueData("00") })).toEqual(["9F22"]);
});
