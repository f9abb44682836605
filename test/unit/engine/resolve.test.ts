import { describe, expect, test } from "vitest";
import { paymentsAtRest } from "../../../src/engine/operator/offline-resolve.ts";
import { type Closed, type OperatorOrder, resolve } from "../../../src/engine/operator/resolve.ts";
import { type Gateway, type GatewayOrder, type Journal, JournalUnwritable } from "../../../src/engine/ports.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { Caller } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

const WINDOW_MS = 1_800_000;
const NO_ANSWER: SearchResult = { is: "no-answer", description: "" };
const said = { reason: "looked up", by: "anna" };
const reversed: OperatorOrder = { as: "reversed", ...said };

/** A bridge that sold once, and whose refund of that nobody has answered for longer than the unknown window. */
async function withLostRefund(search: () => SearchResult = () => NO_ANSWER): Promise<Counter> {
  const counter = openCounter({
    answer: ({ operation }) =>
      operation.paymentType === "RF"
        ? silence
        : approval(operation.amount ?? operation.reverses ?? 0, operation.paymentType),
    search,
  });
  await sold(counter, "R-1");
  void counter.payments.followUp(till, {
    type: "LINKED_REFUND",
    reference: "F-1",
    of: { name: "R-1" },
    fingerprint: "f",
  });
  await counter.clock.advance(WINDOW_MS + 60_000);
  return counter;
}

async function sold(counter: Counter, reference: string, caller: Caller = till): Promise<void> {
  void counter.payments.start(caller, startRequest(reference));
  await counter.clock.advance(60_000);
}

async function told<T>({ clock }: Pick<Counter, "clock">, answer: Promise<T>): Promise<T> {
  await clock.advance(120_000);
  return answer;
}

const close = (counter: Counter, reference: string, order = reversed, register?: string): Promise<Granted<Closed>> =>
  told(counter, counter.payments.resolve({ reference, ...(register !== undefined && { register }) }, order));

const asked = ({ posted }: Counter, paymentType: string) =>
  posted.find(({ operation }) => operation.paymentType === paymentType)?.operation;

/** What a query shows once the gateway knows of the refund. */
function refunded({ posted }: Counter): SearchResult {
  const refund = posted.find(({ operation }) => operation.paymentType === "RF")?.operation;
  const own: Found = {
    id: "RF",
    merchantTransactionId: refund?.merchantTransactionId,
    referencedId: "CP",
    paymentType: "RF",
    answer: approval(1234, "RF"),
  };
  return { is: "found", bookings: [{ id: "CP", paymentType: "CP", answer: approval(1234, "CP") }, own] };
}

describe("an operator's word to the bridge", () => {
  test("closes what the gateway tells nothing about", async () => {
    const counter = await withLostRefund();
    expect(await close(counter, "F-1")).toMatchObject({
      ok: true,
      value: { payment: { outcome: "FAILED", reason: { code: "operator-reversed" } }, gateway: "no-answer" },
    });
  });

  test("counts for nothing where the gateway, asked once more, tells it", async () => {
    let knows = false;
    const counter: Counter = await withLostRefund(() => (knows ? refunded(counter) : NO_ANSWER));
    knows = true;
    expect(await close(counter, "F-1")).toMatchObject({
      refusal: { message: expect.stringMatching(/asked once more, and now it is final \(APPROVED\)/) },
    });
    expect(await told(counter, counter.payments.get(till, { reference: "F-1" }))).toMatchObject({
      value: { outcome: "APPROVED", gateway: { id: "RF" } },
    });
  });

  test("about a payment that is final says so, with its outcome", async () => {
    const counter = await withLostRefund();
    expect(await close(counter, "R-1")).toMatchObject({
      refusal: { message: 'reference "R-1": it is final (APPROVED), and nothing of it is open' },
    });
    expect(await close(counter, "R-2")).toMatchObject({
      refusal: { code: "not-found", message: 'no payment has the reference "R-2"' },
    });
    expect(await close(counter, "F-1", reversed, "other")).toMatchObject({
      refusal: { message: 'no payment has the reference "F-1" of register "other"' },
    });
  });

  test("means the open one of several registers' payments, or wants the register's name", async () => {
    const counter = await withLostRefund();
    const other: Caller = { register: "other", all: false };
    await sold(counter, "F-1", other);
    await sold(counter, "R-1", other);
    expect(await close(counter, "R-1")).toMatchObject({
      refusal: { message: expect.stringContaining("none of the payments of several registers is open") },
    });
    expect(await close(counter, "F-1")).toMatchObject({ ok: true, value: { payment: { register: "till" } } });
  });

  test("about an approval needs the gateway's id", async () => {
    const counter = await withLostRefund();
    expect(await close(counter, "F-1", { as: "approved", ...said })).toMatchObject({ refusal: { path: "gatewayId" } });
    expect(await close(counter, "F-1", { as: "approved", ...said, gatewayId: "RF" })).toMatchObject({
      value: { payment: { outcome: "APPROVED", gateway: { id: "RF" } } },
    });
  });
});

