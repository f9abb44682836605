import { granted, refused } from "../../src/payment/fact/refusal.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { AnyPaymentKey } from "../../src/register/ports.ts";
import type { LogLine, ResolveOrder, Technician, TracedLine } from "../../src/register/technician.ts";
import { AT, terminal } from "./fake-payments.ts";

/** A bridge's inside without one, moved by hand. */
export interface FakeTechnician extends Technician {
  readonly resolved: { readonly key: AnyPaymentKey; readonly order: ResolveOrder }[];
  /** Somebody traces that many lines now. */
  tracing(): number;
  /** A frame goes over the traced line. */
  frame(line: TracedLine): void;
  /** The time of every trace is over. */
  timeOver(): void;
}

const payment: PaymentView = {
  id: "pay_1",
  reference: "r-1",
  type: "SALE",
  register: "till",
  terminal: "till-1",
  amount: "12.34",
  currency: "EUR",
  environment: "test",
  state: "RESOLVING",
  createdAt: AT,
  updatedAt: AT,
};

const LINES: readonly LogLine[] = [
  { at: AT, level: "info", text: "posbridge is ready", fields: { port: 7717, host: "127.0.0.1" } },
];

export function fakeTechnician(): FakeTechnician {
  const traces = new Map<(line: TracedLine) => void, () => void>();
  const resolved: FakeTechnician["resolved"] = [];
  return {
    resolved,
    tracing: () => traces.size,
    frame: (line) => {
      for (const hear of traces.keys()) hear(line);
    },
    timeOver: () => {
      for (const [hear, ended] of [...traces]) {
        traces.delete(hear);
        ended();
      }
    },
    timeline: async (key) => {
      if ("id" in key ? key.id !== payment.id : key.reference !== payment.reference)
        return refused("not-found", "there is no such payment", "fix-request");
      const steps = [
        { at: AT, track: "register", code: "accepted", text: "Register till asked for a SALE of 12.34 EUR." },
      ] as const;
      return granted({
        payment,
        steps,
        open: {
          why: "It waits for the gateway's answer.",
          next: { what: "It is asked." },
          resolvable: false,
          resolvableFrom: AT,
        },
      });
    },
    resolve: async (key, order) => {
      resolved.push({ key, order });
      return granted({ payment, gateway: "nothing" });
    },
    trace: (id, hear, ended) => {
      if (id !== terminal.id)
        return refused("unknown-terminal", "there is no such terminal", "fix-request", "terminal");
      // Each trace is one of its own, whoever hears it.
      const own = (line: TracedLine): void => hear(line);
      traces.set(own, ended);
      return granted({ until: AT, stop: () => void traces.delete(own) });
    },
    checks: async () => [{ name: "disk", state: "warn", text: "40 MB are free.", fix: "Make room." }],
    log: ({ after, limit }) => ({ lines: after === undefined ? LINES.slice(-limit) : [], next: "1-1" }),
    supportBundle: async () => granted({ name: "posbridge-support.json", bundle: "{}" }),
  };
}
