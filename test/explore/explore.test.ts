import { describe, expect, it } from "vitest";
import { sampleOf } from "../support/dose.ts";
import { walkCounter } from "./counter.ts";
import { firstState, KINDS, runUntil } from "./kinds.ts";
import { movesOf } from "./moves.ts";
import { isSame } from "./same.ts";
import { tell } from "./story.ts";
import { isQuiet, type System } from "./system.ts";
import { brokenInState } from "./truths.ts";
import { walk } from "./walk.ts";

/** Far more than any kind needs; `npm run explore` walks two misfortunes deep. */
const LIMITS = { depth: 1000, misfortunes: 1, states: 200_000 };
const NEVER = Number.POSITIVE_INFINITY;

describe("one payment of each kind, with every single misfortune at every moment", () => {
  it.each(sampleOf(KINDS, 4))("keeps every truth: %s", (kind) => {
    const { violations, isExhausted, states } = walk(kind, LIMITS, () => 0, NEVER);
    expect(violations.map(({ truth, path }) => [truth, ...tell(kind, path, true)].join("\n"))).toEqual([]);
    expect(isExhausted).toBe(true);
    expect(states).toBeGreaterThan(50);
  });
});

describe("payments side by side at one terminal", () => {
  it("never share it, and never go on for one order while another is undecided", () => {
    const { states, violations } = walkCounter();
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(500);
  });
});

describe("the explorer", () => {
  const step = (system: System, name: string): System => {
    const move = movesOf(system).find((one) => one.name === name);
    if (move === undefined) throw new Error(`nowhere: ${name}`);
    return move.go();
  };
  const isPosting =
    (type: string) =>
    ({ parties }: System): boolean =>
      parties.some(({ begun }) =>
        begun.some(({ effect }) => effect.do === "post" && effect.operation.paymentType === type),
      );

  it("brings the expected course of every kind to an approved end", () => {
    const ends = KINDS.map((kind) => runUntil(firstState(kind), isQuiet).parties[0]?.payment.concluded?.outcome);
    expect(ends).toEqual(KINDS.map(() => "APPROVED"));
  });

  it("sees a booking that is gone, and a capture that never was", () => {
    const end = runUntil(firstState("sale"), isQuiet);
    const without = (type: "PA" | "CP"): typeof end => ({
      ...end,
      ledger: end.ledger.filter((row) => row.type !== type),
    });
    expect(brokenInState(end)).toBeUndefined();
    expect(brokenInState(without("PA"))).toBe("APPROVED, and its booking is gone");
    expect(brokenInState(without("CP"))).toBe("told as captured, and no capture is booked");
  });

  it("offers kills, cancellations and lost replies wherever a request is on the wire", () => {
    const posting = runUntil(
      firstState("sale"),
      ({ parties }) => parties[0]?.payment.attempts[0]?.standing === "intended",
    );
    const names = movesOf(posting).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "gateway, PA: no answer, booked",
        "register: cancel",
        "the process is killed, and its request was carried out",
      ]),
    );
  });

  it("lets an operator close what stands open, and sees a booking that nobody is told of after that", () => {
    const failing = ["gateway, CP: declined"].reduce(step, runUntil(firstState("sale"), isPosting("CP")));
    const names = movesOf(failing).flatMap(({ name }) => (name.startsWith("operator") ? [name] : []));
    expect(names).toEqual([
      "operator: says that nothing is booked",
      "operator: says that it was declined",
      "operator: books it by hand, and names that",
    ]);
    const named = step(failing, "operator: books it by hand, and names that");
    expect(brokenInState(named)).toBeUndefined();
    expect(named.ledger.map(({ type, state, amount }) => [type, state, amount])).toEqual([
      ["PA", "booked", 1234],
      ["CP", "refused", 1234],
      ["CP", "booked", 1234],
    ]);
    const closed = runUntil(step(failing, "operator: says that it was declined"), isQuiet);
    const booked = {
      ...closed,
      ledger: closed.ledger.map((row) => (row.state === "refused" ? { ...row, state: "booked" as const } : row)),
    };
    expect(brokenInState(closed)).toBeUndefined();
    expect(brokenInState(booked)).toBe("a person has closed it, a booking stands, and nobody is told");
  });

  it("sees that a reversal in part has left the rest standing, and takes that back next", () => {
    const inPart = ["gateway, PA: 000.400.030, money held", "gateway, RV: carried out in part"].reduce(
      step,
      firstState("stored-card"),
    );
    expect(brokenInState(inPart)).toBeUndefined();
    const closed = inPart.parties.map(({ payment, begun }) => ({
      begun,
      payment: { ...payment, concluded: { at: inPart.now, outcome: "FAILED" } as const },
    }));
    expect(brokenInState({ ...inPart, parties: closed })).toBe("FAILED with a net booking");
    expect(runUntil(inPart, isQuiet).ledger.map(({ type, amount, takenBack }) => [type, amount, takenBack])).toEqual([
      ["PA", 1234, true],
      ["RV", 300, false],
      ["RV", 934, false],
    ]);
  });

  it("tells values apart that differ as JSON, and no others", () => {
    expect(isSame({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(isSame([1, 2], [1])).toBe(false);
    expect(isSame({ a: null }, {})).toBe(false);
  });

  it("stops at its limit and says which depth was complete", () => {
    expect(walk("sale", { ...LIMITS, depth: 3 }, () => 0, NEVER)).toMatchObject({ depth: 3, isExhausted: false });
  });
});
