import { z } from "zod";
import { defineMethod, refuse } from "../rpc/method.ts";
import { approveResultSchema } from "../rpc/schemas.ts";
import { defaultScopes } from "../tokens/token-name.ts";

const params = z.strictObject({
  code: z.string().min(1).max(32).describe("The code that both sides show."),
  scopes: z.array(z.string().max(32)).max(16).describe("Absent: `payments` and `refunds`.").optional(),
  refundLimits: z
    .strictObject({
      payment: z.string().max(32).describe("By each payment.").optional(),
      day: z.string().max(32).describe("In a day.").optional(),
    })
    .describe("The most that it may give back. Absent: no limit.")
    .optional(),
});

export const registersApprove = defineMethod({
  name: "registers.approve",
  summary: "Pairs the register that shows this code. Without scopes it may do payments and refunds.",
  notes: ["The scope `technician` is granted by the command `posbridge tokens approve` alone."],
  scopes: ["technician"],
  params,
  result: approveResultSchema,
  run: async ({ registers, session }, { scopes, ...order }) => {
    // A stolen technician's token must not make further technicians.
    if (scopes?.includes("technician") === true)
      return refuse(
        "forbidden",
        "the scope technician is granted on the bridge's machine alone: `posbridge tokens approve CODE --scope technician`",
        "fix-config",
        "scopes",
      );
    const own: readonly string[] = [...defaultScopes, ...session.scopes];
    const more = scopes?.find((scope) => !own.includes(scope));
    if (more !== undefined)
      return refuse(
        "forbidden",
        `this session has not the scope ${more} itself, so it cannot grant it: use posbridge tokens approve`,
        "fix-config",
        "scopes",
      );
    const approved = registers.approve({ ...order, scopes, by: `register ${session.register}` });
    if (!approved.ok) return approved;
    const { register, scopes: granted, origin } = approved.value;
    return { ok: true, value: { register, scopes: [...granted], origin } };
  },
});
