import { describe, expect, test } from "vitest";
import { type Attempt, answered, intend } from "../../../src/payment/attempt/attempt.ts";
import { looked, lookedAt, noted } from "../../../src/payment/attempt/observation.ts";
import type { Role } from "../../../src/payment/attempt/retry-by-role.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Operation } from "../../../src/payment/fact/operation.ts";
import { evidenceOf, evidenceOfLook, undoneOf } from "../../../src/payment/recovery/evidence.ts";
import { broughtAlong, searched } from "../../../src/payment/recovery/query-result.ts";
import { DAY_SEEN_MS } from "../../../src/payment/recovery/schedule.ts";
import { approval, refusal, silence } from "../../support/sale.ts";
import { isAsked } from "./recovery-page.ts";

/* What a query shows, and what reversals have done, in the words of the table. */

const WINDOW = 1_800_000;
const said = { resultCode: "1.1", description: "" };
const asked = (changes: Partial<Operation> = {}, role: Role = "reservation"): Attempt =>
  intend(
    { merchantTransactionId: "m-1", paymentType: "PA", amount: 1234, currency: "EUR", entityId: "e", ...changes },
    role,
    0,
  );
const silent = (changes: Partial<Operation> = {}, role: Role = "reservation"): Attempt =>
  answered(asked(changes, role), silence, 0);
const row = (answer: Answer, changes: Partial<Found> = {}): Found => ({
  id: "b-1",
  merchantTransactionId: "m-1",
  paymentType: "PA",
  answer,
  ...changes,
});
const LINK = { paymentType: "DB", link: { validFor: 1, unit: "HOUR" } } as const;

describe("what a query shows of a request", () => {
  const pending: Answer = { is: "pending", id: "b-1", ...said };
  const reversal = (answer: Answer): Found => ({ id: "rv-1", paymentType: "RV", referencedId: "b-1", answer });
  const itself = answered(asked(), { is: "auto-reversed", id: "b-1", ...said }, 0);
  const shows: readonly (readonly [word: string, what: string, attempt: Attempt, bookings: readonly Found[]])[] = [
    ["none", "nothing", silent(), []],
    ["booked", "its approval", silent(), [row(approval())]],
    ["booked", "000.400.030", silent(), [row({ is: "half-reversed", id: "b-1", ...said })]],
    ["refused", "its decline", silent(), [row(refusal())]],
    [
      "none",
      "a decline by a link, after which the customer may try again",
      silent(LINK, "debit"),
      [row(refusal(), { paymentType: "DB" })],
    ],
    [
      "undecided",
      "a payment by a link that is not decided",
      silent(LINK, "debit"),
      [row(pending, { paymentType: "DB" })],
    ],
    ["undecided", "a pending row", silent(), [row(pending)]],
    ["undecided", "an approval beside a pending reversal", silent(), [row(approval()), reversal(pending)]],
    [
      "booked",
      "the same once it was given up, and can be reversed",
      noted({ ...silent(), standing: "absent" }, { is: "given-up", at: 0 }),
      [row(approval()), reversal(pending)],
    ],
    ["doubted", "the booking that the gateway says it reversed itself", itself, [row(approval())]],
    ["booked", "another booking than that", itself, [row(approval()), row(approval(), { id: "b-2" })]],
    ["none", "the row of a duplicate", silent(), [row({ is: "duplicate", id: "b-1", ...said })]],
    ["none", "a row that was throttled", silent(), [row({ is: "throttled", ...said })]],
    ["none", "another type under its name", silent(), [row(approval(), { paymentType: "CP", referencedId: "x" })]],
    ["unproven", "a booking under no name", silent(), [{ id: "b-9", paymentType: "PA", answer: approval() }]],
    ["none", "a refused one under no name", silent(), [{ id: "b-9", paymentType: "PA", answer: refusal() }]],
    [
      "unproven",
      "a list that may be cut off",
      silent(),
      Array.from({ length: 100 }, (_, at) => row(approval(), { id: `o-${at}`, merchantTransactionId: `o-${at}` })),
    ],
  ];

  test.each(shows)("is %s: %s", (word, _, attempt, bookings) =>
    expect(evidenceOfLook(attempt, bookings, 0, WINDOW).booking).toBe(word),
  );

  test("is young, past the window or past a day by running time, and of what is missing by the first empty answer", () => {
    const ageAt = (attempt: Attempt, at: number, bookings: readonly Found[] = []) =>
      evidenceOfLook(attempt, bookings, at, WINDOW).age;
    const empty = looked(silent(), "none", 60_000);
    expect([ageAt(silent(), WINDOW), ageAt(empty, WINDOW), ageAt(empty, WINDOW + 60_000)]).toEqual([
      "young",
      "young",
      "past-window",
    ]);
    const shown = [row(pending)];
    expect([
      ageAt(silent(), WINDOW - 1, shown),
      ageAt(silent(), WINDOW, shown),
      ageAt(silent(), DAY_SEEN_MS, shown),
    ]).toEqual(["young", "past-window", "past-a-day"]);
    const restarted = noted(silent(), { is: "restart", at: DAY_SEEN_MS, lostMs: DAY_SEEN_MS });
    expect(ageAt(restarted, DAY_SEEN_MS, shown)).toBe("young");
  });

  test("is heard as its own row says where nothing was carried out", () => {
    const down: Answer = { is: "not-booked", why: "gateway-down", id: "b-1", ...said };
    expect(evidenceOfLook(silent(), [row(down)], 0, WINDOW)).toMatchObject({ heard: "unavailable", booking: "none" });
    expect(evidenceOfLook(answered(asked(LINK, "debit"), down, 0), [], 0, WINDOW).heard).toBe("nothing");
  });
});

