import { describe, expect, test } from "vitest";
import { AUTHENTICATE_MS, REMOVAL_MS, TRANSACTION_MARGIN_MS } from "../../../../drivers/idtech-vp3300/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  DATA_KEY,
  DONE,
  FIRMWARE,
  firmwareOf,
  held,
  identified,
  idles,
  MODULES,
  MORE,
  ONLINE,
  running,
  SEALED,
  SELECTED,
  SERIAL,
  waiting,
} from "./bench.ts";

const START = /^start 000041007[8]9C01009F02060000000012349F03060000000000005F2A020978DFEE1A/;

describe("waiting for a chip", () => {
  test("the reader is started, and then the chip's transaction", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    const { sent, notices } = bench.look();
    expect(sent).toEqual([expect.stringMatching(START)]);
    expect(notices).toEqual([{ n, on: "prompt", prompt: "INSERT_CHIP" }]);
    expect(bench.timers()).toEqual({ card: SALE.cardMs, watchdog: SALE.cardMs + SALE.pinMs + TRANSACTION_MARGIN_MS });
    bench.answer(MORE);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.tell("F200 01");
    bench.answer(SELECTED);
    expect(bench.look()).toEqual({
      sent: [expect.stringMatching(/^authenticate 010078DFEE1A/)],
      notices: [
        { n: 0, on: "slot", card: true },
        { n, on: "prompt", prompt: "PROCESSING" },
      ],
      reopen: false,
    });
    expect(bench.timers()).toMatchObject({ answer: AUTHENTICATE_MS });
    expect(bench.timers()).not.toHaveProperty("card");
  });

  test("a device that switched the first answer off is as good", () => {
    const bench = createBench();
    waiting(bench);
    bench.answer(SELECTED);
    expect(bench.look().sent).toEqual([expect.stringContaining("authenticate")]);
  });

  test("a card that is in the slot already is used, without words", () => {
    const bench = identified(createBench());
    bench.tell("F200 01");
    bench.look();
    bench.command({ do: "collect", request: ALL });
    expect(bench.look()).toMatchObject({ sent: [expect.stringMatching(START)], notices: [] });
  });

  test.each<[string, Partial<CollectRequest>]>([
    ["no chip is wanted", { interfaces: ["contactless"] }],
    ["its chip was unreadable", { ...ALL, again: "chip-unreadable" }],
    ["the stripe stands in for it", { ...ALL, again: "fallback" }],
  ])("a card in the slot is asked out first where %s", (_what, changes) => {
    const bench = identified(createBench());
    bench.tell("F200 01");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...SALE, ...changes } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, prompt: "REMOVE_CARD" }] });
    bench.tell("F200 00");
    expect(bench.look()).toMatchObject({
      sent: [expect.stringContaining("activate")],
      notices: [{ on: "slot" }, { n, on: "prompt" }],
    });
  });

  test.each<[string, Partial<CollectRequest>]>([
    ["interfaces", { interfaces: [] }],
    ["interfaces", { interfaces: ["keyed"] }],
    ["amount", { amount: 12.5 }],
    ["currencyNumeric", { currencyNumeric: "EUR" }],
    ["decimals", { decimals: 5 }],
  ])("a request with a wrong %s is refused by that name", (field, wrong) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...SALE, ...wrong } });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "fault", code: "refused", detail: expect.stringContaining(field) }],
    });
  });

  test("a terminal without a card data key reads no card", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    idles(bench);
    bench.answer(FIRMWARE, SERIAL, DONE.poll, "8100 00", MODULES, DONE.switches);
    bench.look();
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "keys-missing" }] });
  });

  test("anything but cancel and idle is refused meanwhile, and a collect while a card waits for its issuer", () => {
    const bench = createBench();
    waiting(bench);
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
    const busy = held(createBench());
    const m = busy.command({ do: "collect", request: SALE });
    expect(busy.look()).toMatchObject({ sent: [], notices: [{ n: m, on: "fault", code: "refused" }] });
  });

  test("no card in time is a timeout, told once the device is idle", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.fire("card");
    expect(bench.look()).toEqual({ sent: ["cancel"], notices: [], reopen: false });
    idles(bench);
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
    expect(bench.timers()).toEqual({});
  });

  test("a card that is in as the time for cards runs out is read, and is the last", () => {
    const read = createBench();
    waiting(read);
    read.tell("F200 01");
    read.fire("card");
    read.look();
    read.answer(SELECTED);
    expect(read.look().sent).toEqual([expect.stringMatching(/^authenticate/)]);
    for (const end of [(bench: Bench) => bench.tell("F200 00"), (bench: Bench) => bench.answer("6008")]) {
      const bench = createBench();
      const n = waiting(bench);
      bench.tell("F200 01");
      bench.fire("card");
      bench.look();
      end(bench);
      idles(bench);
      expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "no-card", why: "timeout" });
    }
  });

  test("a reader that gives up before us is asked again, not for ever", () => {
    const bench = createBench();
    const n = waiting(bench);
    for (let times = 0; times < 6; times += 1) bench.answer("6008");
    const { sent, notices } = bench.look();
    expect(sent).toHaveLength(5);
    expect(notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });
});

