import { describe, expect, test } from "vitest";
import { judgesOf } from "../kinds.ts";
import type { Kind } from "../script.ts";
import type { Asked, Post, Row, Told, Word } from "./evidence.ts";
import { createWitness, type Witness } from "./witness.ts";

const FIRST = "world-0001";
const NEXT = "world-0002";
const LAST = "world-0003";

const asks = (does: Kind, more: Partial<Asked> = {}): Asked => ({
  ...{
    reference: FIRST,
    register: "till-0",
    terminal: "till-0",
    does,
    amount: 1_000,
    allowPartialApproval: false,
    order: undefined,
    queue: false,
  },
  ...more,
});
const follows = (does: Kind, more: Partial<Asked> = {}): Asked => asks(does, { reference: NEXT, of: FIRST, ...more });

const approved: Told = {
  ...{
    id: "pay_1",
    state: "FINAL",
    decision: "approved",
    outcome: "APPROVED",
    reason: undefined,
    approvedAmount: 1_000,
    capture: undefined,
  },
  ...{ lateBooking: false, entryMode: "ICC", cryptogram: "11", attempts: ["m1", "m2", "m3", "m4"] },
};
const next: Told = { ...approved, id: "pay_2" };
const failed: Told = {
  ...next,
  decision: "not-approved",
  outcome: "FAILED",
  reason: "gateway-unreached",
  approvedAmount: undefined,
};

const expired: Told = { ...failed, reason: "link-expired" };

const pa: Row = {
  id: "b1",
  type: "PA",
  amount: 1_000,
  code: "000.100.110",
  of: undefined,
  request: "m1",
  at: 10,
  visibleAt: 10,
};
const cp: Row = { ...pa, id: "b2", type: "CP", of: "b1", request: "m2" };
const rv: Row = { ...pa, id: "b3", type: "RV", of: "b1", request: "m3" };
const rf: Row = { ...pa, id: "b4", type: "RF", of: "b2", request: "m4" };
const rg: Row = { ...pa, id: "b5", type: "RG", amount: 0 };
const dr: Row = { ...rg, id: "b6", type: "DR", of: "b5", request: undefined };
const second: Row = { ...pa, id: "second", isSecond: true };
const cd: Row = { ...pa, id: "b7", type: "CD" };
const tc: Word = { terminal: "till-0", type: "TC", amount: 1_000, cryptogram: "11" };

type Story = (witness: Witness) => unknown;

/** Which rules a story breaks, at its one step and in the end. */
function judged(story: Story): readonly string[] {
  const witness = createWitness({ now: () => 100, judgesOf, found: () => undefined });
  story(witness);
  witness.step();
  witness.end();
  return [...new Set(witness.violations().map(({ rule }) => rule))];
}

const book = (witness: Witness, reference: string, ...rows: readonly Row[]): void => {
  for (const row of rows) witness.booked(reference, row);
};

/** An approved payment of that kind, with these rows. */
const stands = (witness: Witness, does: Kind, told: Partial<Told>, ...rows: readonly Row[]): void => {
  witness.asked(asks(does));
  witness.said(tc);
  book(witness, FIRST, ...rows);
  witness.told(FIRST, { ...approved, ...told });
};
const sale: Story = (witness) => stands(witness, "SALE", { capture: "captured" }, pa, cp);
const reserved: Story = (witness) => stands(witness, "PREAUTHORIZATION", {}, pa);
const then = (witness: Witness, asked: Asked, told: Told, ...rows: readonly Row[]): void => {
  witness.asked(asked);
  book(witness, NEXT, ...rows);
  witness.told(NEXT, told);
};

/** A sale of which the register takes a part; the issuer approved the half. */
const half = (witness: Witness, told: Partial<Told>, ...rows: readonly Row[]): void => {
  witness.asked(asks("SALE", { allowPartialApproval: true }));
  witness.said(tc);
  book(witness, FIRST, ...rows);
  witness.told(FIRST, {
    ...approved,
    outcome: "PARTIALLY_APPROVED",
    approvedAmount: 500,
    capture: "captured",
    ...told,
  });
};
const [halfPa, halfCp] = [
  { ...pa, amount: 500 },
  { ...cp, amount: 500 },
];
const inPart: Row = { ...halfCp, code: "000.400.040" };

