import { z } from "zod";
import type { Json, PaymentRow, StoredFact } from "../engine/ports.ts";
import type { ChainedFact } from "./chain.ts";

const paymentColumns = z.object({
  payment: z.string(),
  register: z.string(),
  reference: z.string(),
  terminal: z.string(),
  order_key: z.string().nullable(),
  type: z.string(),
  currency: z.string(),
  amount: z.int(),
  state: z.string(),
  outcome: z.string().nullable(),
  open: z.int(),
  created_at: z.string(),
});

/** Rows of versions before 7 have no `facts`. */
const sealedColumns = paymentColumns.extend({ last: z.int(), seal: z.string(), facts: z.int().nullish() });

const factColumns = z.object({ number: z.int(), payment: z.string(), at: z.string(), fact: z.string() });

const chainedColumns = z.object({ ...factColumns.shape, previous: z.string(), hash: z.string() });

/** JSON.parse always gives JSON; the reader of a fact checks its content. */
const json = z.custom<Json>((value) => value !== undefined);

function rowOf(columns: z.infer<typeof paymentColumns>): PaymentRow {
  const {
    order_key,
    created_at,
    open,
    payment,
    register,
    reference,
    terminal,
    type,
    currency,
    amount,
    state,
    outcome,
  } = columns;
  return {
    payment,
    register,
    reference,
    terminal,
    order: order_key,
    type,
    currency,
    amount,
    state,
    outcome,
    open: open === 1,
    createdAt: created_at,
  };
}

export interface SealedRow {
  readonly row: PaymentRow;
  /** Number of its payment's last fact. */
  readonly last: number;
  readonly seal: string;
  /** How many facts the payment has, the archived ones included; null if an older version wrote the row. */
  readonly facts: number | null;
}

export function readSealedRow(columns: unknown): SealedRow {
  const { last, seal, facts, ...rest } = sealedColumns.parse(columns);
  return { row: rowOf(rest), last, seal, facts: facts ?? null };
}

export function readFact(columns: unknown): StoredFact {
  const { number, payment, at, fact } = factColumns.parse(columns);
  return { number, payment, at, fact: json.parse(JSON.parse(fact)) };
}

export function readChained(columns: unknown): ChainedFact {
  return chainedColumns.parse(columns);
}