describe("an operator's word about a capture that the gateway keeps pending for days", () => {
  const pending: Answer = { is: "pending", id: "CP", resultCode: "800.400.500", description: "" };
  const DAYS_MS = 5 * 86_400_000;

  /** A sale that waits for its capture, and a void that waits for the same. */
  async function withPendingCapture(): Promise<Counter> {
    const counter: Counter = openCounter({
      answer: ({ operation }) =>
        operation.paymentType === "CP"
          ? pending
          : approval(operation.amount ?? operation.reverses ?? 0, operation.paymentType),
      search: () => ({
        is: "found",
        bookings: [
          {
            id: "PA",
            merchantTransactionId: asked(counter, "PA")?.merchantTransactionId,
            paymentType: "PA",
            answer: approval(1234, "PA"),
          },
          {
            id: "CP",
            merchantTransactionId: asked(counter, "CP")?.merchantTransactionId,
            referencedId: "PA",
            paymentType: "CP",
            answer: pending,
          },
        ],
      }),
    });
    await sold(counter, "R-1");
    void counter.payments.followUp(till, { type: "VOID", reference: "V-1", of: { name: "R-1" }, fingerprint: "v" });
    await counter.clock.advance(DAYS_MS);
    expect(await told(counter, counter.payments.get(till, { reference: "R-1" }))).toMatchObject({
      value: { outcome: "APPROVED", capture: "pending" },
    });
    expect(asked(counter, "RV")).toBeUndefined();
    return counter;
  }

  test.each([
    [reversed, "failed", "PA", "undecided"],
    [{ as: "approved", ...said, gatewayId: "CP-9" } as const, "captured", "CP-9", "nothing"],
  ])(
    "($as) is kept, and the void that waited for it takes back what there is",
    async (order, capture, target, gateway) => {
      const counter = await withPendingCapture();
      expect(await close(counter, "R-1", order)).toMatchObject({
        ok: true,
        value: { payment: { state: "FINAL", outcome: "APPROVED", capture }, gateway },
      });
      expect(await told(counter, counter.payments.get(till, { reference: "V-1" }))).toMatchObject({
        value: { state: "FINAL", outcome: "APPROVED" },
      });
      expect(asked(counter, "RV")?.referencedId).toBe(target);
      expect(await told(counter, counter.payments.get(till, { reference: "R-1" }))).toMatchObject({
        value: { outcome: "APPROVED", voidedBy: expect.any(String) },
      });
      await counter.clock.advance(DAYS_MS);
      expect(counter.engine.active()).toEqual([]);
      expect(counter.broken).toEqual([]);
    },
  );
});

describe("an operator's word about a capture that the gateway made in part", () => {
  const open = async (counter: Counter) => told(counter, counter.payments.list(till, { open: true, limit: 50 }));

  /** A sale of 12.34 of which 6.17 were captured, in a bridge that was restarted since. */
  async function withHalfACapture(): Promise<Counter> {
    const name = (paymentType: string) =>
      first.posted.find(({ operation }) => operation.paymentType === paymentType)?.operation.merchantTransactionId;
    const search = (): SearchResult => ({
      is: "found",
      bookings: [
        { id: "PA", merchantTransactionId: name("PA"), paymentType: "PA", answer: approval(1234, "PA") },
        {
          id: "CP",
          merchantTransactionId: name("CP"),
          referencedId: "PA",
          paymentType: "CP",
          answer: approval(617, "CP"),
        },
      ],
    });
    const first: Counter = openCounter({
      answer: ({ operation }) => (operation.paymentType === "CP" ? silence : approval(1234, operation.paymentType)),
      search,
    });
    await sold(first, "R-1");
    expect(first.alarms).toContain("the gateway captured another amount than was approved");
    const left = { clock: first.clock, journal: first.journal.crash(0) };
    const next = openCounter({ search }, left);
    await told(left, next.engine.recover());
    return next;
  }

  test.each([
    [reversed, "6.17", "booked-otherwise"],
    [{ as: "approved", ...said, gatewayId: "CP-2" } as const, "12.34", "nothing"],
  ])("is waited for across a restart, and ($as) closes it", async (order, capturedAmount, gateway) => {
    const counter = await withHalfACapture();
    expect(await open(counter)).toMatchObject({
      value: { payments: [{ reference: "R-1", outcome: "APPROVED", capture: "captured", capturedAmount: "6.17" }] },
    });
    expect(counter.alarms).toEqual(["the gateway captured another amount than was approved"]);
    expect(await close(counter, "R-1", order)).toMatchObject({
      ok: true,
      value: { payment: { outcome: "APPROVED", capture: "captured", capturedAmount }, gateway },
    });
    expect(await open(counter)).toMatchObject({ value: { payments: [] } });
    expect([counter.engine.active(), counter.broken, counter.posted]).toEqual([[], [], []]);
  });
});

