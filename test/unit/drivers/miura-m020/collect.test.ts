import { describe, expect, test } from "vitest";
import { REMOVAL_MS, SLOT_MS, TRANSACTION_MARGIN_MS } from "../../../../drivers/miura-m020/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  cardAnswer,
  createBench,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  ENTER_PIN,
  held,
  INFO_ANSWER,
  identified,
  NO_CARD,
  PIN_OK,
  RESET_ANSWER,
  running,
  SHOW_INSERT,
  waiting,
} from "./bench.ts";
import { payload } from "./vectors.ts";

const START = "start-transaction E0269C01009F02060000000012349A032601159F2103143000DFA2040101DFA20301005F2A020978";
const WRONG_PIN = "E611C30102C409456E7465722050494EC501029000";

describe("waiting for a card", () => {
  test("the slot is looked into first, then a card is asked for, then the transaction starts", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["card-status"]);
    expect(bench.timers()).toEqual({
      answer: SLOT_MS,
      card: SALE.cardMs,
      watchdog: SALE.cardMs + SALE.pinMs + TRANSACTION_MARGIN_MS,
    });
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: [SHOW_INSERT],
      notices: [
        { n: 0, on: "slot", card: false },
        { n, on: "prompt", prompt: "INSERT_CHIP" },
      ],
    });
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["keys-on"]);
    bench.answer("9000");
    expect(Object.keys(bench.timers()).sort()).toEqual(["card", "watchdog"]);
    bench.event(CARD_IN);
    expect(bench.look()).toMatchObject({ sent: ["keys-off"], notices: [{ n: 0, on: "slot", card: true }] });
    bench.answer("9000");
    const { sent, notices } = bench.look();
    expect(sent).toEqual([START]);
    expect(notices).toEqual([{ n, on: "prompt", prompt: "PROCESSING" }]);
    expect(Object.keys(bench.timers())).toEqual(["watchdog"]);
  });

  test("a card that is in the slot already is used", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: SALE });
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual(["card-status", START]);
  });

  test("a device that does not tell the slot's state counts as what it told last", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: SALE });
    bench.fire("answer");
    expect(bench.look().notices).toMatchObject([{ prompt: "INSERT_CHIP" }]);
    const other = identified(createBench());
    other.event(CARD_IN);
    other.command({ do: "collect", request: SALE });
    other.fire("answer");
    expect(other.look().sent).toEqual(["card-status", START]);
  });

  test("a card whose chip does not answer is to be tried again; the third one is unreadable", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    bench.event(CARD_UPSIDE_DOWN, CARD_UPSIDE_DOWN, CARD_UPSIDE_DOWN);
    expect(bench.look().notices.filter(({ on }) => on !== "slot")).toEqual([{ n, on: "prompt", prompt: "TRY_AGAIN" }]);
    bench.event(NO_CARD, CARD_UPSIDE_DOWN, NO_CARD);
    expect(bench.look().notices.filter(({ on }) => on === "prompt")).toMatchObject([
      { prompt: "INSERT_CHIP" },
      { prompt: "TRY_AGAIN" },
      { prompt: "INSERT_CHIP" },
    ]);
    bench.look();
    bench.event(CARD_UPSIDE_DOWN);
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [{ n: 0, on: "slot", card: true }], reopen: false });
    bench.answer("9000", "9000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "chip-unreadable" }]);
  });

  test("no card in time is a timeout, told once the device is idle", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.fire("card");
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000", "9000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
    expect(bench.timers()).toEqual({});
  });

  test.each<[string, Partial<CollectRequest>]>([
    ["interfaces", { interfaces: [] }],
    ["amount", { amount: 12.5 }],
    ["amount", { amount: -1 }],
    ["amount", { amount: 1_000_000_000_000 }],
    ["currencyNumeric", { currencyNumeric: "EUR" }],
    ["currencyCode", { currencyCode: "eur" }],
    ["decimals", { decimals: -1 }],
    ["decimals", { decimals: 5 }],
    ["decimals", { decimals: Number.NaN }],
    ["now.date", { now: { date: "1", time: "143000" } }],
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
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, "E105DFAE0101029000", "9F26", "9F26", INFO_ANSWER);
    bench.look();
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "keys-missing" }] });
  });

  test("a second collect, or anything but cancel and idle, is refused while a card is being read", () => {
    const bench = createBench();
    running(bench);
    const numbers = [bench.command({ do: "collect", request: SALE }), bench.command({ do: "display", lines: ["x"] })];
    expect(bench.look().notices).toMatchObject(numbers.map((n) => ({ n, on: "fault", code: "refused" })));
  });

  test("a collect is refused while a card waits for its issuer", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });
});

