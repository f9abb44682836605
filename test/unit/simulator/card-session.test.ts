import { describe, expect, test } from "vitest";
import { findTag } from "../../../src/emv/tlv.ts";
import { ascii } from "../../../src/kit/bytes.ts";
import {
  ANY,
  APPROVED,
  held,
  hexIn,
  LIMIT_MS,
  readIn,
  SALE,
  type SessionBench,
  sessionBench,
} from "./session-bench.ts";

describe("a contact chip", () => {
  test("is waited for, read, verified by its PIN and completed", async () => {
    const at = sessionBench();
    expect(at.session.begin(SALE, { chip: true }, LIMIT_MS)).toBe(true);
    expect(at.panel.screen()).toMatchObject({ lines: ["Amount 12.34 EUR", "Insert card"], waitsFor: "card" });
    at.panel.present("visa-contact");
    await at.clock.advance(100);
    expect(at.names()).toEqual(["inserted", "enter-pin"]);
    await at.types("1234", "ENTER");
    const said = at.news();
    const read = readIn(said);
    expect(said.map(({ is }) => is)).toEqual(["pin-typed", "read"]);
    expect(read).toMatchObject({ via: "chip", decision: "online", profile: { name: "visa-contact" } });
    expect([hexIn(read, "9F27"), hexIn(read, "9F33"), ascii(findTag(read.data, "9F1E") ?? new Uint8Array(0))]).toEqual([
      "80",
      "E0F8C8",
      "0B61378A",
    ]);
    expect(read.pin?.data).toHaveLength(8);
    expect(at.session.complete(APPROVED)).toBe(true);
    expect(at.session.at()).toBe("completing");
    await at.clock.advance(100);
    expect(at.news()).toMatchObject([{ is: "completed", via: "chip", verdict: "approved" }]);
    expect([at.session.at(), at.panel.wish()]).toEqual(["idle", "removal"]);
  });

  test("that is in the slot already is used at once", async () => {
    const at = sessionBench();
    at.panel.present("offline-approves");
    at.session.begin(SALE, ANY, LIMIT_MS);
    await at.clock.advance(200);
    expect(readIn(at.news())).toMatchObject({ decision: "approved-offline" });
    expect(at.session.at()).toBe("idle");
  });

  test("in the slot that is not asked for is asked out, and another way then wanted", async () => {
    const at = sessionBench();
    at.panel.present("visa-contact");
    at.session.begin(SALE, { tap: true, magstripe: true }, LIMIT_MS);
    expect(at.panel.wish()).toBe("removal");
    at.panel.remove();
    expect(at.panel.wish()).toBe("card");
  });

  test.each([
    ["blocked-application", "blocked"],
    ["fallback", "unreadable"],
  ])("%s is told as %s, and asked out", async (card, why) => {
    const at = sessionBench();
    at.panel.present(card, "insert");
    at.session.begin(SALE, { chip: true }, LIMIT_MS);
    await at.clock.advance(100);
    expect(at.names()).toEqual(["inserted", why]);
    expect(at.panel.wish()).toBe("removal");
  });

  test("that is unreadable stays where the host is to ask it out", async () => {
    const at = sessionBench({ keepsUnreadable: true });
    at.panel.present("fallback", "insert");
    at.session.begin(SALE, { chip: true }, LIMIT_MS);
    await at.clock.advance(100);
    expect([at.names(), at.panel.wish()]).toEqual([["inserted", "unreadable"], undefined]);
  });

  test("pulled before its first cryptogram is told, before its last is a decline without one", async () => {
    const early = sessionBench();
    early.session.begin(SALE, { chip: true }, LIMIT_MS);
    early.panel.present("visa-contact");
    early.panel.remove();
    expect(early.names()).toEqual(["inserted", "removed", "pulled"]);
    for (const pulledAt of ["held", "completing"]) {
      const late = await held("visa-contact");
      if (pulledAt === "held") late.panel.remove();
      late.news();
      late.session.complete(APPROVED);
      if (pulledAt === "completing") late.panel.remove();
      const completed = late.news().find((outcome) => outcome.is === "completed");
      expect(completed).toMatchObject({ verdict: "declined" });
      expect(completed && [hexIn(completed, "9F26"), hexIn(completed, "8A")]).toEqual(["", "3030"]);
    }
  });
});

