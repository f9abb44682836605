import { z } from "zod";
import type { certificatesCreate } from "./certificate-methods.ts";
import { asking, type ControlMethod, method } from "./method.ts";

/*
 * Requests of commands to the daemon of their data folder. A new method needs a handler below and a line in server.ts;
 * the types enforce both. Only commands of the same machine and version use the socket: it promises nothing to others
 * and is no part of the register API.
 */

const limits = z.strictObject({ payment: z.string().optional(), day: z.string().optional() });
const newToken = { register: z.string(), scopes: z.array(z.string()).readonly(), refundLimits: limits.optional() };
const tokenEntry = z.strictObject({
  ...newToken,
  /** A paired register: its page's Origin, or `none`. */
  origin: z.string().optional(),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
});
/** A changed row: only its name is shown, as it reads now. */
const damagedToken = z.strictObject({ register: z.string(), damaged: z.literal(true) });
const listing = z.union([tokenEntry, damagedToken]);
export type TokenListing = z.infer<typeof listing>;

export const ping = method(
  "ping",
  z.strictObject({}),
  z.strictObject({ bridge: z.string(), version: z.string(), pid: z.int() }),
);

export const tokensCreate = method(
  "tokens.create",
  z.strictObject({ ...newToken, ...asking }),
  z.strictObject({ ...newToken, createdAt: z.string(), token: z.string() }),
);

export const tokensList = method(
  "tokens.list",
  z.strictObject({}),
  z.strictObject({ tokens: z.array(listing).readonly() }),
);

export const tokensRevoke = method(
  "tokens.revoke",
  z.strictObject({ register: z.string(), ...asking }),
  z.strictObject({ revoked: z.int() }),
);

/** Revokes changed rows, because no name identifies them reliably. */
export const tokensRevokeDamaged = method(
  "tokens.revokeDamaged",
  z.strictObject(asking),
  z.strictObject({ revoked: z.int() }),
);

const pendingRegister = z.strictObject({
  code: z.string(),
  name: z.string(),
  origin: z.string(),
  from: z.string(),
  address: z.string(),
  expiresAt: z.string(),
  /** The name has a token or key already. */
  known: z.boolean(),
});
export type PendingListing = z.infer<typeof pendingRegister>;

/** Registers that wait for being paired. */
export const registersPending = method(
  "registers.pending",
  z.strictObject({}),
  z.strictObject({ pending: z.array(pendingRegister).readonly() }),
);

export const registersApprove = method(
  "registers.approve",
  z.strictObject({
    code: z.string(),
    scopes: z.array(z.string()).readonly(),
    refundLimits: limits.optional(),
    ...asking,
  }),
  z.strictObject({ ...newToken, origin: z.string() }),
);

export const registersRefuse = method(
  "registers.refuse",
  z.strictObject({ code: z.string(), ...asking }),
  z.strictObject({ name: z.string(), origin: z.string() }),
);

/**
 * Time for the gateway: a turn among its two queries a minute, behind waiting registers, then the longest allowed
 * hostAnswerMs.
 */
const GATEWAY_MS = 300_000;

/** Closes a payment that the gateway could not decide (contract, section 1, `resolve`). */
export const paymentsResolve = method(
  "payments.resolve",
  z.strictObject({
    reference: z.string(),
    register: z.string().optional(),
    as: z.enum(["reversed", "approved", "declined"]),
    reason: z.string(),
    by: z.string(),
    gatewayId: z.string().optional(),
  }),
  z.strictObject({
    id: z.string(),
    reference: z.string(),
    register: z.string(),
    state: z.string(),
    decision: z.string().optional(),
    outcome: z.string().optional(),
    reason: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    capture: z.string().optional(),
    gatewayId: z.string().optional(),
    /** The gateway's report from the final query. */
    gateway: z.enum([
      "booked",
      "booked-otherwise",
      "undecided",
      "taken-back",
      "refused",
      "nothing",
      "no-answer",
      "not-asked",
    ]),
  }),
  GATEWAY_MS,
);

/** Longest trace, in minutes. */
const MOST_TRACE_MINUTES = 15;