const FINE: readonly (readonly [what: string, story: Story])[] = [
  ["a sale that is voided", (witness) => [sale(witness), then(witness, follows("VOID"), next, { ...rv, of: "b2" })]],
  [
    "a sale that is refunded, and tells it",
    (witness) => [sale(witness), refunds(witness), witness.told(FIRST, { ...refunded, refundedAmount: 1_000 })],
  ],
  [
    "a sale that was signed",
    (witness) => [stands(witness, "SALE", { capture: "captured", cvm: "signature" }, pa, cp), witness.signed(FIRST)],
  ],
  [
    "a sale that is cancelled",
    (witness) => [
      witness.asked(asks("SALE")),
      witness.calledOff(FIRST),
      witness.told(FIRST, { ...failed, id: "pay_1" }),
    ],
  ],
  [
    "a sale of which the gateway captured a part",
    (witness) => stands(witness, "SALE", { capture: "captured", capturedAmount: 500 }, pa, inPart),
  ],
  [
    "one of which the rest was captured by hand, before and after that is told",
    (witness) => {
      stands(witness, "SALE", { capture: "captured", capturedAmount: 500 }, pa, inPart, {
        ...halfCp,
        id: "b8",
        request: undefined,
      });
      witness.step();
      witness.told(FIRST, { ...approved, capture: "captured", capturedAmount: 1_000 });
    },
  ],
  [
    "a reservation that is captured, and tells it",
    (witness) => [
      reserved(witness),
      then(witness, follows("CAPTURE"), next, cp),
      witness.told(FIRST, { ...approved, capturedAmount: 1_000 }),
    ],
  ],
  ["a reservation that is voided", (witness) => [reserved(witness), then(witness, follows("VOID"), next, rv)]],
  [
    "a reservation that is raised",
    (witness) => [
      reserved(witness),
      then(witness, follows("INCREMENT"), next, { ...pa, id: "b9", of: "b1", request: "m2" }),
    ],
  ],
  [
    "a reservation that was raised and is voided",
    (witness) => voidsRaised(witness, { ...rv, id: "b10", of: "b9", amount: 300 }),
  ],
  [
    "a capture that came late and was given back by a refund of its own",
    (witness) => [
      reserved(witness),
      then(witness, follows("CAPTURE"), { ...failed, lateBooking: true }, { ...cp, at: -10_000_000, visibleAt: 0 }, rf),
    ],
  ],
  ["a void that failed", (witness) => [sale(witness), then(witness, follows("VOID"), failed)]],
  [
    "a refund that came late and is told so",
    (witness) => [sale(witness), then(witness, follows("LINKED_REFUND"), { ...failed, lateBooking: true })],
  ],
  ["a card that is stored", (witness) => stands(witness, "REGISTRATION", { registrationId: "b5" }, rg)],
  ["money that is given back", (witness) => stands(witness, "REFUND", {}, cd)],
  [
    "a link that is paid in two browsers, and once given back",
    (witness) => linkPaid(witness, approved, pa, cp, second, { ...rv, of: "second" }),
  ],
  [
    "a link that is paid late, given back and told",
    (witness) => [linkPaid(witness, { ...expired, lateBooking: true }), book(witness, FIRST, { ...pa, at: 200 }, rv)],
  ],
  ["a stored card that is deleted", (witness) => deletesCard(witness, "deleted", dr)],
  ["a part that was allowed", (witness) => half(witness, {}, halfPa, halfCp)],
];

