import { describe, expect, test } from "vitest";
import { AUTHORIZE_MS, QUERY_MS, START_MS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { authorizing, type Bench, CIPHER, createBench, emv, identified, KSN, PREPARED, waiting } from "./bench.ts";

/** What follows a collect that ended with something open: 00. and its answer. */
const stopped = (bench: Bench, ...before: readonly string[]) => {
  bench.tell(...before, "00.0000");
  return bench.look();
};

describe("a chip", () => {
  test("is asked for with its amount, started, confirmed and told", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toEqual({ sent: ["14.01", "13.1234~"], notices: [], reopen: false });
    expect(bench.timers()).toMatchObject({ answer: QUERY_MS, card: 60_000, watchdog: 145_000 });
    bench.tell("13.0");
    expect(bench.look()).toEqual({
      sent: ["23.3|||S"],
      notices: [{ n, on: "prompt", prompt: "INSERT_CHIP" }],
      reopen: false,
    });
    bench.tell("09.020201I");
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n, on: "prompt", prompt: "PROCESSING" },
    ]);
    bench.tell("23.0S");
    expect(bench.look()).toEqual({ sent: ["33.00.0000|||5000||"], notices: [], reopen: false });
    expect(bench.timers()).toMatchObject({ answer: START_MS });
    expect(bench.timers()).not.toHaveProperty("card");
    bench.tell("33.00.0000", PREPARED);
    expect(bench.look().sent).toEqual(["04.1B000"]);
    bench.tell("04.0B0000");
    expect(bench.look().sent).toEqual(["13.1234~"]);
    bench.tell("13.0");
    expect(bench.timers()).toMatchObject({ pin: 45_000 });
    bench.tell(emv("03", "80"));
    const { sent, notices } = bench.look();
    expect(sent).toEqual([]);
    expect(notices).toMatchObject([
      { n, on: "card", card: { interface: "chip", decision: "online", masked: { bin: "476173", last4: "1119" } } },
    ]);
    const [notice] = notices;
    if (notice?.on !== "card") throw new Error("no card");
    expect([notice.card.sred?.data.reveal(), notice.card.sred?.ksn, notice.card.pin]).toEqual([CIPHER, KSN, undefined]);
    expect(notice.card.icc.map(({ tag }) => tag)).toEqual(["9F02", "9C", "5F2A", "9F36", "9F26", "95", "9F27"]);
    expect(bench.timers()).toEqual({ restart: expect.any(Number) });
  });

  test("just behind the limit for a PIN is the card, or a PIN that ran out", () => {
    const late = (): { readonly bench: Bench; readonly n: number } => {
      const bench = createBench();
      const n = authorizing(bench);
      bench.fire("pin");
      expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
      expect(bench.timers()).toMatchObject({ pin: 20_000 });
      return { bench, n };
    };
    const typed = late();
    typed.bench.tell(emv("03", "80"));
    expect(typed.bench.look().notices).toMatchObject([{ n: typed.n, on: "card" }]);
    const over = late();
    over.bench.tell("33.05.0000|D1010:0005:aOTHER|", "00.0000");
    expect(over.bench.look().notices).toMatchObject([{ n: over.n, on: "no-card", why: "pin-timeout" }]);
  });

  test("takes the shop's prompts and forms", () => {
    const bench = identified(createBench("tcp", { cardPrompt: "312", cardForm: "card.K3Z" }));
    bench.command({ do: "collect", request: { ...ALL, interfaces: ["chip", "contactless", "stripe", "keyed"] } });
    bench.tell("13.0");
    expect(bench.look().sent).toEqual(["14.01", "13.1234~", "23.312|card.K3Z||CMS"]);
  });

  test("that is in the slot is not asked for", () => {
    const bench = identified(createBench());
    bench.tell("09.020201I");
    const n = bench.command({ do: "collect", request: SALE });
    bench.tell("13.0");
    expect(bench.look().notices).toEqual([{ n: 0, on: "slot", card: true }]);
    bench.tell("23.0S");
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "PROCESSING" }]);
  });

  test("after a wrong PIN stays in, and the cashier sees why", () => {
    const bench = identified(createBench());
    bench.tell("09.020201I");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...SALE, again: "wrong-pin" } });
    bench.tell("13.0", "23.0S");
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "WRONG_PIN" }]);
  });

  test.each([
    ["40", "A", "approved-offline"],
    ["00", "D", "declined-offline"],
  ])("that decides by itself (%s, %s) is told as %s, and nothing follows", (information, word, decision) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("05", information, word));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "card", card: { decision } }] });
    const next = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: next, on: "fault", code: "refused" }]);
  });

  test.each([
    ["CDIV", "chip-unreadable"],
    ["CNSUP", "not-supported"],
    ["CRPRE", "removed"],
    ["APBLK", "blocked"],
    ["CABLK", "blocked"],
    ["CEXP", "not-supported"],
  ])("that ends with %s is told as %s", (code, why) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(`33.05.0000|D1003:0001:aE|D1010:000${code.length}:a${code}|`);
    expect(bench.look().sent).toEqual(["00.0000"]);
    expect(stopped(bench).notices).toEqual([{ n, on: "no-card", why }]);
  });

  test.each([
    ["40", "A", { on: "card", card: { decision: "approved-offline" } }],
    ["00", "D", { on: "no-card", why: "removed" }],
  ])("that was pulled behind its word (%s, %s) is told by what counts", (information, word, ending) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("05", information, word, "D1010:0005:aCRPRE|"));
    expect(stopped(bench).notices).toMatchObject([{ n, ...ending }]);
  });

  test("that says TC where the device says no, or the other way round, decides nothing", () => {
    for (const [information, word] of [
      ["40", "D"],
      ["00", "A"],
      ["40", ""],
    ] as const) {
      const bench = createBench();
      const n = authorizing(bench);
      bench.tell(emv("05", information, word));
      const { notices } = stopped(bench);
      expect(notices).toMatchObject([{ n, on: "fault" }]);
    }
  });

  test.each([
    ["23.0Q", "a quick chip read"],
    [emv("05", "80", "D", "T8A:0002:aZ3|"), "a transaction that ends with its ARQC"],
  ])("a device that does quick chip is out of service (%#)", (body) => {
    const bench = createBench();
    const n = body.startsWith("23") ? waiting(bench) : authorizing(bench);
    bench.tell(body);
    expect(stopped(bench).notices).toMatchObject([
      { n, on: "fault", code: "misconfigured", detail: expect.stringContaining("19_21") },
    ]);
  });

  test("a message that was said before changes nothing", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.tell(
      emv("05", "40", "A"),
      emv("03", "80"),
      PREPARED,
      "13.0",
      "04.0B0000",
      "31.0",
      "09.020201I",
      "23.0S",
      emv("03", "80"),
      PREPARED,
      PREPARED,
      "04.0B0000",
    );
    expect(bench.look().sent).toEqual(["33.00.0000|||5000||", "04.1B000", "13.1234~"]);
    expect(n).toBe(2);
  });
});

