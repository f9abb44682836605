import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const fileSchema = z.object({
  frames: z.array(z.object({ name: z.string(), hex, command: z.int(), sub: z.int(), data: hex, source: z.string() })),
});

/** Frames that were made by others than this project; every entry names its source. */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/pax-d180.json", import.meta.url), "utf8")),
);