const LIES: readonly (readonly [what: string, rule: string, story: Story])[] = [
  ["a link that is paid twice", "one-booking", (witness) => linkPaid(witness, approved, pa, cp, second)],
  ["a link that is told as paid, and is not", "approved-is-paid", (witness) => linkPaid(witness, approved)],
  [
    "a link that is paid late, and nobody is told",
    "late-payment-is-told",
    (witness) => [linkPaid(witness, expired), book(witness, FIRST, { ...pa, at: 200 }, rv)],
  ],
  [
    "a link that is paid late, and the money stays",
    "nothing-is-left",
    (witness) => linkPaid(witness, { ...expired, lateBooking: true }, pa),
  ],
  ["a second link for one payment", "never-twice", twoLinks],
  ["a deletion that deletes nothing", "deleted-is-gone", (witness) => deletesCard(witness, "deleted")],
  [
    "a deletion that says that it was somebody else",
    "deleted-is-told",
    (witness) => deletesCard(witness, "already-deleted", dr),
  ],
  ["a deletion that never ends", "everything-ends", (witness) => deletesCard(witness, "unknown")],
  [
    "a deletion that takes its word back",
    "deletion-stands",
    (witness) => [deletesCard(witness, "deleted", dr), witness.deletions.told(NEXT, "already-deleted")],
  ],
  ["a void that left the capture", "void-voids", (witness) => [sale(witness), then(witness, follows("VOID"), next)]],
  ["a void that left what was added", "void-voids", (witness) => voidsRaised(witness)],
  [
    "a void that failed and reversed",
    "void-voids",
    (witness) => [reserved(witness), then(witness, follows("VOID"), failed, rv)],
  ],
  [
    "a refund without a booking",
    "follow-up-is-booked",
    (witness) => [sale(witness), then(witness, follows("LINKED_REFUND"), next)],
  ],
  [
    "a refund that failed and was booked",
    "follow-up-is-booked",
    (witness) => [sale(witness), then(witness, follows("LINKED_REFUND"), failed, rf)],
  ],
  [
    "two refunds for one",
    "follow-up-is-booked",
    (witness) => [sale(witness), then(witness, follows("LINKED_REFUND"), next, rf, { ...rf, id: "b9" })],
  ],
  [
    "more refunded than was captured",
    "family-adds-up",
    (witness) => [reserved(witness), then(witness, follows("LINKED_REFUND"), next, rf)],
  ],
  [
    "more captured than is reserved",
    "family-adds-up",
    (witness) => [
      reserved(witness),
      then(
        witness,
        follows("CAPTURE", { amount: 1_100 }),
        { ...next, approvedAmount: 1_100 },
        { ...cp, amount: 1_100 },
      ),
    ],
  ],
  [
    "a late capture that stays",
    "late-follow-up-is-healed",
    (witness) => [reserved(witness), then(witness, follows("CAPTURE"), failed, cp)],
  ],
  ["a refund that its sale does not tell", "totals-are-as-booked", (witness) => [sale(witness), refunds(witness)]],
  [
    "a capture that its reservation does not tell",
    "totals-are-as-booked",
    (witness) => [reserved(witness), then(witness, follows("CAPTURE"), next, cp)],
  ],
  ["a refund that is accepted where nothing is left", "follow-up-fits", (witness) => accepts("LINKED_REFUND", witness)],
  ["a capture that is accepted where nothing is left", "follow-up-fits", (witness) => accepts("CAPTURE", witness)],
  [
    "a signature that nobody has looked at",
    "approved-by-signature",
    (witness) => stands(witness, "SALE", { capture: "captured", cvm: "signature" }, pa, cp),
  ],
  [
    "an approval after the cancel",
    "called-off-is-not-approved",
    (witness) => [sale(witness), witness.calledOff(FIRST)],
  ],
  [
    "a sum that nobody told",
    "family-is-as-told",
    (witness) => [sale(witness), then(witness, follows("LINKED_REFUND"), failed, rf)],
  ],
  ["a reservation that captures by itself", "never-captured-by-itself", capturesByItself],
  ["a request about another payment's booking", "posts-are-asked-for", aboutAnother],
  ["a credit that is reversed", "credits-stand", (witness) => stands(witness, "REFUND", {}, cd, { ...rv, of: "b7" })],
  [
    "a late credit that nobody is told of",
    "late-booking-is-told",
    (witness) => stands(witness, "REFUND", { ...failed, id: "pay_1" }, cd),
  ],
  [
    "a registration that was deleted",
    "registration-stands",
    (witness) => stands(witness, "REGISTRATION", { registrationId: "b5" }, rg, dr),
  ],
  [
    "a registration that outlives its failure",
    "registration-is-gone",
    (witness) => stands(witness, "REGISTRATION", { ...failed, id: "pay_1" }, rg),
  ],
  [
    "a part told as all of it",
    "approved-is-booked",
    (witness) => half(witness, { outcome: "APPROVED" }, halfPa, halfCp),
  ],
  [
    "a part told with the whole amount",
    "approved-is-booked",
    (witness) => half(witness, { outcome: "APPROVED", approvedAmount: 1_000 }, halfPa, halfCp),
  ],
  ["a part of which more is captured", "captured-is-captured", (witness) => half(witness, {}, halfPa, cp)],
  [
    "a capture in part told as one of the whole",
    "captured-is-captured",
    (witness) => stands(witness, "SALE", { capture: "captured" }, pa, inPart),
  ],
  [
    "a part captured where the gateway did all that it was asked for",
    "approved-is-captured",
    (witness) => stands(witness, "SALE", { capture: "captured", capturedAmount: 500 }, pa, halfCp),
  ],
  ["a card that outlives its sale", "registrations-go-with-their-payment", cardKept],
];

