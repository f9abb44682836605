import { z } from "zod";
import { defineMethod, refuse } from "../rpc/method.ts";
import { terminalIdSchema, terminalLabelSchema, testResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { terminalNow } from "./terminals-list.ts";

export const terminalsRename = defineMethod({
  name: "terminals.rename",
  summary: "Gives a terminal a label for people; an empty one takes it away. The id never changes.",
  notes: ["Terminals of the configuration file have labels too."],
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema, label: terminalLabelSchema }),
  result: testResultSchema,
  run: async (context, { terminal: id, label }) => {
    const refusal = cardNumberIn({ label });
    if (refusal !== undefined) return refusal;
    const renamed = await context.pairing.rename(`register ${context.session.register}`, id, label);
    if (!renamed.ok) return renamed;
    const terminal = terminalNow(context, id);
    return terminal === undefined
      ? refuse("unknown-terminal", `terminal "${id}" was unpaired meanwhile`)
      : { ok: true, value: { terminal } };
  },
});
