import { writeFileSync } from "node:fs";
import { configurationJsonSchema } from "../src/config/json-schema.ts";

/** Writes config/posbridge.schema.json anew (`npm run config-schema`); a test fails while it is not current. */
writeFileSync(new URL("../config/posbridge.schema.json", import.meta.url), configurationJsonSchema());
