import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { PaymentRow } from "../../engine/ports.ts";
import type { ChainedFact } from "../chain.ts";
import { gatewayIdIn, operationIn } from "../fact-columns.ts";

const numberSchema = z.object({ number: z.int() }).optional();

/** Looks up facts and rows in each index, and describes the first that an index does not find. */
export interface IndexProof {
  /** Facts that follow each other. */
  ofFacts(facts: readonly Pick<ChainedFact, "number" | "payment">[]): string | undefined;
  ofRow(row: PaymentRow): string | undefined;
}

/** The first fact from ? to ? that the index does not find by this expression. */
function unfound(index: string, expression: (table: string) => string): string {
  return `SELECT f.number AS number FROM facts AS f WHERE f.number BETWEEN ? AND ? AND ${expression("f")} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM facts AS i INDEXED BY ${index} WHERE ${expression("i")} = ${expression("f")}
      AND ${expression("i")} IS NOT NULL AND i.number = f.number) LIMIT 1`;
}

export function provenIndices(database: DatabaseSync): IndexProof {
  const ofFacts = [
    ["facts_operation", unfound("facts_operation", operationIn)],
    ["facts_gateway_id", unfound("facts_gateway_id", gatewayIdIn)],
  ].map(([index, sql]) => ({ index, statement: database.prepare(sql ?? "") }));
  const byPayment = database.prepare("SELECT 1 FROM facts INDEXED BY facts_payment WHERE payment = ? AND number = ?");
  const among = (index: string, condition: string) => ({
    index,
    statement: database.prepare(`SELECT 1 FROM payments INDEXED BY ${index} WHERE ${condition} AND payment = ?`),
  });
  const byReference = among("payments_reference", "register = ? AND reference = ?");
  const byAnyReference = among("payments_any_register", "reference = ?");
  const byTime = among("payments_newest", "created_at = ?");
  const byRegister = among("payments_of_register", "register = ? AND created_at = ?");
  const byOpen = among("payments_open", "open = 1 AND created_at = ?");
  return {
    ofFacts: (facts) => {
      const missed = facts.find(({ payment, number }) => byPayment.get(payment, number) === undefined);
      if (missed !== undefined) return `the index facts_payment does not find fact ${missed.number}`;
      const [first, last] = [facts[0]?.number ?? 0, facts.at(-1)?.number ?? 0];
      for (const { index, statement } of ofFacts) {
        const found = numberSchema.parse(statement.get(first, last));
        if (found !== undefined) return `the index ${index} does not find fact ${found.number}`;
      }
      return undefined;
    },
    ofRow: ({ payment, register, reference, createdAt, open }) => {
      const misses = [
        [byReference, register, reference],
        [byAnyReference, reference],
        [byTime, createdAt],
        [byRegister, register, createdAt],
        ...(open ? [[byOpen, createdAt] as const] : []),
      ] as const;
      const missed = misses.find(([{ statement }, ...values]) => statement.get(...values, payment) === undefined);
      return missed && `the index ${missed[0].index} does not find payment ${payment}`;
    },
  };
}
