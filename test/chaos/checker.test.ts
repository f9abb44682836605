import { describe, expect, it } from "vitest";
import type { Row } from "./books.ts";
import type { Evidence } from "./checker.ts";
import { APPROVED, AT, ENDED, entry, evidence, LATER, payment, problems, REGISTER, row, TOLD_AT } from "./doctored.ts";
import type { JournalPayment } from "./journal.ts";
import { type Deletion, type Entry, newEntry, type Telling } from "./record.ts";

const sold = payment("sold", { ...APPROVED, capture: "captured" }, ["pa", "cp"]);
const soldRows = [
  row("PA", "pa", { parameters: { merchantInvoiceId: "sold" } }),
  row("CP", "cp", { referencedId: "id-pa" }),
];
const ended = payment("ended", ENDED, ["pa", "rv"]);
const inParts = payment("parts", ENDED, ["pa", "half", "rest", "more"]);
const ofSale = { referencedId: "id-pa" };
const half = [row("PA", "pa"), row("RV", "half", { ...ofSale, amount: "6.17", resultCode: "000.400.040" })];
const taken = [row("PA", "pa"), row("RV", "rv", { referencedId: "id-pa" })];

describe("the checker is content", () => {
  it.each([
    ["an approved sale in two messages", evidence([sold], soldRows)],
    ["an approved sale by one debit", evidence([payment("debit", APPROVED, ["db"])], [row("DB", "db")])],
    [
      "an approved part",
      evidence(
        [
          payment(
            "part",
            { ...APPROVED, outcome: "PARTIALLY_APPROVED", approvedAmount: "6.17", capturedAmount: "6.17" },
            ["db"],
          ),
        ],
        [row("DB", "db", { amount: "6.17" })],
      ),
    ],
    ["a sale that was taken back", evidence([ended], taken)],
    [
      "a sale that was taken back in two parts",
      evidence([inParts], [...half, row("RV", "rest", { ...ofSale, amount: "6.17" })]),
    ],
    ["a sale that was never booked", evidence([payment("none", ENDED)], [])],
    ["a decline", evidence([payment("declined", ENDED, ["pa"])], [row("PA", "pa", { resultCode: "800.100.152" })])],
    [
      "a decline that the issuer keeps an amount for",
      evidence([payment("kept", { ...ENDED, held: true }, ["pa"])], [row("PA", "pa", { resultCode: "800.100.192" })]),
    ],
    [
      "what the gateway reversed by itself",
      evidence(
        [payment("own", ENDED, ["pa"])],
        [row("PA", "pa"), { ...row("RV", "x", { referencedId: "id-pa" }), merchantTransactionId: undefined }],
      ),
    ],
    [
      "a start that was refused and consumed nothing",
      evidence([], [], [newEntry({ ...entry(sold), reference: "refused" })]),
    ],
    [
      "a void, which is a payment of its own and leaves the sale approved",
      evidence(
        [
          { ...sold, voidedBy: "void" },
          payment("void", { decision: "approved", outcome: "APPROVED", type: "VOID", amount: undefined }, ["rv"]),
        ],
        [...soldRows, row("RV", "rv", { referencedId: "id-cp" })],
      ),
    ],
    [
      "a void that stopped the sale's capture",
      evidence(
        [
          payment("stopped", { ...APPROVED, capturedAmount: undefined, capture: undefined, voidedBy: "void" }, ["pa"]),
          payment("void", { decision: "approved", outcome: "APPROVED", type: "VOID", amount: undefined }, ["rv"]),
        ],
        [row("PA", "pa"), row("RV", "rv", { referencedId: "id-pa" })],
      ),
    ],
    [
      "what was in doubt and taken back",
      evidence([ended], [row("PA", "pa", { resultCode: "000.400.030" }), row("RV", "rv", { referencedId: "id-pa" })]),
    ],
  ])("with %s", (_, seen) => expect(problems(seen)).toEqual([]));
});

const told = (...more: readonly Partial<Telling>[]): Evidence => evidence([ended], taken, [entry(ended, more)]);
const changedEntry = (change: (one: Entry) => unknown, of = ended, rows: readonly Row[] = taken): Evidence => {
  const one = entry(of);
  change(one);
  return evidence([of], rows, [one]);
};