describe("an answer that is not to be used", () => {
  test.each([
    ["another amount", emv("03", "80").replace("000000001234", "000000001235"), "protocol", "9F02"],
    ["another kind", emv("03", "80").replace("T9C:0001:h00", "T9C:0001:h20"), "protocol", "9C"],
    ["a TC where an ARQC is needed", emv("03", "40"), "protocol", "9F27"],
    ["no cryptogram", emv("03", "80").replace("T9F26", "T9F25"), "protocol", "9F26"],
    ["another currency", emv("03", "80").replace("h0978", "h0840"), "refused", "840"],
    ["a number in clear", emv("03", "80").replace("4761730000001119D", "4761739001011119D"), "clear-card-data", "57"],
    ["no ciphertext", emv("03", "80").replace("TFF1F", "TFF2F"), "keys-missing", "no encrypted card data"],
    ["a status", emv("03", "80").replace("33.03.0000", "33.03.E000"), "device-error", "E0"],
    ["nothing that can be read", "33.03.0000|T57:FFFF:h00|", "protocol", "cannot be read"],
  ])("%s", (_what, body, code, detail) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(body);
    expect(bench.look()).toMatchObject({ sent: ["00.0000"], notices: [] });
    expect(stopped(bench).notices).toEqual([{ n, on: "fault", code, detail: expect.stringContaining(detail) }]);
  });

  test("a number in clear counts before its time too", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.tell("23.0S", `33.00.0000`, PREPARED.replace("4761730000001119D", "4761739001011119D"));
    expect(stopped(bench).notices.at(-1)).toMatchObject({ n, code: "clear-card-data" });
  });
});