const refunded: Told = { ...approved, capture: "captured" };
const refunds: Story = (witness) => then(witness, follows("LINKED_REFUND"), next, rf);

/** A reservation is raised, and all of it voided. */
function voidsRaised(witness: Witness, ...rows: readonly Row[]): void {
  reserved(witness);
  then(
    witness,
    follows("INCREMENT", { amount: 300 }),
    { ...next, approvedAmount: 300 },
    { ...pa, id: "b9", amount: 300, of: "b1", request: "m2" },
  );
  witness.asked(follows("VOID", { reference: LAST }));
  book(witness, LAST, rv, ...rows);
  witness.told(LAST, { ...approved, id: "pay_3" });
}

/** All of it is taken or given back already, and one more is accepted. */
function accepts(does: "CAPTURE" | "LINKED_REFUND", witness: Witness): void {
  if (does === "CAPTURE") reserved(witness);
  else sale(witness);
  then(witness, follows(does), next, does === "CAPTURE" ? cp : rf);
  witness.asked(follows(does, { reference: LAST, amount: 1 }));
  witness.started(LAST, { ...failed, id: "pay_3" }, true, 50);
}

function linkPaid(witness: Witness, told: Told, ...rows: readonly Row[]): void {
  witness.asked(asks("SALE", { by: "link", terminal: "" }));
  book(witness, FIRST, ...rows);
  witness.told(FIRST, {
    ...told,
    id: "pay_1",
    entryMode: undefined,
    capture: told === approved ? "captured" : undefined,
  });
}

function twoLinks(witness: Witness): void {
  witness.asked(asks("SALE", { by: "link", terminal: "" }));
  for (const request of ["m1", "m2"])
    witness.posted(FIRST, { type: "link", request, of: undefined, sentAt: 5, answer: { is: "lost" } });
}

function deletesCard(witness: Witness, said: string, ...rows: readonly Row[]): void {
  stands(witness, "REGISTRATION", { registrationId: "b5" }, rg);
  witness.deletions.asked(NEXT, "b5");
  book(witness, FIRST, ...rows);
  witness.deletions.told(NEXT, said);
}

function capturesByItself(witness: Witness): void {
  reserved(witness);
  witness.posted(FIRST, { type: "CP", request: "m2", of: "b1", sentAt: 5, answer: undefined } satisfies Post);
}

function aboutAnother(witness: Witness): void {
  sale(witness);
  witness.asked(follows("VOID"));
  witness.posted(NEXT, { type: "RV", request: "m3", of: "b9", sentAt: 5, answer: undefined } satisfies Post);
}

function cardKept(witness: Witness): void {
  witness.asked(asks("SALE", { createRegistration: true }));
  book(witness, FIRST, { ...pa, registration: "r1" }, rv);
  witness.told(FIRST, { ...failed, id: "pay_1" });
}

describe("the witness of a family", () => {
  test.each(FINE)("finds nothing wrong with %s", (_, story) => {
    expect(judged(story)).toEqual([]);
  });

  test.each(LIES)("catches %s", (_, rule, story) => {
    expect(judged(story)).toContain(rule);
  });
});
