import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { modelsResultSchema } from "../rpc/schemas.ts";

export const terminalsModels = defineMethod({
  name: "terminals.models",
  summary: "Every model that a terminal may be, how it is connected, and what may be set for it.",
  scopes: ["technician"],
  params: z.strictObject({}),
  result: modelsResultSchema,
  run: async ({ pairing }) => ({
    ok: true,
    value: {
      models: pairing
        .models()
        .map((model) => ({ ...model, connections: [...model.connections], options: [...model.options] })),
    },
  }),
});
