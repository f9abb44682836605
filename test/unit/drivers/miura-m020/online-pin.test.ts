import { describe, expect, test } from "vitest";
import { TRANSACTION_MARGIN_MS } from "../../../../drivers/miura-m020/timing.ts";
import type { PinRequest } from "../../../../src/card/command.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  type Bench,
  createBench,
  E5_AAC,
  held,
  NO_CARD,
  PIN_OK,
  PIN_TYPED,
  RESET_ANSWER,
  tapAnswer,
  tapHeld,
  tapping,
} from "./bench.ts";

const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };

describe("a tap that wants a PIN", () => {
  const PIN = `online-pin E0429F0206000000001234500A4D415354455243415244DFAE22243B3437363137332A2A2A2A2A2A303131393D313531323230312A2A2A2A2A2A2A2A2A2A3F5F2A020978`;

  test("has it typed before it is told", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.answer(tapAnswer("E4", "80", "420300"));
    expect(bench.look()).toMatchObject({ sent: [PIN], notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }] });
    expect(bench.timers()).toMatchObject({ pin: ALL.pinMs });
    bench.event(PIN_OK);
    bench.answer("9000", PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { n, prompt: "PROCESSING" },
      { n, on: "card", card: { pin: { ksn: "FFFF0102628D12000001" } } },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test("is told without one where there is no PIN key", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, "E105DFAE0101049000", "9F26", "9F26", "9F26");
    bench.command({ do: "collect", request: ALL });
    bench.event(NO_CARD);
    bench.answer(tapAnswer("E4", "80", "420300"));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "card" });
  });

  test.each([
    ["089000", { on: "cancelled", by: "customer" }],
    ["9F41", { on: "cancelled", by: "customer" }],
    ["9F42", { on: "no-card", why: "pin-timeout" }],
  ])("and gets %s is dropped, and the reader sent to idle", (answer, ending) => {
    const bench = createBench();
    const n = tapping(bench);
    bench.answer(tapAnswer("E4", "80", "420300"));
    bench.look();
    bench.answer(answer);
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000", E5_AAC);
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test.each(["099000", "0C9000", "9FE0"])("and gets %s is a fault", (answer) => {
    const bench = createBench();
    tapping(bench);
    bench.answer(tapAnswer("E4", "80", "420300"));
    bench.look();
    bench.answer(answer);
    expect(bench.look().sent).toEqual(["reset"]);
    bench.answer(RESET_ANSWER);
    expect(bench.look().notices).toMatchObject([{ on: "fault" }]);
  });

  test("and gets none in time is aborted with what waits behind it", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.answer(tapAnswer("E4", "80", "420300"));
    bench.look();
    bench.fire("pin");
    bench.answer("9000", "089000");
    expect(bench.look().notices).toEqual([]);
    bench.fire("answer");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "pin-timeout" }]);
  });
});

describe("a PIN for the card that was told", () => {
  const request: PinRequest = { amount: 1234, currencyNumeric: "978", currencyCode: "EUR", decimals: 2, pinMs: 45_000 };
  const asking = (): { readonly bench: Bench; readonly n: number } => {
    const bench = tapHeld(createBench());
    const n = bench.command({ do: "ask-pin", request });
    return { bench, n };
  };

  test("is asked for by its masked track, and told", () => {
    const { bench, n } = asking();
    expect(bench.look()).toMatchObject({
      sent: [expect.stringMatching(/^online-pin E042/)],
      notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
    });
    expect(bench.timers()).toEqual({ pin: 45_000, watchdog: 45_000 + TRANSACTION_MARGIN_MS });
    bench.event(PIN_OK, PIN_OK);
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { n, prompt: "PROCESSING" },
      { n, on: "pin", pin: { ksn: "FFFF0102628D12000001" } },
    ]);
    expect(bench.state().device.held).toMatchObject({ via: "tap" });
  });

  test.each([
    ["089000", { on: "cancelled", by: "customer" }],
    ["9F42", { on: "no-card", why: "pin-timeout" }],
  ])("ends with %s, and the reader still waits for CONTINUE", (answer, ending) => {
    const { bench, n } = asking();
    bench.look();
    bench.answer(answer);
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
    bench.command({ do: "complete", issuer: DECLINED });
    expect(bench.look().sent).toEqual(["continue-transaction E0048A023035"]);
  });

  test("out of time is aborted; the card can be told its answer, though nobody waits for it", () => {
    const { bench, n } = asking();
    bench.look();
    bench.fire("pin");
    bench.answer("9000", "089000", E5_AAC);
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [{ n, on: "no-card", why: "pin-timeout" }] });
    bench.command({ do: "complete", issuer: DECLINED });
    expect(bench.look().sent).toEqual([expect.stringMatching(/^display/)]);
  });

  test.each(["0B9000", "9FE0", "9F0F"])("ends with %s in a fault and a reset", (answer) => {
    const { bench, n } = asking();
    bench.look();
    bench.answer(answer);
    expect(bench.look()).toMatchObject({ sent: ["reset"], notices: [] });
    bench.answer(RESET_ANSWER);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault" }]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test("that crosses a cancel is not told, and nothing is left of the card", () => {
    const { bench, n } = asking();
    const cancel = bench.command({ do: "cancel" });
    bench.look();
    bench.answer(PIN_TYPED, "9000", E5_AAC);
    expect(bench.look().notices).toEqual([
      { n, on: "cancelled", by: "register" },
      { n: cancel, on: "cancelled", by: "register" },
    ]);
    expect(bench.state().device.held).toBeUndefined();
  });

  test("ends with an idle command, and by a restart of the device", () => {
    const { bench, n } = asking();
    bench.look();
    bench.command({ do: "idle" });
    bench.answer("9000", "089000", E5_AAC);
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
    const restarting = asking();
    restarting.bench.look();
    restarting.bench.event("E60BC3010CC4065265626F6F749000");
    expect(restarting.bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "device-error" }] });
  });

  test("belongs to a card that was tapped or swiped, and to nothing else", () => {
    const chip = held(createBench());
    chip.command({ do: "ask-pin", request });
    const busy = asking().bench;
    busy.look();
    busy.command({ do: "ask-pin", request });
    busy.command({ do: "display", lines: ["x"] });
    for (const bench of [chip, busy]) {
      const { sent, notices } = bench.look();
      expect(sent).toEqual([]);
      expect(notices.every((notice) => notice.on === "fault" && notice.code === "refused")).toBe(true);
    }
  });
});
