import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { cursorSchema, subscribeResultSchema } from "../rpc/schemas.ts";

export const eventsSubscribe = defineMethod({
  name: "events.subscribe",
  summary:
    "From the reply on this socket hears `payment.changed` for every payment it may read: first all after the cursor, then live.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject({ after: cursorSchema.optional() }),
  result: subscribeResultSchema,
  run: ({ feed }, { after }) => feed.subscribe(after),
});