describe("the checker catches", () => {
  it.each<[string, Evidence, RegExp]>([
    ["an approval without a booking", evidence([sold], []), /APPROVED with 0 net bookings/],
    [
      "an approval that was reversed",
      evidence([payment("gone", { ...APPROVED, capture: "captured" }, ["pa", "rv"])], taken),
      /APPROVED with 0 net bookings/,
    ],
    [
      "two reservations for one sale",
      evidence(
        [payment("two", { ...APPROVED, capture: "captured" }, ["pa", "pa2", "cp"])],
        [...soldRows, row("PA", "pa2")],
      ),
      /2 net bookings/,
    ],
    [
      "two bookings at once, although one was taken back later",
      evidence(
        [payment("two", ENDED, ["pa", "p2", "r1", "r2"])],
        [
          row("PA", "pa"),
          row("PA", "p2"),
          row("RV", "r1", { referencedId: "id-pa" }),
          row("RV", "r2", { referencedId: "id-p2" }),
        ],
      ),
      /had 2 net bookings at once/,
    ],
    ["a sale that was taken back in part", evidence([inParts], half), /holds 617 cents of PA/],
    [
      "a sale that was taken back twice",
      evidence([inParts], [...half, row("RV", "rest", { ...ofSale, amount: "6.17" }), row("RV", "more", ofSale)]),
      /reversed a booking twice/,
    ],
    [
      "two captures",
      evidence(
        [payment("twice", { ...APPROVED, capture: "captured" }, ["pa", "cp", "c2"])],
        [...soldRows, row("CP", "c2", { referencedId: "id-pa" })],
      ),
      /captured 2 times/,
    ],
    [
      "more than was asked for",
      evidence([payment("more", APPROVED, ["db"])], [row("DB", "db", { amount: "12.35" })]),
      /1235 cents booked for 1234/,
    ],
    [
      "less than was approved",
      evidence([payment("less", APPROVED, ["db"])], [row("DB", "db", { amount: "12.33" })]),
      /approved 1234 cents, and the ledger holds 1233/,
    ],
    [
      "a part that is called the whole",
      evidence(
        [payment("part", { ...APPROVED, approvedAmount: "6.17" }, ["db"])],
        [row("DB", "db", { amount: "6.17" })],
      ),
      /APPROVED with 617 of 1234/,
    ],
    [
      "money kept from a sale that failed",
      evidence([ended], [row("PA", "pa")]),
      /FAILED, and the ledger holds 1234 cents of PA/,
    ],
    [
      "money kept where the gateway is unsure",
      evidence([ended], [row("PA", "pa", { resultCode: "000.400.030" })]),
      /holds 1234 cents/,
    ],
    [
      "a capture kept from a sale that failed",
      evidence([payment("cp", ENDED, ["pa", "cp"])], soldRows),
      /holds 1234 cents of CP/,
    ],
    ["a card that refused", evidence([{ ...sold, emv: { cryptogramType: "AAC" } }], soldRows), /last word was AAC/],
    ["a card that said nothing", evidence([{ ...sold, emv: undefined }], soldRows), /last word was nothing/],
    ["a capture that is said and is none", evidence([sold], soldRows.slice(0, 1)), /says captured/],
    [
      "a capture that is there and is said to have failed",
      evidence([{ ...sold, capture: "failed" }], soldRows),
      /says that the capture failed/,
    ],
    ["a capture that is still pending", evidence([{ ...sold, capture: "pending" }], soldRows), /still pending/],
    ["what is not final", evidence([{ ...ended, state: "REVERSING", outcome: undefined }], taken), /still REVERSING/],
    [
      "a decision that does not fit its outcome",
      evidence([{ ...ended, decision: "approved" }], taken),
      /FAILED with the decision approved/,
    ],
    [
      "a hold that nobody is told of",
      evidence([payment("kept", ENDED, ["pa"])], [row("PA", "pa", { resultCode: "800.100.192" })]),
      /keeps the amount reserved/,
    ],
    [
      "a row that no payment explains",
      evidence([sold], [...soldRows, row("PA", "stranger", { parameters: { merchantInvoiceId: "lost" } })]),
      /^lost: a row of the ledger/,
    ],
    [
      "a booking under another payment's number",
      evidence([sold], [row("PA", "pa", { parameters: { merchantInvoiceId: "other" } }), ...soldRows.slice(1)]),
      /was made for other/,
    ],
    ["an accepted payment that is missing", evidence([], [], [entry(ended)]), /missing from the journal/],
    ["a payment that nobody asked for", evidence([ended], taken, []), /no register asked/],
    [
      "another amount than was asked for",
      changedEntry(() => undefined, { ...ended, amount: "12.35" }),
      /asked for with 12.34, and has 12.35/,
    ],
    [
      "a decision that changed",
      told({ state: "COMPLETING", decision: "approved" }),
      /decision changed: approved, not-approved/,
    ],
    [
      "an outcome that changed",
      told({ connection: 2, state: "FINAL", outcome: "CANCELLED" }),
      /outcome changed: CANCELLED, FAILED/,
    ],
    [
      "a state behind FINAL",
      evidence([ended], taken, [entry(ended, [{ state: "FINAL" }, { state: "REVERSING" }])]),
      /told to be REVERSING after FINAL/,
    ],
    ["two ids for one reference", told({ id: "pay-else" }), /several ids/],
    ["two creations", changedEntry((one) => Object.assign(one, { created: 2 })), /created 2 times/],
    [
      "a payment that could not be found any more",
      changedEntry((one) => Object.assign(one, { missing: 1 })),
      /then not found/,
    ],
    [
      "an approval after an accepted cancellation",
      changedEntry((one) => one.cancellations.push("accepted"), sold, soldRows),
      /although its cancellation/,
    ],
    [
      "a repeated start that was refused",
      changedEntry((one) =>
        one.refusals.push({ sentAt: Date.parse(AT) + 1_000, code: "terminal-busy", message: "held" }),
      ),
      /refused \(terminal-busy: held\) after it had been accepted/,
    ],
    [
      "a final state that was never notified",
      changedEntry(
        (one) =>
          void one.tellings.splice(0, 1, { via: "get", connection: 1, at: TOLD_AT, id: ended.id, state: "FINAL" }),
      ),
      /never notified/,
    ],
    [
      "an end that was told before the money was back",
      evidence([ended], [row("PA", "pa"), row("RV", "rv", { referencedId: "id-pa", receivedAt: LATER })]),
      /when it was told that it is FAILED it is FAILED, and the ledger holds 1234/,
    ],
    [
      "an approval that was told before it was booked",
      evidence([sold], [row("PA", "pa", { receivedAt: LATER }), ...soldRows.slice(1)]),
      /approved before it was booked/,
    ],
    [
      "an approval by what the gateway wanted to take back",
      evidence([sold], [row("PA", "pa", { resultCode: "000.400.030" }), ...soldRows.slice(1)]),
      /wanted to take back/,
    ],
    [
      "a sale that is voided and goes on with its capture",
      evidence(
        [
          { ...sold, capture: "failed", voidedBy: "void" },
          payment("void", { decision: "approved", outcome: "APPROVED", type: "VOID", amount: undefined }, ["rv"]),
        ],
        [
          row("PA", "pa"),
          row("RV", "rv", { referencedId: "id-pa" }),
          row("CP", "cp", { referencedId: "id-pa", resultCode: "700.400.100", receivedAt: LATER }),
        ],
      ),
      /is voided, and its capture is failed(?:.|\n)*asked for after its reservation had been given back/,
    ],
    ["a list that shows less than the export", { ...evidence([ended], taken), listed: [] }, /does not show ended/],
    ["a reference that is there twice", evidence([sold, { ...sold, id: "pay-again" }], soldRows), /has two payments/],
    [
      "a void that took nothing back",
      evidence([payment("void", { decision: "approved", outcome: "APPROVED", type: "VOID", amount: undefined })], []),
      /APPROVED with 0 net bookings \(RV\)/,
    ],
    [
      "a refund that was booked although it failed",
      evidence([payment("refund", { ...ENDED, type: "LINKED_REFUND" }, ["rf"])], [row("RF", "rf")]),
      /FAILED, and the ledger holds 1234 cents of RF/,
    ],
    [
      "a registration that was kept although it failed",
      evidence(
        [payment("card", { ...ENDED, type: "REGISTRATION", amount: undefined }, ["rg"])],
        [row("RG", "rg", { amount: undefined })],
      ),
      /the ledger holds 1 cents of RG/,
    ],
  ])("%s", (_, seen, said) => expect(problems(seen).join("\n")).toMatch(said));
});