describe("a collect that cannot go on", () => {
  test.each([
    ["the amount is not taken", (bench: Bench) => bench.tell("13.1"), "device-error"],
    ["33.00 is refused", (bench: Bench) => bench.tell("23.0S", "33.00.E000"), "device-error"],
    ["04. fails", (bench: Bench) => bench.tell("23.0S", "33.00.0000", PREPARED, "04.1B0000"), "device-error"],
  ])("because %s ends with a fault", (_why, act, code) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    if (code !== "device-error" || !_why.startsWith("the amount")) bench.tell("13.0");
    act(bench);
    expect(stopped(bench).notices.at(-1)).toMatchObject({ n, on: "fault", code });
  });

  test.each([
    ["23.0S", START_MS],
    ["23.0E", AUTHORIZE_MS],
  ])("goes on for its time behind %s, and no longer", (body, ms) => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(body);
    expect(bench.timers()).toMatchObject({ answer: ms });
    bench.fire("answer");
    expect(stopped(bench).notices.at(-1)).toMatchObject({ n, on: "fault", code: "no-answer" });
  });

  test("13. is asked once more, and then the link is opened anew", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    bench.look();
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["13.1234~"]);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test.each(["card", "watchdog"])("nobody comes: the clock called %s ends it", (name) => {
    const bench = createBench();
    const n = waiting(bench);
    bench.fire(name);
    expect(stopped(bench, "23.a").notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });

  test("a customer who does not confirm the amount, or presses cancel, does not want to pay", () => {
    for (const bodies of [["23.0S", "33.00.0000", PREPARED, "04.0B0000", "13.2"], ["23.0S", "10."], ["10."]]) {
      const bench = createBench();
      const n = waiting(bench);
      bench.tell(...bodies);
      expect(stopped(bench).notices.at(-1)).toEqual({ n, on: "cancelled", by: "customer" });
    }
    const bench = createBench();
    const n = waiting(bench);
    bench.tell("23.2");
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "cancelled", by: "customer" }], reopen: false });
  });
});

describe("a request", () => {
  const wrong: readonly Partial<CollectRequest>[] = [
    { amount: -1 },
    { currencyNumeric: "EUR" },
    { decimals: 9 },
    { now: { date: "x", time: "143000" } },
    { interfaces: [] },
  ];
  test.each(wrong)("with %j is refused before anything is written", (changes) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...SALE, ...changes } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("for what this member cannot do is refused", () => {
    const bench = identified(createBench(), "07.INGENICO|i6550|123456");
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "fault", code: "refused", detail: expect.stringContaining("stripe, keyed") }],
    });
  });
});

describe("a card that cannot be used", () => {
  test("is asked out on the display and at the register before anything else", () => {
    const bench = identified(createBench());
    bench.tell("09.020201I");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    expect(bench.look()).toEqual({
      sent: ["24.msg.K3Z|Tprompt1,Please remove card"],
      notices: [{ n, on: "prompt", prompt: "REMOVE_CARD" }],
      reopen: false,
    });
    bench.tell("24.0\u001f", "09.020201I");
    expect(bench.look().sent).toEqual([]);
    bench.tell("09.020201R");
    expect(bench.look().sent).toEqual(["14.01", "13.1234~"]);
    bench.tell("13.0");
    expect(bench.look()).toMatchObject({ sent: ["23.3|||CMS"], notices: [{ n, prompt: "INSERT_OR_TAP" }] });
  });

  test("is asked out while something else is waited for, and then that is asked for again", () => {
    const bench = createBench();
    const n = waiting(bench, { ...ALL, interfaces: ["contactless"] });
    bench.tell("09.020201I", "09.020201R");
    expect(bench.look()).toEqual({
      sent: [],
      notices: [
        { n: 0, on: "slot", card: true },
        { n, on: "prompt", prompt: "REMOVE_CARD" },
        { n: 0, on: "slot", card: false },
        { n, on: "prompt", prompt: "TAP" },
      ],
      reopen: false,
    });
  });
});

test("a refund says so to the device, and ends with the card after its AAC or its ARQC", () => {
  const refund: CollectRequest = { ...ALL, transactionType: "20" };
  const aac = createBench("tcp", { refundType: "07" });
  const n = authorizing(aac, refund);
  expect(aac.timers()).toMatchObject({ answer: AUTHORIZE_MS });
  aac.tell(emv("05", "00", "C").replace("T9C:0001:h00", "T9C:0001:h20"));
  expect(aac.look()).toMatchObject({ sent: [], notices: [{ n, on: "card", card: { decision: "declined-offline" } }] });
  aac.command({ do: "collect", request: refund });
  expect(aac.look().sent).toEqual(["14.07", "13.1234~"]);

  const arqc = createBench();
  const m = authorizing(arqc, refund);
  arqc.tell(emv("03", "80", "", "T9F34:0003:h420300|").replace("T9C:0001:h00", "T9C:0001:h20"));
  expect(arqc.look()).toMatchObject({ sent: ["00.0000"], notices: [] });
  expect(stopped(arqc).notices).toMatchObject([{ n: m, on: "card", card: { decision: "online" } }]);
});
