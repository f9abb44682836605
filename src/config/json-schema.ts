import { z } from "zod";
import { fileSchema } from "./schema.ts";

/**
 * The text of config/posbridge.schema.json: JSON Schema 2020-12 for editors. Rules between several values are not in
 * it.
 */
export function configurationJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(fileSchema, { io: "input" }), null, 2)}\n`;
}