function atRest(
  { clock, journal }: Pick<Counter, "clock" | "journal">,
  search: () => SearchResult,
  failed = (cause: unknown): void => void cause,
) {
  const gateway: Pick<Gateway, "search" | "reaches"> = { reaches: () => true, search: async () => search() };
  return paymentsAtRest({ journal, gateway, clock, random: seededRandom(7), failed });
}

describe("an operator's word on what was captured by hand", () => {
  const byHand: OperatorOrder = { as: "approved", gatewayId: "CP-2", ...said };
  const message = 'reference "R-1": reference "V-1" about the same booking is not decided yet: wait for it';

  /** A sale that was captured in part, and a void of it whose reversal nobody answers. */
  async function withVoidUnderWay(): Promise<{ readonly counter: Counter; readonly search: () => SearchResult }> {
    const search = (): SearchResult => {
      const capture = asked(counter, "CP")?.merchantTransactionId;
      const part: Found = {
        id: "CP",
        merchantTransactionId: capture,
        referencedId: "PA",
        paymentType: "CP",
        answer: approval(617, "CP"),
      };
      return { is: "found", bookings: [{ id: "PA", paymentType: "PA", answer: approval(1234, "PA") }, part] };
    };
    const answer = ({ operation: { paymentType, amount = 0 } }: GatewayOrder): Answer =>
      paymentType === "PA" ? approval(amount, "PA") : silence;
    const counter = openCounter({ answer, search });
    await sold(counter, "R-1");
    void counter.payments.followUp(till, { type: "VOID", reference: "V-1", of: { name: "R-1" }, fingerprint: "v" });
    await counter.clock.advance(60_000);
    return { counter, search };
  }

  test("waits for a void that is under way, which does not know of it", async () => {
    const { counter } = await withVoidUnderWay();
    expect(await close(counter, "R-1", byHand)).toMatchObject({ refusal: { code: "not-allowed", message } });
    expect(await close(counter, "R-1", { as: "reversed", ...said })).toMatchObject({
      refusal: { code: "not-allowed", message },
    });
  });

  test("keeps a void from beginning as long as it is not known whether it counts", async () => {
    const search = (): SearchResult => {
      const part: Found = {
        ...{ id: "CP", referencedId: "PA", paymentType: "CP", answer: approval(617, "CP") },
        merchantTransactionId: asked(counter, "CP")?.merchantTransactionId,
      };
      return { is: "found", bookings: [{ id: "PA", paymentType: "PA", answer: approval(1234, "PA") }, part] };
    };
    const counter = openCounter({
      answer: ({ operation: { paymentType, amount = 0, reverses = 0 } }) =>
        paymentType === "CP" ? silence : approval(amount || reverses, paymentType),
      search,
    });
    await sold(counter, "R-1");
    const word = counter.payments.resolve({ reference: "R-1" }, byHand);
    const begin = (): ReturnType<typeof counter.payments.followUp> =>
      counter.payments.followUp(till, { type: "VOID", reference: "V-1", of: { name: "R-1" }, fingerprint: "v" });
    // The gateway is asked twice: what it shows of the sale, and of the id that was named.
    await counter.clock.advance(20);
    expect(await told(counter, begin())).toMatchObject({
      refusal: { code: "undecided-payment", message: expect.stringContaining('reference "R-1"') },
    });
    await counter.clock.advance(130_000);
    expect(await word).toMatchObject({ value: { payment: { capturedAmount: "12.34" } } });
    // Now it knows of both captures.
    void begin();
    await counter.clock.advance(60_000);
    expect(
      counter.posted
        .filter(({ operation }) => operation.paymentType === "RV")
        .map(({ operation }) => operation.referencedId),
    ).toContain("CP-2");
  });

  test("waits for it likewise while no bridge runs", async () => {
    const { counter, search } = await withVoidUnderWay();
    const left = { clock: counter.clock, journal: counter.journal.crash(0) };
    expect(await told(left, resolve(atRest(left, search), { reference: "R-1" }, byHand))).toMatchObject({
      refusal: { code: "not-allowed", message },
    });
  });
});

