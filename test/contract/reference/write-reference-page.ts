/** Writes docs/register-reference.md anew (`npm run reference-page`); a test fails while it is not current. */
import { writeFileSync } from "node:fs";
import { recordExchanges } from "./method-exchanges.ts";
import { referencePage } from "./reference-page.ts";

writeFileSync(new URL("../../../docs/register-reference.md", import.meta.url), referencePage(await recordExchanges()));
