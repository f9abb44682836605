import { describe, expect, test } from "vitest";
import { SLOT_MS, TAP_END_MS } from "../../../../drivers/miura-m020/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  createBench,
  E4_ARQC,
  E5_AAC,
  identified,
  NO_CARD,
  RESET_ANSWER,
  SHOW_AGAIN,
  tapAnswer,
  tapHeld,
  tapping,
} from "./bench.ts";
import { payload, vectors } from "./vectors.ts";

/** As the maker's SDK orders it, with 60 seconds to wait. */
const IN_DOLLARS = { currencyNumeric: "840", currencyCode: "USD" };
const START_TAP = "start-contactless E0229C01009F02060000000012349A032601159F21031430005F2A020978DFFF0102003C";
const START_CHIP = "start-transaction E0269C01009F02060000000012349A032601159F2103143000DFA2040101DFA20301005F2A020978";
const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };

describe("the reader", () => {
  test("is started where the slot is empty, without text and keys of ours", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: ALL });
    expect(bench.look().sent).toEqual(["card-status with tracks"]);
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: [START_TAP],
      notices: [{ on: "slot" }, { n, on: "prompt", prompt: "INSERT_OR_TAP" }],
    });
    expect(Object.keys(bench.timers()).sort()).toEqual(["card", "watchdog"]);
  });

  test("is not started where a card is in already, nor where no tap is wanted", () => {
    const inserted = identified(createBench());
    inserted.command({ do: "collect", request: ALL });
    inserted.event(CARD_IN);
    expect(inserted.look().sent).toEqual(["card-status with tracks", START_CHIP]);
    const without = identified(createBench());
    without.command({ do: "collect", request: { ...ALL, interfaces: ["chip", "stripe"] } });
    without.event(NO_CARD);
    expect(without.look().sent[1]).toContain(Buffer.from("INSERT OR SWIPE CARD").toString("hex").toUpperCase());
  });

  test("tells a tap, which waits for CONTINUE", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.answer(tapAnswer("E4", "80", "1F0302"));
    const { sent, notices } = bench.look();
    expect(sent).toEqual([]);
    expect(notices).toMatchObject([
      {
        n,
        on: "card",
        card: { interface: "contactless-chip", decision: "online", masked: { bin: "476173", last4: "0119" } },
      },
    ]);
    expect(bench.timers()).toEqual({});
    expect(bench.state().device.held).toMatchObject({ via: "tap", atc: "0007" });
  });

  test.each([
    ["E3", "40", "approved-offline"],
    ["E5", "00", "declined-offline"],
  ] as const)("tells a card that decides by itself with %s, and holds nothing", (template, information, decision) => {
    const bench = createBench();
    tapping(bench);
    bench.answer(tapAnswer(template, information, "1F0302"));
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { decision, interface: "contactless-chip" } }]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test.each([
    ["contactlessSealed", { ...IN_DOLLARS, amount: 695 }, "2234"],
    ["contactlessFiserv", { amount: 900 }, "0010"],
  ])("understands a recorded tap: %s", (name, asked, last4) => {
    const bench = createBench();
    tapping(bench, { ...ALL, ...asked });
    bench.answer(answerIn("E4", payload(name)));
    const [notice] = bench.look().notices;
    expect(notice).toMatchObject({ on: "card", card: { interface: "contactless-chip", masked: { last4 } } });
  });

  test("understands a recorded tap in packets, whose second one is made to fit", () => {
    const bench = createBench();
    tapping(bench, { ...ALL, ...IN_DOLLARS, amount: 100 });
    const [, , recorded] = vectors.reassembly;
    for (const hex of recorded?.packets ?? [])
      bench.feed({ on: "bytes", bytes: Uint8Array.from(Buffer.from(hex, "hex")) });
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { interface: "contactless-chip" } }]);
  });

  test.each([
    ["9F39 says so", "9F390191"],
    ["DF30 says so", ""],
  ])("tells stripe mode where %s", (what, more) => {
    const bench = createBench();
    tapping(bench);
    const answer = tapAnswer("E4", "80", "1F0302", more);
    bench.answer(what.startsWith("DF30") ? answer.replace("DF30020201", "DF30020202") : answer);
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { interface: "contactless-magstripe" } }]);
  });

  test.each([
    ["9F25", { on: "no-card", why: "blocked" }],
    ["9F28", { on: "no-card", why: "use-chip" }],
    ["9FC1", { on: "no-card", why: "use-chip" }],
    ["9FC2", { on: "no-card", why: "use-chip" }],
    ["9FC3", { on: "no-card", why: "use-chip" }],
    ["9F41", { on: "cancelled", by: "customer" }],
  ])("ending with %s says %j", (statusWord, ending) => {
    const bench = createBench();
    const n = tapping(bench);
    bench.answer(statusWord);
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("that cannot read a card is tried again, and at last the chip is wanted", () => {
    const bench = createBench();
    tapping(bench);
    bench.answer("9F30");
    expect(bench.look()).toMatchObject({ sent: [START_TAP], notices: [{ prompt: "TRY_AGAIN" }] });
    bench.answer("9F30", "9F30", "9F30");
    expect(bench.look()).toMatchObject({ sent: [START_TAP, START_TAP], notices: [{ on: "no-card", why: "use-chip" }] });
  });

  test("that is broken is left out", () => {
    const bench = createBench();
    tapping(bench);
    bench.answer("9FCF");
    expect(bench.look().sent[0]).toContain("display");
    const alone = createBench();
    tapping(alone, { ...ALL, interfaces: ["contactless"] });
    alone.answer("9FCF");
    expect(alone.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("that ends with an error of its own is reset", () => {
    const bench = createBench();
    tapping(bench);
    bench.answer("9FFF");
    expect(bench.look()).toMatchObject({ sent: ["reset"], notices: [] });
    bench.answer(RESET_ANSWER);
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("is aborted when nobody comes, and E5 or 9F41 is waited for", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.fire("card");
    expect(bench.look().sent).toEqual(["abort"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([]);
    bench.answer("9F41");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });

  test("whose tap crosses an ABORT is told as cancelled, and its E5 is read away", () => {
    const bench = createBench();
    tapping(bench);
    bench.command({ do: "cancel" });
    bench.answer(tapAnswer("E4", "80", "1F0302"), "9000");
    expect(bench.look().notices).toEqual([]);
    bench.answer(E5_AAC);
    expect(bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
  });

  test("that reports a restart loses the link", () => {
    const bench = createBench();
    tapping(bench);
    bench.event("E616C30101C41144657669636520706F7765726564206F6E9000");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "device-error" }] });
  });
});

describe("a card that is inserted while the reader waits", () => {
  test.each([
    ["event first", ["event", "answer"]],
    ["answer first", ["answer", "event"]],
  ])("starts its chip: %s", (_what, order) => {
    const bench = createBench();
    const n = tapping(bench);
    for (const one of order) one === "event" ? bench.event(CARD_IN) : bench.answer("9F43");
    const { sent, notices } = bench.look();
    expect(sent).toEqual([START_CHIP]);
    expect(notices.filter(({ on }) => on === "prompt")).toEqual([{ n, on: "prompt", prompt: "PROCESSING" }]);
    // Its answer once more is nobody's.
    bench.answer("9F43", E4_ARQC);
    expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { interface: "chip" } }]);
  });

  test("has ended the reader: what else is answered until it is reported belongs to nobody", () => {
    const bench = createBench();
    tapping(bench);
    bench.answer("9F43");
    bench.look();
    bench.answer("9F41", tapAnswer("E4", "80", "1F0302"));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([START_CHIP]);
  });

  test("has two seconds to end the reader, and half a second to be reported", () => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_IN);
    expect(bench.timers()).toHaveProperty("answer", TAP_END_MS);
    const other = createBench();
    tapping(other);
    other.answer("9F43");
    expect(other.timers()).toHaveProperty("answer", SLOT_MS);
  });

  test("and is gone again before the reader ended leaves it waiting", () => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_IN, NO_CARD);
    expect(bench.timers()).not.toHaveProperty("answer");
  });

  test("with a silent chip is to be tried again, and then the reader waits once more", () => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_UPSIDE_DOWN);
    bench.answer("9F43");
    expect(bench.look()).toMatchObject({ sent: [SHOW_AGAIN], notices: [{ on: "slot" }, { prompt: "TRY_AGAIN" }] });
    bench.answer("9000", "9000");
    bench.event(NO_CARD);
    bench.answer("9000");
    expect(bench.look()).toMatchObject({ sent: ["keys-on", "keys-off", START_TAP] });
  });
});

