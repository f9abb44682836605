import { z } from "zod";
import { fileSchema } from "./schema.ts";

/** The text of config/posbridge.schema.json: the configuration's schema for editors, as JSON Schema 2020-12. What depends on several values is not in it. */
export function configurationJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(fileSchema, { io: "input" }), null, 2)}\n`;
}
