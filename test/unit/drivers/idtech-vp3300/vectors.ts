import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const fileSchema = z.object({
  frames: z.array(z.object({ name: z.string(), hex, source: z.string() })),
  reports: z.object({ frame: z.string(), hex: z.array(hex), source: z.string() }),
  stripe: z.object({ hex, source: z.string() }),
  demo: z.object({ BDK: hex, KSN: hex, IPEK: hex, dataKey: hex, enc57: hex, enc5A: hex }),
  sealed: z.array(z.object({ ksn: hex, data: hex, clear: hex, source: z.string() })),
});

/**
 * Recorded frames and ciphertexts of ID TECH readers, and frames made by their published rules; every entry names its
 * source.
 */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/idtech-vectors.json", import.meta.url), "utf8")),
);

export function frameHex(name: string): string {
  const found = vectors.frames.find((frame) => frame.name === name);
  if (found === undefined) throw new Error(`no frame ${name}`);
  return found.hex;
}
