import { z } from "zod";
import { defineMethod } from "../method.ts";
import type { TerminalView } from "../ports.ts";
import { terminalsResultSchema, type terminalViewSchema } from "../wire.ts";

/** A terminal as it goes on the wire: field by field, so that nothing else the bridge knows of it gets out. */
export function terminalWire({
  id,
  model,
  state,
  reason,
  serialNumber,
  firmware,
  connection,
  capabilities,
  payment,
  queue,
}: TerminalView): z.input<typeof terminalViewSchema> {
  return { id, model, state, reason, serialNumber, firmware, connection, capabilities: [...capabilities], payment, queue };
}

export const terminalsList = defineMethod({
  name: "terminals.list",
  summary: "Every terminal of this bridge and what it is doing now.",
  scopes: [],
  params: z.strictObject({}),
  result: terminalsResultSchema,
  run: async ({ payments }) => ({ ok: true, value: { terminals: payments.terminals().map(terminalWire) } }),
});
