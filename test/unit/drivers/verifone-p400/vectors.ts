import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const frame = z.object({ hex, meaning: z.string(), source: z.string() });
const fileSchema = z.object({
  recorded: z.array(frame),
  chains: z.array(z.object({ name: z.string(), packets: z.array(hex), body: hex, source: z.string() })),
  built: z.array(frame),
  refused: z.array(z.object({ hex, why: z.string(), source: z.string() })),
});

/** Frames of VIPA devices; every entry names its source. */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/verifone-frames.json", import.meta.url), "utf8")),
);

/** The recorded frame of that meaning. */
export function recorded(beginning: string): string {
  const found = vectors.recorded.find(({ meaning }) => meaning.startsWith(beginning));
  if (found === undefined) throw new Error(`no recorded frame ${beginning}`);
  return found.hex;
}

function chainNamed(name: string): (typeof vectors.chains)[number] {
  const found = vectors.chains.find((one) => one.name.startsWith(name));
  if (found === undefined) throw new Error(`no recorded chain ${name}`);
  return found;
}

/** The body of a recorded chain, without its packets. */
export function chain(name: string): string {
  return chainNamed(name).body;
}

/** Its packets as they were recorded. */
export function packetsOf(name: string): readonly string[] {
  return chainNamed(name).packets;
}