const LINK = { terminal: "", card: undefined, emv: undefined } as const;
const linked = payment("link", { ...APPROVED, ...LINK }, ["link", "rv"]);
const cancelled = payment("late", { ...ENDED, ...LINK, outcome: "CANCELLED", lateBooking: true }, ["link", "rv"]);
const onPhone = (of: JournalPayment, more: Partial<Entry> = {}): Entry => ({
  ...entry(of),
  by: "link",
  terminal: "",
  ...more,
});
const second = row("DB", "link", { id: "id-second" });
const returned = row("RV", "rv", { referencedId: "id-second" });
/** When a register was told that a link is not wanted any more, and a second later that it is over. */
const DECIDED_AT = "2026-01-02T10:00:03.000Z";
const tooLate = (of: JournalPayment, finalAt: number): Entry => {
  const decided = { via: "change", connection: 1, id: of.id, decision: "not-approved" } as const;
  const tellings = [
    { ...decided, at: Date.parse(DECIDED_AT), state: "RESOLVING" },
    { ...decided, at: finalAt, state: "FINAL", outcome: "CANCELLED" },
  ];
  return onPhone(of, { tellings });
};
const paidLate = row("DB", "link", { receivedAt: LATER });
const givenBack = row("RV", "rv", { referencedId: "id-link", receivedAt: LATER });
const AFTER_ALL = Date.parse(LATER) + 5_000;

