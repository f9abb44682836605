import { describe, expect, test } from "vitest";
import type { Notice } from "../../../src/card/notice.ts";
import { type AdmissionStep, admissionMove, type Expected, faultReason } from "../../../src/terminal/admission.ts";
import { card, IDENTITY, KEYS, NOW } from "./session-bench.ts";

const EXPECTED: Expected = { serialNumber: undefined, onlinePin: true, now: NOW };
const READY: Notice = { n: 1, on: "ready", identity: IDENTITY, keys: KEYS };
const ENDINGS: readonly Notice[] = [
  READY,
  { n: 1, on: "card", card: card("FFFF9876543210E00001") },
  { n: 1, on: "no-card", why: "timeout" },
  { n: 1, on: "finished", verdict: "approved", emv: [] },
  { n: 1, on: "cancelled", by: "register" },
  { n: 1, on: "done" },
  { n: 1, on: "fault", code: "no-answer", detail: "silent" },
  { n: 1, on: "fault", code: "refused", detail: "not now" },
  { n: 1, on: "fault", code: "tampered", detail: "opened" },
];

describe("what follows from the end of each step", () => {
  const table: Readonly<Record<AdmissionStep, readonly string[]>> = {
    identify: ["send idle", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "refuse"],
    "set-clock": [...Array.from({ length: 6 }, () => "send identify"), "retry", "send identify", "refuse"],
    "identify-again": ["send idle", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "refuse"],
    idle: ["admit", "admit", "admit", "admit", "admit", "admit", "retry", "retry", "refuse"],
  };
  const rows = (["identify", "set-clock", "identify-again", "idle"] as const).flatMap((step) =>
    ENDINGS.map((ending, at) => ({ step, ending, move: table[step][at] })),
  );

  test.each(rows)("$step ended by $ending.on: $move", ({ step, ending, move }) => {
    const made = admissionMove(step, ending, EXPECTED);
    expect(made.move === "send" ? `send ${made.command.do}` : made.move).toBe(move);
  });
});

test("the clock is set to the time of now, once: a second look never sets it again", () => {
  const late: Notice = { ...READY, identity: { ...IDENTITY, clock: { date: NOW.date, time: "150826" } } };
  expect(admissionMove("identify", late, EXPECTED)).toEqual({
    move: "send",
    step: "set-clock",
    command: { do: "set-clock", now: NOW },
  });
  expect(admissionMove("identify-again", late, EXPECTED)).toMatchObject({ move: "send", step: "idle" });
});

test("every fault that ends the service names a mend, the others have no such line", () => {
  for (const code of ["keys-missing", "tampered", "clear-card-data", "ksn-not-rising"] as const)
    expect(faultReason(code, "WHY")).toMatch(/WHY; .+/);
  for (const code of ["protocol", "device-error", "no-answer", "refused"] as const)
    expect(faultReason(code, "WHY")).toBeUndefined();
});

test("a device without a serial number is nobody, and is not remembered as such", () => {
  for (const serialNumber of ["", "   "]) {
    const move = admissionMove("identify", { ...READY, identity: { ...IDENTITY, serialNumber } }, EXPECTED);
    expect(move).toMatchObject({ move: "refuse", reason: expect.stringContaining("have its supplier set it") });
  }
});
