import { describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { LedgerRow } from "../scenarios/ledger.ts";
import { check, type Evidence, type Exported } from "./checker.ts";
import { type Entry, newEntry, type Telling } from "./record.ts";

/** A sale of 12.34 that was approved and captured, as everybody tells it. */
const NAMED = { id: "pay-1", reference: "sold", register: "register-1" };
const APPROVED = { state: "FINAL", decision: "approved", outcome: "APPROVED", capture: "captured" } as const;
const ENDED = { state: "FINAL", decision: "not-approved", outcome: "FAILED" } as const;
const CREATED_AT = "2026-01-02T10:00:00.000Z";
const row = (paymentType: "PA" | "CP" | "RV", more: Partial<LedgerRow> = {}): LedgerRow => ({
  ...{ id: `id-${paymentType}`, paymentType, amount: "12.34", merchantTransactionId: paymentType },
  ...{ resultCode: "000.100.110", receivedAt: CREATED_AT, parameters: {}, ...more },
});
const SOLD = [row("PA"), row("CP", { referencedId: "id-PA" })];
const TAKEN_BACK = [row("PA"), row("RV", { referencedId: "id-PA" })];

type Ending = typeof APPROVED | typeof ENDED;
const viewOf = (ending: Ending): PaymentView => ({
  ...{ ...NAMED, type: "SALE", terminal: "till-1", amount: "12.34", currency: "EUR", approvedAmount: "12.34" },
  ...{ environment: "test", createdAt: CREATED_AT, updatedAt: CREATED_AT },
  gateway: { attempts: ["PA", "CP", "RV"].map((name) => ({ merchantTransactionId: name, paymentType: name })) },
  card: { brand: "VISA", entryMode: "ICC" },
  emv: { aid: "A0000000031010", cryptogramType: "TC" },
  ...ending,
});

interface Story {
  readonly ending?: Ending;
  readonly rows?: readonly LedgerRow[];
  readonly entry?: Partial<Entry>;
  /** What the register heard before the end. */
  readonly heard?: readonly Partial<Telling>[];
  readonly journal?: Partial<Exported>;
}

function evidence({ ending = APPROVED, rows = SOLD, entry = {}, heard = [], journal = {} }: Story): Evidence {
  const exported = { ...NAMED, createdAt: CREATED_AT, ...ending, ...journal };
  const told = { via: "change", at: Date.parse(CREATED_AT) + 5_000, connection: 1, id: NAMED.id, ...ending } as const;
  const tellings = [...heard.map((one) => ({ ...told, ...one })), told];
  const entries = [{ ...newEntry({ ...NAMED, kind: "SALE" }), tellings, created: 1, ...entry }];
  return { entries, payments: [viewOf(ending)], journal: [exported], listed: [exported], rows };
}

describe("the checker is content", () => {
  it.each<[string, Story]>([
    ["a sale that was approved and captured", {}],
    ["a sale that was taken back", { ending: ENDED, rows: TAKEN_BACK }],
    ["a sale that was never booked", { ending: ENDED, rows: [] }],
    ["a change that was told again on the next connection", { heard: [{ connection: 0, state: "COMPLETING" }] }],
    [
      "a refusal of a bridge that is about to stop",
      { entry: { refusals: [{ sentAt: Date.now(), code: "shutting-down" }] } },
    ],
  ])("with %s", (_, story) => expect(check(evidence(story))).toEqual([]));
});

describe("the checker catches", () => {
  it.each<[string, Story, RegExp]>([
    ["an approval without a booking", { rows: [] }, /has 0 net bookings/],
    ["a sale that was reserved twice", { rows: [...SOLD, row("PA", { id: "id-2" })] }, /has 2 net bookings/],
    ["money that is left of what ended", { ending: ENDED, rows: [row("PA")] }, /has PA id-PA of 12.34 standing/],
    [
      "an end that was told before the money was back",
      {
        ending: ENDED,
        rows: [row("PA"), row("RV", { referencedId: "id-PA", receivedAt: "2026-01-02T10:00:06.000Z" })],
      },
      /when its register was told the end: .* has PA id-PA of 12.34 standing/,
    ],
    [
      "a row that no payment explains",
      { rows: [...SOLD, row("PA", { id: "x", merchantTransactionId: "?" })] },
      /belongs to no payment/,
    ],
    ["a payment that is still open", { journal: { state: "REVERSING", outcome: undefined } }, /still REVERSING/],
    ["a capture that is still pending", { journal: { capture: "pending" } }, /has its capture pending/],
    ["a decision that changed", { heard: [{ decision: "not-approved" }] }, /more than one decision/],
    ["an outcome that changed", { heard: [{ outcome: "DECLINED" }] }, /more than one outcome/],
    ["two payments for one reference", { heard: [{ id: "pay-2" }] }, /more than one id/],
    ["a payment that was created twice", { entry: { created: 2 } }, /created 2 times/],
    ["a payment that was accepted and then not found", { entry: { missing: 1 } }, /accepted, and then not found/],
    ["an approval after a cancellation that counts", { entry: { cancelled: true } }, /cancellation was accepted/],
    [
      "a refusal of what was accepted",
      { entry: { refusals: [{ sentAt: Date.now(), code: "terminal-busy" }] } },
      /refused \(terminal-busy\) after/,
    ],
    ["a state that was told after the end", { heard: [{}, { state: "COMPLETING" }] }, /COMPLETING after FINAL/],
    ["an end that its register never heard", { entry: { tellings: [] } }, /never heard so by its cursor/],
    ["a payment that nobody asked for", { entry: { reference: "other" } }, /no register asked for it/],
    ["a payment that the journal lost", { journal: { reference: "other" } }, /missing from the journal/],
    [
      "a start that was refused for good",
      { journal: { reference: "x" }, entry: { tellings: [], refusals: [{ sentAt: 0, code: "not-allowed" }] } },
      /never accepted: not-allowed/,
    ],
  ])("%s", (_, story, problem) => expect(check(evidence(story)).join("\n")).toMatch(problem));

  it("two ways of reading the journal that differ", () => {
    const seen = evidence({});
    expect(check({ ...seen, listed: [] })).toEqual([
      expect.stringMatching(/^the export has sold .*, and payments list has not$/),
    ]);
    expect(check({ ...seen, payments: [] }).join("\n")).toMatch(/and what its registers list has not/);
  });
});
