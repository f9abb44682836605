import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, SearchResult } from "../../../src/payment/fact/answer.ts";
import { type Fact, factSchema } from "../../../src/payment/fact/fact.ts";
import type { Track } from "../../../src/timeline/step.ts";
import { timelineOf } from "../../../src/timeline/steps.ts";
import { take } from "../../support/drawn-happenings.ts";
import {
  approval,
  chipCard,
  KINDS,
  linkMade,
  linkSale,
  notSent,
  refusal,
  Story,
  sale,
  silence,
  softDecline,
} from "../../support/sale.ts";

type FactName = Fact["fact"];
type FactOf<N extends FactName> = Extract<Fact, { fact: N }>;

const issuer: FactOf<"issuer-told">["issuer"] = { verdict: "approved", arc: "3030", scripts: [] };
const pa = { merchantTransactionId: "m-1", paymentType: "PA", amount: 1234, currency: "EUR", entityId: "e" } as const;
const at = sale.at + 500;
/** What stands before each of them: a card is asked for at 200, and its reservation is sent at 300. */
const before: readonly Fact[] = [
  sale,
  { fact: "collecting", at: sale.at + 200 },
  { fact: "attempt-intended", at: sale.at + 300, operation: pa },
];

/** One of every fact, and the step that it is: a new fact does not compile before it stands here. */
const STEPS: { readonly [N in FactName]: readonly [fact: FactOf<N>, track: Track, text: string, tookMs?: number] } = {
  accepted: [sale, "register", "Register till asked for a SALE of 12.34 EUR."],
  queued: [{ fact: "queued", at }, "terminal", "The payment waits until terminal till-1 is free."],
  collecting: [{ fact: "collecting", at }, "terminal", "A card is asked for again at terminal till-1."],
  "card-presented": [
    { fact: "card-presented", at, card: chipCard },
    "card",
    "A VISA card was inserted, and a PIN was typed. It wants to ask its bank.",
    300,
  ],
  "card-failed": [{ fact: "card-failed", at, why: "timeout" }, "card", "No card was read: No card came in time.", 300],
  "collecting-cancelled": [
    { fact: "collecting-cancelled", at, by: "customer" },
    "terminal",
    "Asking for a card ended: the customer cancelled.",
    300,
  ],
  "pin-asked": [{ fact: "pin-asked", at }, "terminal", "The customer is asked for the PIN at terminal till-1."],
  "pin-entered": [{ fact: "pin-entered", at }, "card", "The customer typed a PIN.", 300],
  "terminal-failed": [
    ...([
      {
        fact: "terminal-failed",
        at,
        code: "terminal-lost",
        detail: "the cable was pulled\nout of 4761340000000050",
      } as const,
      "terminal",
    ] as const),
    "The terminal stopped answering. (the cable was pulled out of ***)",
    300,
  ],
  "cancel-asked": [{ fact: "cancel-asked", at }, "register", "Register till asked to cancel."],
  "attempt-intended": [
    { fact: "attempt-intended", at, operation: { ...pa, merchantTransactionId: "m-2" } },
    "gateway",
    "The bridge sends the reservation (PA) of 12.34 EUR to the gateway.",
  ],
  "attempt-answered": [
    { fact: "attempt-answered", at, merchantTransactionId: "m-1", answer: approval() },
    "gateway",
    "The gateway approved the reservation (PA) of 12.34 EUR (code 000.100.110).",
    200,
  ],
  "attempt-searched": [
    { fact: "attempt-searched", at, merchantTransactionId: "m-1", result: { is: "absent" } },
    "gateway",
    "The bridge queried the gateway for the reservation (PA) of 12.34 EUR: the gateway shows nothing of it now.",
  ],
  "link-seen": [
    { fact: "link-seen", at, sight: { is: "paid" } },
    "gateway",
    "The gateway shows that the link was paid; a query tells what was booked.",
  ],
  "issuer-told": [{ fact: "issuer-told", at, issuer }, "terminal", "The card gets the answer: approved.", 300],
  "card-finished": [{ fact: "card-finished", at, verdict: "declined", chip: {} }, "card", "The card declined.", 300],
  "card-lost": [
    { fact: "card-lost", at, detail: "the bridge was restarted" },
    "card",
    "The card's final answer was lost: the bridge was restarted.",
    300,
  ],
  "signature-judged": [
    { fact: "signature-judged", at, accepted: false },
    "register",
    "The cashier refused the signature.",
  ],
  interrupted: [
    { fact: "interrupted", at },
    "journal",
    "The bridge was restarted and read the payment back from the journal.",
  ],
  "original-known": [
    { fact: "original-known", at, targets: [{ id: "a", paymentType: "PA", amount: 1 }] },
    "journal",
    "The bookings that this payment is about are known: 1.",
  ],
  "original-told": [{ fact: "original-told", at }, "journal", "The original payment was told of the outcome."],
  "capture-withdrawn": [
    { fact: "capture-withdrawn", at, by: "pay_2" },
    "journal",
    "The capture is not sent any more: payment pay_2 voids this one.",
  ],
  followed: [
    { fact: "followed", at, by: { payment: "pay_2", type: "VOID", outcome: "APPROVED", amount: 0, target: "a" } },
    "journal",
    "A VOID of this payment ended APPROVED (payment pay_2).",
  ],
  resolved: [
    { fact: "resolved", at, as: "reversed", by: "register workshop", reason: "not in the back office." },
    "journal",
    "An operator closed the payment as reversed. Who: register workshop. Why: not in the back office.",
  ],
  ending: [
    { fact: "ending", at, outcome: "DECLINED", reason: "host-declined" },
    "journal",
    "The payment cannot be approved any more: The card's bank declined the payment.",
  ],
  concluded: [{ fact: "concluded", at, outcome: "CANCELLED" }, "journal", "The payment is final: CANCELLED.", 500],
  released: [{ fact: "released", at }, "terminal", "The payment gives terminal till-1 back."],
};

