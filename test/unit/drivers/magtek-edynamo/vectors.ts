import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const fileSchema = z.object({
  sources: z.record(z.string(), z.string()),
  commands: z.array(
    z.object({ meaning: z.string(), source: z.string(), code: hex, id: hex.optional(), data: hex, hex }),
  ),
  answers: z.array(z.object({ meaning: z.string(), source: z.string(), result: hex.optional(), data: hex, hex })),
  acquirerResponse: z.object({ source: z.string(), first: hex, answer: hex, serialNumber: hex, responseCode: hex }),
  runs: z.array(z.object({ source: z.string(), plain: z.string(), runs: hex })),
  texts: z.array(z.object({ source: z.string(), hex, text: z.string() })),
  setClock: z.object({ source: z.string(), at: z.string(), hex }),
});

/** Published bytes of the maker's own manuals and host; each entry names its source. */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/magtek-edynamo.json", import.meta.url), "utf8")),
);