describe("the completion of a tap", () => {
  test.each([
    [APPROVED, "E3", "read"],
    [DECLINED, "E5", "read"],
    [APPROVED, "E5", "declined"],
  ] as const)("%j and %s is %s", (issuer, template, verdict) => {
    const bench = tapHeld(createBench());
    const n = bench.command({ do: "complete", issuer });
    expect(bench.look().sent).toEqual([`continue-transaction E0048A02${issuer.arc}`]);
    bench.answer(`${template}048A02${issuer.arc}9000`);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict }]);
  });

  test("never approves what the issuer declined, nor under another counter", () => {
    const bench = tapHeld(createBench());
    bench.command({ do: "complete", issuer: DECLINED });
    bench.answer("E3048A0230309000");
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "protocol" }]);
    const other = tapHeld(createBench());
    other.command({ do: "complete", issuer: APPROVED });
    other.answer("E3059F360200089000");
    expect(other.look().notices).toMatchObject([{ on: "fault", code: "protocol" }]);
  });
});

describe("a refund by tap", () => {
  const REFUND = { ...ALL, transactionType: "20" } as const;

  test("is ended by us after an ARQC, before the card is told", () => {
    const bench = createBench();
    const n = tapping(bench, REFUND);
    bench.answer(tapAnswer("E4", "80", "420300"));
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000", E5_AAC);
    expect(bench.look().notices).toMatchObject([
      { n, on: "card", card: { interface: "contactless-chip", decision: "online" } },
    ]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test.each([
    ["of a sale", tapAnswer("E5", "00", "1F0302", "9C0100")],
    ["without a cryptogram", tapAnswer("E5", "00", "1F0302").replace("9F2608", "9F7C08")],
  ])("is no refund upon an answer %s", (_what, answer) => {
    const bench = createBench();
    tapping(bench, REFUND);
    bench.answer(answer);
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "protocol" }]);
  });

  test("is over after an AAC, whose sealed number it needs", () => {
    const bench = createBench();
    tapping(bench, REFUND);
    bench.answer(tapAnswer("E5", "00", "1F0302"));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "card", card: { decision: "declined-offline" } }] });
    const clear = createBench();
    tapping(clear, REFUND);
    clear.answer(E5_AAC);
    expect(clear.look().notices).toMatchObject([{ on: "fault", code: "keys-missing" }]);
  });
});

