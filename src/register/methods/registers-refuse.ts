import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { refuseResultSchema } from "../rpc/schemas.ts";

export const registersRefuse = defineMethod({
  name: "registers.refuse",
  summary: "Refuses the register that shows this code.",
  scopes: ["technician"],
  params: z.strictObject({ code: z.string().min(1).max(32).describe("The code that it shows.") }),
  result: refuseResultSchema,
  run: async ({ registers, session }, { code }) => registers.refuse({ code, by: `register ${session.register}` }),
});
