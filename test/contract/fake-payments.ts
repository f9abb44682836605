import { currencyOf, formatAmount } from "../../src/kit/money.ts";
import type { PaymentView } from "../../src/payment/public.ts";
import { type Granted, granted, refused } from "../../src/payment/refusal.ts";
import type { StartRequest } from "../../src/payment/request.ts";
import type { Caller, PaymentChange, PaymentKey, Payments, TerminalView, Tokens } from "../../src/register/ports.ts";

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
  /** A change of the prompt alone: the last cursor again. */
  prompt(id: string, code: string): void;
  readonly requests: StartRequest[];
  readonly log: readonly PaymentChange[];
  readonly listeners: () => number;
  /** Called at the beginning of every asynchronous step; a test makes it wait, fail, or let something else happen. */
  step: (name: string) => Promise<void>;
}

function viewOf(request: StartRequest, register: string, id: string): PaymentView {
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
  const must = (id: string): PaymentView => {
    const payment = book.get(id);
    if (payment === undefined) throw new RangeError(`no payment ${id}`);
    return payment;
  };
  const mayHear = (caller: Caller, { payment }: PaymentChange): boolean => caller.all || payment.register === caller.register;

  const fake: FakePayments = {
    requests,
    log,
    listeners: () => listeners.size,
    step: async () => undefined,
    change: (id, change) => record({ ...must(id), ...change }),
    prompt: (id, code) => {
      const payment = { ...must(id), prompt: { code, text: code } };
      book.set(id, payment);
      tell({ cursor: String(log.length), payment });
    },
    start: async (caller, request) => {
      requests.push(request);
      await fake.step("start");
      const known = find({ ...caller, all: false }, { reference: request.reference });
      if (known.ok && fingerprints.get(known.value.id) !== request.fingerprint)
        return refused("reference-reused", "reference was used for something else", "fix-request");
      if (known.ok) return granted({ payment: known.value, created: false, warnings: [] });
      if (request.terminal !== terminal.id) return refused("unknown-terminal", "terminal is not configured", "fix-request");
      const payment = viewOf(request, caller.register, `pay_${book.size + 1}`);
      fingerprints.set(payment.id, request.fingerprint);
      record(payment);
      // The engine does not wait for anybody to listen before it goes on.
      record({ ...payment, state: "AWAITING_CARD" });
      return granted({ payment, created: true, warnings: [] });
    },
    followUp: async (caller, request) => {
      const original = "name" in request.of ? find({ ...caller, all: false }, { reference: request.of.name }) : undefined;
      if (original?.ok !== true) return refused("not-found", "of: there is no such payment", "fix-request", "of");
      const payment = { ...original.value, id: `pay_${book.size + 1}`, reference: request.reference, type: request.type, of: original.value.id };
      record(payment);
      return granted({ payment, created: true, warnings: [] });
    },
    confirmSignature: async (caller, key) => find(caller, key),
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
      const matching = all.filter(({ terminal: device, outcome }) => device === (filter.terminal ?? device) && outcome === (filter.outcome ?? outcome));
      const from = after === undefined ? 0 : Number(after);
      const page = matching.slice(from, from + limit);
      return granted(from + limit < matching.length ? { payments: page, next: String(from + limit) } : { payments: page });
    },
    receipt: async (caller, key, { copy }) => {
      const found = find(caller, key);
      return found.ok
        ? granted({ copy, lines: [{ key: "total", label: "Total", value: found.value.amount ?? "" }], text: `Total ${found.value.amount}\n` })
        : found;
    },
    terminals: () => [terminal],
    testTerminal: async (id) => (id === terminal.id ? granted(terminal) : refused("unknown-terminal", "terminal is not configured", "fix-request")),
    cursor: async () => {
      await fake.step("cursor");
      return String(log.length);
    },
    follow: async (caller, after, changed) => {
      await fake.step("follow");
      if (after === "gone") return refused("cursor-gone", "the cursor was archived: subscribe without one", "fix-request");
      const early: PaymentChange[] = [];
      let caughtUp = false;
      const listener = (change: PaymentChange): void => {
        if (!mayHear(caller, change)) return;
        if (caughtUp) changed(change);
        else early.push(change);
      };
      listeners.add(listener);
      let at = Number(after ?? log.length);
      for (; at < log.length; at += 1) {
        const change = log[at];
        if (change !== undefined && mayHear(caller, change)) changed(change);
        await fake.step("replay");
      }
      caughtUp = true;
      for (const change of early) if (Number(change.cursor) > at) changed(change);
      return granted({ cursor: String(at), stop: () => void listeners.delete(listener) });
    },
    watch: () => () => undefined,
  };
  return fake;
}

export const tokens: Tokens = {
  find: async (token) => {
    switch (token) {
      case "till-token":
        return { register: "till", scopes: ["payments", "refunds"] };
      case "other-token":
        return { register: "other", scopes: ["payments", "refunds"] };
      case "office-token":
        return { register: "office", scopes: ["payments:all", "unlinked-refunds", "payments"] };
      case "empty-token":
        return { register: "empty", scopes: [] };
      default:
        return undefined;
    }
  },
};
