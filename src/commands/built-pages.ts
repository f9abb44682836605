import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { BuiltPages } from "../http/pages.ts";

const builtSchema = z.record(z.string(), z.strictObject({ type: z.string(), gzip: z.base64() }));

/**
 * The web pages as `npm run pages` built them; undefined where it never ran. In a packaged program the pages are part of the program: packaging/bundle.ts puts them
 * in the place of this file.
 */
export function builtPages(program: "shop" | "demo"): BuiltPages | undefined {
  const file = fileURLToPath(new URL(`../../dist/pages/${program}.json`, import.meta.url));
  return existsSync(file) ? builtSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}
