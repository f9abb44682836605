import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const nad = z.union([z.literal(1), z.literal(2)]);
const fileSchema = z.object({
  packets: z.array(
    z.object({
      hex,
      nad,
      chained: z.boolean(),
      unsolicited: z.boolean(),
      apdu: hex,
      meaning: z.string(),
      source: z.string(),
    }),
  ),
  refused: z.array(z.object({ hex, why: z.string(), source: z.string() })),
  reassembly: z.array(z.object({ name: z.string(), packets: z.array(hex), body: hex, source: z.string() })),
  apdus: z.array(
    z.object({ hex, cla: z.int(), ins: z.int(), p1: z.int(), p2: z.int(), data: hex, le: z.int().optional() }),
  ),
  bodies: z.object({
    pinOk: hex,
    cardStatus: hex,
    key: hex,
    printer: hex,
    barcode: hex,
    clock: hex,
    resetExtended: hex,
    swipe: hex,
  }),
  payloads: z.record(z.string(), z.object({ hex, source: z.string() })),
});

/** Published frames and bodies of Miura readers; every entry names its source. */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/miura-frames.json", import.meta.url), "utf8")),
);

export function payload(name: string): string {
  const found = vectors.payloads[name];
  if (found === undefined) throw new Error(`no payload ${name}`);
  return found.hex;
}