const CARD = "id-rg";
const stored = payment("stored", {
  ...APPROVED,
  type: "REGISTRATION",
  amount: undefined,
  gateway: { attempts: attemptsOf("rg"), registrationId: CARD },
});
const storing = row("RG", "rg", { id: CARD, amount: undefined });
/** After the register was told that the card is stored. */
const DELETED_AT = Date.parse("2026-01-02T10:00:02.000Z");
const deleting = row("DR", "x", {
  referencedId: CARD,
  amount: undefined,
  merchantTransactionId: undefined,
  receivedAt: new Date(DELETED_AT).toISOString(),
});
const charged = payment("charge", { ...APPROVED, ...LINK, capture: "captured", registration: CARD }, ["pa", "cp"]);
const byCard = (of: JournalPayment, registration = CARD): Entry => ({
  ...entry(of),
  by: "stored-card",
  terminal: "",
  registration,
});
const chargedRows = [row("PA", "pa", { chargedRegistrationId: CARD }), row("CP", "cp", { referencedId: "id-pa" })];

function attemptsOf(...names: readonly string[]): NonNullable<JournalPayment["gateway"]>["attempts"] {
  return names.map((merchantTransactionId) => ({ merchantTransactionId, paymentType: "" }));
}

type Says = Deletion["tellings"][number]["says"];

/** Told so many milliseconds after the card was deleted. */
function deletion(reference: string, ...says: readonly (readonly [Says, number])[]): Deletion {
  const tellings = says.map(([what, ms]) => ({ says: what, sentAt: DELETED_AT + ms - 1, at: DELETED_AT + ms }));
  return { reference, register: REGISTER, registration: CARD, tellings, refusals: [] };
}
const deleted = (
  deletions: readonly Deletion[],
  rows: readonly Row[] = [storing, deleting],
  more: readonly JournalPayment[] = [],
): Evidence => evidence([stored, ...more], rows, [entry(stored), ...more.map((one) => byCard(one))], deletions);

describe("without a terminal the checker is content", () => {
  it.each<[string, Evidence]>([
    ["with a link that was paid", evidence([linked], [row("DB", "link")], [onPhone(linked)])],
    [
      "with a link that was paid twice and given back once",
      evidence([linked], [row("DB", "link"), second, returned], [onPhone(linked, { secondPages: 1 })]),
    ],
    [
      "with a link that was paid too late, and was told so",
      evidence([cancelled], [paidLate, givenBack], [tooLate(cancelled, AFTER_ALL)]),
    ],
    [
      "with a late payment that the gateway itself took back",
      evidence(
        [{ ...cancelled, lateBooking: undefined }],
        [paidLate, { ...givenBack, merchantTransactionId: undefined }],
        [tooLate({ ...cancelled, lateBooking: undefined }, AFTER_ALL)],
      ),
    ],
    ["with a stored card that was charged", evidence([charged], chargedRows, [byCard(charged)])],
    ["with a card that was deleted, and told so", deleted([deletion("bye", ["unknown", 0], ["deleted", 1])])],
    [
      "with a card that was deleted twice",
      deleted([deletion("bye", ["deleted", 0]), deletion("again", ["already-deleted", 0])]),
    ],
    ["with a card that is kept, because its deletion was never taken", deleted([deletion("bye")], [storing])],
    [
      "with a card that was charged before it was deleted",
      deleted([deletion("bye", ["deleted", 1])], [storing, ...chargedRows, deleting], [charged]),
    ],
  ])("%s", (_, seen) => expect(problems(seen)).toEqual([]));
});