describe("an E5 that comes after its ABORT was given up", () => {
  const late = (request: CollectRequest, n: number): Bench => {
    const bench = createBench();
    tapping(bench, request);
    bench.answer(tapAnswer("E4", "80", "1F0302"));
    if (n === 1) bench.command({ do: "cancel" });
    bench.answer("9000");
    bench.fire("answer");
    bench.look();
    bench.command({ do: "collect", request });
    bench.event(NO_CARD);
    return bench;
  };

  test.each([
    ["a cancelled sale", ALL, 1],
    ["a refund that we ended", { ...ALL, transactionType: "20" } as const, 0],
  ])("of %s is nobody's, with its counter or without one; the next card's is", (_what, request, n) => {
    const bench = late(request, n);
    bench.look();
    bench.answer(tapAnswer("E5", "00", "1F0302"), "E5048A025A339000");
    expect(bench.look().notices).toEqual([]);
    bench.answer(tapAnswer("E5", "00", "1F0302").replace("9F36020007", "9F36020008"));
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { decision: "declined-offline" } }]);
  });

  test("is not waited for where it has come", () => {
    const bench = createBench();
    tapping(bench);
    bench.answer(tapAnswer("E4", "80", "1F0302"));
    bench.command({ do: "cancel" });
    bench.answer("9000", E5_AAC);
    expect(bench.state().device.dropped).toBeUndefined();
  });

  test("of a tap that crossed its ABORT is known as well", () => {
    const bench = createBench();
    tapping(bench);
    bench.command({ do: "cancel" });
    bench.answer(tapAnswer("E4", "80", "1F0302"), "9000");
    bench.fire("answer");
    expect(bench.state().device.dropped).toEqual({ atc: "0007", last4: "0119" });
  });
});
