import { z } from "zod";
import { readYaml } from "./yaml-source.ts";

/** The listener's address, and the names configured for it. */
export interface Listening {
  readonly host: string;
  readonly names?: readonly string[] | undefined;
}

const fileSchema = z.object({
  listen: z
    .object({ host: z.string().default("127.0.0.1"), names: z.array(z.string()).min(1).optional() })
    .default({ host: "127.0.0.1" }),
});

/**
 * The listener of a configuration whose other parts may still be wrong: its certificate is yet to be made. Undefined:
 * the section cannot be read.
 */
export function parseListening(text: string): Listening | undefined {
  const yaml = readYaml(text);
  return yaml.ok ? fileSchema.safeParse(yaml.source.value).data?.listen : undefined;
}