const tracedObject = z.strictObject({
  tag: z.string(),
  name: z.string().optional(),
  length: z.int(),
  value: z.string().optional(),
});
const traceEntry = z.strictObject({
  n: z.int(),
  time: z.string(),
  direction: z.enum(["sent", "received", "link"]),
  frame: z.string(),
  objects: z.array(tracedObject).readonly(),
});

/** Begins, reads and ends the trace of a terminal's line. `running`: its time is not over. */
export const terminalsTrace = method(
  "terminals.trace",
  z.discriminatedUnion("do", [
    z.strictObject({
      do: z.literal("begin"),
      terminal: z.string(),
      minutes: z.int().min(1).max(MOST_TRACE_MINUTES),
      ...asking,
    }),
    z.strictObject({ do: z.literal("read"), terminal: z.string(), after: z.int() }),
    z.strictObject({ do: z.literal("end"), terminal: z.string() }),
  ]),
  z.strictObject({ running: z.boolean(), entries: z.array(traceEntry).readonly() }),
);
export type TraceEntry = z.infer<typeof traceEntry>;

const terminalEntry = z.strictObject({
  id: z.string(),
  model: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  serialNumber: z.string().optional(),
  firmware: z.string().optional(),
  connection: z.string(),
  payment: z.string().optional(),
  label: z.string().optional(),
  paired: z.boolean(),
  replaced: z.literal(true).optional(),
});
export type TerminalEntry = z.infer<typeof terminalEntry>;

export const terminalsList = method(
  "terminals.list",
  z.strictObject({}),
  z.strictObject({ terminals: z.array(terminalEntry).readonly() }),
);
export const terminalsTest = method(
  "terminals.test",
  z.strictObject({ terminal: z.string() }),
  z.strictObject({ terminal: terminalEntry }),
  90_000,
);

const connection = z.strictObject({
  serial: z.string().optional(),
  tcp: z.string().optional(),
  websocket: z.string().optional(),
  usb: z.strictObject({ vendorId: z.number(), productId: z.number(), serialNumber: z.string().optional() }).optional(),
});
const device = {
  options: z.record(z.string(), z.string()).optional(),
  deviceType: z.string().optional(),
  deviceId: z.string().optional(),
};
const location = z.strictObject({ latitude: z.string(), longitude: z.string(), accuracy: z.string().optional() });
export const pairRequest = z.strictObject({
  ...{
    id: z.string(),
    model: z.string(),
    connection,
    terminalId: z.string(),
    label: z.string().optional(),
    entityId: z.string().optional(),
  },
  location: location.optional(),
  ...device,
});
export const replaceRequest = z.strictObject({
  model: z.string().optional(),
  connection: connection.optional(),
  terminalId: z.string().optional(),
  ...device,
});
const provenDevice = z.strictObject({ serialNumber: z.string(), warnings: z.array(z.string()).readonly() });

/** Time for giving up a silent device, even behind another change of terminals. */
const PROOF_MS = 120_000;

export const terminalsPair = method(
  "terminals.pair",
  z.strictObject({ ...asking, request: pairRequest }),
  provenDevice,
  PROOF_MS,
);
export const terminalsReplace = method(
  "terminals.replace",
  z.strictObject({ ...asking, terminal: z.string(), request: replaceRequest }),
  provenDevice,
  PROOF_MS,
);
export const terminalsRename = method(
  "terminals.rename",
  z.strictObject({ ...asking, terminal: z.string(), label: z.string() }),
  z.strictObject({ paired: z.boolean(), label: z.string().optional(), replaced: z.literal(true).optional() }),
  PROOF_MS,
);
export const terminalsUnpair = method(
  "terminals.unpair",
  z.strictObject({ ...asking, terminal: z.string() }),
  z.strictObject({}),
  PROOF_MS,
);

