import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { BuiltPages } from "../http/pages.ts";

const builtSchema = z.record(z.string(), z.strictObject({ type: z.string(), gzip: z.base64() }));

/**
 * The web pages built by `npm run pages`; undefined before the first build. In a packaged program packaging/bundle.ts
 * replaces this file by the pages.
 */
export function builtPages(program: "shop" | "demo"): BuiltPages | undefined {
  const file = fileURLToPath(new URL(`../../dist/pages/${program}.json`, import.meta.url));
  return existsSync(file) ? builtSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}
