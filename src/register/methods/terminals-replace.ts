import { defineMethod } from "../rpc/method.ts";
import { pairResultSchema, replaceParamsSchema } from "../rpc/schemas.ts";
import { provenWire } from "./terminals-pair.ts";

export const terminalsReplace = defineMethod({
  name: "terminals.replace",
  summary:
    "Puts another device in the place of a terminal that no payment holds: the id stays, and the new serial number is read and taken over.",
  scopes: ["technician"],
  params: replaceParamsSchema,
  result: pairResultSchema,
  run: async (context, { terminal, ...device }) =>
    provenWire(
      context,
      terminal,
      await context.pairing.replace(`register ${context.session.register}`, terminal, device),
    ),
});