describe("a choice of applications", () => {
  test("is the holder's, by the keys", async () => {
    const at = sessionBench();
    at.panel.present("two-applications");
    at.session.begin(SALE, { chip: true }, LIMIT_MS);
    await at.clock.advance(50);
    expect(at.news().at(-1)).toEqual({ is: "choose", applications: ["VISA CREDIT", "V PAY"] });
    await at.types("2", "ENTER");
    await at.types("1234", "ENTER");
    expect(hexIn(readIn(at.news()), "84")).toBe("A0000000032020");
  });

  test("is the host's where it is asked", async () => {
    const at = sessionBench({ hostChooses: true });
    at.panel.present("two-applications");
    at.session.begin(SALE, { chip: true }, LIMIT_MS);
    await at.clock.advance(50);
    expect([at.names(), at.panel.wish()]).toEqual([["inserted", "choose"], undefined]);
    expect([at.session.choose(3), at.session.choose(0), at.session.choose(1), at.session.choose(1)]).toEqual([
      false,
      false,
      true,
      false,
    ]);
    await at.types("1234", "ENTER");
    expect(hexIn(readIn(at.news()), "84")).toBe("A0000000031010");
  });
});

describe("a pause before the first cryptogram", () => {
  const paused = async (): Promise<SessionBench> => {
    const at = sessionBench({ pausesBeforeCryptogram: true });
    at.panel.present("visa-contact");
    at.session.begin(SALE, { chip: true }, LIMIT_MS);
    await at.clock.advance(50);
    const [, selected] = at.news();
    expect(selected).toMatchObject({ is: "selected", profile: { name: "visa-contact" } });
    return at;
  };

  test("ends with the host's word", async () => {
    const at = await paused();
    expect(at.session.proceed()).toBe(true);
    await at.types("1234", "ENTER");
    expect(readIn(at.news()).pin).toBeDefined();
    expect(at.session.proceed()).toBe(false);
  });

  test("is where a host may ask for the PIN itself", async () => {
    const at = await paused();
    expect(at.session.askPin(SALE)).toBe(true);
    await at.types("1234", "ENTER");
    expect(at.names()).toEqual(["enter-pin", "pin-typed", "pin"]);
    expect(at.session.proceed(false)).toBe(true);
    await at.clock.advance(100);
    expect(readIn(at.news()).pin).toBeUndefined();
  });
});

describe("a tap", () => {
  test("is held for the issuer's answer, a PIN asked for meanwhile, and acknowledged", async () => {
    const at = await held("visa-contactless");
    expect(readIn(at.news())).toMatchObject({ via: "tap", decision: "online" });
    expect(at.session.askPin(SALE)).toBe(true);
    await at.types("1234", "ENTER");
    expect(at.names()).toEqual(["enter-pin", "pin-typed", "pin"]);
    expect([at.session.at(), at.session.complete(APPROVED)]).toEqual(["held", true]);
    expect(at.news()).toMatchObject([{ is: "completed", via: "tap", verdict: "approved", data: [{ tag: "8A" }] }]);
  });

  test("of a telephone that asks its holder first is tried again", async () => {
    const at = sessionBench();
    at.session.begin(SALE, { tap: true }, LIMIT_MS);
    at.panel.present("visa-phone");
    expect([at.names(), at.panel.screen().lines[1]]).toEqual([["see-phone"], "See phone, tap again"]);
    at.panel.present("visa-phone");
    await at.clock.advance(100);
    expect(at.names()).toEqual(["read"]);
  });

  test("is not taken where it is not asked for", async () => {
    const at = sessionBench();
    at.session.begin(SALE, { chip: true, magstripe: true }, LIMIT_MS);
    at.panel.present("visa-contactless");
    await at.clock.advance(100);
    expect([at.names(), at.session.at()]).toEqual([[], "waiting"]);
  });
});

describe("a stripe", () => {
  test("ends the wait that asked for it", () => {
    const at = sessionBench();
    at.session.begin(SALE, { magstripe: true }, LIMIT_MS);
    expect(at.panel.wish()).toBe("swipe");
    at.panel.present("magstripe");
    expect(readIn(at.news())).toMatchObject({ via: "magstripe", data: [{ tag: "5F21" }, { tag: "5F22" }] });
    expect([at.session.at(), at.session.lastCard()?.name]).toEqual(["idle", "magstripe"]);
  });

  test("that is listened to is read beside what is waited for", () => {
    const at = sessionBench();
    at.panel.present("magstripe");
    expect(at.names()).toEqual([]);
    at.session.listenToMagstripe(true);
    expect(at.names()).toEqual(["read"]);
    at.session.begin(SALE, { tap: true }, LIMIT_MS);
    at.panel.present("magstripe-pin");
    expect([at.names(), at.session.at()]).toEqual([["read"], "waiting"]);
  });
});