describe("an operator's word on a full disk", () => {
  test.each([0, 1])(
    "is answered at once, and not called done, where the journal takes %i appends of it",
    async (taken) => {
      let left = Number.POSITIVE_INFINITY;
      const counter: Counter = openCounter({
        answer: ({ operation }) =>
          operation.paymentType === "RF" ? silence : approval(operation.amount ?? 0, operation.paymentType),
        search: () => NO_ANSWER,
        journal: (journal) => ({
          ...journal,
          append: (...facts) => {
            left -= 1;
            return left < 0 ? Promise.reject(new JournalUnwritable("the disk is full")) : journal.append(...facts);
          },
        }),
      });
      await sold(counter, "R-1");
      void counter.payments.followUp(till, {
        type: "LINKED_REFUND",
        reference: "F-1",
        of: { name: "R-1" },
        fingerprint: "f",
      });
      await counter.clock.advance(WINDOW_MS + 60_000);
      left = taken;
      const answer = counter.payments.resolve({ reference: "F-1" }, reversed);
      await counter.clock.advance(61_000);
      expect(await answer).toMatchObject({ refusal: { code: "journal-unwritable", advice: "retry" } });
      left = Number.POSITIVE_INFINITY;
      await counter.clock.advance(60_000);
      const { resolved } = counter.engine.active().find(({ accepted }) => accepted.reference === "F-1") ?? {};
      expect(resolved?.as).toBe(taken === 0 ? undefined : "reversed");
    },
  );
});

describe("an operator's word while no bridge runs", () => {
  test("closes the payment, and the next start finds it closed", async () => {
    const counter = await withLostRefund();
    const left = { clock: counter.clock, journal: counter.journal.crash(0) };
    const ports = atRest(left, () => NO_ANSWER);
    expect(await told(left, resolve(ports, { reference: "F-1" }, reversed))).toMatchObject({
      value: { payment: { outcome: "FAILED", reason: { code: "operator-reversed" } }, gateway: "no-answer" },
    });
    const next = openCounter({}, left);
    await told(left, next.engine.recover());
    expect(await told(left, next.payments.get(till, { reference: "F-1" }))).toMatchObject({
      value: { outcome: "FAILED" },
    });
    expect(next.posted).toEqual([]);
    expect(await told(left, resolve(ports, { reference: "F-1" }, reversed))).toMatchObject({
      refusal: { message: expect.stringContaining("an operator has closed it already") },
    });
  });

  test("asks the gateway first, whose word counts", async () => {
    const counter = await withLostRefund();
    const left = { clock: counter.clock, journal: counter.journal.crash(0) };
    const ports = atRest(left, () => refunded(counter));
    expect(await told(left, resolve(ports, { reference: "F-1" }, reversed))).toMatchObject({
      refusal: { message: expect.stringContaining("final (APPROVED)") },
    });
  });

  test("is refused without a trace where the payment may not be closed so", async () => {
    const counter = openCounter({ answer: () => silence, search: () => NO_ANSWER });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(1_000);
    const left = { clock: counter.clock, journal: counter.journal.crash(0) };
    const before = await left.journal.lastNumber();
    const refusal = await told(
      left,
      resolve(
        atRest(left, () => NO_ANSWER),
        { reference: "R-1" },
        reversed,
      ),
    );
    expect(refusal).toMatchObject({
      refusal: { message: expect.stringContaining("may still be at work on it: try again in 30 minutes") },
    });
    expect(await left.journal.lastNumber()).toBe(before);
  });

  test.each([0, 1, 2])("is given up where the journal takes %i appends and then no more", async (taken) => {
    const counter = await withLostRefund();
    const journal = counter.journal.crash(0);
    let left = taken;
    const append: Journal["append"] = (...facts) => {
      left -= 1;
      return left < 0 ? Promise.reject(new JournalUnwritable("the disk is full")) : journal.append(...facts);
    };
    const broken = Promise.withResolvers<never>();
    const ports = atRest({ clock: counter.clock, journal: { ...journal, append } }, () => NO_ANSWER, broken.reject);
    const answer = Promise.race([resolve(ports, { reference: "F-1" }, reversed), broken.promise]);
    const outcome = expect(answer).rejects.toThrow(/the disk is full/);
    await counter.clock.advance(120_000);
    await outcome;
    expect(left).toBe(-1);
  });
});
