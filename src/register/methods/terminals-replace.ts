import { defineMethod } from "../rpc/method.ts";
import { pairResultSchema, replaceParamsSchema } from "../rpc/schemas.ts";
import { provenWire } from "./terminals-pair.ts";

export const terminalsReplace = defineMethod({
  name: "terminals.replace",
  summary:
    "Gives a terminal that no payment holds another device: the id stays, and the new serial number is read and kept.",
  notes: [
    "What is not said stays. A new model needs its own `options` and `deviceType`, a new device its own `deviceId`; a missing `deviceId` is told in `warnings`.",
    "If the new device cannot be proven, the old one is in service again.",
    "For a terminal of the configuration file, the new device stands in the data folder, and counts as long as the file says what it said.",
  ],
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
