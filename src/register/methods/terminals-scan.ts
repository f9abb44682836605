import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { scanResultSchema } from "../rpc/schemas.ts";

export const terminalsScan = defineMethod({
  name: "terminals.scan",
  summary: "What is plugged in, which model each device probably is, and which terminal has it. Opens no device.",
  notes: ["A terminal on the network is not found by a scan."],
  scopes: ["technician"],
  params: z.strictObject({}),
  result: scanResultSchema,
  run: async ({ pairing }) => {
    const devices = await pairing.scan();
    return { ok: true, value: { devices: devices.map((device) => ({ ...device, likely: [...device.likely] })) } };
  },
});
