import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { passthroughShape } from "../src/gateway/parameters/passthrough.ts";
import { paymentViewSchema } from "../src/payment/view-schema.ts";
import {
  cancelResultSchema,
  changeSchema,
  deletionResultSchema,
  errorSchema,
  helloSchema,
  listResultSchema,
  modelsResultSchema,
  openResultSchema,
  pairParamsSchema,
  pairResultSchema,
  receiptResultSchema,
  receiptSchema,
  replaceParamsSchema,
  scanResultSchema,
  startResultSchema,
  terminalViewSchema,
  totalsResultSchema,
} from "../src/register/rpc/schemas.ts";
import { jsonOf, type Named, typeOf } from "./json-type.ts";

/*
 * npm run client-types   the types of the register API for the client, from the schemas of the bridge:
 * api.ts, passed.ts and airline.ts in src/client
 */

/** What the bridge sends. */
const SENT = {
  PaymentView: paymentViewSchema,
  Terminal: terminalViewSchema,
  Receipt: receiptSchema,
  WireError: errorSchema,
  Hello: helloSchema,
  Change: changeSchema,
  Opened: openResultSchema,
  Started: startResultSchema,
  Cancelled: cancelResultSchema,
  Deleted: deletionResultSchema,
  PaymentPage: listResultSchema,
  Receipts: receiptResultSchema,
  Totals: totalsResultSchema,
  Scanned: scanResultSchema,
  Models: modelsResultSchema,
  Paired: pairResultSchema,
} as const;

/** What a register sends, where the client has no type of its own. */
const GIVEN = { PairParams: pairParamsSchema, ReplaceParams: replaceParamsSchema } as const;

export const named: Named = new Map(Object.entries(SENT).map(([name, schema]) => [schema, name]));

const HEAD = "/* Written by `npm run client-types` from the schemas of the bridge. */\n\n";

/** The text of src/client/api.ts, before it is formatted. */
export function apiTypes(): string {
  const sent = Object.entries(SENT).map(
    ([name, schema]) => `export interface ${name} ${typeOf(jsonOf(schema, named, "output"), false)}\n\n`,
  );
  const given = Object.entries(GIVEN).map(
    ([name, schema]) => `export interface ${name} ${typeOf(jsonOf(schema, named), true)}\n\n`,
  );
  return HEAD + [...sent, ...given].join("");
}

/** The texts of src/client/passed.ts and src/client/airline.ts, before they are formatted. */
export function passedTypes(): { readonly passed: string; readonly airline: string } {
  const groups = z.object({ properties: z.record(z.string(), z.looseObject({})) });
  const { properties } = groups.parse(jsonOf(z.strictObject(passthroughShape), new Map()));
  const types = Object.entries(properties).map(([name, json]) => [name, typeOf(json, true)] as const);
  const interfaceOf = ([name, type]: readonly [string, string]): string =>
    type.startsWith("{") ? `\nexport interface ${nameOf(name)} ${type}\n` : "";
  const members = types.map(
    ([name, type]) => `readonly ${name}?: ${type.startsWith("{") ? nameOf(name) : type} | undefined;`,
  );
  const ofAirlines = types.filter(([name]) => name === "airline");
  const others = types.filter(([name]) => name !== "airline");
  const passed = [
    'import type { AirlineFields } from "./airline.ts";\n',
    "/** Members of a start that the bridge passes to the gateway (docs/parameters.md). Money is text. */",
    `export interface PassedFields { ${members.join(" ")} }\n`,
  ].join("\n");
  return {
    passed: HEAD + passed + others.map(interfaceOf).join(""),
    airline: HEAD + ofAirlines.map(interfaceOf).join("").trimStart(),
  };
}

function nameOf(group: string): string {
  return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}Fields`;
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const files = { api: apiTypes(), ...passedTypes() };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "src", "client", `${name}.ts`), text);
  const paths = Object.keys(files).map((name) => join("src", "client", `${name}.ts`));
  execFileSync("biome", ["format", "--write", ...paths], { cwd: root, stdio: "inherit" });
}
