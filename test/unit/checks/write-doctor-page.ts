/** Writes the table of docs/doctor.md anew (`npm run doctor-page`); a test fails while it is not current. */
import { readFileSync, writeFileSync } from "node:fs";
import { withFindings } from "./doctor-page.ts";

const page = new URL("../../../docs/doctor.md", import.meta.url);
writeFileSync(page, withFindings(readFileSync(page, "utf8")));
