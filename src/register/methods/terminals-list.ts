import { z } from "zod";
import type { TerminalView } from "../ports.ts";
import { type Context, defineMethod } from "../rpc/method.ts";
import { terminalsResultSchema, type terminalViewSchema } from "../rpc/schemas.ts";

/** The wire form of a terminal, field by field, so that internal data cannot leak. */
export function terminalWire(
  view: TerminalView,
  { pairing }: Pick<Context, "pairing">,
): z.input<typeof terminalViewSchema> {
  const { id, model, state, reason, serialNumber, firmware, connection, capabilities, payment, queue } = view;
  const { label, paired, replaced } = pairing.notes(id);
  return {
    id,
    model,
    state,
    reason,
    serialNumber,
    firmware,
    connection,
    capabilities: [...capabilities],
    payment,
    queue,
    label,
    paired,
    replaced,
  };
}

/** The terminal's current state; undefined if it is already gone. */
export function terminalNow(
  context: Pick<Context, "payments" | "pairing">,
  id: string,
): z.input<typeof terminalViewSchema> | undefined {
  const view = context.payments.terminals().find((one) => one.id === id);
  return view && terminalWire(view, context);
}

export const terminalsList = defineMethod({
  name: "terminals.list",
  summary: "Every terminal of this bridge and what it is doing now.",
  scopes: [],
  params: z.strictObject({}),
  result: terminalsResultSchema,
  run: async (context) => ({
    ok: true,
    value: { terminals: context.payments.terminals().map((view) => terminalWire(view, context)) },
  }),
});