const rollback = z.strictObject({
  number: z.int(),
  noticedAt: z.string(),
  last: z.int(),
  shown: z.array(z.strictObject({ register: z.string(), number: z.int(), at: z.string() })).readonly(),
  /** For a restored folder: the time of its backup. */
  backup: z.string().optional(),
  confirmed: z.strictObject({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export type RollbackListing = z.infer<typeof rollback>;

/** A technician has made sure that no lost payment is sold again. */
export const rollbacksConfirm = method(
  "rollbacks.confirm",
  z.strictObject({ by: z.string(), reason: z.string() }),
  rollback,
);

/** Time for the gateway's answer and the disk's. */
const CHECKS_MS = 30_000;

const check = z.strictObject({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  text: z.string(),
  fix: z.string().optional(),
});

/** The checks of the bridge, as in the console. */
export const bridgeChecks = method(
  "bridge.checks",
  z.strictObject({}),
  z.strictObject({ checks: z.array(check).readonly() }),
  CHECKS_MS,
);

/** Time for the checks in a bundle. */
const BUNDLE_MS = 30_000;

/** Makes a support bundle, and reads it part by part. `length`: characters of the whole. */
export const bridgeSupportBundle = method(
  "bridge.supportBundle",
  z.discriminatedUnion("do", [
    z.strictObject({ do: z.literal("make"), ...asking }),
    z.strictObject({ do: z.literal("read"), from: z.int().nonnegative() }),
  ]),
  z.strictObject({ length: z.int(), part: z.string() }),
  BUNDLE_MS,
);

/** The bridge's status; `reasons` are those of /readyz. */
export const bridgeStatus = method(
  "bridge.status",
  z.strictObject({}),
  z.strictObject({
    ...{ bridge: z.string(), version: z.string(), pid: z.int(), startedAt: z.string() },
    ready: z.boolean(),
    reasons: z.array(z.string()).readonly(),
    lastError: z.strictObject({ at: z.string(), text: z.string() }).optional(),
  }),
);
export type BridgeStatus = z.infer<(typeof bridgeStatus)["result"]>;

/** Ends the daemon in an orderly way, like SIGTERM, after the answer. `pid`: the process that ends. */
export const bridgeStop = method("bridge.stop", z.strictObject(asking), z.strictObject({ pid: z.int() }));

/** Reads the configuration file anew, like SIGHUP. `dryRun`: only reports the effects. */
export const bridgeReload = method(
  "bridge.reload",
  z.strictObject({ dryRun: z.boolean(), ...asking }),
  z.strictObject({ ok: z.boolean(), lines: z.array(z.string()).readonly() }),
  30_000,
);

/** The result, or one line with the reason of the refusal. */
export type ControlReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

type Handler<M> =
  M extends ControlMethod<string, infer P, infer R>
    ? (params: z.output<P>) => Promise<ControlReply<z.input<R>>>
    : never;

export interface ControlHandlers {
  readonly ping: Handler<typeof ping>;
  readonly "tokens.create": Handler<typeof tokensCreate>;
  readonly "tokens.list": Handler<typeof tokensList>;
  readonly "tokens.revoke": Handler<typeof tokensRevoke>;
  readonly "tokens.revokeDamaged": Handler<typeof tokensRevokeDamaged>;
  readonly "registers.pending": Handler<typeof registersPending>;
  readonly "registers.approve": Handler<typeof registersApprove>;
  readonly "registers.refuse": Handler<typeof registersRefuse>;
  readonly "payments.resolve": Handler<typeof paymentsResolve>;
  readonly "terminals.list": Handler<typeof terminalsList>;
  readonly "terminals.test": Handler<typeof terminalsTest>;
  readonly "terminals.pair": Handler<typeof terminalsPair>;
  readonly "terminals.rename": Handler<typeof terminalsRename>;
  readonly "terminals.replace": Handler<typeof terminalsReplace>;
  readonly "terminals.unpair": Handler<typeof terminalsUnpair>;
  readonly "terminals.trace": Handler<typeof terminalsTrace>;
  readonly "certificates.create": Handler<typeof certificatesCreate>;
  readonly "rollbacks.confirm": Handler<typeof rollbacksConfirm>;
  readonly "bridge.checks": Handler<typeof bridgeChecks>;
  readonly "bridge.supportBundle": Handler<typeof bridgeSupportBundle>;
  readonly "bridge.status": Handler<typeof bridgeStatus>;
  readonly "bridge.stop": Handler<typeof bridgeStop>;
  readonly "bridge.reload": Handler<typeof bridgeReload>;
}
