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
    "Takes a new terminal into service: opens its line, reads its serial number back, and keeps it in the data folder. If that fails, nothing is kept.",
  notes: [
    "It takes some seconds, 45 at most. The fields follow the rules of the configuration. A device without keys is paired with a warning; it is `out-of-service` until its keys are injected.",
    "`terminal-offline`: the line cannot be opened, nothing answered, or another model answered; the message says which.",
    "`terminal-out-of-service`: the device may not be used: tampered, no serial number, or a clock that cannot be set.",
    "`not-allowed`: the id or the serial number is another terminal's.",
    "`invalid-params`: a field breaks a rule of the configuration: another terminal's device, a simulator in a live shop, an unknown model.",
    "`journal-unwritable`: the data folder takes no writing.",
  ],
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