describe("without a terminal the checker catches", () => {
  it.each<[string, Evidence, RegExp]>([
    [
      "a second booking that stays",
      evidence([linked], [row("DB", "link"), second], [onPhone(linked, { secondPages: 1 })]),
      /APPROVED with 2 net bookings/,
    ],
    [
      "two bookings by one page",
      evidence([linked], [row("DB", "link"), second, returned], [onPhone(linked)]),
      /had 2 net bookings at once/,
    ],
    [
      "more by a link than it was made for",
      evidence([linked], [row("DB", "link", { amount: "12.35" })], [onPhone(linked)]),
      /1235 cents booked for 1234/,
    ],
    [
      "a late payment that stays, although it is told",
      evidence([cancelled], [paidLate], [tooLate(cancelled, AFTER_ALL)]),
      /^late: is CANCELLED, and the ledger holds/,
    ],
    [
      "a link that is called over before its money has gone back",
      evidence(
        [cancelled],
        [paidLate, { ...givenBack, receivedAt: "2026-01-02T10:01:00.000Z" }],
        [tooLate(cancelled, AFTER_ALL)],
      ),
      /^late: when it was told that it is CANCELLED it is CANCELLED, and the ledger holds/,
    ],
    [
      "a late payment that nobody is told of",
      evidence(
        [{ ...cancelled, lateBooking: undefined }],
        [paidLate, givenBack],
        [tooLate({ ...cancelled, lateBooking: undefined }, AFTER_ALL)],
      ),
      /was paid by DB id-link after it had been told/,
    ],
    [
      "a charge of another card",
      evidence(
        [charged],
        [row("PA", "pa", { chargedRegistrationId: "id-other" }), ...chargedRows.slice(1)],
        [byCard(charged)],
      ),
      /taken of id-other/,
    ],
    [
      "a stored card that pays for one that was presented",
      evidence([sold], [row("PA", "pa", { chargedRegistrationId: CARD }), ...soldRows.slice(1)]),
      /by the card presented/,
    ],
    [
      "another card than was asked for",
      evidence([charged], chargedRows, [byCard(charged, "id-other")]),
      /asked for by the card id-other/,
    ],
    [
      "a charge that is approved and not booked",
      evidence([charged], [], [byCard(charged)]),
      /APPROVED with 0 net bookings/,
    ],
    [
      "a card that is told to be deleted and kept",
      deleted([deletion("bye", ["deleted", 0])], [storing]),
      /^bye: was told to be deleted, and the gateway keeps the card/,
    ],
    [
      "a card that is told to be deleted before it is",
      deleted([deletion("bye", ["deleted", 0])], [storing, { ...deleting, receivedAt: LATER }]),
      /then still kept the card/,
    ],
    [
      "a deletion that was told otherwise before",
      deleted([deletion("bye", ["deleted", 0], ["already-deleted", 1])]),
      /told to be deleted and then already-deleted/,
    ],
    [
      "a deletion that is not known any more",
      deleted([deletion("bye", ["deleted", 0], ["unknown", 2])]),
      /told to be deleted, and then unknown/,
    ],
    ["a deletion that never ends", deleted([deletion("bye", ["unknown", 0])], [storing]), /still unknown/],
    [
      "a deletion that is refused",
      deleted([{ ...deletion("bye"), refusals: [{ sentAt: 0, code: "not-found", message: "none" }] }]),
      /was refused \(not-found: none\)/,
    ],
    [
      "a deletion that calls itself another's",
      deleted([deletion("bye", ["already-deleted", 0])]),
      /nobody else had the card deleted/,
    ],
    [
      "a card that is charged after it was told to be deleted",
      deleted(
        [deletion("bye", ["deleted", 1])],
        [storing, deleting, ...chargedRows.map((one) => ({ ...one, receivedAt: LATER }))],
        [charged],
      ),
      /^bye: .*then its card was charged by PA id-pa/,
    ],
    ["a card that is gone, and nobody had it deleted", deleted([]), /^stored: is APPROVED with 0 net bookings \(RG\)/],
    [
      "a card that was never stored, although it was deleted",
      deleted([deletion("bye", ["deleted", 0])], [deleting]),
      /APPROVED with 0 net bookings \(RG\)/,
    ],
  ])("%s", (_, seen, said) => expect(problems(seen).join("\n")).toMatch(new RegExp(said.source, "m")));
});
