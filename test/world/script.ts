import { z } from "zod";
import { simulators } from "../../drivers/simulators.ts";
import { TILLS } from "./tills.ts";

/**
 * What happens in a world, written out: every sale of every till, and everything that goes wrong in it. A seed makes a
 * script (draw.ts); a script makes the same world every
 * time, so that a history can be cut down by leaving things out of it (shrink.ts).
 */

const ms = z.int().nonnegative();
const nth = z.int().nonnegative();
const till = z
  .int()
  .min(0)
  .max(TILLS.length - 1);

/**
 * What a request to the gateway is for. `booking`: PA, DB, CD or RG, what puts money on the ledger; `link`: makes one;
 * `look`: how a link stands; `phone`: the customer's
 * own visit to its page.
 */
const errandSchema = z.enum(["booking", "CP", "RV", "RF", "DR", "query", "link", "look", "phone"]);
export type Errand = z.infer<typeof errandSchema>;

/**
 * What happens to one request, or its reply, on the way. `hold`: the network keeps the request that long and then
 * delivers it.
 */
const wireDeeds = [
  "drop-before",
  "drop-after",
  "delay",
  "reset-mid-body",
  "http-500",
  "http-502-html",
  "truncated-json",
  "throttle",
] as const;
const deedSchema = z.enum(["refuse", "hold", ...wireDeeds]);

/** What is wrong with a reply that arrives whole. */
const lieSchema = z.enum(["more", "less", "no-amount", "other-currency", "other-type", "no-id"]);

/** One errand of the payment, counted from 0 in the order of its requests, and `times` of them in a row. */
const gatewaySchema = z.strictObject({
  is: z.literal("gateway"),
  errand: errandSchema,
  nth,
  times: z.int().positive(),
  deed: deedSchema.optional(),
  result: z.string().optional(),
  /** A pending result: what it turns into. */
  becomes: z.enum(["approved", "declined"]).optional(),
  lie: lieSchema.optional(),
  /** How long a delay, a hold or a pending result lasts. */
  forMs: ms.optional(),
  /** For how long queries know nothing of the booking. */
  hideMs: ms.optional(),
});
export type GatewayTrouble = z.infer<typeof gatewaySchema>;

/** The instruction at which the process is killed. Counts begin at 0 with the sale. */
const crashPointSchema = z.discriminatedUnion("at", [
  z.strictObject({ at: z.literal("time"), afterMs: ms }),
  /** An append of this payment: before it is durable, or durable and nobody was told. */
  z.strictObject({ at: z.literal("append"), nth, durable: z.boolean() }),
  /** A write to this terminal, of which only the first bytes leave. */
  z.strictObject({ at: z.literal("frame"), nth, bytes: z.int().nonnegative() }),
  /** A request of this payment: as it leaves, or while the reply is under way. The gateway works on it either way. */
  z.strictObject({ at: z.literal("request"), nth, worked: z.boolean() }),
  /** The card has just made a cryptogram: its first (0) or its last word (1), which nobody has heard yet. */
  z.strictObject({ at: z.literal("card"), nth }),
]);
export type CrashPoint = z.infer<typeof crashPointSchema>;

const lineFaultSchema = z.enum([
  "hang",
  "reboot",
  "corrupt-next-frame",
  "duplicate-next-frame",
  "drop-next-frame",
  "garbage",
  "slow",
]);

const troubleSchema = z.discriminatedUnion("is", [
  gatewaySchema,
  /** Nothing listens at the gateway's address. */
  z.strictObject({ is: z.literal("gateway-down"), afterMs: ms, forMs: ms }),
  z.strictObject({ is: z.literal("crash"), point: crashPointSchema, downMs: ms }),
  z.strictObject({ is: z.literal("unplug"), afterMs: ms, forMs: ms }),
  /** `after`: how many frames of the terminal's pass first. */
  z.strictObject({ is: z.literal("line"), fault: lineFaultSchema, after: z.int().nonnegative() }),
  z.strictObject({ is: z.literal("card-pulled"), afterMs: ms }),
  /** The customer presses the red key. */
  z.strictObject({ is: z.literal("red-key"), afterMs: ms }),
  /** The bridge's wall clock is set; gateway and terminal keep theirs. */
  z.strictObject({ is: z.literal("clock-set"), afterMs: ms, byMs: z.int() }),
  /** The journal's disk is full or read-only. */
  z.strictObject({ is: z.literal("disk"), afterMs: ms, forMs: ms }),
  z.strictObject({ is: z.literal("cancel"), afterMs: ms }),
  /** The register's socket is gone for a while. */
  z.strictObject({ is: z.literal("register-gone"), afterMs: ms, forMs: ms }),
  /** The same reference from a second socket; `other`: with another amount. */
  z.strictObject({ is: z.literal("twice"), afterMs: ms, content: z.enum(["same", "other"]) }),
  /** Another start that competes with this payment: for its terminal, for its place in the queue, or for its order. */
  z.strictObject({ is: z.literal("rival"), afterMs: ms, wants: z.enum(["terminal", "queue", "order"]) }),
]);
export type Trouble = z.infer<typeof troubleSchema>;