describe("while the transaction runs", () => {
  test("the device's events become prompts, each once", () => {
    const bench = createBench();
    const n = running(bench);
    bench.event("E617C30103C41253656C656374206170706C69636174696F6E9000");
    bench.event(ENTER_PIN, ENTER_PIN);
    expect(bench.timers()).toHaveProperty("pin", SALE.pinMs);
    bench.event(WRONG_PIN.replace("C50102", "C50103"), WRONG_PIN, WRONG_PIN, PIN_OK);
    expect(bench.look().notices).toEqual(
      ["SELECT_APPLICATION", "ENTER_PIN", "WRONG_PIN", "PROCESSING"].map((prompt) => ({ n, on: "prompt", prompt })),
    );
    expect(Object.keys(bench.timers())).toEqual(["watchdog"]);
  });

  test.each(["pin", "watchdog"])("the %s limit aborts and is a timeout", (timer) => {
    const bench = createBench();
    const n = running(bench);
    bench.event(ENTER_PIN);
    bench.look();
    bench.fire(timer);
    expect(bench.look().sent).toEqual(["abort"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([]);
    bench.answer("9F41");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: timer === "pin" ? "pin-timeout" : "timeout" }]);
  });

  test.each([
    ["9F23", { on: "no-card", why: "removed" }],
    ["9F25", { on: "no-card", why: "blocked" }],
    ["9F28", { on: "no-card", why: "not-supported" }],
    ["9F41", { on: "cancelled", by: "customer" }],
    ["9F42", { on: "no-card", why: "timeout" }],
  ])("%s ends the collect", (statusWord, ending) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(statusWord);
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, ...ending }], reopen: false });
    expect(bench.timers()).toEqual({});
  });

  test("a read error of a card that stays in the slot is an unreadable chip", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9F30");
    bench.event(CARD_IN);
    expect(bench.look().notices).toEqual([]);
    expect(bench.timers()).toHaveProperty("answer", REMOVAL_MS);
    bench.fire("answer");
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "no-card", why: "chip-unreadable" }], reopen: false });
  });

  test("a read error that is followed by an empty slot is a removed card", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9F30");
    bench.event(NO_CARD);
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n, on: "no-card", why: "removed" },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test("a cancel right after a read error is a cancel", () => {
    const bench = createBench();
    const collect = running(bench);
    bench.answer("9F30");
    const n = bench.command({ do: "cancel" });
    bench.answer("9000");
    expect(bench.look().notices).toEqual(
      [collect, n].map((number) => ({ n: number, on: "cancelled", by: "register" })),
    );
  });

  test("a read error after the card was pulled is a removed card", () => {
    const bench = createBench();
    const n = running(bench);
    bench.event(NO_CARD);
    bench.answer("9F30");
    expect(bench.look().notices.at(-1)).toEqual({ n, on: "no-card", why: "removed" });
  });

  test.each(["9F0D", "9F21", "9F22", "9FFF", "9F77", "6F00"])("%s is a fault after a soft reset", (statusWord) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(statusWord);
    expect(bench.look()).toEqual({ sent: ["reset"], notices: [], reopen: false });
    bench.answer("9000", RESET_ANSWER);
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "device-error", detail: expect.stringContaining(statusWord) },
    ]);
  });

  test("a reset that is not answered opens the link anew, and the fault is told all the same", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9FFF");
    for (let tries = 0; tries < 3; tries += 1) bench.fire("answer");
    const { sent, notices, reopen } = bench.look();
    expect(sent).toEqual(["reset", "reset", "reset"]);
    expect(notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
    expect(reopen).toBe(true);
  });

  test("a device that restarts is told and the link opened anew", () => {
    const bench = createBench();
    const n = running(bench);
    bench.event("E60BC3010BC4065265626F6F749000");
    expect(bench.look()).toMatchObject({
      notices: [{ n, on: "fault", code: "device-error", detail: expect.stringContaining("Reboot") }],
      reopen: true,
    });
  });

  test("answers of earlier commands are not taken for the card's", () => {
    const bench = createBench();
    running(bench);
    bench.answer("9000", RESET_ANSWER, INFO_ANSWER, "089000");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("an application choice nobody asked for is a fault, after the transaction was aborted", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("E2009000");
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000", E5_AAC);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });
});

describe("the card's first answer", () => {
  test("E4 gives the card with its last sealed pair, its PIN block and nothing sensitive", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(E4_ARQC);
    const [notice] = bench.look().notices;
    expect(notice).toMatchObject({
      n,
      on: "card",
      card: { interface: "chip", decision: "online", masked: { bin: "476173", last4: "0119" } },
    });
    if (notice?.on !== "card") throw new Error("no card");
    const { sred, pin, icc } = notice.card;
    expect([sred?.ksn, sred?.data.reveal()]).toEqual([
      "FFFF0102628D1100005F",
      "92FC2C940487F43AC64AB3DFD54C7B72F445FE409D80FDF5",
    ]);
    expect([pin?.ksn, pin?.data.reveal()]).toEqual(["FFFF0102628D12000001", "8B68AF72199529B8"]);
    expect(icc.map(({ tag }) => tag)).toEqual(["50", "84", "95", "9F02", "9F26", "9F27", "9F36"]);
    expect(JSON.stringify(notice)).not.toContain("92FC2C94");
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["E3", "approved-offline", E3_TC],
    ["E5", "declined-offline", E5_AAC],
  ])("%s is %s", (_template, decision, body) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(body);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "card", card: { decision } }] });
    const next = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: next, on: "fault", code: "refused" }]);
  });

  test.each([
    ["a TC in E4", cardAnswer("E4", "40", "0289", ""), "protocol"],
    ["another amount", E4_ARQC.replace("9F0206000000001234", "9F0206000000123400"), "protocol"],
    ["no sealed data", cardAnswer("E4", "80", "0289", ""), "keys-missing"],
    [
      "sealed data without a key serial number",
      cardAnswer("E4", "80", "0289", "DFAE02080102030405060708"),
      "keys-missing",
    ],
    [
      "sealed data of an odd length",
      cardAnswer("E4", "80", "0289", "DFAE0207010203040506" + "07DFAE030AFFFF0102628D1100005E"),
      "keys-missing",
    ],
    ["track 2 in clear", E4_ARQC.replace("FFFFFF0119D", "9010100119D"), "clear-card-data"],
    ["a real E4 of a reader without keys", `${payload("contactClear")}9000`, "clear-card-data"],
    [
      "a number in clear inside a template",
      cardAnswer("E4", "80", "0289", "700A5A084761739001010119"),
      "clear-card-data",
    ],
  ])("%s is a fault, and the transaction is aborted", (_what, body, code) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(body);
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look().notices).toEqual([]);
    bench.fire("answer");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test.each([
    ["E3", cardAnswer("E3", "40", "0289", "5A084761739001010119"), "clear-card-data"],
    ["E5", cardAnswer("E5", "00", "0289", "5A084761739001010119"), "clear-card-data"],
    ["E3 with an AAC", cardAnswer("E3", "00", "0289", ""), "protocol"],
  ])("%s with data that cannot be used is a fault without a card", (_what, body, code) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(body);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code }] });
  });

  test("clear tracks in a card event put the terminal out of service and end the collect", () => {
    const bench = createBench();
    const n = running(bench);
    const event = answerIn("E1", "480203035F22123B343736313733393030313031303131393D");
    bench.event(event);
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [{ n: 0, on: "fault", code: "clear-card-data" }] });
    bench.answer("9000", "9F41");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
  });

  test("the real contactless payload gives its masked number, and the last four digits alone where the device masks nothing", () => {
    const bench = createBench();
    running(bench);
    const recorded = payload("contactlessSealed")
      .replace("9F0206000000000695", "9F0206000000001234")
      .replace("5F2A020840", "5F2A020978");
    bench.answer(answerIn("E4", recorded));
    expect(bench.look().notices).toMatchObject([{ card: { masked: { bin: "476173", last4: "2234" } } }]);
    const other = createBench();
    running(other);
    other.answer(cardAnswer("E4", "80", "0289", "9F25020119DFAE02080102030405060708DFAE030AFFFF0102628D1100005E"));
    expect(other.look().notices).toMatchObject([{ card: { masked: { last4: "0119" } } }]);
  });
});