describe("the timeline of a payment", () => {
  it.each(Object.entries(STEPS))("has its step for %s", (code, [fact, track, text, tookMs]) => {
    const facts = code === "accepted" ? [fact] : [...before, fact];
    expect(timelineOf(facts).at(-1)).toEqual({
      at: fact.at,
      ...(tookMs !== undefined && { tookMs }),
      track,
      code,
      text,
    });
  });

  it("is tried with every fact there is", () => {
    expect(Object.keys(STEPS).toSorted()).toEqual(factSchema.options.map(({ shape }) => shape.fact.value).toSorted());
  });

  it("is empty where the facts do not begin with an acceptance", () => {
    expect(timelineOf([{ fact: "queued", at }])).toEqual([]);
  });
});

const said = {
  resultCode: "800.100.152",
  description: "declined by 4761340000000050",
  id: "8ac7a4a282d522f70182d53e7a873640",
};
const CODE = "(code 800.100.152, id 8ac7a4a282d522f70182d53e7a873640)";
const REQUEST = "the reservation (PA) of 12.34 EUR";

/** Every answer in words, exhaustive by its type. Descriptions of the gateway are never repeated. */
const ANSWERS: {
  readonly [K in Answer["is"]]: readonly (readonly [answer: Extract<Answer, { is: K }>, text: string])[];
} = {
  approved: [
    [
      { is: "approved", ...said, amount: 1234, currency: "EUR", review: false, issuer: {} },
      `The gateway approved ${REQUEST} ${CODE}.`,
    ],
    [
      { is: "approved", ...said, amount: 500, currency: "EUR", review: false, issuer: {} },
      `The gateway approved ${REQUEST}, but of 5.00 EUR ${CODE}.`,
    ],
  ],
  link: [
    [
      { is: "link", ...said, id: "l-1", url: "https://secret.example" },
      "The gateway made the payment link (code 800.100.152).",
    ],
  ],
  declined: [
    [
      { is: "declined", ...said, why: "insufficient-funds", held: false, issuer: {} },
      `The gateway declined ${REQUEST}: The card's bank declined: not enough money ${CODE}.`,
    ],
  ],
  "soft-declined": [
    [
      { is: "soft-declined", ...said, issuer: {} },
      `The issuer declined ${REQUEST} for now: it wants the cardholder to insert the card and type the PIN ${CODE}.`,
    ],
  ],
  pending: [[{ is: "pending", ...said }, `The gateway has ${REQUEST} and has not decided it yet ${CODE}.`]],
  "not-booked": [
    [
      { is: "not-booked", why: "not-sent", resultCode: "", description: "" },
      `The bridge could not reach the gateway: ${REQUEST} was not sent.`,
    ],
    [
      { is: "not-booked", why: "not-sent", tooLate: true, resultCode: "", description: "" },
      `The bridge did not send ${REQUEST}: nobody waited for it any more.`,
    ],
    [
      { is: "not-booked", why: "gateway-down", ...said },
      `The gateway is out of order: ${REQUEST} was not booked ${CODE}.`,
    ],
    [
      { is: "not-booked", why: "refused", lacks: "setup", ...said },
      `The gateway refused ${REQUEST}: the channel is not set up for it ${CODE}.`,
    ],
    [
      { is: "not-booked", why: "refused", lacks: "access", ...said },
      `The gateway refused ${REQUEST}: it does not accept the bridge's access token, key or address ${CODE}.`,
    ],
    [
      { is: "not-booked", why: "refused", lacks: "original", ...said },
      `The gateway refused ${REQUEST}: the original booking is not there, or too little is left of it ${CODE}.`,
    ],
    [{ is: "not-booked", why: "refused", ...said }, `The gateway refused ${REQUEST}; nothing was booked ${CODE}.`],
  ],
  throttled: [
    [{ is: "throttled", ...said }, `The gateway turned ${REQUEST} away, because too many requests came ${CODE}.`],
  ],
  duplicate: [
    [
      { is: "duplicate", ...said },
      `The gateway calls ${REQUEST} a duplicate; the bridge queries what became of the first ${CODE}.`,
    ],
  ],
  "already-reversed": [
    [{ is: "already-reversed", ...said }, `To ${REQUEST} the gateway said that it is done already ${CODE}.`],
  ],
  "not-reversible": [
    [{ is: "not-reversible", ...said }, `The gateway refused ${REQUEST}: the booking cannot be reversed ${CODE}.`],
  ],
  "still-pending": [
    [
      { is: "still-pending", ...said },
      `The gateway refused ${REQUEST} for now: the booking is still pending there ${CODE}.`,
    ],
  ],
  "auto-reversed": [
    [
      { is: "auto-reversed", ...said },
      `The gateway timed out, and says that it reversed ${REQUEST} by itself ${CODE}.`,
    ],
  ],
  "half-reversed": [
    [{ is: "half-reversed", ...said }, `The gateway carried out ${REQUEST} in part, or is not sure of it ${CODE}.`],
  ],
  unknown: [
    [
      { is: "unknown", description: "no answer" },
      `No clear answer to ${REQUEST} came: what became of it is not known.`,
    ],
    [
      { is: "unknown", id: "../4761", resultCode: "4761340000000050", description: "" },
      `No clear answer to ${REQUEST} came: what became of it is not known.`,
    ],
  ],
};

