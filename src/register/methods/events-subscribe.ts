import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { cursorSchema, subscribeResultSchema } from "../rpc/schemas.ts";

export const eventsSubscribe = defineMethod({
  name: "events.subscribe",
  summary:
    "From the reply on, this socket hears `payment.changed` for every payment that it may read: first all after the cursor, then live.",
  notes: [
    "Without it, a socket hears only of payments that it started, follow-ups included, and not of their originals unless it started them too.",
    "Keep the `cursor` of the last change that you dealt with, and subscribe after it when you are back: nothing is missed. One subscription a socket.",
    "Without `after` it begins now; on a socket that has started payments, right behind the last change that it was told.",
    "A change of the prompt alone carries the payment's last cursor, which may be lower than one you know (keep the highest), and is not sent again.",
    "A reply may overtake notifications: of two views of a payment the one with the later `updatedAt` is newer, and FINAL stays.",
    "`cursor-gone`: the bridge does not have that cursor, or later changes were archived (after 90 days unless configured otherwise). Subscribe without one, and read `payment.list`.",
    "A cursor is a whole number of up to 25 digits, as text; later ones are higher. Its last nine digits are signed by the data folder: send it back as it came. Shorter ones of earlier versions are taken, and prove nothing.",
  ],
  scopes: ["payments", "payments:all"],
  params: z.strictObject({ after: cursorSchema.describe("Begin after this change. Absent: begin now.").optional() }),
  result: subscribeResultSchema,
  run: ({ feed }, { after }) => feed.subscribe(after),
});
