import { currencyOf, formatAmount } from "../../src/kit/money.ts";
import { type Granted, granted, refused } from "../../src/payment/fact/refusal.ts";
import type { ChargeRequest, FollowUpRequest, LinkRequest, StartRequest } from "../../src/payment/fact/request.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type {
  Caller,
  PaymentChange,
  PaymentKey,
  Payments,
  Period,
  TerminalView,
  Tokens,
} from "../../src/register/ports.ts";

export const AT = "2026-03-01T10:00:00.000Z";

export const terminal: TerminalView = {
  id: "till-1",
  model: "miura-m020",
  state: "ready",
  connection: "serial /dev/ttyACM0",
  capabilities: ["chip", "contactless"],
  queue: 0,
};

/** An engine without terminals and gateway: the book of payments, moved by hand. */
export interface FakePayments extends Payments {
  /** The next durable change of a payment. */
  change(id: string, change: Partial<PaymentView>): void;
  /** A change of the prompt alone: the last cursor of that payment again. */
  prompt(id: string, code: string): void;
  readonly requests: StartRequest[];
  readonly charges: ChargeRequest[];
  readonly links: LinkRequest[];
  readonly deletions: { readonly reference: string; readonly registration: string }[];
  readonly followUps: FollowUpRequest[];
  readonly signatures: { readonly id: string; readonly accepted: boolean }[];
  readonly periods: { readonly caller: Caller; readonly period: Period }[];
  /** Cursors that registers have shown when they opened their sessions. */
  readonly shownCursors: { readonly register: string; readonly cursor: string }[];
  readonly log: readonly PaymentChange[];
  readonly listeners: () => number;
  /** Called at the beginning of every asynchronous step; a test makes it wait, fail, or let something else happen. */
  step: (name: string) => Promise<void>;
}

function viewOf(
  request: Pick<StartRequest, "reference" | "type" | "terminal" | "amount" | "currency">,
  register: string,
  id: string,
): PaymentView {
  const currency = currencyOf(request.currency);
  if (currency === undefined) throw new RangeError(request.currency);
  const { reference, type, terminal: device } = request;
  const amount = formatAmount(request.amount, currency);
  return {
    id,
    reference,
    type,
    register,
    terminal: device,
    amount,
    currency: request.currency,
    environment: "test",
    state: "CREATED",
    createdAt: AT,
    updatedAt: AT,
  };
}

