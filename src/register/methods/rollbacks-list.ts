import { z } from "zod";
import type { RollbackView } from "../ports.ts";
import { defineMethod } from "../rpc/method.ts";
import { type rollbackSchema, rollbacksResultSchema } from "../rpc/schemas.ts";

export function rollbackWire({
  number,
  noticedAt,
  last,
  shown,
  confirmed,
}: RollbackView): z.input<typeof rollbackSchema> {
  return { number, noticedAt, last, shown: [...shown], ...(confirmed !== undefined && { confirmed }) };
}

export const rollbacksList = defineMethod({
  name: "rollbacks.list",
  summary:
    "Each time that the data folder was put back to an earlier moment, oldest first. While the last one is not confirmed, nothing that moves money is accepted.",
  scopes: ["technician"],
  params: z.strictObject({}),
  result: rollbacksResultSchema,
  run: async ({ payments }) => ({ ok: true, value: { rollbacks: payments.rollbacks().map(rollbackWire) } }),
});
