/** Writes docs/recovery.md anew (`npm run recovery-page`); a test fails while it is not current. */
import { writeFileSync } from "node:fs";
import { recoveryPage } from "./recovery-page.ts";

writeFileSync(new URL("../../../docs/recovery.md", import.meta.url), recoveryPage());