describe("the chip's first answer", () => {
  test("asks for the issuer: clear objects, ciphertext with its key serial number, the last digits", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(MORE, ONLINE);
    const [notice] = bench.look().notices;
    if (notice?.on !== "card") throw new Error("no card");
    expect(notice).toMatchObject({ n, card: { interface: "chip", decision: "online", masked: { last4: "0010" } } });
    expect(notice.card.icc.map(({ tag }) => tag)).toEqual(["95", "9C", "9F02", "9F26", "9F27", "9F36"]);
    expect(notice.card.sred?.ksn).toBe("FFFF987654320040000A");
    expect(bench.timers()).toEqual({});
  });

  test("may come at once, without a word of the application", () => {
    const bench = createBench();
    waiting(bench);
    bench.answer(ONLINE);
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { decision: "online" } }]);
  });

  test.each([
    ["0000", "40", "approved-offline"],
    ["0001", "00", "declined-offline"],
  ])("%s is a card that decided by itself", (result, information, decision) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(chipAnswer(result, information));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "card", card: { decision } }] });
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test.each<[string, string, string]>([
    ["another amount", ONLINE.replace("000000001234", "000000001235"), "protocol"],
    ["another type", ONLINE.replace("9C0100", "9C0120"), "protocol"],
    ["a cryptogram that says no", chipAnswer("0004", "00"), "protocol"],
    ["no cryptogram", ONLINE.replace("9F2608", "9F7108"), "protocol"],
    ["no ciphertext", ONLINE.replace(SEALED, ""), "keys-missing"],
    ["a clear number", chipAnswer("0004", "80", "0289", "5A084761739001010119"), "clear-card-data"],
    ["no objects", "6000 C05799", "protocol"],
    ["no result", "6000 C04F07A0000000031010", "protocol"],
  ])("with %s is no card: the transaction is cancelled and a fault told", (_what, answer, code) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(answer);
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    idles(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test("of a refund is told, and a chip that asks for its issuer is cancelled first", () => {
    const bench = createBench();
    const n = running(bench, { ...SALE, transactionType: "20" });
    bench.answer(ONLINE.replace("9C0100", "9C0120"));
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    idles(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test("that does not come ends the collect", () => {
    const bench = createBench();
    const n = running(bench);
    bench.fire("answer");
    idles(bench);
    expect(bench.look()).toMatchObject({ sent: ["cancel", "ping"], notices: [{ n, on: "fault", code: "no-answer" }] });
  });
});

describe("a card that cannot be read", () => {
  test.each<[string, Partial<Notice>]>([
    ["5023", { on: "no-card", why: "blocked" }],
    ["5005", { on: "no-card", why: "not-supported" }],
    ["3005", { on: "no-card", why: "removed" }],
    ["0012", { on: "cancelled", by: "customer" }],
  ])("result %s", (result, ending) => {
    const bench = createBench();
    const n = waiting(bench);
    bench.answer(`6000 C0DFEE2502${result}`);
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, ...ending }], reopen: false });
    expect(bench.timers()).toEqual({});
  });

  test.each(["0007", "3002", "3003", "3004"])(
    "result %s of a card that stays in the slot is an unreadable chip",
    (result) => {
      const bench = createBench();
      const n = waiting(bench);
      bench.tell("F200 01");
      bench.look();
      bench.answer(`6000 C0DFEE2502${result}`);
      expect(bench.look().notices).toEqual([]);
      expect(bench.timers()).toHaveProperty("answer", REMOVAL_MS);
      bench.fire("answer");
      expect(bench.look()).toEqual({
        sent: [],
        notices: [{ n, on: "no-card", why: "chip-unreadable" }],
        reopen: false,
      });
    },
  );

  test("one that is followed by an empty slot was pulled, also where the slot was told first", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.tell("F200 01");
    bench.answer("6000 C0DFEE25023004");
    bench.tell("F200 00");
    expect(bench.look().notices.at(-1)).toEqual({ n, on: "no-card", why: "removed" });
    const other = createBench();
    const m = running(other);
    other.tell("F200 00");
    other.answer("600A");
    expect(other.look().notices.at(-1)).toEqual({ n: m, on: "no-card", why: "removed" });
  });

  test.each([
    ["90", "keys-missing"],
    ["91", "keys-missing"],
    ["1D", "tampered"],
    ["05", "device-error"],
  ])("status %s", (status, code) => {
    const bench = createBench();
    const n = waiting(bench);
    bench.answer(`60${status}`);
    idles(bench);
    expect(bench.look()).toMatchObject({ sent: ["cancel", "ping"], notices: [{ n, on: "fault", code }] });
  });

  test("a start-up notice means that the transaction is gone", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("1401 4E454F20322E30");
    expect(bench.look()).toMatchObject({
      notices: [{ n, on: "fault", code: "device-error", detail: expect.stringContaining("NEO 2.0") }],
      reopen: true,
    });
  });
});

