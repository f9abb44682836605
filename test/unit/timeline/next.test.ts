import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isResolvable } from "../../../src/payment/operator/allowed-decisions.ts";
import { nextOf, resolvableOf } from "../../../src/timeline/next.ts";
import { take } from "../../support/drawn-happenings.ts";
import {
  approval,
  approved,
  authorizing,
  KINDS,
  linkMade,
  linkSale,
  notSent,
  Story,
  sale,
  signing,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

const MINUTE = 60_000;
const WINDOW = sale.rules.unknownWindowMs;
const next = ({ payment, now }: Story) => nextOf(payment, now);
const resolvable = ({ payment, now }: Story) => resolvableOf(payment, now);
const lost = (): Story => new Story(storedCardSale).meets({ on: "woken" }).answer(silence);

describe("what happens next by itself", () => {
  interface Case {
    readonly state: string;
    readonly story: Story;
    readonly what: RegExp;
    readonly inMs?: number;
  }
  const request = /^The gateway is asked for the reservation \(PA\) of 12\.34 EUR; without an answer by then/;
  const query = /^The gateway is queried for the reservation \(PA\) of 12\.34 EUR, as soon as it has a turn/;
  const signed = (): Story =>
    new Story().meets({ on: "leased" }).meets({ on: "card", card: signing }).answer(approval());
  const CASES: readonly Case[] = [
    {
      state: "a start that waits for its terminal",
      story: new Story(),
      what: /^The payment begins once terminal till-1 is free\.$/,
    },
    {
      state: "one that may not wait for long",
      story: new Story({ ...sale, expiresAt: sale.at + MINUTE }),
      what: /^The payment ends as request-expired/,
      inMs: MINUTE,
    },
    {
      state: "a card that is asked for",
      story: new Story().meets({ on: "leased" }),
      what: /^The terminal is given up if it has not answered/,
      inMs: 3 * MINUTE,
    },
    { state: "a request on the wire", story: authorizing(), what: request, inMs: 45_000 },
    { state: "an answer that was lost: the first query is due", story: lost(), what: query },
    {
      state: "a signature",
      story: signed().meets({ on: "finished", verdict: "approved", chip: {} }),
      what: /^The payment is reversed if nobody has judged the signature/,
      inMs: 5 * MINUTE,
    },
    {
      state: "a capture that did not reach the gateway",
      story: approved().answer(notSent),
      what: /^The capture is sent to the gateway\.$/,
      inMs: 5_000,
    },
    {
      state: "a link that waits for its customer",
      story: new Story(linkSale).meets({ on: "woken" }).answer(linkMade),
      what: /^The gateway is queried for the payment link/,
      inMs: 10 * MINUTE,
    },
  ];

  it.each(CASES)("of $state", ({ story, what, inMs }) => {
    const told = next(story);
    expect(told?.what).toMatch(what);
    if (inMs === undefined) expect(told?.at).toBeUndefined();
    else expect((told?.at ?? 0) - story.now).toSatisfy((ms: number) => ms > inMs - 2_000 && ms <= inMs + 1_000);
  });

  it("is a query at its time, once the one before was answered", () => {
    const story = lost();
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 1_000);
    expect(next(story)).toEqual({
      what: expect.stringMatching(/^The gateway is queried for /),
      at: story.now + 30_000,
    });
  });

  it("is nothing once a payment is settled", () => {
    expect(next(new Story().meets({ on: "cancel" }))).toBeUndefined();
  });

  it("is nothing for a refused capture, which an operator may close at once", () => {
    const story = approved()
      .answer({ is: "not-booked", why: "refused", resultCode: "100.550.300", description: "amount" })
      .meets({ on: "released" });
    expect(next(story)).toBeUndefined();
    expect(resolvable(story)).toEqual({ choices: ["reversed", "approved", "declined"] });
  });
});

describe("whether an operator may close it", () => {
  it("is told with the moment at which the unknown window is over", () => {
    const story = lost();
    const { choices, from = 0 } = resolvable(story);
    expect([choices, from]).toEqual([
      [],
      story.payment.attempts.at(-1)?.intendedAt === undefined
        ? 0
        : (story.payment.attempts.at(-1)?.intendedAt ?? 0) + WINDOW,
    ]);
    expect(resolvableOf(story.payment, from)).toEqual({ choices: ["reversed", "declined"] });
    expect(resolvableOf(story.payment, from - 1).choices).toEqual([]);
  });

  it("is not told by time for what was never sent, or has an end of its own", () => {
    expect(resolvable(new Story(sale))).toEqual({ choices: [] });
    expect(resolvable(approved().answer(approval(1234, "capture-1")))).toEqual({ choices: [] });
  });

  /** Stories of any payment that meets anything. */
  const drawn = fc.array(fc.record({ any: fc.boolean(), pick: fc.nat(), afterMs: fc.nat(100_000) }), { maxLength: 12 });
  const stories = fc
    .tuple(fc.constantFrom(...Object.values(KINDS)), drawn)
    .map(([accepted, met]) => met.reduce(take, new Story(accepted)));

  it("holds whatever a payment has met: from then on the rules of resolve allow one of the choices, and not a moment before", () => {
    fc.assert(
      fc.property(stories, ({ payment, now }) => {
        const { choices, from } = resolvableOf(payment, now);
        const isAllowed = (at: number): boolean =>
          (["reversed", "approved", "declined"] as const).some((as) => isResolvable(payment, at, as));
        expect(choices.length > 0).toBe(isAllowed(now));
        if (from === undefined) return;
        expect([isAllowed(from), isAllowed(from - 1), from > now]).toEqual([true, false, true]);
      }),
    );
  });

  it("is given whenever time alone will allow it", () => {
    fc.assert(
      fc.property(stories, ({ payment, now }) => {
        const { choices, from } = resolvableOf(payment, now);
        if (choices.length > 0 || from !== undefined) return;
        for (const later of [WINDOW, 2 * WINDOW, 48 * 60 * MINUTE])
          expect(resolvableOf(payment, now + later).choices).toEqual([]);
      }),
    );
  });
});
