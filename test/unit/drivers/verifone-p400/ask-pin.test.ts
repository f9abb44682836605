import { describe, expect, test } from "vitest";
import type { PinRequest } from "../../../../src/card/command.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  createBench,
  held,
  identified,
  OK,
  PIN_BLOCK,
  PIN_KSN,
  PIN_TYPED,
  swipe,
  tapHeld,
  text,
  tlv,
  waiting,
} from "./bench.ts";

const REQUEST: PinRequest = { amount: 1234, currencyNumeric: "978", currencyCode: "EUR", decimals: 2, pinMs: 20_000 };
const ASK = `online-pin 0501 ${tlv("E0", `DFDF1706000000001234DFDF2403${text("EUR")}DFDF1C0102DFDF1D0100DFA20E0119DFED040104DFED05010CDFED080100`)}`;
const RESET_DONE = answerIn("EE", tlv("9F1E", "31"));

function asking(bench: Bench = tapHeld(createBench())): { readonly bench: Bench; readonly n: number } {
  const n = bench.command({ do: "ask-pin", request: REQUEST });
  return { bench, n };
}

describe("a PIN for the card that waits for its issuer", () => {
  test("is asked for with amount and currency, and never with a number", () => {
    const { bench, n } = asking();
    expect(bench.look()).toMatchObject({ sent: [ASK], notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }] });
    bench.answer(PIN_TYPED);
    const { notices } = bench.look();
    expect(notices).toMatchObject([
      { n, on: "prompt", prompt: "PROCESSING" },
      { n, on: "pin", pin: { ksn: PIN_KSN } },
    ]);
    const [, told] = notices;
    expect(told?.on === "pin" && told.pin.data.reveal()).toBe(PIN_BLOCK);
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().sent).toEqual([expect.stringMatching(/^continue-contactless/)]);
  });

  test("is taken for a swipe too, but not for a chip, a typed number, or nobody", () => {
    const swiped = createBench();
    waiting(swiped, { ...SALE, interfaces: ["stripe"] });
    swiped.event(swipe("101"));
    swiped.look();
    expect(asking(swiped).bench.look().sent).toEqual([ASK]);
    for (const bench of [held(createBench()), identified(createBench())]) {
      expect(asking(bench).bench.look()).toMatchObject({ sent: [], notices: [{ on: "fault", code: "refused" }] });
    }
  });

  test("is refused where the amount fits no field", () => {
    const bench = tapHeld(createBench());
    bench.command({ do: "ask-pin", request: { ...REQUEST, amount: -1 } });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "refused", detail: expect.stringContaining("amount") }],
    });
  });

  test.each(["9F41", "9F43", "9015", OK])(
    "%s is the customer's cancel, and the card can still be told its answer",
    (answer) => {
      const { bench, n } = asking();
      bench.look();
      bench.answer(answer);
      expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
      bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3635", scripts: [] } });
      expect(bench.look().sent).toEqual([expect.stringMatching(/^continue-contactless/)]);
    },
  );

  test("runs out by the driver's own limit: ABORT, and then nobody on the device waits for the answer", () => {
    const { bench, n } = asking();
    bench.look();
    bench.fire("pin");
    expect(bench.look().sent).toEqual(["abort"]);
    bench.answer(OK, "9F41");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "pin-timeout" }]);
    bench.command({ do: "ask-pin", request: REQUEST });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
    bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3635", scripts: [] } });
    expect(bench.look().sent).toEqual([expect.stringMatching(/^display/)]);
    bench.answer(OK);
    expect(bench.look().notices).toMatchObject([{ on: "finished", verdict: "read" }]);
  });

  test.each([
    ["9F19", "keys-missing"],
    ["9F22", "device-error"],
    [answerIn("E0", tlv("DFED6C", "11")), "device-error"],
    [answerIn("E0", tlv("DFED6C", PIN_BLOCK)), "device-error"],
    [answerIn("E0", tlv("DFED6C", PIN_BLOCK) + tlv("DFED03", "1122")), "device-error"],
  ])("%s is a fault, and the card is gone", (answer, code) => {
    const { bench, n } = asking();
    bench.answer(answer, RESET_DONE, OK);
    expect(bench.look().notices).toContainEqual(expect.objectContaining({ n, on: "fault", code }));
    bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3635", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test("other commands are refused while it runs, and what is no answer of its own is dropped", () => {
    const { bench } = asking();
    bench.look();
    bench.command({ do: "display", lines: [] });
    bench.answer("019000", answerIn("E0", ""), `${tlv("DFDE7E", "41")}9000`);
    bench.event(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test.each(["cancel", "idle"] as const)("%s ends the tap with it", (command) => {
    const { bench, n } = asking();
    bench.look();
    bench.command({ do: command });
    bench.answer("9F41", OK);
    expect(bench.look().sent).toEqual(["abort", "reset 0001"]);
    bench.answer(RESET_DONE, OK, OK);
    expect(bench.look().notices).toMatchObject([{ n, on: "cancelled", by: "register" }, { n: n + 1 }]);
  });
});

describe("how PIN block and serial number are written", () => {
  const told = (answer: string, options: Readonly<Record<string, string>> = {}): readonly (string | undefined)[] => {
    const { bench } = asking(tapHeld(createBench({ options })));
    bench.look();
    bench.answer(answer);
    const notice = bench.look().notices.at(-1);
    return notice?.on === "pin" ? [notice.pin.data.reveal(), notice.pin.ksn] : [notice?.on];
  };

  test.each([
    ["host 05, letters, twenty digits", { pinHost: "05" }, text(PIN_BLOCK), text(PIN_KSN)],
    [
      "host 05, letters, sixteen digits: the leading F come back",
      { pinHost: "05" },
      text(PIN_BLOCK),
      text(PIN_KSN.slice(4)),
    ],
    ["host 05, small letters", { pinHost: "05" }, text(PIN_BLOCK.toLowerCase()), text(PIN_KSN.toLowerCase())],
    ["host 05, bytes", { pinHost: "05" }, PIN_BLOCK, PIN_KSN],
    ["host 02, bytes", { pinHost: "02" }, PIN_BLOCK, PIN_KSN],
  ])("%s", (_what, options, data, ksn) => {
    expect(told(answerIn("E0", tlv("DFED6C", data) + tlv("DFED03", ksn)), options)).toEqual([PIN_BLOCK, PIN_KSN]);
    expect(told(`${tlv("DFED6C", data)}${tlv("DFED03", ksn)}9000`, options)).toEqual([PIN_BLOCK, PIN_KSN]);
  });

  test("host 02 writes no letters: what looks like them is unreadable", () => {
    expect(told(answerIn("E0", tlv("DFED6C", text(PIN_BLOCK)) + tlv("DFED03", PIN_KSN)), { pinHost: "02" })).toEqual([
      undefined,
    ]);
  });

  test("twelve bytes are an AES serial number", () => {
    expect(told(answerIn("E0", tlv("DFED6C", PIN_BLOCK) + tlv("DFED03", "123456789012345600000001")))).toEqual([
      PIN_BLOCK,
      "123456789012345600000001",
    ]);
  });
});
