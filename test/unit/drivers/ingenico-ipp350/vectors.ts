import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const from = z.string();
const fileSchema = z.object({
  frames: z.array(z.object({ body: z.string(), hex, source: z.string() })),
  reads: z.array(
    z.object({ text: z.string(), exit: z.string(), source: z.string(), tracks: z.array(z.string()), from }),
  ),
  pins: z.array(z.object({ text: z.string(), block: hex, ksn: hex, from })),
  masked: z.array(z.object({ number: z.string(), shown: z.string(), from })),
  status: z.array(z.object({ text: z.string(), card: z.boolean(), from })),
});

/** Published frames and bodies of Ingenico devices; every entry names its source. */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/ingenico-rba.json", import.meta.url), "utf8")),
);