/** The payment kinds that this world plays (kinds.ts has a row for each). */
const kindSchema = z.enum([
  "SALE",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
  "CAPTURE",
  "VOID",
  "LINKED_REFUND",
  "INCREMENT",
]);
export type Kind = z.infer<typeof kindSchema>;

/**
 * What the customer does with a link. `decline`: with a card that its issuer refuses; `code`: with one whose holder is
 * asked for a code, which he types or (`wrong-code`,
 * `no-code`) does not; `second`: pays in a second browser as well, in which the page was open before he paid.
 */
const phoneSchema = z.strictObject({
  afterMs: ms,
  does: z.enum(["open", "pay", "decline", "code", "wrong-code", "no-code", "second"]),
});
export type PhoneDeed = z.infer<typeof phoneSchema>;

const stepSchema = z.strictObject({
  /** Numbers the step for ever, so that it keeps its reference when others are left out. */
  n: z.int().nonnegative(),
  /** DELETION: of a stored card, which is no payment. */
  does: z.union([kindSchema, z.literal("DELETION")]),
  /** Without a terminal: by the card that another step has stored, or by a link. */
  by: z.enum(["stored-card", "link"]).optional(),
  /** The step that has stored the card to be charged or deleted. */
  card: z.int().nonnegative().optional(),
  /** How long a customer has to pay by a link. */
  validForMs: ms.optional(),
  /** What he does with it, one thing after another from the moment on at which he sees it. */
  phone: z.array(phoneSchema).optional(),
  /** The step whose payment it follows. */
  of: z.int().nonnegative().optional(),
  /** The register names that by the gateway's id of its booking. */
  byGatewayId: z.literal(true).optional(),
  /**
   * Some other till of the shop sells, of which the bridge knows nothing: what follows can be named by the gateway's id
   * alone.
   */
  elsewhere: z.literal(true).optional(),
  /** The gateway is to keep the card as well. */
  createRegistration: z.literal(true).optional(),
  /** The register takes what the issuer approves, also where that is less. */
  allowPartialApproval: z.literal(true).optional(),
  till,
  /**
   * Minor units; one of its own for each step with a card, so that every card's word and every booking tells whose it
   * is.
   */
  amount: z.int().positive(),
  /** Money with three decimals, which no bridge takes. */
  currency: z.literal("KWD").optional(),
  /** Of the amount, so much is a tip. */
  tip: z.int().nonnegative().optional(),
  /** How old the request may be when its card is asked for, or the stored card is charged. */
  expiresInMs: ms.optional(),
  /** Where a signature has to be compared the cashier says no, or nothing at all. */
  signature: z.enum(["refused", "forgotten"]).optional(),
  /** Since the till's step before. */
  pauseMs: ms,
  troubles: z.array(troubleSchema),
});
export type Step = z.infer<typeof stepSchema>;

/** What stands at a till for as long as the world lasts (stand.ts). */
const standSchema = z.strictObject({
  till,
  model: z.enum(simulators.map(({ id }) => id)),
  line: z.enum(["serial", "tcp", "usb", "websocket"]),
});

export const scriptSchema = z.strictObject({
  seed: z.int().nonnegative(),
  /** The gateway's channels take one capture of a reservation; absent: several. */
  captures: z.literal("one").optional(),
  /** Of all money; absent: euros. */
  currency: z.enum(["JPY", "CHF"]).optional(),
  /** How slow the terminals are; absent: as quick as can be. */
  pace: z.literal("real").optional(),
  stands: z.array(standSchema),
  steps: z.array(stepSchema),
});
export type Script = z.infer<typeof scriptSchema>;