const lastText = (fact: Fact) => timelineOf([...before, fact]).at(-1)?.text;

it.each(Object.values(ANSWERS).flat())("says of the answer %j what it means", (answer, text) => {
  expect(lastText({ fact: "attempt-answered", at, merchantTransactionId: "m-1", answer })).toBe(text);
});

const row = (paymentType: string, answer: Answer = approval()) => ({ id: "x", paymentType, answer });
const RESULTS: readonly (readonly [SearchResult, string])[] = [
  [
    { is: "found", bookings: [row("PA"), row("CP", silence), row("<b>", refusal())] },
    `The bridge queried the gateway for ${REQUEST}: PA approved, CP not clear, booking declined.`,
  ],
  [
    { is: "found", bookings: Array.from({ length: 9 }, () => row("RF")) },
    expect.stringMatching(/: (RF approved, ){6}3 more\.$/),
  ],
  [{ is: "throttled" }, `The gateway turned a query for ${REQUEST} away, because too many requests came.`],
  [{ is: "no-answer", description: "4761340000000050" }, `The gateway did not answer a query for ${REQUEST}.`],
  [{ is: "not-asked" }, `A query for ${REQUEST} never had its turn, and is not needed any more.`],
];

it.each(RESULTS)("says of the query's result %j what it shows", (result, text) => {
  expect(lastText({ fact: "attempt-searched", at, merchantTransactionId: "m-1", result })).toEqual(text);
});

it("names a link, a stored card and the payment that a follow-up is about", () => {
  expect(timelineOf([linkSale])[0]?.text).toBe("Register till asked for a SALE of 12.34 EUR by a link.");
  expect(new Story(linkSale).meets({ on: "woken" }).answer(linkMade).facts.length).toBeGreaterThan(2);
  expect(timelineOf(new Story(linkSale).meets({ on: "woken" }).facts)[1]?.text).toContain(
    "the payment link (DB) of 12.34 EUR",
  );
  expect(timelineOf(new Story(KINDS["VOID"]).facts)[0]?.text).toBe(
    "Register till asked for a VOID of 12.34 EUR on payment pay_0.",
  );
  expect(timelineOf(new Story(KINDS["REGISTRATION"]).facts)[0]?.text).toBe("Register till asked for a REGISTRATION.");
});

/** Stories of any payment that meets anything. */
const drawn = fc.array(fc.record({ any: fc.boolean(), pick: fc.nat(), afterMs: fc.nat(100_000) }), { maxLength: 12 });
const stories = fc
  .tuple(fc.constantFrom(...Object.values(KINDS)), drawn)
  .map(([accepted, met]) => met.reduce(take, new Story(accepted)));

it("is one step a fact whatever a payment meets, never took less than no time, and shows nothing of the card", () => {
  fc.assert(
    fc.property(stories, ({ facts }) => {
      const steps = timelineOf(facts);
      expect(steps.map(({ code }) => code)).toEqual(facts.map(({ fact }) => fact));
      for (const { tookMs = 0, text } of steps) {
        expect(tookMs).toBeGreaterThanOrEqual(0);
        expect(text).toMatch(/^[A-Z][ -~]+[.)]$/);
      }
      const text = steps.map((step) => step.text).join("\n");
      for (const secret of [chipCard.icc, "476134", "0050", "AABBCCDDEEFF", "A0000000031010"])
        expect(text).not.toContain(secret);
    }),
  );
});

it.each([notSent, softDecline])("has words for %j in the story of a sale", (answer) => {
  const story = new Story(KINDS["SALE, single"])
    .meets({ on: "leased" })
    .meets({ on: "card", card: chipCard })
    .answer(answer);
  expect(timelineOf(story.facts).some(({ code, tookMs }) => code === "attempt-answered" && tookMs === 10)).toBe(true);
});