describe("a member with keys", () => {
  const withKeys = (): ReturnType<typeof createBench> => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    idles(bench);
    bench.answer(firmwareOf("VP8800 FW v1.00.026"), "8100 01", SERIAL, DONE.poll, DATA_KEY, MODULES, DONE.switches);
    bench.look();
    return bench;
  };

  test("has a PIN typed inside the chip's transaction, which takes as long as a PIN may", () => {
    const bench = withKeys();
    const n = bench.command({ do: "collect", request: SALE });
    bench.answer(SELECTED);
    expect(bench.timers()).toMatchObject({ answer: AUTHENTICATE_MS + SALE.pinMs });
    bench.look();
    bench.answer(chipAnswer("0004", "80", "0289", "99081122334455667788DFEE510AFFFF9876543200400001"));
    const [notice] = bench.look().notices;
    if (notice?.on !== "card") throw new Error("no card");
    expect([notice.n, notice.card.pin?.data.reveal(), notice.card.pin?.ksn]).toEqual([
      n,
      "1122334455667788",
      "FFFF9876543200400001",
    ]);
    expect(notice.card.icc.map(({ tag }) => tag)).not.toContain("99");
  });

  test("that waits for a PIN in vain says so", () => {
    const bench = withKeys();
    const n = bench.command({ do: "collect", request: SALE });
    bench.answer(SELECTED);
    bench.look();
    bench.answer("6000 C0DFEE25020008");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "pin-timeout" }]);
  });

  test("uses the card in the slot again after a wrong PIN", () => {
    const bench = withKeys();
    bench.tell("F200 01");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...SALE, again: "wrong-pin" } });
    expect(bench.look()).toMatchObject({ sent: [expect.stringMatching(START)], notices: [{ n, prompt: "WRONG_PIN" }] });
  });

  test("brings no PIN into a refund", () => {
    const bench = withKeys();
    bench.command({ do: "collect", request: { ...SALE, transactionType: "20" } });
    bench.answer(
      SELECTED,
      chipAnswer("0001", "00", "0289", "99081122334455667788DFEE510AFFFF9876543200400001").replace("9C0100", "9C0120"),
    );
    const card = bench.look().notices.at(-1);
    expect(card?.on === "card" && card.card.pin).toBeUndefined();
    expect(card?.on).toBe("card");
  });
});

describe("a reader without a screen", () => {
  test.each([
    ["a menu gets its first line", "6101 01 0200 1E00 0200 454E 0000 0000", "dialogue 0101"],
    ["a language menu too", "6101 08 0000 0200 454E 0000 0000", "dialogue 0801"],
    ["a wanted key is enter", "6101 02 0000 0200 454E 0000 0000", "dialogue 0245"],
    ["a PIN is not typed", "6102 01 0000", "pin-dialogue 00"],
  ])("%s", (_what, frame, sent) => {
    const bench = createBench();
    running(bench);
    bench.tell(frame);
    expect(bench.look().sent).toEqual([sent]);
  });

  test("its messages become prompts, each once, and whatever it says else is let be", () => {
    const bench = createBench();
    const n = running(bench);
    const message = (number: string): string => `6101 03 0000 0200 454E 0300 81${number}1C 0000`;
    bench.tell(
      message("27"),
      message("27"),
      message("09"),
      message("63"),
      "6101 10",
      "6101",
      "6103 00",
      "6103 01 0200 1E00 0200 454E 0000 0000",
      "6101 03 FFFF",
    );
    expect(bench.look()).toEqual({
      sent: [],
      notices: [
        { n, on: "prompt", prompt: "REMOVE_CARD" },
        { n, on: "prompt", prompt: "ENTER_PIN" },
      ],
      reopen: false,
    });
  });
});
