import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema, testResultSchema } from "../rpc/schemas.ts";
import { terminalWire } from "./terminals-list.ts";

export const terminalsTest = defineMethod({
  name: "terminals.test",
  summary: "Asks a terminal who it is. Never a payment.",
  scopes: ["payments", "technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: testResultSchema,
  run: async (context, { terminal }) => {
    const tested = await context.payments.testTerminal(terminal);
    return tested.ok ? { ok: true, value: { terminal: terminalWire(tested.value, context) } } : tested;
  },
});
