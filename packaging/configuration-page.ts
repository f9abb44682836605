import { readFileSync, writeFileSync } from "node:fs";
import { withReference } from "../src/config/reference-page.ts";

/**
 * Writes the tables of docs/configuration.md anew (`npm run configuration-page`); a test fails while they are not
 * current.
 */
const page = new URL("../docs/configuration.md", import.meta.url);
writeFileSync(page, withReference(readFileSync(page, "utf8")));
