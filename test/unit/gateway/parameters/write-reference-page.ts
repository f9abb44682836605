/** Writes docs/parameters.md anew (`npm run parameters-page`); a test fails while it is not current. */
import { writeFileSync } from "node:fs";
import { referencePage } from "../../../../src/gateway/parameters/reference-page.ts";

writeFileSync(new URL("../../../../docs/parameters.md", import.meta.url), referencePage());
