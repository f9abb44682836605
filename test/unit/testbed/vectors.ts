import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Tlv } from "../../../src/emv/tlv.ts";
import { fromHex } from "../../../src/kit/hex.ts";

/**
 * Origin of every vector: its own `published.origin` (pyemv, psec, jPOS, openemv, X9.24 annex A); keys and cards are
 * public test material.
 */
const fileSchema = z.object({
  vectors: z.array(
    z.object({ id: z.string(), inputs: z.record(z.string(), z.unknown()), outputs: z.record(z.string(), z.unknown()) }),
  ),
});

const file = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../vectors/emv-vectors.json", import.meta.url), "utf8")),
);

export interface Vector {
  readonly id: string;
  readonly inputText: (name: string) => string;
  readonly input: (name: string) => Uint8Array;
  readonly output: (name: string) => Uint8Array;
  readonly outputText: (name: string) => string;
  readonly tags: () => readonly Tlv[];
}

/** The vectors whose ids begin so; at least one, else the test that asks for them would test nothing. */
export function vectors(prefix: string): readonly Vector[] {
  const found = file.vectors.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 0) throw new Error(`no vector begins with ${prefix}`);
  return found.map(({ id, inputs, outputs }) => {
    const inputText = (name: string): string => z.string({ error: `${id} has no input ${name}` }).parse(inputs[name]);
    const outputText = (name: string): string =>
      z.string({ error: `${id} has no output ${name}` }).parse(outputs[name]);
    const tags = (): readonly Tlv[] =>
      Object.entries(z.record(z.string(), z.string()).parse(inputs["tags"])).map(([tag, value]) => ({
        tag,
        value: fromHex(value),
      }));
    return {
      id,
      inputText,
      outputText,
      tags,
      input: (name) => fromHex(inputText(name)),
      output: (name) => fromHex(outputText(name)),
    };
  });
}

export function vector(id: string): Vector {
  const found = vectors(id).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no vector ${id}`);
  return found;
}