export function fakePayments(): FakePayments {
  const book = new Map<string, PaymentView>();
  const fingerprints = new Map<string, string>();
  const log: PaymentChange[] = [];
  const listeners = new Set<(change: PaymentChange) => void>();
  const requests: StartRequest[] = [];
  const charges: ChargeRequest[] = [];
  const links: LinkRequest[] = [];
  const deletions: { reference: string; registration: string }[] = [];
  const followUps: FollowUpRequest[] = [];
  const signatures: { id: string; accepted: boolean }[] = [];
  const shownCursors: { readonly register: string; readonly cursor: string }[] = [];
  const periods: { caller: Caller; period: Period }[] = [];

  const tell = (change: PaymentChange): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const record = (payment: PaymentView): void => {
    book.set(payment.id, payment);
    const change = { cursor: String(log.length + 1), payment };
    log.push(change);
    tell(change);
  };
  const find = (caller: Caller, key: PaymentKey): Granted<PaymentView> => {
    const found = [...book.values()].find((payment) =>
      "id" in key ? payment.id === key.id : payment.reference === key.reference && payment.register === caller.register,
    );
    const seen = found !== undefined && (caller.all || found.register === caller.register);
    return seen ? granted(found) : refused("not-found", "there is no such payment", "fix-request");
  };
  const known = (
    caller: Caller,
    { reference, fingerprint }: { reference: string; fingerprint: string },
  ): Awaited<ReturnType<Payments["start"]>> | undefined => {
    const same = find({ ...caller, all: false }, { reference });
    if (!same.ok) return undefined;
    if (fingerprints.get(same.value.id) !== fingerprint)
      return refused("reference-reused", "reference was used for something else", "fix-request");
    return granted({ payment: same.value, created: false, warnings: [] });
  };
  const must = (id: string): PaymentView => {
    const payment = book.get(id);
    if (payment === undefined) throw new RangeError(`no payment ${id}`);
    return payment;
  };
  const mayHear = (caller: Caller, { payment }: PaymentChange): boolean =>
    caller.all || payment.register === caller.register;

  const fake: FakePayments = {
    requests,
    charges,
    links,
    deletions,
    followUps,
    signatures,
    periods,
    shownCursors,
    log,
    listeners: () => listeners.size,
    step: async () => undefined,
    change: (id, change) => record({ ...must(id), ...change }),
    prompt: (id, code) => {
      const payment = { ...must(id), prompt: { code, text: code } };
      book.set(id, payment);
      tell({ cursor: log.findLast((change) => change.payment.id === id)?.cursor ?? "0", payment });
    },
    start: async (caller, request) => {
      requests.push(request);
      await fake.step("start");
      const before = known(caller, request);
      if (before !== undefined) return before;
      if (request.terminal !== terminal.id)
        return refused("unknown-terminal", "terminal is not configured", "fix-request");
      const payment = viewOf(request, caller.register, `pay_${book.size + 1}`);
      fingerprints.set(payment.id, request.fingerprint);
      record(payment);
      // The engine does not wait for anybody to listen before it goes on.
      record({ ...payment, state: "AWAITING_CARD" });
      return granted({ payment, created: true, warnings: [] });
    },
    charge: async (caller, request) => {
      charges.push(request);
      await fake.step("charge");
      const before = known(caller, request);
      if (before !== undefined) return before;
      const payment = {
        ...viewOf({ ...request, terminal: "" }, caller.register, `pay_${book.size + 1}`),
        registration: request.registration,
      };
      fingerprints.set(payment.id, request.fingerprint);
      record(payment);
      record({ ...payment, state: "FINAL", outcome: "APPROVED", decision: "approved" });
      return granted({ payment, created: true, warnings: [] });
    },
    link: async (caller, request) => {
      links.push(request);
      await fake.step("link");
      const before = known(caller, request);
      if (before !== undefined) return before;
      const payment = viewOf({ ...request, type: "SALE", terminal: "" }, caller.register, `pay_${book.size + 1}`);
      fingerprints.set(payment.id, request.fingerprint);
      record(payment);
      record({
        ...payment,
        state: "AWAITING_CARD",
        link: { url: "https://gateway.example/link", qr: "<svg/>", validUntil: AT },
      });
      return granted({ payment: must(payment.id), created: true, warnings: [] });
    },
    deleteRegistration: async (_caller, request) => {
      deletions.push(request);
      await fake.step("delete");
      return granted(deletions.length === 1 ? "deleted" : "already-deleted");
    },
    followUp: async (caller, request) => {
      followUps.push(request);
      await fake.step("followUp");
      const before = known(caller, request);
      if (before !== undefined) return before;
      const { of, reference, type } = request;
      const named = "name" in of ? [{ reference: of.name }, { id: of.name }] : "gatewayId" in of ? [] : [of];
      const original = named.map((key) => find(caller, key)).find(({ ok }) => ok);
      if (original?.ok !== true) return refused("not-found", "of: there is no such payment", "fix-request", "of");
      const { id, ...rest } = original.value;
      const payment = {
        ...rest,
        id: `pay_${book.size + 1}`,
        reference,
        type,
        register: caller.register,
        state: "CREATED" as const,
        of: id,
      };
      fingerprints.set(payment.id, request.fingerprint);
      record(payment);
      // The engine goes on at once: the follow-up is through, and its original knows of it, before anybody had a reply.
      record({ ...payment, state: "FINAL", outcome: "APPROVED", decision: "approved" });
      record({ ...must(id), updatedAt: "followed" });
      return granted({ payment, created: true, warnings: [] });
    },
    confirmSignature: async (caller, key, accepted) => {
      const found = find(caller, key);
      if (!found.ok) return found;
      if (found.value.prompt?.code !== "SIGN") return refused("not-allowed", "waits for no signature", "fix-request");
      signatures.push({ id: found.value.id, accepted });
      const { prompt: _, ...rest } = found.value;
      record({
        ...rest,
        state: "FINAL",
        outcome: accepted ? "APPROVED" : "FAILED",
        decision: accepted ? "approved" : "not-approved",
      });
      return granted(must(found.value.id));
    },
    get: async (caller, key) => find(caller, key),
    wait: async (caller, key) => {
      await fake.step("wait");
      return find(caller, key);
    },
    cancel: async (caller, key) => {
      const found = find(caller, key);
      if (!found.ok) return found;
      if (found.value.state === "FINAL") return granted({ cancellation: "already-final", payment: found.value });
      record({ ...found.value, state: "FINAL", outcome: "CANCELLED", decision: "not-approved" });
      return granted({ cancellation: "accepted", payment: must(found.value.id) });
    },
    list: async (caller, { limit, after, ...filter }) => {
      const all = [...book.values()].reverse().filter((payment) => caller.all || payment.register === caller.register);
      const matching = all.filter(
        ({ terminal: device, outcome }) =>
          device === (filter.terminal ?? device) && outcome === (filter.outcome ?? outcome),
      );
      const from = after === undefined ? 0 : Number(after);
      const page = matching.slice(from, from + limit);
      return granted(
        from + limit < matching.length ? { payments: page, next: String(from + limit) } : { payments: page },
      );
    },
    receipt: async (caller, key) => {
      const found = find(caller, key);
      return found.ok
        ? granted({
            payment: found.value,
            merchant: { name: "Corner Shop", address: [] },
            made: { date: "2026-03-01", time: "10:00:00" },
          })
        : found;
    },
    totals: async (caller, period) => {
      periods.push({ caller, period });
      return [
        { terminal: terminal.id, type: "SALE", brand: "VISA", currency: "EUR", count: book.size, amount: "12.34" },
      ];
    },
    terminals: () => [terminal],
    testTerminal: async (id) =>
      id === terminal.id ? granted(terminal) : refused("unknown-terminal", "terminal is not configured", "fix-request"),
    shown: async ({ register }, cursor) => {
      await fake.step("shown");
      shownCursors.push({ register, cursor });
    },
    rollbacks: () => [],
    confirmRollback: async () => refused("not-allowed", "there is nothing to confirm", "fix-request"),
    cursor: async () => {
      await fake.step("cursor");
      return String(log.length);
    },
    follow: async (caller, after, changed) => {
      await fake.step("follow");
      if (after === "gone")
        return refused("cursor-gone", "the cursor was archived: subscribe without one", "fix-request");
      const early: PaymentChange[] = [];
      let caughtUp = false;
      let stopped = false;
      const listener = (change: PaymentChange): void => {
        if (!mayHear(caller, change)) return;
        if (caughtUp) changed(change);
        else early.push(change);
      };
      listeners.add(listener);
      const tell = async (): Promise<void> => {
        let at = Number(after ?? log.length);
        for (; at < log.length && !stopped; at += 1) {
          const change = log[at];
          if (change !== undefined && mayHear(caller, change)) changed(change);
          await fake.step("replay");
        }
        caughtUp = true;
        for (const change of early) if (!stopped && Number(change.cursor) > at) changed(change);
      };
      const stop = (): void => {
        stopped = true;
        listeners.delete(listener);
      };
      return granted({ cursor: after ?? String(log.length), stop, told: tell() });
    },
    watch: () => () => undefined,
  };
  return fake;
}

export const tokens: Tokens = {
  findKey: async () => undefined,
  find: async (token) => {
    switch (token) {
      case "till-token":
        return { register: "till", scopes: ["payments", "refunds"] };
      case "other-token":
        return { register: "other", scopes: ["payments", "refunds"] };
      case "desk-token":
        return {
          register: "till",
          scopes: ["payments", "refunds", "unlinked-refunds", "stored-cards", "foreign-bookings", "technician"],
        };
      case "technician-token":
        return { register: "workshop", scopes: ["technician"] };
      case "limited-token":
        return { register: "till", scopes: ["payments", "refunds"], refundLimits: { payment: 1000, day: 1500 } };
      case "damaged-token":
        return { damaged: "the row of this token was changed: make a new one" };
      case "cashier-token":
        return { register: "till", scopes: ["payments"] };
      case "refund-token":
        return { register: "till", scopes: ["refunds"] };
      case "office-token":
        return { register: "office", scopes: ["payments:all", "unlinked-refunds", "payments"] };
      case "empty-token":
        return { register: "empty", scopes: [] };
      default:
        return undefined;
    }
  },
  watch: () => () => undefined,
};
