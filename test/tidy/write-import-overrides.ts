import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { importOverrides } from "./import-overrides.ts";
import { readTree } from "./tree.ts";

/**
 * `npm run import-overrides` writes the table of test/tidy/arrows.ts into biome.json; overrides of other rules stay.
 */
const configuration = z.looseObject({
  overrides: z.array(
    z.looseObject({
      linter: z.looseObject({ rules: z.looseObject({ style: z.looseObject({}).optional() }) }).optional(),
    }),
  ),
});
const { overrides, ...rest } = configuration.parse(JSON.parse(readFileSync("biome.json", "utf8")));
const others = overrides.filter(({ linter }) => linter?.rules.style?.["noRestrictedImports"] === undefined);
writeFileSync(
  "biome.json",
  `${JSON.stringify({ ...rest, overrides: [...importOverrides(readTree("src", "drivers", "packages/sandbox")), ...others] }, null, 2)}\n`,
);
