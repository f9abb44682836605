import type { z } from "zod";
import type { Checked, ProvenDevice } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { type Context, defineMethod, refuse } from "../rpc/method.ts";
import { pairParamsSchema, pairResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { terminalNow } from "./terminals-list.ts";

export const terminalsPair = defineMethod({
  name: "terminals.pair",
  summary:
    "Takes a new terminal into service: opens its line, reads its serial number back, and keeps it in the data folder. Nothing is kept where that fails.",
  scopes: ["technician"],
  params: pairParamsSchema,
  result: pairResultSchema,
  run: async (context, params) => {
    const refusal = cardNumberIn({ label: params.label });
    if (refusal !== undefined) return refusal;
    return provenWire(context, params.id, await context.pairing.pair(`register ${context.session.register}`, params));
  },
});

/** The terminal after its device was verified. */
export function provenWire(
  context: Context,
  id: string,
  proven: Checked<ProvenDevice>,
): Ran<z.input<typeof pairResultSchema>> {
  if (!proven.ok) return proven;
  const terminal = terminalNow(context, id);
  if (terminal === undefined) return refuse("unknown-terminal", `terminal "${id}" was unpaired meanwhile`);
  return { ok: true, value: { terminal, warnings: [...proven.value.warnings] } };
}