describe("typing", () => {
  test("of number and expiry makes a card", () => {
    const at = sessionBench();
    at.session.begin(SALE, { keyed: true }, LIMIT_MS);
    expect(at.panel.screen()).toMatchObject({ lines: ["Card number", ""], waitsFor: "number" });
    at.panel.present("manual");
    const read = readIn(at.news());
    expect(read).toMatchObject({ via: "keyed", profile: { name: "manual" } });
    expect(read.data.map(({ tag, value }) => [tag, ascii(value)])).toEqual([
      ["DFA211", "4761739001010705"],
      ["DFA215", "1231"],
    ]);
  });

  test("of one item is for hosts that ask for one after the other", async () => {
    const at = sessionBench();
    expect(at.session.type("expiry", 1000)).toBe(true);
    await at.types("123", "ENTER", "1", "ENTER");
    expect(at.news()).toEqual([{ is: "typed", item: "expiry", digits: "1231" }]);
    at.session.type("number", 1000);
    await at.clock.advance(1000);
    expect(at.names()).toEqual(["timeout"]);
  });

  test("of a number that no card here has is unreadable", async () => {
    const at = sessionBench();
    at.session.begin(SALE, { keyed: true }, LIMIT_MS);
    await at.types("4999999999999999", "ENTER", "1231", "ENTER");
    expect(at.names()).toEqual(["unreadable"]);
  });
});

describe("nobody, or somebody who does not want to", () => {
  test("a card that does not come is a timeout, a PIN that does not come another", async () => {
    const at = sessionBench();
    at.session.begin(SALE, ANY, LIMIT_MS);
    await at.clock.advance(LIMIT_MS - 1);
    expect(at.names()).toEqual([]);
    await at.clock.advance(1);
    expect(at.names()).toEqual(["timeout"]);
    at.panel.present("visa-contact");
    at.session.begin(SALE, ANY, LIMIT_MS);
    await at.clock.advance(61_000);
    expect(at.names()).toEqual(["inserted", "enter-pin", "pin-timeout"]);
  });

  test("the red key ends what it can, and a PIN for a tap leaves the tap held", async () => {
    const waiting = sessionBench();
    waiting.session.begin(SALE, ANY, LIMIT_MS);
    waiting.panel.press("CANCEL");
    expect(waiting.names()).toEqual(["cancelled"]);
    const tapped = await held("visa-contactless");
    tapped.news();
    tapped.session.askPin(SALE);
    tapped.panel.press("CANCEL");
    expect([tapped.names(), tapped.session.at()]).toEqual([["enter-pin", "cancelled"], "held"]);
  });
});

describe("abort", () => {
  test("ends what runs, and gives the word of a card that was held", async () => {
    const waiting = sessionBench();
    waiting.session.begin(SALE, ANY, LIMIT_MS);
    expect([waiting.session.abort(), waiting.names(), waiting.session.at()]).toEqual([undefined, ["aborted"], "idle"]);
    const chip = await held("visa-contact");
    chip.news();
    const declined = chip.session.abort();
    expect(declined).toMatchObject({ via: "chip", verdict: "declined" });
    expect(declined && [hexIn(declined, "9F27"), hexIn(declined, "8A")]).toEqual(["00", "5A33"]);
    expect([chip.names(), chip.session.at()]).toEqual([[], "idle"]);
    const tapped = await held("visa-contactless");
    tapped.news();
    tapped.session.askPin(SALE);
    expect(tapped.session.abort()).toMatchObject({ via: "tap", verdict: "declined" });
    expect(tapped.names()).toEqual(["enter-pin", "aborted"]);
  });

  test("leaves a completion alone", async () => {
    const at = await held("visa-contact");
    at.session.complete(APPROVED);
    expect([at.session.abort(), at.session.at()]).toEqual([undefined, "completing"]);
  });
});
