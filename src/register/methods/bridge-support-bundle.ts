import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { supportBundleResultSchema } from "../rpc/technician-schemas.ts";

export const bridgeSupportBundle = defineMethod({
  name: "bridge.supportBundle",
  summary:
    "One JSON text for support: version, configuration without secrets, terminals, checks, open payments with timelines, the last log lines, metrics. Refused if anything in it reads like a card number.",
  notes: ["`posbridge support-bundle FILE` makes the same on the bridge's machine."],
  scopes: ["technician"],
  params: z.strictObject({}),
  result: supportBundleResultSchema,
  run: async ({ technician, audit }) => {
    const made = await technician.supportBundle();
    if (made.ok) audit("support-bundle-made");
    return made;
  },
});
