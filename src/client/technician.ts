import type { z } from "zod";
import { approveResultSchema, pendingResultSchema, refuseResultSchema } from "../register/rpc/schemas.ts";
import {
  checksResultSchema,
  logResultSchema,
  resolveResultSchema,
  supportBundleResultSchema,
  timelineResultSchema,
  tracedSchema,
  traceResultSchema,
  untraceResultSchema,
} from "../register/rpc/technician-schemas.ts";
import type { PaymentView } from "./api.ts";
import type { RegisterClient } from "./client.ts";
import { readTolerantly } from "./tolerant.ts";

/** A payment of any register. */
export type AnyKey = { readonly id: string } | { readonly reference: string; readonly register?: string };

export type ResolveParams = AnyKey & {
  readonly as: "reversed" | "approved" | "declined";
  readonly reason: string;
  readonly gatewayId?: string;
};

export type Traced = z.output<typeof tracedSchema>;

/** A register that asks to be paired. */
export type PendingRegister = z.output<typeof pendingResultSchema>["pending"][number];

/** The calls of the scope `technician`. */
export interface TechnicianClient {
  timeline(key: AnyKey): Promise<z.output<typeof timelineResultSchema>>;
  /** Closes an open payment that the gateway cannot decide. Waits for one more query. */
  resolve(params: ResolveParams): Promise<z.output<typeof resolveResultSchema>>;
  /** The open payments of every register, newest first. */
  openPayments(): Promise<readonly PaymentView[]>;
  /** Returns the end of the trace. Until then, frames come to `onNotification` of the connection (`readTraced`). */
  trace(terminal: string): Promise<string>;
  untrace(terminal: string): Promise<void>;
  checks(): Promise<z.output<typeof checksResultSchema>["checks"]>;
  log(filter?: { readonly after?: string; readonly limit?: number }): Promise<z.output<typeof logResultSchema>>;
  supportBundle(): Promise<z.output<typeof supportBundleResultSchema>>;
  /** At most one. */
  pendingRegisters(): Promise<readonly PendingRegister[]>;
  approveRegister(code: string, scopes: readonly string[]): Promise<z.output<typeof approveResultSchema>>;
  refuseRegister(code: string): Promise<z.output<typeof refuseResultSchema>>;
}

const MOST_OPEN = 500;

export function technicianOf({ call, list }: Pick<RegisterClient, "call" | "list">): TechnicianClient {
  return {
    timeline: (key) => call("payment.timeline", key, timelineResultSchema),
    resolve: (params) => call("payment.resolve", params, resolveResultSchema),
    openPayments: async () => (await list({ open: true, limit: MOST_OPEN })).payments,
    trace: async (terminal) => (await call("terminals.trace", { terminal }, traceResultSchema)).until,
    untrace: async (terminal) => void (await call("terminals.untrace", { terminal }, untraceResultSchema)),
    checks: async () => (await call("bridge.checks", {}, checksResultSchema)).checks,
    log: (filter = {}) => call("bridge.log", filter, logResultSchema),
    supportBundle: () => call("bridge.supportBundle", {}, supportBundleResultSchema),
    pendingRegisters: async () => (await call("registers.pending", {}, pendingResultSchema)).pending,
    approveRegister: (code, scopes) => call("registers.approve", { code, scopes }, approveResultSchema),
    refuseRegister: (code) => call("registers.refuse", { code }, refuseResultSchema),
  };
}

/** One frame of a trace; undefined for other notifications. */
export function readTraced(method: string, params: unknown): Traced | undefined {
  return method === "terminal.traced" ? readTolerantly(tracedSchema, params, method) : undefined;
}