test("a query for another request is no look at one that is answered", () => {
  const known = answered(asked(), approval(1234, "b-1"), 0);
  expect(broughtAlong(known, [row(approval())], 1_000)).toBe(known);
  expect(lookedAt(searched(known, { is: "found", bookings: [row(approval())] }, 1_000, WINDOW))).toBe(1_000);
  expect(lookedAt(searched(known, { is: "absent" }, 1_000, WINDOW))).toBeUndefined();
});

describe("what reversals have done", () => {
  const tried = (answer: Answer, id = "m-2", role: Role = "reversal"): Attempt =>
    answered(
      asked({ merchantTransactionId: id, paymentType: "RV", referencedId: "b-1", reverses: 1234 }, role),
      answer,
      1_000,
    );
  const no: Answer = { is: "not-reversible", ...said };
  const undone = (tries: readonly Attempt[], lookedAt = 0): string =>
    undoneOf({ tries, amountToReverse: 1234, lookedAt, unknownWindowMs: WINDOW, waitsForEarlierReversal: true });

  test.each([
    ["no", []],
    ["no", [tried(silence)]],
    ["no", [tried({ is: "not-booked", why: "refused", ...said })]],
    ["whole", [tried(approval(1234, "rv-1"))]],
    ["part", [tried(approval(300, "rv-1"))]],
    ["whole", [tried(approval(300, "rv-1")), tried(approval(934, "rv-2"), "m-3")]],
    ["part", [tried(approval(300, "rv-1")), tried(approval(300, "rv-1"), "m-3")]],
    ["refused", [tried(no)]],
    ["refused", [tried({ is: "not-booked", why: "refused", ...said }, "m-2", "void")]],
    ["undecided", [tried(silence), tried(no, "m-3")]],
    ["undecided", [tried(approval(300, "rv-1")), tried(no, "m-3")]],
    ["no", [tried(no, "m-2", "void"), tried(silence, "m-3", "void")]],
  ] as const)("is %s (%#)", (word, tries) => expect(undone(tries)).toBe(word));

  test("counts a refusal once queries have shown the booking for the window after an unanswered try", () => {
    const tries = [tried(silence), tried(no, "m-3")];
    expect([undone(tries, WINDOW), undone(tries, WINDOW + 1_000)]).toEqual(["undecided", "refused"]);
    const part = [tried(approval(300, "rv-1")), tried(no, "m-3")];
    expect(undone(part, WINDOW + 1_000)).toBe("rest-refused");
  });

  test("does not count a refusal while the last query shows another try undecided", () => {
    const pending = looked(tried({ is: "pending", id: "rv-1", ...said }), "shown", WINDOW * 3);
    expect(undone([pending, tried(no, "m-3")], WINDOW * 3)).toBe("undecided");
    expect(undone([pending, tried(no, "m-3")], WINDOW * 3 + 1)).toBe("refused");
  });
});

test("the page of recovery strikes out no word that an attempt can have", () => {
  const roles: readonly Role[] = [
    ...(["reservation", "debit", "credit", "registration", "increment", "capture", "refund"] as const),
    ...(["void", "own-capture", "reversal", "give-back", "deregistration", "deletion"] as const),
  ];
  const answers: readonly Answer[] = [
    ...[silence, approval(), approval(500), refusal()],
    ...(["pending", "duplicate", "throttled", "already-reversed", "not-reversible", "still-pending"] as const).map(
      (is) => ({ is, id: "b-1", ...said }),
    ),
    ...(["auto-reversed", "half-reversed", "unknown"] as const).map((is) => ({ is, id: "b-1", ...said })),
    ...(["not-sent", "refused", "gateway-down"] as const).map((why) => ({ is: "not-booked", why, ...said }) as const),
    ...(["access", "original", "setup"] as const).map(
      (lacks) => ({ is: "not-booked", why: "refused", lacks, ...said }) as const,
    ),
  ];
  const marks = [
    [],
    [{ is: "reversed", at: 0, unseen: false }],
    [{ is: "reversed", at: 0, unseen: true }],
    [
      { is: "self-reversed", at: 0, id: "b-1" },
      { is: "reversed", at: 0, unseen: true },
    ],
  ] as const;
  const lists: readonly (readonly Found[])[] = [[], ...answers.map((answer) => [row(answer)])];
  const strange: unknown[] = [];
  for (const role of roles)
    for (const answer of answers)
      for (const observed of marks)
        for (const standing of ["open", "absent"] as const) {
          const attempt: Attempt = { ...answered({ ...asked({}, role), observed }, answer, 0), observed };
          const one: Attempt = attempt.standing === "settled" ? attempt : { ...attempt, standing };
          const looks = lists.flatMap((bookings) =>
            [0, WINDOW, DAY_SEEN_MS].map((at) => evidenceOfLook(one, bookings, at, WINDOW)),
          );
          strange.push(...[evidenceOf(one), ...looks].filter((evidence) => !isAsked(evidence)));
        }
  expect(strange.slice(0, 5)).toEqual([]);
});
